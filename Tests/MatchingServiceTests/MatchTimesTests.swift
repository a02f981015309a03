import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("When something of a match is due")
struct MatchTimesTests {
    @Test func who_has_accepted_is_reminded_to_go() {
        let match = Example.match(.accepted)
        #expect(match.remindAt(after: noon) == after(minutes: 30))
        #expect(match.remindAt(after: after(minutes: 30)) == nil)
        #expect(match.occasion(at: after(minutes: 30) - 1) == nil && match.occasion(at: after(minutes: 30)) == .pickUp)
    }

    @Test func both_are_reminded_to_complete_it() {
        let match = Example.match(.pickedUp)
        #expect(match.remindAt(after: noon) == after(minutes: 45))
        #expect(match.remindAt(after: after(minutes: 45)) == nil)
        #expect(match.occasion(at: after(minutes: 45) - 1) == nil)
        #expect(match.occasion(at: after(minutes: 45)) == .complete)
        for state in MatchState.allCases where state != .accepted && state != .pickedUp {
            #expect(Example.match(state).remindAt(after: noon) == nil)
            #expect(Example.match(state).occasion(at: .distantFuture) == nil)
        }
    }

    @Test func who_is_late_is_so_by_what_they_said() {
        let postponed = Example.match(.pickedUp) { $0.expectedAt = after(minutes: 40) }
        #expect(!postponed.possible(for: .orderer, at: after(minutes: 70) - 1).contains(.reportNoShow))
        #expect(postponed.possible(for: .orderer, at: after(minutes: 70)).contains(.reportNoShow))
        #expect(!postponed.possible(for: .deliverer, at: after(minutes: 50) - 1).contains(.reportNoShow))
        #expect(postponed.possible(for: .deliverer, at: after(minutes: 50)).contains(.reportNoShow))
        let there = Example.match(.delivered) { $0.changedAt = after(minutes: 5) }
        #expect(there.possible(for: .deliverer, at: after(minutes: 15)).contains(.reportNoShow))
        #expect(!there.possible(for: .deliverer, at: after(minutes: 15) - 1).contains(.reportNoShow))
        #expect(!there.possible(for: .orderer, at: after(minutes: 100)).contains(.reportNoShow), "they dispute it")
    }

    @Test func what_was_never_picked_up_is_not_disputed() {
        for state in [MatchState.givenUp, .lapsed] {
            let match = Example.match(state) { $0.pickedUpAt = nil }
            #expect(match.possible(for: .orderer, at: noon) == [] && match.possible(for: .deliverer, at: noon) == [])
        }
    }

    @Test func the_two_write_to_each_other_as_long_as_there_is_something_to_say() {
        let hour = noon + 3600
        for state in [MatchState.cancelled, .givenUp, .lapsed] {
            #expect(Example.match(state).keepsRoom(at: hour - 1) && !Example.match(state).keepsRoom(at: hour))
        }
        let days = noon + 3 * 86_400
        #expect(Example.match(.noShow).keepsRoom(at: days - 1) && !Example.match(.noShow).keepsRoom(at: days))
        for state in [MatchState.accepted, .pickedUp, .delivered, .received, .disputed] {
            #expect(Example.match(state).keepsRoom(at: .distantFuture) && Example.match(state).mayCall)
        }
        for state in [MatchState.offered, .declined, .expired, .withdrawn, .completed, .settled] {
            #expect(!Example.match(state).keepsRoom(at: noon) && !Example.match(state).mayCall)
        }
    }

    @Test func hands_are_full_with_what_is_offered_or_under_way() {
        for state in MatchState.allCases {
            let match = Example.match(state)
            #expect(match.fillsHand == [.offered, .accepted, .pickedUp].contains(state))
            // Its hand may have been given away.
            let undone = Example.match(state) { $0.isUndone = true }
            #expect(undone.fillsHand == (state == .offered) && undone.isUnderWay == match.isUnderWay)
            #expect(match.isUnderWay == [.accepted, .pickedUp].contains(state))
        }
    }
}
