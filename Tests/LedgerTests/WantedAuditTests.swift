import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

/// The audit of searches can fail.
@Suite struct WantedAuditTests {
    /// Ada looks for a space since before Ben shared it, and was told. Cem began when it was there. A ride of Ben's is gone of which Ada was told, too.
    private struct Past {
        let ada = PersonID.new()
        let ben = PersonID.new()
        let cem = PersonID.new()
        let adas = WantedID.new()
        let rides = WantedID.new()
        let cems = WantedID.new()
        let restaurants = [PlaceID.new()]
        let space = WantedHistory.Key(kind: .thing, subject: UUID())
        let ride = WantedHistory.Key(kind: .ride, subject: UUID())
        var searches: [WantedHistory.Search] = []
        var finds: [WantedHistory.Find] = []
        var hits: [WantedHistory.Hit] = []
        var looks: Set<WantedHistory.Key> = []
        var things: [WantedHistory.Thing] = []
        var notices: [WantedHistory.Notice] = []
        var events: [PublishedEvent] = []
        var ledger: [LedgerEntry] = []
        private let book = WantedBook()
        private let days = SoughtDays()
        private var now = Duration.zero

        init() throws {
            begin(adas, by: ada, Sought(.space, 3))
            begin(rides, by: ada, Sought(.ride, 3))
            share(space, Sought(.space, 3))
            share(ride, Sought(.ride, 3))
            begin(cems, by: cem, Sought(.space, 3))
            for wanted in [adas, cems] { find(space, by: wanted) }
            find(ride, by: rides)
            try tell(space, to: ada, by: adas)
            try tell(ride, to: ada, by: rides)
            (things[1].isThere, hits[1].state, notices[1].isRead) = (false, .gone, true)
            try publish(WantedFound(Subject(kind: .ride, id: ID(ride.subject)), isGone: true), to: ada)
        }

        mutating func begin(_ wanted: WantedID, by person: PersonID, _ sought: Sought) {
            let query = sought.query(restaurants, days)
            searches.append(.init(id: wanted, person: person, query: query, state: .live, isSettled: true))
            note(
                LookCommand(sought: sought, draft: WantedDraft(query: query), book: book), by: person,
                .ok("wanted/\(wanted)"))
        }

        mutating func share(_ key: WantedHistory.Key, _ sought: Sought) {
            things.append(
                .init(kind: key.kind, subject: key.subject, owner: ben, words: "\(sought.word) x", isThere: true))
            let command: any LedgerCommand =
                key.kind == .ride
                ? OfferCommand(book: RideBook(), draft: RideDraft())
                : ShareCommand(book: RentalBook(), draft: sought.space)
            note(command, by: ben, .ok(key.description))
        }

        mutating func note(_ command: any LedgerCommand, by person: PersonID, _ outcome: LedgerEntry.Outcome?) {
            now += .milliseconds(10)
            ledger.append(
                LedgerEntry(
                    number: ledger.count, person: person, command: command, requestID: UUID(), invokedAt: now,
                    endedAt: now + .milliseconds(5), outcome: outcome))
        }

        mutating func find(_ key: WantedHistory.Key, by wanted: WantedID) {
            finds.append(.init(wanted: wanted, kind: key.kind, subject: key.subject))
        }

        mutating func tell(_ key: WantedHistory.Key, to person: PersonID, by wanted: WantedID, at: Double = 10) throws {
            hits.append(
                .init(
                    kind: key.kind, subject: key.subject, person: person, wanted: wanted, state: .told, toldAt: at))
            notices.append(.init(person: person, kind: key.kind, subject: key.subject, isRead: false))
            try publish(WantedFound(Subject(kind: key.kind, id: ID(key.subject))), to: person)
        }

        mutating func publish(_ event: WantedFound, to person: PersonID) throws {
            var service = ServiceEvidence(head: Int64(events.count))
            let thing = "\(event.subject.kind.rawValue)/\(event.subject.id)"
            try service.publish(event, about: thing, to: .people([person]), Int64(events.count))
            events += service.events
        }

