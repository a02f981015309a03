import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("The list")
struct WaitlistTests {
    private func waiting(
        _ rider: PersonID, _ stops: ClosedRange<Int> = 0...2, seats: Int = 1, isApproved: Bool = true
    ) -> SeatAgreement {
        var seat = Example.seat(.waiting, stops, seats: seats, rider: rider)
        seat.isApproved = isApproved
        return seat
    }

    /// Who gets what.
    private func promoted(
        _ list: [SeatAgreement], in ride: OfferedRide, at now: Date = noon
    ) -> [PersonID: SeatState] {
        let decisions = Waitlist.promotions(of: list, in: ride, at: now)
        #expect(decisions.allSatisfy { $0.told == .changed(.promoted) && $0.by == nil })
        return Dictionary(decisions.map { ($0.agreement.rider, $0.agreement.state) }) { one, _ in one }
    }

    private func ride(free: Int, until end: Int = 317_354) -> OfferedRide {
        Example.ride(load: SeatLoad(marks: [0, end], people: [4 - free, 0]))
    }

    @Test func the_first_who_fits_gets_it() {
        #expect(promoted([waiting(tom), waiting(lin)], in: ride(free: 1)) == [tom: .accepted])
        #expect(promoted([waiting(tom), waiting(lin)], in: ride(free: 2)) == [tom: .accepted, lin: .accepted])
        #expect(promoted([waiting(tom)], in: ride(free: 0)) == [:])
    }

    @Test func who_does_not_fit_blocks_nobody() {
        let list = [waiting(tom, seats: 2), waiting(lin), waiting(kim)]
        #expect(promoted(list, in: ride(free: 1)) == [lin: .accepted])
        // Full as far as Salinas.
        let parts = [waiting(tom), waiting(lin, 1...2, seats: 4), waiting(kim, 1...2)]
        #expect(promoted(parts, in: ride(free: 0, until: 177_597)) == [lin: .accepted])
    }

    /// Who is to be looked at is one for whom there is a seat.
    @Test func who_is_not_approved_is_asked_for() throws {
        let list = [waiting(tom, isApproved: false), waiting(lin), waiting(kim)]
        #expect(promoted(list, in: ride(free: 1)) == [tom: .pending])
        #expect(promoted(list, in: ride(free: 2)) == [tom: .pending, lin: .accepted])
        let decision = try #require(Waitlist.promotions(of: list, in: ride(free: 1), at: noon + 600).first)
        #expect(decision.agreement.answerBy == noon + 600 + 86_400 && decision.agreement.changedAt == noon + 600)
        #expect(decision.agreement.askedAt == noon && decision.agreement.isConfirmed)
    }

    @Test func who_gets_a_seat_has_to_keep_it() throws {
        let decision = try #require(Waitlist.promotions(of: [waiting(tom)], in: ride(free: 1), at: noon).first)
        let seat = decision.agreement
        #expect(!seat.isConfirmed && seat.confirmBy == after(hours: 2) && seat.changedBy == nil)
        #expect(seat.possible(for: .rider, in: Example.ride(), at: noon) == [.keep, .leave])
        let lapsed = try #require(seat.pass(in: Example.ride(), at: after(hours: 2)))
        #expect(lapsed.agreement.state == .expired && lapsed.told == .changed(.lapsed))
    }

    @Test func a_quarter_of_an_hour_is_the_least() {
        let ride = ride(free: 1)
        #expect(promoted([waiting(tom)], in: ride, at: Example.departure - 900) == [tom: .accepted])
        #expect(promoted([waiting(tom)], in: ride, at: Example.departure - 899) == [:])
        #expect(promoted([waiting(tom, 1...2)], in: ride, at: Example.departure - 1) == [tom: .accepted], "in Salinas")
        #expect(promoted([waiting(tom, 1...2)], in: ride, at: Example.departure) == [:], "it has left")
    }

    @Test func nobody_is_let_into_a_ride_that_is_not_found() {
        for hide in [
            { $0.hidden = Hiding(at: noon, reason: "Spam") }, { $0.isWithheld = true }, { $0.state = .departed },
        ] as [(inout OfferedRide) -> Void] {
            var ride = ride(free: 4)
            hide(&ride)
            #expect(promoted([waiting(tom)], in: ride) == [:])
        }
    }

    @Test func detours_are_given_once() {
        func far(_ rider: PersonID, _ metres: Int) -> SeatAgreement {
            let part = WayPart(
                boarding: WayPoint(at: 100, own: OwnPoint(name: "Mine", position: Example.paso)),
                leaving: Example.part(0...2).leaving, detour: metres)
            return SeatAgreement(
                id: .new(at: noon), ride: Example.ride().id, driver: maya, rider: rider, seats: 1, riders: [],
                part: part,
                cost: 0, currency: nil, askedAt: noon, answerWithin: 86_400, isApproved: true, state: .waiting,
                changedAt: noon, changedBy: rider)
        }
        let list = [far(tom, 12_000), far(lin, 9000), far(kim, 8000)]
        #expect(promoted(list, in: Example.ride()) == [tom: .accepted, kim: .accepted])
        #expect(promoted(list, in: Example.ride(detourUsed: 11_500)) == [kim: .accepted])
    }

    @Test func who_does_not_wait_is_passed_over() {
        #expect(promoted([Example.seat(.pending), Example.seat(.accepted)], in: ride(free: 4)) == [:])
    }
}
