import DurableMessaging
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Searches of people who look at nothing that these tell.
@Suite struct WantedUnseenTests {
    private static let (hour, day): (TimeInterval, TimeInterval) = (3600, 86_400)

    /// What stands in somebody's inbox, as notification answers.
    private final class Inbox: Sendable {
        private struct State: Sendable {
            var seen: Set<NoticeKey> = []
            var failure: ErrorCode?
            var asked = 0
        }

        private let state = Mutex(State())

        var asked: Int { state.withLock { $0.asked } }

        func see(_ subject: Subject) { state.withLock { _ = $0.seen.insert(.found(subject)) } }

        func fail(by code: ErrorCode?) { state.withLock { $0.failure = code } }

        func unseen(_ query: UnseenQuery) throws -> UnseenKeys {
            try state.withLock { state in
                state.asked += 1
                if let failure = state.failure { throw ServiceError(failure, "It does not answer.", retryAfter: 2) }
                return UnseenKeys(keys: query.keys.filter { !state.seen.contains($0) })
            }
        }
    }

    private func attend(_ searches: Searches, _ inbox: Inbox) async throws {
        let rounds = WantedUnseen(store: searches.store, logger: .quiet, clock: searches.clock.read) {
            try inbox.unseen($0)
        }
        while try await rounds.round() {}
    }

    /// So many things appear, one an hour, and are told.
    @discardableResult
    private func appear(_ count: Int, in searches: Searches) async throws -> [Subject] {
        var subjects: [Subject] = []
        // What is told at the moment at which a search begins is not counted.
        searches.clock.advance(by: .seconds(1))
        for _ in 0..<count {
            subjects.append(searches.car("Some pram car"))
            try await searches.say(subjects[subjects.count - 1])
            try await searches.run()
            searches.clock.advance(by: .seconds(Self.hour))
        }
        return subjects
    }

    private func waitADay(_ searches: Searches) { searches.clock.advance(by: .seconds(Self.day)) }

    @Test func ten_things_in_a_row_that_nobody_looked_at_pause_it() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            try await appear(9, in: searches)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 0, "nine are no reason")
            try await appear(1, in: searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 0, "they have a day to look at it")
            #expect(try await searches.told().count == 10)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 1)
            #expect(try await searches.seen(id).state == .paused)
            #expect(try await searches.keys(of: id).isEmpty)
            let reminder = WantedReminder(wanted: id, person: tom, about: .unseen)
            #expect(try await searches.reminders() == [reminder])
            let notices = try await searches.deliveries.told(NoticeRaised.self).filter { $0.kind == .wantedDue }
            #expect(notices.map(\.key) == [.wanted(id)] && notices.map(\.variant) == ["unseen"])
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 1)
            #expect(try await searches.reminders() == [reminder], "once")
            try await appear(1, in: searches)
            #expect(try await searches.told().count == 10)
        }
    }

    @Test func what_somebody_has_seen_begins_the_count_anew() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            inbox.see(try await appear(10, in: searches)[4])
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 1)
            #expect(try await searches.seen(id).state == .live)
            try await appear(4, in: searches)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 1, "nine since then")
            try await appear(1, in: searches)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(try await searches.seen(id).state == .paused)
        }
    }

    @Test func what_somebody_has_just_seen_counts_too() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            try await appear(10, in: searches)
            waitADay(searches)
            inbox.see(try await appear(1, in: searches)[0])
            try await attend(searches, inbox)
            #expect(inbox.asked == 1)
            #expect(try await searches.seen(id).state == .live)
        }
    }

    @Test func where_it_goes_on_or_is_renewed_it_begins_anew() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            try await appear(10, in: searches)
            _ = try await searches.useCases.renew(id, .from(tom))
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 0, "who renews it looks")
            try await appear(10, in: searches)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(try await searches.seen(id).state == .paused)
            try await searches.change(id, WantedChange(isPaused: false))
            try await appear(9, in: searches)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 1)
            #expect(try await searches.seen(id).state == .live)
        }
    }

    @Test(arguments: [ErrorCode.unavailable, .internalError])
    func where_notification_does_not_answer_nothing_is_decided(_ code: ErrorCode) async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            try await appear(10, in: searches)
            waitADay(searches)
            inbox.fail(by: code)
            try await attend(searches, inbox)
            #expect(try await searches.seen(id).state == .live)
            inbox.fail(by: nil)
            searches.clock.advance(by: .seconds(Self.hour))
            try await attend(searches, inbox)
            #expect(try await searches.seen(id).state == .paused)
        }
    }

    @Test func what_is_gone_is_not_counted() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            let gone = try await appear(10, in: searches)[3]
            searches.stock.take(gone)
            try await searches.say(gone)
            try await searches.look()
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(inbox.asked == 0)
            #expect(try await searches.seen(id).state == .live)
        }
    }

    @Test func who_is_suspended_cannot_look() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            try await appear(10, in: searches)
            waitADay(searches)
            try await searches.deliveries.suspend(tom, until: searches.clock.now + Self.hour)
            try await attend(searches, inbox)
            #expect(try await searches.seen(id).state == .live)
            #expect(try await searches.reminders().isEmpty)
            waitADay(searches)
            try await attend(searches, inbox)
            #expect(try await searches.reminders().map(\.about) == [.unseen])
        }
    }

    @Test func another_search_tells_what_waits() async throws {
        try await Searches.with { searches in
            let inbox = Inbox()
            let id = try await searches.post(cars("pram")).id
            searches.clock.advance(by: .milliseconds(1))
            let other = try await searches.post(cars("red")).id
            try await appear(10, in: searches)
            waitADay(searches)
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.look()
            #expect(try await searches.hit(of: car)?.by == id)
            try await attend(searches, inbox)
            #expect(try await searches.seen(id).state == .paused)
            #expect(try await searches.hit(of: car)?.by == other)
            try await searches.tell()
            #expect(try await searches.told().last == ToldFind(person: tom, subject: car))
        }
    }

    @Test func a_row_ends_at_what_was_seen() {
        // One every three hours, the latest first: the eighth of them is a day old.
        let things = (0..<20).map { ToldThing(subject: Subject(SpotID.new()), at: noon - Double($0) * 3 * Self.hour) }
        let told = ToldInARow(things)
        #expect(told.isEnough(at: noon) && !ToldInARow(Array(things.prefix(17))).isEnough(at: noon))
        #expect(told.asked(at: noon) == Array(things.dropFirst()), "the first is not in the inbox yet")
        func looking(seeing number: Int?) -> ToldInARow.Looking {
            var unseen = Set(things.map(\.key))
            if let number { unseen.remove(things[number].key) }
            return told.looking(unseen: unseen, at: noon)
        }
        #expect(looking(seeing: nil) == ToldInARow.Looking(seenAt: nil, isUnseen: true))
        #expect(looking(seeing: 0) == ToldInARow.Looking(seenAt: nil, isUnseen: true))
        #expect(looking(seeing: 3) == ToldInARow.Looking(seenAt: things[3].at, isUnseen: false))
        #expect(looking(seeing: 17) == ToldInARow.Looking(seenAt: things[17].at, isUnseen: false))
        #expect(looking(seeing: 18) == ToldInARow.Looking(seenAt: things[18].at, isUnseen: true))
    }
}
