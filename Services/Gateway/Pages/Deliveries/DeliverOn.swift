import FoundationEssentials
import WireProtocol

/// That somebody can bring something along, with what is offered to them and what they carry (`matches/on`).
struct DeliverOn {
    struct Act {
        var href: String
        var text: String
        var icon: String
        var key = Visit.newKey()
        /// In how many minutes it then ends.
        var minutes: Int?
    }

    var problem: String?
    var restaurant: String
    var address: String?
    var dropOff: String
    var said: TimedSentence
    /// Three offers in a row were not answered.
    var isPaused: Bool
    /// `One of two hands is free.`
    var hands: String
    var facts: [RowFact]
    var offers: [MatchRow]
    var anyOffers: Bool
    var carried: [MatchRow]
    var anyCarried: Bool
    /// The whole way, where they carry several.
    var map: WayMap?
    var resume: Act?
    var longer: Act?
    var change: String
    var stop: String
    var history: String

    struct RowFact {
        var icon: String
        var name: String
        var text: String
    }

    static let longerBy = 15
    private static let longest = 180

    init(_ own: Availability, in visit: Visit) async {
        let words = visit.words
        let matches = await Self.matches(of: own, visit)
        (restaurant, address, dropOff) = (own.restaurant.name, own.restaurant.address, own.dropOff.name)
        isPaused = own.state == .paused
        let state = isPaused ? "paused" : own.isListed ? "listed" : "unlisted"
        said = TimedSentence("deliver.says.\(state)", [:], own.until, in: visit)
        let free = max(0, own.capacity - own.taken)
        hands = words["deliver.free", ["of": String(own.capacity)], count: free]
        facts = Self.facts(own, words)
        offers = matches.filter { $0.state == .offered }.map { MatchRow($0, in: visit) }
        let inHand = matches.filter(\.isInHand)
        carried = inHand.enumerated().map { index, match in
            MatchRow(match, number: inHand.count > 1 ? index + 1 : nil, in: visit)
        }
        map = inHand.count > 1 ? await WayMap(of: own, bringing: inHand, in: visit) : nil
        (anyOffers, anyCarried) = (!offers.isEmpty, !carried.isEmpty)
        resume = isPaused ? Act(href: DeliverActs.resume, text: words["deliver.resume"], icon: "check") : nil
        longer = Self.longer(own, visit)
        change = "\(DeliverPage.path)?change=yes"
        stop = DeliverActs.stop
        history = MatchesPage.path
    }

    /// As they are best gone to; what can't be had now is left out.
    private static func matches(of own: Availability, _ visit: Visit) async -> [DeliveryMatch] {
        let found = await withTaskGroup(of: DeliveryMatch?.self) { group in
            for id in own.matches {
                group.addTask { try? await visit.ask(MatchingMethods.match, MatchReference(id: id), Nothing()) }
            }
            var found: [MatchID: DeliveryMatch] = [:]
            for await match in group { if let match { found[match.id] = match } }
            return found
        }
        return own.matches.compactMap { found[$0] }
    }

    private static func facts(_ own: Availability, _ words: Words) -> [RowFact] {
        func fact(_ icon: String, _ name: String, _ text: String) -> RowFact {
            RowFact(icon: icon, name: words["deliver.fact.\(name)"], text: text)
        }
        let way = own.detour == 0 ? words["deliver.noDetour"] : Distance.reach(own.detour, in: words)
        return [fact("route", "detour", way)]
            + (own.leastFee.map { [fact("hand", "fee", Price.text($0, in: words))] } ?? [])
    }

    /// Nil where it lasts as long as it may already.
    private static func longer(_ own: Availability, _ visit: Visit) -> Act? {
        let left = Int((own.until.timeIntervalSince(visit.now) / 60).rounded(.up))
        let minutes = max(0, left) + longerBy
        guard minutes <= longest else { return nil }
        return Act(
            href: DeliverActs.longer, text: visit.words["deliver.longer", count: longerBy], icon: "clock",
            minutes: minutes)
    }
}
