import FoundationEssentials
import PlainText
import WireProtocol

/// Some who seek a ride (`rides/seeker-rows`).
struct SeekerList {
    var rows: [SeekerRow]
    var any: Bool
    var more: String?
    /// What stands for those that follow, in whose place they come.
    var target: String

    /// - Parameter more: where those that follow are.
    init(_ rows: [SeekerRow], more: String?, at target: String = "more") {
        (self.rows, self.more, self.target) = (rows, more, target)
        any = !rows.isEmpty
    }
}

/// Somebody who seeks a ride (`rides/seeker`), as others may know it.
struct SeekerRow {
    /// The form that invites them.
    struct Invitation {
        var action: String
        var key: String
        /// Of the page of the list that it stands on.
        var cursor: String
    }

    var id: String
    var person: PersonView
    /// `Testholm → somewhere near North`
    var way: String
    var when: String
    var seats: String
    var luggage: String?
    /// What it costs their driver to take them along.
    var cost: String?
    var invite: Invitation?
    /// When they were invited.
    var invited: Moment?
    /// Where one offers such a ride.
    var offer: String?

    /// - Parameter zone: by whose clocks its times are said.
    private init(_ seeker: Seeker, in zone: String, _ visit: Visit) {
        let words = visit.words
        id = seeker.id.description
        person = PersonView(seeker.person, in: visit)
        way = words["rides.way", ["from": seeker.from.text(in: words), "to": seeker.to.text(in: words)]]
        when = seeker.when(in: zone, words)
        seats = words["rides.seats.number", count: seeker.seats]
        luggage = seeker.luggage.flatMap { words.find("wanted.sentence.luggage.\($0.rawValue)") }
    }

    /// In the list of a region.
    init(_ seeker: Seeker, in visit: Visit) {
        self.init(seeker, in: visit.community.zone, visit)
        offer = OfferPage.path(for: seeker, in: visit)
    }

    /// Along the way of a ride, for its driver.
    /// - Parameters:
    ///   - cursor: of the page of the list.
    ///   - key: that of the form.
    init(_ along: SeekerAlong, of ride: Ride, cursor: String?, key: String = Visit.newKey(), in visit: Visit) {
        self.init(along.seeker, in: ride.zone, visit)
        cost = along.cost(in: visit.words)
        invited = along.invitedAt.map { visit.moment($0, .ago) }
        guard invited == nil, ride.state == .open else { return }
        let action = "\(RideSeekersPage.path(ride.id))/\(along.seeker.id)/invite"
        invite = Invitation(action: action, key: key, cursor: cursor ?? "")
    }
}

extension SeekingEnd {
    /// `Testholm`; where its name is not known, `somewhere near North`.
    func text(in words: Words) -> String {
        if let name = name?.nonEmpty { return name }
        guard let region = region?.nonEmpty else { return words["seeking.somewhere"] }
        return words["seeking.near", ["region": region]]
    }
}

extension Seeker {
    /// `Friday, 6 March 2026`, with the times where it is not all of the day; about a moment; or between two.
    func when(in zone: String, _ words: Words) -> String {
        let (first, last) = (WallTime(at: after, in: zone), WallTime(at: before, in: zone))
        if first == WallTime(first.day), last == WallTime(first.day + 1) {
            return CivilText.full(first.day, in: words)
        }
        // Around one moment.
        if before.timeIntervalSince(after) == 2 * 86_400 {
            return words["seeking.about", ["moment": CivilText.moment(after + 86_400, in: zone, words)]]
        }
        if first.day == last.day { return RideClock(zone, in: words).moment(after, before) }
        return words[
            "seeking.between",
            [
                "after": CivilText.moment(after, in: zone, words), "before": CivilText.moment(before, in: zone, words),
            ]]
    }
}

extension SeekerAlong {
    /// `6 minutes, 2.4 km out of your way`; `From stop to stop · starts 1.1 km from there`.
    func cost(in words: Words) -> String {
        if detour >= RideCard.near {
            let distance = Distance.reach(detour, in: words)
            guard let detourSeconds else { return words["seeking.cost.detour", ["distance": distance]] }
            let time = RideDetour.time(detourSeconds, in: words)
            return words["seeking.cost.detourTime", ["distance": distance, "time": time]]
        }
        if detour > 0 || startGap + endGap == 0 { return words["seeking.cost.onTheWay"] }
        let gaps = [("start", startGap), ("end", endGap)].filter { $0.1 >= RideCard.near }.map { end, metres in
            words["seeking.cost.\(end)", ["distance": Distance.reach(metres, in: words)]]
        }
        return ([words["seeking.cost.stops"]] + gaps).joined(separator: " · ")
    }
}

/// On the page of a ride, to its driver: how many seek along its way (`rides/seekers-box`).
struct SeekersBox {
    /// So many are counted.
    private static let most = 20

    var text: String
    var href: String

    /// Nil where nobody does, or nobody can say: the page does without it.
    init?(along ride: Ride, in visit: Visit) async {
        guard ride.mine, ride.state == .open, ride.hidden == nil, visit.takesPart else { return nil }
        let query = RideSeekersQuery(ride: ride.id, limit: Self.most)
        guard let found = try? await visit.ask(MatchingMethods.rideSeekers, query, Nothing(), within: 1),
            !found.items.isEmpty
        else { return nil }
        text =
            found.next == nil
            ? visit.words["seeking.along", count: found.items.count]
            : visit.words["seeking.alongMany", ["n": String(Self.most)]]
        href = RideSeekersPage.path(ride.id)
    }
}
