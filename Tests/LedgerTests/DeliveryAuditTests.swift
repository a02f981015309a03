import Foundation
import TestKit
import Testing
import WireProtocol

/// The audit of deliveries can fail.
@Suite struct DeliveryAuditTests {
    /// Ada's order was offered to Ben, who declined, and to Cem, who brought it; Cem has a second hand. Ada's second order waits.
    private struct Past {
        let ada = PersonID.new()
        let ben = PersonID.new()
        let cem = PersonID.new()
        let bens = AvailabilityID.new()
        let cems = AvailabilityID.new()
        let first = OrderID.new()
        let second = OrderID.new()
        let declined = MatchID.new()
        let brought = MatchID.new()
        var availabilities: [DeliveryHistory.AvailabilityRow]
        var orders: [DeliveryHistory.OrderRow]
        var matches: [DeliveryHistory.MatchRow]
        var events: [PublishedEvent] = []

        init() throws {
            availabilities = [
                .init(id: bens, person: ben, state: .ended, capacity: 1, taken: 0, isLate: false),
                .init(id: cems, person: cem, state: .available, capacity: 2, taken: 0, isLate: false),
            ]
            orders = [
                .init(id: first, state: .completed, isLate: false),
                .init(id: second, state: .waiting, isLate: false),
            ]
            matches = [
                .init(
                    id: declined, order: first, availability: bens, deliverer: ben, state: .declined,
                    fillsHand: false, isLate: false),
                .init(
                    id: brought, order: first, availability: cems, deliverer: cem, state: .completed,
                    fillsHand: false, isLate: false),
            ]
            try offer(declined, of: first, to: ben)
            try update(declined, of: first, to: ben, .declined, .declined)
            try offer(brought, of: first, to: cem)
            for (state, what) in [
                (MatchState.accepted, MatchUpdate.Change.accepted), (.pickedUp, .pickedUp), (.delivered, .delivered),
                (.completed, .completed),
            ] { try update(brought, of: first, to: cem, state, what) }
            try tell(
                EncounterCompleted(
                    subject: Subject(kind: .match, id: ID(brought.uuid)), title: "Soup",
                    people: [ada, cem], completedAt: Date()), about: brought)
        }

        func news(_ match: MatchID, of order: OrderID, to person: PersonID, _ state: MatchState) -> MatchNews {
            MatchNews(
                id: match, order: order, state: state, orderState: .matched,
                orderer: PersonSummary(id: ada, name: "Ada"), deliverer: PersonSummary(id: person, name: "Someone"),
                restaurant: "Canteen", dropOff: "Hall")
        }

        mutating func offer(_ match: MatchID, of order: OrderID, to person: PersonID) throws {
            try tell(NewMatch(match: news(match, of: order, to: person, .offered)), about: match)
        }

        mutating func update(
            _ match: MatchID, of order: OrderID, to person: PersonID, _ state: MatchState, _ what: MatchUpdate.Change
        ) throws {
            try tell(MatchUpdate(match: news(match, of: order, to: person, state), what: what), about: match)
        }

        private mutating func tell(_ event: some Event, about match: MatchID) throws {
            var service = ServiceEvidence(head: Int64(events.count))
            try service.publish(event, about: "match/\(match)", to: .nobody, Int64(events.count))
            events += service.events
        }

        var history: DeliveryHistory {
            DeliveryHistory(availabilities: availabilities, orders: orders, matches: matches, events: events)
        }

        func findings() -> Set<Finding.Rule> { Set(history.findings().map(\.rule)) }
    }

    @Test func a_past_in_which_all_is_well_has_no_findings() throws {
        #expect(try Past().findings() == [])
    }

    @Test func an_order_with_two_people_is_found() throws {
        var past = try Past()
        let third = MatchID.new()
        try past.offer(third, of: past.first, to: past.ben)
        past.matches.append(
            .init(
                id: third, order: past.first, availability: past.cems, deliverer: .new(), state: .offered,
                fillsHand: true, isLate: false))
        past.availabilities[1].taken = 1
        #expect(past.findings() == [.doubled, .halfDone])
    }

    @Test func one_match_after_the_other_is_none_too_many() throws {
        var past = try Past()
        let third = MatchID.new()
        try past.offer(third, of: past.second, to: past.cem)
        past.matches.append(
            .init(
                id: third, order: past.second, availability: past.cems, deliverer: past.cem, state: .offered,
                fillsHand: true, isLate: false))
        past.availabilities[1].taken = 1
        past.orders[1].state = .offered
        #expect(past.findings() == [])
        past.orders[1].state = .waiting
        #expect(past.findings() == [.halfDone])
    }

