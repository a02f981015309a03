import FoundationEssentials
import Synchronization
import WireProtocol

@testable import RidesService

/// What was written of each ride, and when: so that it is known what a search had to find, and what it must not.
final class RideChronicle: Sendable {
    typealias Moment = ContinuousClock.Instant

    /// Nil in place of a ride that cannot be found any more.
    private struct Entry: Sendable {
        let began: Moment
        var ended = Moment.now
        var measured: EveryRide.Measured?
    }

    /// What there was while somebody searched.
    struct Period: Sendable {
        /// Rides that were the same all the time.
        var certain = EveryRide([])
        /// Each that was written meanwhile, as it was at one time or another.
        var possible: [RideID: [EveryRide.Measured]] = [:]
    }

    private let entries = Mutex<[RideID: [Entry]]>([:])

    /// Notes what is written of a ride, which nobody else writes of at that time.
    /// - Parameter body: answers the ride as it is then; nil where nothing was written.
    func write(_ id: RideID, _ body: () async throws -> OfferedRide?) async throws {
        let began = Moment.now
        guard let ride = try await body() else { return }
        let measured = ride.isListed ? EveryRide([ride]).rides[0] : nil
        entries.withLock { $0[id, default: []].append(Entry(began: began, measured: measured)) }
    }

    /// All that can be found now.
    var now: EveryRide { between(.now, .now).certain }
    var count: Int { entries.withLock { $0.values.map(\.count).reduce(0, +) } }

    /// To be asked when nothing is being written any more that began in that time.
    func between(_ begin: Moment, _ end: Moment) -> Period {
        var period = Period()
        for (id, all) in entries.withLock({ $0 }) {
            let before = all.last { $0.ended <= begin }?.measured
            let meanwhile = all.filter { $0.ended > begin && $0.began < end }
            if meanwhile.isEmpty {
                if let before { period.certain.rides.append(before) }
            } else {
                period.possible[id] = ([before] + meanwhile.map(\.measured)).compactMap(\.self)
            }
        }
        return period
    }
}

/// What somebody searched for while others wrote, and was answered.
struct NotedSearch: Sendable {
    struct Item: Sendable {
        var key: FoundKey
        /// On each leg.
        var free: [Int]
    }

    let query: RideSearchQuery
    let began: RideChronicle.Moment
    var ended = RideChronicle.Moment.now
    var items: [Item]

    /// What is wrong with it.
    func problems(_ chronicle: RideChronicle) throws -> [String] {
        let (keys, then) = (items.map(\.key), chronicle.between(began, ended))
        let page = try RideSearchPage(query, at: noon)
        var wanted = BoardQuery(wish: page.wish, now: noon, after: page.after, limit: .max - 1)
        wanted.free = page.onlyFree ? page.seats : 0
        let there = then.certain.found(wanted)
        let rides = Dictionary(uniqueKeysWithValues: then.certain.rides.map { ($0.ride.id, $0.ride) })
        // Where all parts have room, so has the one that is chosen.
        let sure = there.filter { rides[$0.id]?.freeByLeg.min() ?? 0 >= wanted.free }
        let last = keys.count < page.limit ? nil : keys.last
        let missing = sure.filter { key in last.map { key < $0 } ?? true }.filter { !keys.contains($0) }
        var problems = missing.map { "\($0) is missing" }
        if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { problems.append("they are out of order") }
        let all = Set(there)
        for item in items {
            if let ride = rides[item.key.id] {
                if !all.contains(item.key) { problems.append("\(item.key) is not to be found so") }
                if item.free != ride.freeByLeg { problems.append("\(item.free) are free in \(item.key)") }
            } else if !(then.possible[item.key.id] ?? []).contains(where: { $0.is(item.key, for: wanted) }) {
                problems.append("\(item.key) is not there at all, or not so")
            }
        }
        return problems
    }
}

extension NotedSearch {
    /// Until now.
    init(_ query: RideSearchQuery, since began: RideChronicle.Moment, _ answer: FoundRides) {
        self.init(
            query: query, began: began,
            items: answer.items.map {
                let key = FoundKey(extra: $0.extra, departsAt: $0.ride.departsAt, id: $0.ride.id)
                return Item(key: key, free: $0.ride.free)
            })
    }
}

extension EveryRide.Measured {
    fileprivate func `is`(_ key: FoundKey, for query: BoardQuery) -> Bool {
        var alone = EveryRide([])
        alone.rides = [self]
        return alone.found(query) == [key]
    }
}
