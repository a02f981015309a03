import FoundationEssentials
import PlainText
import Testing
import WireProtocol

@testable import RidesService

@Suite("The table of seats")
struct SeatRulesTests {
    private static let ride = Example.ride(window: 2)
    private static let answerBy = after(hours: 24)
    private static let confirmBy = after(hours: 2)
    private static let recently: TimeInterval = 3 * 86_400

    /// When a condition holds for the example, and when it does not: a second apart.
    private static func moments(_ condition: SeatCondition) -> (holds: Date, not: Date?) {
        switch condition {
        case .always, .notYetApproved, .isApproved, .isNotApproved, .rideHasLeft, .rideIsOver, .rideIsRemoved,
            .isHalf:
            (noon, nil)
        case .beforeAnswerIsDue: (answerBy - 1, answerBy)
        case .afterAnswerIsDue: (answerBy, answerBy - 1)
        case .beforeItLeaves: (ride.leavesBy - 1, ride.leavesBy)
        case .afterItLeaves: (ride.leavesBy, ride.leavesBy - 1)
        case .isUnconfirmed: (confirmBy - 1, confirmBy)
        case .keptTooLate: (confirmBy, confirmBy - 1)
        case .onceUnderWay: (ride.leavesBy + 900, ride.leavesBy + 899)
        case .lately, .latelyByTheAccused: (noon + recently - 1, noon + recently)
        }
    }

    private static func example(_ rule: SeatRule) -> (seat: SeatAgreement, ride: OfferedRide) {
        var (seat, ride) = (Example.seat(rule.state), ride)
        switch rule.condition {
        case .isUnconfirmed, .keptTooLate: (seat.isConfirmed, seat.confirmBy) = (false, confirmBy)
        case .isApproved: seat.isApproved = true
        case .latelyByTheAccused: seat.changedBy = rule.who == .driver ? tom : maya
        case .rideHasLeft: ride.state = .departed
        case .rideIsOver: ride.state = .completed
        case .rideIsRemoved: ride.state = .removed
        case .isHalf: seat.together = .new(at: noon)
        default: break
        }
        return (seat, ride)
    }

    private static func draft(_ act: SeatAct) -> SeatActDraft {
        SeatActDraft(reason: "So it was.", rode: act == .settle ? false : nil)
    }

    private static func person(_ party: SeatParty) -> PersonID {
        party == .driver ? maya : party == .rider ? tom : lin
    }

