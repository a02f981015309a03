import Foundation
import TestKit
import Testing
import WireProtocol

/// The audit of what is rented can fail.
@Suite struct RentalAuditTests {
    /// Two agreements about one thing, one after the other on the same days: the first is called off, the second is returned.
    private struct Past {
        let thing = ThingID.new()
        let owner = PersonID.new()
        let renter = PersonID.new()
        let first = RentalID.new()
        let second = RentalID.new()
        var events: [PublishedEvent] = []
        var rentals: [RentalHistory.Row] = []
        var occupied: [RentalHistory.Occupied] = []

        init() throws {
            let draft = PublicThing(
                id: thing, kind: .space, title: "Space", terms: .init(unit: .day, cancellation: .flexible, zone: "UTC"),
                owner: PersonSummary(id: owner, name: "Ada"), postedAt: Date())
            try tell(ThingPosted(thing: draft), "thing/\(thing)")
            try tell(RentalRequested(rental: news(first, .requested)), "rental/\(first)")
            try tell(RentalAnswered(rental: news(first, .accepted)), "rental/\(first)")
            try tell(RentalChanged(rental: news(first, .cancelled)), "rental/\(first)")
            // At once.
            try tell(RentalRequested(rental: news(second, .accepted)), "rental/\(second)")
            try tell(RentalAnswered(rental: news(second, .accepted)), "rental/\(second)")
            try tell(RentalChanged(rental: news(second, .handedOver)), "rental/\(second)")
            try tell(RentalChanged(rental: news(second, .returned)), "rental/\(second)")
            try tell(
                EncounterCompleted(
                    subject: .init(kind: .rental, id: ID(second.uuid)), title: "Space", people: [owner, renter],
                    completedAt: Date()), "rental/\(second)")
            rentals = [row(first, .cancelled), row(second, .returned)]
        }

        func row(_ id: RentalID, _ state: RentalState) -> RentalHistory.Row {
            RentalHistory.Row(
                id: id, thing: thing, owner: owner, renter: renter, state: state, starts: "2026-12-01",
                until: "2026-12-02", holds: state == .accepted || state == .handedOver)
        }

        func news(_ id: RentalID, _ state: RentalState) -> RentalNews {
            let (ada, ben) = (PersonSummary(id: owner, name: "Ada"), PersonSummary(id: renter, name: "Ben"))
            return RentalNews(
                id: id, thing: thing, kind: .space, title: "Space", owner: ada, renter: ben, state: state,
                from: "2026-12-01", until: "2026-12-02", startsAt: Date(), endsAt: Date(), by: renter)
        }

        mutating func tell(_ event: some Event, _ aggregate: String) throws {
            var service = ServiceEvidence(head: Int64(events.count))
            try service.publish(event, about: aggregate, to: .everyone, Int64(events.count))
            events += service.events
        }

        func findings() -> Set<Finding.Rule> {
            let history = RentalHistory(rentals: rentals, occupied: occupied, things: [thing], events: events)
            return Set(history.findings().map(\.rule))
        }
    }

    @Test func a_past_in_which_all_is_well_has_no_findings() throws {
        #expect(try Past().findings() == [])
    }

    @Test func days_that_two_have_are_found() throws {
        var past = try Past()
        // The first was never called off.
        past.events.removeAll { $0.rental?.state == .cancelled }
        past.rentals[0] = past.row(past.first, .accepted)
        past.occupied = [
            .init(thing: past.thing, rental: past.first, starts: "2026-12-01", until: "2026-12-02")
        ]
        #expect(past.findings() == [.doubled])
        past.occupied.append(.init(thing: past.thing, rental: past.second, starts: "2026-12-02", until: "2026-12-03"))
        #expect(past.findings() == [.doubled, .rowsDiffer])
    }

    @Test func a_state_that_nobody_was_told_of_is_found() throws {
        var past = try Past()
        past.rentals[1] = past.row(past.second, .handedOver)
        #expect(past.findings() == [.rowsDiffer, .halfDone])
        past = try Past()
        past.events.removeAll { $0.type == EncounterCompleted.type }
        #expect(past.findings() == [.halfDone])
    }

    @Test func a_way_that_nothing_goes_is_found() throws {
        var past = try Past()
        try past.tell(RentalChanged(rental: past.news(past.second, .cancelled)), "rental/\(past.second)")
        past.rentals[1] = past.row(past.second, .cancelled)
        #expect(past.findings() == [.disorder, .halfDone])
    }

    @Test func what_a_command_leaves_behind_is_what_it_should() throws {
        let past = try Past()
        let give = RentalCommand(rental: past.second, act: .giveBack, book: RentalBook())
        #expect(give.explains(Array(past.events.suffix(2))))
        let alone = give.explains(Array(past.events.suffix(1)))
        #expect(alone == false)
        let draft = RentalDraft(from: "2026-12-01", until: "2026-12-02")
        let rent = RentCommand(thing: past.thing, book: RentalBook(), draft: draft)
        #expect(rent.explains(Array(past.events[4...5])))
        #expect(rent.explains(Array(past.events[1...1])))
        let half = rent.explains(Array(past.events[4...4]))
        #expect(half == false)
    }
}