        /// Several spaces at once, of which Ada is told.
        mutating func shareMore(_ count: Int, at moments: (Int) -> Double) throws {
            for number in 0..<count {
                let key = WantedHistory.Key(kind: .thing, subject: UUID())
                share(key, Sought(.space, 3))
                for wanted in [adas, cems] { find(key, by: wanted) }
                try tell(key, to: ada, by: adas, at: moments(number))
                try tell(key, to: cem, by: cems, at: moments(number))
            }
        }

        func findings() -> Set<Finding.Rule> {
            let history = WantedHistory(
                searches: searches, finds: finds, hits: hits, looks: looks, things: things, notices: notices,
                events: events, ledger: ledger, restaurants: restaurants)
            return Set(history.findings().map(\.rule))
        }
    }

    @Test func a_past_in_which_all_is_well_has_no_findings() throws {
        #expect(try Past().findings() == [])
    }

    @Test func what_a_search_has_not_found_is_missed() throws {
        var past = try Past()
        past.finds.removeFirst()
        #expect(past.findings() == [.lost])
        past.looks = [past.space]
        #expect(past.findings() == [], "it is not looked at yet")
        past.looks = []
        past.searches[0].isSettled = false
        #expect(past.findings() == [], "it is not known yet what was there")
    }

    @Test func what_a_search_does_not_look_for_is_found() throws {
        var past = try Past()
        past.finds.append(.init(wanted: past.rides, kind: .thing, subject: past.space.subject))
        #expect(past.findings() == [.doubled])
    }

    @Test func who_is_not_told_is_found() throws {
        var past = try Past()
        past.hits.removeFirst()
        past.notices.removeFirst()
        past.events.removeFirst()
        #expect(past.findings() == [.lost])
        past.searches[0].state = .paused
        #expect(past.findings() == [])
    }

    @Test func who_did_not_look_for_it_yet_need_not_be_told_and_must_not() throws {
        var past = try Past()
        try past.tell(past.space, to: past.cem, by: past.cems)
        #expect(past.findings() == [.doubled])
    }

    @Test func who_is_told_of_their_own_or_of_what_they_never_looked_for_is_found() throws {
        var past = try Past()
        try past.tell(past.space, to: past.ben, by: past.adas, at: 9000)
        #expect(past.findings() == [.doubled])
        past = try Past()
        try past.tell(past.space, to: .new(), by: past.adas, at: 9000)
        #expect(past.findings() == [.doubled])
    }

    @Test func who_is_told_twice_or_never_is_found() throws {
        var past = try Past()
        past.events.append(past.events[0])
        #expect(past.findings() == [.doubled])
        past = try Past()
        past.notices.append(past.notices[0])
        #expect(past.findings() == [.doubled])
        past = try Past()
        past.events.removeFirst()
        #expect(past.findings() == [.lost])
        past = try Past()
        past.notices.removeFirst()
        #expect(past.findings() == [.lost])
    }

    @Test func what_is_gone_and_not_taken_back_is_found() throws {
        var past = try Past()
        past.notices[1].isRead = false
        #expect(past.findings() == [.rowsDiffer])
        past = try Past()
        past.notices[0].isRead = true
        #expect(past.findings() == [.rowsDiffer])
    }

    @Test func who_is_told_of_more_than_they_bear_is_found() throws {
        var past = try Past()
        try past.shareMore(2) { Double($0) * 60 + 100 }
        #expect(past.findings() == [])
        past = try Past()
        try past.shareMore(4) { Double($0) * 60 + 100 }
        #expect(past.findings() == [.doubled], "more than three in an hour")
        past = try Past()
        try past.shareMore(4) { Double($0) * 3600 + 4000 }
        #expect(past.findings() == [])
    }

    @Test func what_waits_for_a_digest_without_need_is_found() throws {
        var past = try Past()
        try past.shareMore(1) { Double($0) + 100 }
        past.hits[2].state = .late
        past.hits[2].toldAt = nil
        past.notices.remove(at: 2)
        past.events.remove(at: 3)
        #expect(past.findings() == [.stuck])
    }
}