    @Test(arguments: SeatRule.table.filter { $0.act != nil })
    func what_stands_in_it_is_done(_ rule: SeatRule) throws {
        let act = try #require(rule.act)
        let (holds, not) = Self.moments(rule.condition)
        let (seat, ride) = Self.example(rule)
        func decide(at moment: Date) throws -> SeatDecision {
            try seat.act(act, Self.draft(act), by: Self.person(rule.who), as: rule.who, in: ride, at: moment)
        }
        let decision = try decide(at: holds)
        #expect(decision.agreement.state == rule.next)
        #expect(decision.told == rule.told)
        #expect(decision.by == Self.person(rule.who))
        #expect(seat.possible(for: rule.who, in: ride, at: holds).contains(act))
        if let not {
            #expect(throws: RideError.wrongState(seat.possible(for: rule.who, in: ride, at: not))) {
                try decide(at: not)
            }
        }
    }

    @Test(arguments: SeatRule.table.filter { $0.who == .time })
    func time_does_its_part(_ rule: SeatRule) throws {
        let (holds, not) = Self.moments(rule.condition)
        let (seat, ride) = Self.example(rule)
        let decision = try #require(seat.pass(in: ride, at: holds))
        #expect(decision.agreement.state == rule.next)
        #expect(decision.agreement.changedBy == nil && decision.by == nil)
        #expect(decision.told == rule.told)
        #expect(seat.dueAt(in: ride) == holds)
        if let not { #expect(seat.pass(in: ride, at: not) == nil) }
    }

    @Test(arguments: SeatRule.table.filter { $0.who == .ride })
    func a_ride_takes_its_seats_along(_ rule: SeatRule) throws {
        let (seat, ride) = Self.example(rule)
        let decision = try #require(seat.rideEnded(ride, by: maya, at: noon))
        #expect(decision.agreement.state == rule.next)
        #expect(decision.told == rule.told && decision.by == maya)
        #expect(decision.isCompleted == (rule.next == .rode))
        #expect(seat.rideEnded(Self.ride, by: maya, at: noon) == nil, "it is open")
    }

    @Test(arguments: SeatRule.table.filter { $0.who == .other })
    func what_was_asked_for_with_another_ends_with_it(_ rule: SeatRule) throws {
        let (seat, ride) = Self.example(rule)
        let decision = try #require(seat.otherEnded(by: maya, in: ride, at: noon))
        #expect(decision.agreement.state == rule.next && decision.agreement.changedBy == nil)
        #expect(decision.told == rule.told && decision.by == maya)
        #expect(Example.seat(rule.state).otherEnded(by: maya, in: ride, at: noon) == nil, "it was asked for alone")
    }

    @Test(arguments: SeatRule.table.filter { $0.who == .seat })
    func a_seat_that_came_free_goes_to_who_waits(_ rule: SeatRule) throws {
        let (seat, ride) = Self.example(rule)
        let decision = try #require(seat.promoted(in: ride, at: noon))
        #expect(decision.agreement.state == rule.next)
        #expect(decision.told == rule.told && decision.by == nil)
        let hasSeat = rule.next == .accepted
        #expect(decision.agreement.isConfirmed == !hasSeat)
        #expect((decision.agreement.confirmBy != nil) == hasSeat)
        #expect((decision.agreement.answerBy != nil) == !hasSeat)
    }

    /// Every state, everybody, every act: what no line allows is refused, and names what is allowed.
    @Test func what_does_not_stand_in_it_is_refused() {
        for state in SeatState.allCases {
            for who in [SeatParty.driver, .rider, .moderator] {
                for act in SeatAct.allCases {
                    guard !SeatRule.table.contains(where: { $0.state == state && $0.who == who && $0.act == act })
                    else { continue }
                    let seat = Example.seat(state)
                    #expect(throws: RideError.wrongState(seat.possible(for: who, in: Self.ride, at: noon))) {
                        try seat.act(
                            act, Self.draft(act), by: Self.person(who), as: who, in: Self.ride, at: noon)
                    }
                }
            }
        }
    }

    @Test func the_readme_says_the_same() throws {
        let said = try Readme.rows(of: 6).filter { SeatState(rawValue: $0[0]) != nil }
        let real = SeatRule.table.map {
            [
                $0.state.rawValue, $0.who.rawValue, $0.act?.rawValue ?? "", "\($0.condition)", $0.next.rawValue,
                $0.told.name,
            ]
        }
        #expect(said == real)
    }

    /// Whatever ends a seat ends what had to be said of it.
    @Test func what_is_over_is_not_due() throws {
        for rule in SeatRule.table where rule.next.isOver {
            guard let act = rule.act else { continue }
            let (seat, ride) = Self.example(rule)
            let moment = Self.moments(rule.condition).holds
            let after = try seat.act(
                act, Self.draft(act), by: Self.person(rule.who), as: rule.who, in: ride, at: moment
            ).agreement
            #expect(after.answerBy == nil && after.confirmBy == nil)
            #expect(after.dueAt(in: ride) == nil && after.remindAt(in: ride, after: moment) == nil)
        }
    }

    // MARK: Conditions that have another edge

    @Test func who_did_not_come_is_said_until_the_ride_is_over_and_disputed_from_then_on() throws {
        var (seat, ride) = (Example.seat(.accepted), Self.ride)
        ride.state = .departed
        let end = try #require(ride.dueAt)
        for who in [SeatParty.driver, .rider] {
            #expect(seat.possible(for: who, in: ride, at: end - 1) == [.reportNoShow])
            #expect(seat.possible(for: who, in: ride, at: end) == [])
        }
        ride = try #require(ride.pass(at: end))
        seat = try #require(seat.rideEnded(ride, by: nil, at: end)).agreement
        for who in [SeatParty.driver, .rider] {
            #expect(seat.possible(for: who, in: ride, at: end) == [.dispute])
            #expect(seat.possible(for: who, in: ride, at: end + Self.recently) == [])
        }
    }

    @Test func who_gets_in_later_has_longer_to_come() {
        let (seat, boarding) = (Example.seat(.accepted, 1...2), Self.ride.leavesBy + 8741.865)
        #expect(abs(seat.boardsAtLast(in: Self.ride).timeIntervalSince(boarding)) < 0.001)
        #expect(!seat.possible(for: .driver, in: Self.ride, at: boarding + 899).contains(.reportNoShow))
        #expect(seat.possible(for: .driver, in: Self.ride, at: boarding + 901).contains(.reportNoShow))
    }

    @Test func nobody_is_let_into_a_ride_that_is_not_found() {
        for hide in [
            { $0.hidden = Hiding(at: noon, reason: "Spam") }, { $0.isWithheld = true }, { $0.state = .departed },
        ] as [(inout OfferedRide) -> Void] {
            var ride = Self.ride
            hide(&ride)
            #expect(Example.seat().possible(for: .driver, in: ride, at: noon) == [.reject])
            #expect(Example.seat(.waiting).possible(for: .driver, in: ride, at: noon) == [.reject])
        }
    }

    @Test func who_has_said_that_they_keep_it_keeps_it() throws {
        var seat = Example.seat(.accepted)
        #expect(!seat.possible(for: .rider, in: Self.ride, at: noon).contains(.keep))
        (seat.isConfirmed, seat.confirmBy) = (false, Self.confirmBy)
        let kept = try seat.act(.keep, SeatActDraft(), by: tom, as: .rider, in: Self.ride, at: noon + 60).agreement
        #expect(kept.isConfirmed && kept.confirmBy == nil && kept.changedAt == noon)
        #expect(kept.pass(in: Self.ride, at: Self.confirmBy) == nil)
    }

    /// The ride moved: nobody loses their seat for saying nothing.
    @Test func who_need_not_say_so_in_time_does_not_lapse() {
        var seat = Example.seat(.accepted)
        seat.isConfirmed = false
        #expect(seat.dueAt(in: Self.ride) == nil)
        #expect(seat.pass(in: Self.ride, at: Self.ride.leavesBy) == nil)
        #expect(seat.possible(for: .rider, in: Self.ride, at: Self.ride.leavesBy - 1).contains(.keep))
        #expect(!seat.possible(for: .rider, in: Self.ride, at: Self.ride.leavesBy).contains(.keep))
    }

    @Test func only_the_accused_disputes() {
        var seat = Example.seat(.noShow)
        #expect(seat.possible(for: .driver, in: Self.ride, at: noon) == [.dispute], "Tom says that Maya did not come")
        #expect(seat.possible(for: .rider, in: Self.ride, at: noon) == [])
        seat.changedBy = maya
        #expect(seat.possible(for: .driver, in: Self.ride, at: noon) == [])
        #expect(seat.possible(for: .rider, in: Self.ride, at: noon) == [.dispute])
    }
}

/// The tables of the service's page.
enum Readme {
    static func rows(of cells: Int) throws -> [[String]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Services/Rides/README.md")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmed } }.filter { $0.count == cells }
    }
}
