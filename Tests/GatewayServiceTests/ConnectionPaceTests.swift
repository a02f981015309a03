import GatewayService
import NIOCore
import Synchronization
import Testing

@Suite struct ConnectionPaceTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func pace(_ phase: ConnectionPace.Phase) -> ConnectionPace {
        var pace = ConnectionPace(ConnectionTimes(), at: start)
        pace.enter(phase, at: start)
        return pace
    }

    @Test func each_phase_has_its_time() {
        let times = ConnectionTimes()
        #expect(pace(.opened).deadline == start + times.head)
        #expect(pace(.head).deadline == start + times.head)
        #expect(pace(.body).deadline == start + times.body)
        #expect(pace(.answering).deadline == nil)
        #expect(pace(.idle).deadline == start + times.idle)
        #expect(pace(.lingering).deadline == start + times.linger)
    }

    @Test func the_head_begins_with_its_first_byte_and_not_with_its_last() {
        var pace = pace(.idle)
        pace.heard(at: start + .seconds(50))
        #expect(pace.phase == .head)
        pace.heard(at: start + .seconds(60))
        #expect(pace.deadline == start + .seconds(50) + ConnectionTimes().head)
        var busy = self.pace(.answering)
        busy.heard(at: start)
        #expect(busy.phase == .answering)
    }

    @Test func a_body_earns_time_by_what_it_brings() {
        let times = ConnectionTimes()
        var pace = pace(.body)
        pace.took(10 * times.bodyRate)
        #expect(pace.deadline == start + times.body + .seconds(10))
        pace.enter(.answering, at: start)
        pace.enter(.body, at: start)
        #expect(pace.deadline == start + times.body)
    }

    @Test func a_reader_who_makes_no_room_runs_out_of_time_in_any_phase() {
        let times = ConnectionTimes()
        var pace = pace(.answering)
        pace.room(false, at: start)
        pace.room(false, at: start + .seconds(30))
        #expect(pace.deadline == start + times.stalled)
        #expect(!pace.isStalled(at: start + .seconds(59)))
        #expect(pace.isStalled(at: start + times.stalled))
        pace.room(true, at: start + .seconds(40))
        #expect(pace.deadline == nil)
    }

    @Test func only_what_is_thrown_away_floods() {
        var body = pace(.body)
        body.took(.max / 2)
        #expect(!body.isFlooded)
        var rest = pace(.lingering)
        rest.took(ConnectionTimes().lingerBytes)
        #expect(!rest.isFlooded)
        rest.took(1)
        #expect(rest.isFlooded)
    }
}

@Suite struct ConnectionLimitsTests {
    /// Whose connections had to go.
    private final class Gone: Sendable {
        private let numbers = Mutex<[String]>([])
        var all: [String] { numbers.withLock { $0 } }
        func add(_ name: String) -> @Sendable () -> Void { { self.numbers.withLock { $0.append(name) } } }
    }

    private let ann: [UInt8] = [10, 0, 0, 1], bob: [UInt8] = [10, 0, 0, 2]

    private func enter(_ limits: ConnectionLimits, _ owner: [UInt8], _ name: String, _ gone: Gone) -> Int? {
        limits.enter(owner, evict: gone.add(name))
    }

    @Test func the_oldest_idle_one_of_an_address_gives_way_to_the_next() throws {
        let (limits, gone) = (ConnectionLimits(most: 100, perAddress: 2), Gone())
        let first = try #require(enter(limits, ann, "first", gone))
        _ = enter(limits, ann, "second", gone)
        _ = enter(limits, bob, "bob", gone)
        limits.busy(first)
        limits.idle(first)
        #expect(enter(limits, ann, "third", gone) != nil)
        #expect(gone.all == ["second"])
        #expect(limits.count == 3)
        limits.busy(first)
        #expect(enter(limits, ann, "fourth", gone) != nil)
        #expect(gone.all == ["second", "third"])
    }

    @Test func nobody_who_is_busy_gives_way() throws {
        let (limits, gone) = (ConnectionLimits(most: 3, perAddress: 2), Gone())
        for _ in 0..<2 { limits.busy(try #require(enter(limits, ann, "ann", gone))) }
        #expect(enter(limits, ann, "ann", gone) == nil)
        limits.busy(try #require(enter(limits, bob, "bob", gone)))
        #expect(enter(limits, bob, "bob", gone) == nil)
        #expect(gone.all.isEmpty)
        #expect(limits.refused == 2)
    }

    @Test func where_all_places_are_taken_the_oldest_idle_one_of_all_gives_way() {
        let (limits, gone) = (ConnectionLimits(most: 2, perAddress: 2), Gone())
        _ = enter(limits, ann, "ann", gone)
        _ = enter(limits, bob, "bob", gone)
        #expect(enter(limits, [10, 0, 0, 3], "new", gone) != nil)
        #expect(gone.all == ["ann"])
        #expect(limits.count == 2)
    }

    @Test func who_speaks_for_many_is_counted_in_all_only() {
        let limits = ConnectionLimits(most: 100, perAddress: 2)
        for _ in 0..<50 { _ = limits.enter(nil, evict: {}) }
        #expect(limits.count == 50)
        #expect(limits.evicted == 0)
    }

    @Test func each_address_has_its_own_pace_and_who_speaks_for_many_has_none() {
        let limits = ConnectionLimits(perSecond: 1)
        #expect((0..<5).map { _ in limits.admits(ann) } == [true, true, true, true, false])
        #expect(limits.admits(bob))
        #expect((0..<50).allSatisfy { _ in limits.admits(nil) })
    }

    @Test func who_leaves_frees_the_place_and_is_forgotten() throws {
        let (limits, gone) = (ConnectionLimits(most: 10, perAddress: 2), Gone())
        for _ in 0..<10_000 {
            let number = try #require(enter(limits, ann, "somebody", gone))
            for _ in 0..<3 {
                limits.busy(number)
                limits.idle(number)
            }
            limits.leave(number)
            limits.leave(number)
        }
        #expect(limits.count == 0)
        #expect(limits.evicted == 0)
    }

    @Test func a_crowd_is_worked_off_quickly() {
        let limits = ConnectionLimits(most: 10_000, perAddress: 512)
        let time = ContinuousClock().measure {
            for number in 0..<60_000 {
                let owner: [UInt8] = [10, 0, 0, UInt8(number % 30)]
                guard let place = limits.enter(owner, evict: {}) else { continue }
                limits.busy(place)
                limits.idle(place)
            }
        }
        #expect(limits.count == 10_000)
        #expect(limits.evicted == 50_000)
        #expect(time < .seconds(10))  // by the square of the crowd it would be minutes
    }
}
