import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What stands beside the button of a thing: who has it now, to whoever looks.
@Suite struct ThingButtonTests {
    private func thing(
        _ kind: ThingKind = .car, _ action: ThingAction = .unavailable, available: AvailableDays? = nil
    ) -> Thing {
        Thing(
            id: .new(), kind: kind, state: .listed, title: "Yaris", available: available,
            terms: RentalTerms(unit: kind.unit, cancellation: .flexible, zone: "Asia/Singapore"),
            owner: PersonSummary(id: .new(), name: "Maya"), postedAt: Date(timeIntervalSince1970: 0), mine: false,
            action: action)
    }

    private func button(
        _ thing: Thing, _ rental: Rental? = nil, taken: [TakenPeriod]? = nil, at now: String
    ) throws -> ThingButton {
        var thing = thing
        thing.rental = rental?.id
        let calendar = taken.map { ThingCalendar(zone: thing.terms.zone, taken: $0) }
        let hold = ThingHold(rental, calendar, of: thing, at: try #require(WireJSON.date(from: now)))
        return ThingButton(thing, hold, period: "", in: PageRenderingTests.english)
    }

    @Test(
        arguments: [
            (.requested, .cancel, "You have asked for it: 1 – 4 December 2026. There is no answer yet."),
            (.accepted, .cancel, "It is agreed: 1 – 4 December 2026."),
            (.handedOver, .unavailable, "You have it until 4 December 2026."),
            (.disputed, .unavailable, "You two don't agree about it. A moderator decides."),
        ] as [(RentalState, ThingAction, String)])
    func one_s_own_is_said_with_the_way_to_it(_ state: RentalState, _ action: ThingAction, _ said: String) throws {
        let thing = thing(.car, action)
        let rental = Rental.of(thing, "2026-12-01", "2026-12-04", state)
        let button = try button(thing, rental, at: "2026-12-02T02:00:00.000Z")
        #expect(button.why == said && button.rental == "/rentals/\(rental.id)")
        #expect(button.href == (action == .cancel ? "/rentals/\(rental.id)/cancel" : nil))
    }

    @Test(
        arguments: [
            (.accepted, "It was agreed: 1 – 4 December 2026. Nobody said that it was handed over."),
            (.handedOver, "You have it; it should have been back by 4 December 2026."),
        ] as [(RentalState, String)])
    func what_should_be_over_is_said_as_that(_ state: RentalState, _ said: String) throws {
        let thing = thing()
        let rental = Rental.of(thing, "2026-12-01", "2026-12-04", state)
        // The 5th in Singapore.
        let button = try button(thing, rental, at: "2026-12-04T16:30:00.000Z")
        #expect(button.why == said && button.href == nil && button.later == "/things/\(thing.id)/rent")
    }

    @Test(arguments: [
        ("01:30", "Somebody has it until 2 December 2026, 10:00."),
        ("07:00", "Somebody has it until 2 December 2026, 16:00."), ("04:30", "Somebody has it just now."),
        ("08:00", "Somebody has it just now."),
    ])
    func by_the_hour_the_period_that_is_running_is_named(_ time: String, _ said: String) throws {
        let taken = [("09:00", "10:00"), ("14:00", "16:00"), ("18:00", "20:00")].map {
            TakenPeriod(from: "2026-12-02T\($0)", until: "2026-12-02T\($1)")
        }
        #expect(try button(thing(.parking), taken: taken, at: "2026-12-02T\(time):00.000Z").why == said)
    }

    @Test func nobody_s_booking_is_named_for_what_is_overdue() throws {
        let now = "2026-12-02T02:00:00.000Z"
        let next = [TakenPeriod(from: "2026-12-03", until: "2026-12-07")]
        #expect(try button(thing(), taken: next, at: now).why == "Somebody has it just now.")
        #expect(try button(thing(), at: now).why == "Somebody has it just now.")
        let current = [TakenPeriod(from: "2026-11-20", until: "2026-12-02")] + next
        #expect(try button(thing(), taken: current, at: now).why == "Somebody has it until 2 December 2026.")
    }

    @Test func after_the_last_day_there_is_no_other_time_to_ask_for() throws {
        let over = thing(available: AvailableDays(until: "2026-12-01"))
        let button = try button(over, taken: [], at: "2026-12-02T02:00:00.000Z")
        #expect(button.why == "It is not on offer just now." && button.later == nil)
    }
}
