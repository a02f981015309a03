import TestKit
import Testing
import WireProtocol

/// The audit of what people hear can fail.
@Suite struct HeardAuditTests {
    /// What the audit says of the story, of which everything was heard, once something else was.
    private func rules(_ damage: (inout [HeardStream.Message]) -> Void) throws -> Set<Finding.Rule> {
        var story = try Story.ofTwoPeople()
        damage(&story.heard)
        return Set(try story.findings().map(\.rule))
    }

    @Test func a_listener_who_missed_something_or_heard_it_twice_is_found() throws {
        #expect(try rules { _ = $0.remove(at: 2) } == [.gap])
        #expect(try rules { _ = $0.removeLast() } == [.gap])
        #expect(try rules { $0 = [] } == [.gap])
        #expect(try rules { $0.insert($0[0], at: 1) } == [.disorder])
        #expect(try rules { $0.swapAt(2, 3) }.isSuperset(of: [.gap, .disorder]))
        #expect(try rules { $0.append(.init(type: "resync", payload: "{}")) } == [.gap])
    }

    /// Rooms of Eve, of Ada and of Eve again; and what was said to Ada alone, of a kind of which nothing was ever said to Eve.
    private struct Past {
        let eve = PersonID.new()
        let ada = PersonID.new()
        var chat = ServiceEvidence()
        var since: Int64 = 0

        init() throws {
            for person in [eve, ada, eve] {
                try tell(RoomChanged(room: .new(), state: .open), to: .people([person]))
            }
            try tell(MessagesRead(room: .new(), by: ada, marks: RoomMarks(delivered: 1, read: 1)), to: .people([ada]))
        }

        mutating func tell(_ event: some Event, to audience: Audience) throws {
            try chat.publish(event, about: "room/\(chat.head)", to: audience, chat.head)
        }

        var all: [HeardStream.Message] { chat.events.map { .init(type: $0.type, payload: $0.payload) } }

        /// What is found where Eve heard these.
        func rules(_ heard: [HeardStream.Message]) -> Set<Finding.Rule> {
            let stream = HeardStream(listener: "Eve", person: eve, messages: heard, since: ["chat": since])
            let evidence = LedgerEvidence(ledger: [], services: ["chat": chat], heard: [stream])
            // Nobody in this past has asked for anything.
            return Set(Audit(evidence, of: []).findings().map(\.rule)).subtracting([.doubled])
        }

        func rules(_ heard: [Int]) -> Set<Finding.Rule> { rules(heard.map { all[$0] }) }
    }

    @Test func a_listener_who_missed_what_is_for_them_alone_is_found() throws {
        let past = try Past()
        #expect(past.rules([0, 2]) == [])
        #expect(past.rules([0]) == [.gap])
        #expect(past.rules([Int]()) == [.gap])
    }

    @Test func what_was_for_somebody_else_alone_is_found() throws {
        var past = try Past()
        #expect(past.rules([0, 1, 2]) == [.overheard])
        // Of a type of which nothing was due.
        #expect(past.rules([0, 2, 3]) == [.overheard])
        try past.tell(PersonChanged(person: PersonSummary(id: past.ada, name: "Ada")), to: .nobody)
        #expect(past.rules([0, 2, 4]) == [.overheard])
        // That somebody is writing may be missed, by those for whom it is.
        try past.tell(Typing(room: .new(), by: past.ada), to: .people([past.eve]))
        #expect(past.rules([0, 2]) == [] && past.rules([0, 2, 5]) == [])
        try past.tell(Typing(room: .new(), by: past.eve), to: .people([past.ada]))
        #expect(past.rules([0, 2, 6]) == [.overheard])
        let invented = HeardStream.Message(type: "invented", payload: "{}")
        #expect(past.rules([past.all[0], past.all[2], invented]) == [.overheard])
    }

    @Test func a_lost_beginning_is_found() throws {
        var past = try Past()
        #expect(past.rules([2]) == [.gap])
        // What came before it was sure that she hears may be missed, but nothing between two that she heard.
        past.since = 2
        #expect(past.rules([2]) == [] && past.rules([0, 2]) == [])
        #expect(past.rules([0]) == [.gap])
        try past.tell(RoomChanged(room: .new(), state: .open), to: .people([past.eve]))
        #expect(past.rules([4]) == [.gap])
        past.since = 3
        #expect(past.rules([4]) == [] && past.rules([2, 4]) == [])
        #expect(past.rules([0, 4]) == [.gap])
    }
}
