import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("The table of rides")
struct RideCourseTests {
    private static func ride(_ state: RideState = .open) -> OfferedRide { Example.ride(state, window: 2) }

    /// When a condition holds for the example, and when it does not: a second apart.
    private static func moments(_ condition: RideCondition) -> (holds: Date, not: Date?) {
        let ride = ride()
        let arrival = ride.lastArrival
        return switch condition {
        case .always: (noon, nil)
        case .beforeItLeaves: (ride.leavesBy - 1, ride.leavesBy)
        case .aboutToLeave: (ride.departsAt - 1800, ride.departsAt - 1801)
        case .afterItLeaves: (ride.leavesBy, ride.leavesBy - 1)
        case .beforeItArrives: (arrival - 1, arrival)
        case .longArrived: (arrival + 7200, arrival + 7199)
        }
    }

    private func act(_ act: RideAct, _ ride: OfferedRide, at now: Date) throws(RideError) -> OfferedRide {
        switch act {
        case .change: try ride.change(RideDraft(seats: 3), hasRequests: true, at: now, within: limits).ride
        case .remove: try ride.remove(RideRemoval(reason: " A flat tyre "), at: now)
        case .depart: try ride.depart(at: now)
        case .arrive: try ride.arrive(at: now)
        }
    }

    @Test(arguments: RideRule.table.filter { $0.act != nil })
    func what_stands_in_it_is_done(_ rule: RideRule) throws {
        let act = try #require(rule.act)
        let (holds, not) = Self.moments(rule.condition)
        let ride = Self.ride(rule.state)
        let after = try self.act(act, ride, at: holds)
        #expect(after.state == rule.next)
        #expect(after.changedAt == (rule.next == rule.state ? noon : holds))
        #expect(after.reason == (act == .remove ? "A flat tyre" : nil))
        #expect(ride.possible(for: maya, at: holds).contains(act) && ride.possible(for: tom, at: holds).isEmpty)
        if let not {
            #expect(throws: RideError.rideOver(ride.possible(for: maya, at: not))) { try self.act(act, ride, at: not) }
        }
    }

    @Test(arguments: RideRule.table.filter { $0.who == .time })
    func time_does_its_part(_ rule: RideRule) throws {
        let (holds, not) = Self.moments(rule.condition)
        let ride = Self.ride(rule.state)
        #expect(ride.pass(at: holds)?.state == rule.next)
        #expect(ride.dueAt == holds)
        if let not { #expect(ride.pass(at: not) == nil) }
    }

    @Test func what_does_not_stand_in_it_is_refused() {
        for state in RideState.allCases {
            for act in RideAct.allCases where !RideRule.table.contains(where: { $0.state == state && $0.act == act }) {
                let ride = Self.ride(state)
                #expect(throws: RideError.rideOver(ride.possible(for: maya, at: noon))) {
                    try self.act(act, ride, at: noon)
                }
            }
        }
    }

    @Test func the_readme_says_the_same() throws {
        let said = try Readme.rows(of: 5).filter { RideState(rawValue: $0[0]) != nil }
        let real = RideRule.table.map {
            [$0.state.rawValue, $0.who.rawValue, $0.act?.rawValue ?? "", "\($0.condition)", $0.next.rawValue]
        }
        #expect(said == real)
    }

    @Test func whoever_may_not_take_part_drives_nothing_that_has_not_left() {
        #expect(Self.ride().callOff(at: noon)?.state == .removed)
        for state in [RideState.departed, .completed, .removed] {
            #expect(Self.ride(state).callOff(at: noon) == nil)
        }
    }

    @Test func a_removal_says_why_in_so_many_words() {
        let long = RideRemoval(reason: String(repeating: "a", count: 1001))
        #expect(wrong { () throws(RideError) in _ = try Self.ride().remove(long, at: noon) } == ["reason: too_long"])
    }

    // MARK: What others see of it

    @Test(arguments: [
        (SeatState?.none, RideAction.ask), (.pending, .withdraw), (.waiting, .withdraw), (.accepted, .leave),
        (.rejected, .ask), (.left, .ask),
    ])
    func one_button_each(_ request: SeatState?, _ action: RideAction) {
        let ride = Self.ride()
        #expect(ride.action(for: tom, request: request, at: noon) == action)
        #expect(ride.action(for: maya, request: nil, at: noon) == .own)
        #expect(ride.action(for: tom, request: request, at: ride.leavesBy) == .unavailable)
        #expect(Self.ride(.departed).action(for: tom, request: request, at: noon) == .unavailable)
    }

    @Test func what_is_full_everywhere_has_a_list() {
        let half = Example.ride(load: SeatLoad(marks: [0, 177_597], people: [4, 0]))
        #expect(half.action(for: nil, request: nil, at: noon) == .ask)
        let full = Example.ride(load: SeatLoad(marks: [0, 317_354], people: [4, 0]))
        #expect(full.action(for: nil, request: nil, at: noon) == .wait)
        var hidden = full
        hidden.hidden = Hiding(at: noon, reason: "Spam")
        #expect(hidden.action(for: tom, request: nil, at: noon) == .unavailable)
        #expect(hidden.action(for: tom, request: .accepted, at: noon) == .leave)
    }

    @Test func who_looks_for_rides_is_told_what_can_be_found() {
        let open = Self.ride()
        var other = open
        other.seats = 3
        var hidden = other
        hidden.hidden = Hiding(at: noon, reason: "Spam")
        #expect(RideListing(open, since: nil) == .posted)
        #expect(RideListing(open, since: open) == .nothing)
        #expect(RideListing(other, since: open) == .changed)
        #expect(RideListing(hidden, since: open) == .removed && RideListing(open, since: hidden) == .posted)
        #expect(RideListing(Self.ride(.departed), since: open) == .removed)
        #expect(RideListing(Self.ride(.removed), since: Self.ride(.departed)) == .nothing)
    }
}