    @Test func a_hand_too_many_is_found() throws {
        var past = try Past()
        past.availabilities[1].taken = 1
        #expect(past.findings() == [.rowsDiffer])
        past = try Past()
        for _ in 0..<3 {
            let (match, order) = (MatchID.new(), OrderID.new())
            try past.offer(match, of: order, to: past.cem)
            past.orders.append(.init(id: order, state: .offered, isLate: false))
            past.matches.append(
                .init(
                    id: match, order: order, availability: past.cems, deliverer: past.cem, state: .offered,
                    fillsHand: true, isLate: false))
        }
        past.availabilities[1].taken = 3
        #expect(past.findings() == [.doubled])
    }

    @Test func who_is_in_two_places_or_asked_twice_is_found() throws {
        var past = try Past()
        past.availabilities.append(
            .init(id: .new(), person: past.cem, state: .paused, capacity: 1, taken: 0, isLate: false))
        #expect(past.findings() == [.doubled])
        past = try Past()
        past.matches[0].deliverer = past.cem
        #expect(past.findings() == [.doubled])
        past.matches[0].state = .withdrawn
        #expect(past.findings() == [.rowsDiffer])
    }

    @Test func a_state_that_nobody_was_told_of_is_found() throws {
        var past = try Past()
        past.events.removeLast()
        #expect(past.findings() == [.halfDone])
        past = try Past()
        past.events.remove(at: 3)
        #expect(past.findings() == [.disorder])
        past = try Past()
        past.matches.removeFirst()
        #expect(past.findings() == [.halfDone])
    }

    /// Offers lapse by themselves, so rows and events have to be of one moment.
    @Test func an_offer_that_has_lapsed_after_its_events_were_read_is_found() throws {
        var past = try Past()
        let third = MatchID.new()
        try past.offer(third, of: past.second, to: past.cem)
        past.matches.append(
            .init(
                id: third, order: past.second, availability: past.cems, deliverer: past.cem, state: .expired,
                fillsHand: false, isLate: false))
        #expect(past.findings() == [.rowsDiffer])
        try past.update(third, of: past.second, to: past.cem, .expired, .expired)
        #expect(past.findings() == [])
    }

    @Test func what_time_has_forgotten_is_found() throws {
        var past = try Past()
        past.orders[1].isLate = true
        #expect(past.findings() == [.stuck])
    }

    @Test func what_was_acknowledged_and_is_not_there_is_found() throws {
        let past = try Past()
        let book = DeliveryBook()
        func entry(_ command: any LedgerCommand, _ thing: String) -> LedgerEntry {
            LedgerEntry(
                number: 0, person: past.ada, command: command, requestID: UUID(), invokedAt: .zero, outcome: .ok(thing))
        }
        func rules(_ entries: [LedgerEntry]) -> Set<Finding.Rule> {
            Set(past.history.compare(entries) { _ in true }.map(\.rule))
        }
        let placed = [past.first, past.second].map {
            entry(OrderCommand(wish: .place(OrderDraft()), book: book), "order/\($0)")
        }
        #expect(rules(placed) == [])
        #expect(rules([placed[0]]) == [.doubled], "the other one nobody has placed")
        let cancel = entry(OrderCommand(wish: .cancel(past.second), book: book), "order/\(past.second)")
        #expect(rules(placed + [cancel]) == [.lost])
        let end = entry(GoCommand(person: past.cem, wish: .end, book: book), "availability/\(past.cems)")
        #expect(rules(placed + [end]) == [.lost])
        let accept = MatchCommand(match: past.declined, act: .accept, draft: MatchActDraft(), book: book)
        #expect(rules(placed + [entry(accept, "match/\(past.declined)")]) == [.lost])
    }

    @Test func what_a_command_leaves_behind_is_what_it_should() throws {
        let past = try Past()
        func command(_ act: MatchAct) -> MatchCommand {
            MatchCommand(match: past.brought, act: act, draft: MatchActDraft(), book: DeliveryBook())
        }
        #expect(command(.complete).explains(Array(past.events[6...7])), "with the encounter")
        #expect(command(.accept).explains([past.events[3]]))
        #expect(command(.accept).explains([]), "twice is once")
        let half = command(.pickUp).explains([])
        #expect(half == false)
        let other = command(.decline).explains([past.events[3]])
        #expect(other == false)
        let offer = OrderCommand(wish: .place(OrderDraft()), book: DeliveryBook())
        #expect(offer.explains([]) && !offer.owns(past.events[0]))
    }
}
