import FoundationEssentials
import WireProtocol

/// Judges found rides along streets, in their order: those that would have to go out of their way more than is left keep to their own stops, or are
/// left out where none of these are near.
///
/// Places is asked four questions at once: how far it is from both ends of what is looked for, and to both. Once it does not answer in time, straight
/// lines count for the rest of the page.
struct SearchStreets {
    /// How long Places is waited for.
    struct Patience: Sendable {
        /// Seconds for one answer.
        var one: TimeInterval = 0.3
        var all: Duration = .milliseconds(600)
    }

    private let ask: StreetsQuestion.Ask
    private let patience: TimeInterval
    private let end: ContinuousClock.Instant
    private var isAway = false

    init(asking ask: @escaping StreetsQuestion.Ask, patience: Patience) {
        (self.ask, self.patience, end) = (ask, patience.one, .now + patience.all)
    }

    /// - Parameter most: no more are wanted; some more may come.
    mutating func withinReach(
        _ offers: [FoundOffer], for page: RideSearchPage, atMost most: Int
    ) async -> [FoundOffer] {
        var (found, rest) = ([FoundOffer](), offers[...])
        while found.count < most, !rest.isEmpty {
            let (some, wanted) = Self.some(of: &rest)
            let known = await known(wanted)
            found += some.compactMap { $0.measured(along: known, for: page) }
        }
        return found
    }

    /// Of offers to different searches which are within reach. Places is asked of those alone whose stops are not near, and of a few at once, as by
    /// a search.
    mutating func areWithinReach(_ offers: [(offer: FoundOffer, page: RideSearchPage)]) async -> [Bool] {
        let isNear = offers.map { $0.offer.atStops(for: $0.page) != nil }
        let measured = await measured(offers, of: offers.indices.filter { !isNear[$0] })
        return offers.indices.map { isNear[$0] || measured[$0] != nil }
    }

    /// The same offers as they are along streets; nil where one is out of reach. Places is asked first of those whose stops are not near: whether they
    /// are found depends on it.
    mutating func measured(_ offers: [(offer: FoundOffer, page: RideSearchPage)]) async -> [FoundOffer?] {
        let isNear = offers.map { $0.offer.atStops(for: $0.page) != nil }
        let order = offers.indices.filter { !isNear[$0] } + offers.indices.filter { isNear[$0] }
        let measured = await measured(offers, of: order)
        return offers.indices.map { measured[$0] }
    }

    /// Those of these numbers that are within reach, by their numbers.
    private mutating func measured(
        _ offers: [(offer: FoundOffer, page: RideSearchPage)], of numbers: [Int]
    ) async -> [Int: FoundOffer] {
        var (rest, found) = (numbers[...], [Int: FoundOffer]())
        while !rest.isEmpty {
            let some = rest.prefix(Self.searchesAtOnce)
            rest = rest.dropFirst(some.count)
            var wanted = WantedStreets()
            for number in some {
                let offer = offers[number].offer
                wanted.insert(offer.seen.ride.streets(for: offer.part), around: offer.part.ownPoints)
            }
            let known = await known(wanted)
            for number in some {
                found[number] = offers[number].offer.measured(along: known, for: offers[number].page)
            }
        }
        return found
    }

    private static let searchesAtOnce = 4

    /// As many of the first as can be asked about at once.
    private static func some(of offers: inout ArraySlice<FoundOffer>) -> ([FoundOffer], WantedStreets) {
        var (some, wanted) = ([FoundOffer](), WantedStreets())
        while let offer = offers.first {
            var more = wanted
            more.insert(offer.seen.ride.streets(for: offer.part), around: offer.part.ownPoints)
            guard more.widest <= StreetsQuestion.most || some.isEmpty else { break }
            wanted = more
            some.append(offers.removeFirst())
        }
        return (some, wanted)
    }

    private mutating func known(_ wanted: WantedStreets) async -> KnownStreets {
        guard !wanted.isEmpty, !isAway, ContinuousClock.now < end else { return KnownStreets() }
        do { return try await wanted.ask(ask, patience: patience) } catch {
            isAway = true
            return KnownStreets()
        }
    }
}

extension FoundOffer {
    fileprivate func measured(along streets: KnownStreets, for page: RideSearchPage) -> FoundOffer? {
        var offer = self
        offer.part = seen.ride.measured(part, along: streets)
        return offer.part.detour <= seen.ride.detourLeft ? offer : atStops(for: page)
    }
}
