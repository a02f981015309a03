import FoundationEssentials
import WireProtocol

/// Judges found rides along streets, in their order: those that would have to go out of their way more than is left are left out.
///
/// Places is asked four questions at once: how far it is from both ends of what is looked for, and to both. Once it does not answer in time, straight
/// lines count for the rest of the page.
struct SearchStreets {
    /// Seconds for one answer, and for all of them.
    static let patience: (one: TimeInterval, all: Duration) = (0.3, .milliseconds(600))

    private let ask: StreetsQuestion.Ask
    private let end = ContinuousClock.now + patience.all
    private var isAway = false

    init(asking ask: @escaping StreetsQuestion.Ask) { self.ask = ask }

    /// - Parameter most: no more are wanted; some more may come.
    mutating func withinReach(_ offers: [FoundOffer], atMost most: Int) async -> [FoundOffer] {
        var (found, rest) = ([FoundOffer](), offers[...])
        while found.count < most, !rest.isEmpty {
            let (some, wanted) = Self.some(of: &rest)
            let known = await known(wanted)
            found += some.compactMap { $0.measured(along: known) }
        }
        return found
    }

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
        do { return try await wanted.ask(ask, patience: Self.patience.one) } catch {
            isAway = true
            return KnownStreets()
        }
    }
}

extension FoundOffer {
    /// Nil where its driver would have to go out of the way more than is left.
    fileprivate func measured(along streets: KnownStreets) -> FoundOffer? {
        var offer = self
        offer.part = seen.ride.measured(part, along: streets)
        return offer.part.detour <= seen.ride.detourLeft ? offer : nil
    }
}
