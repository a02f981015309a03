import Foundation
import Messaging
import TestKit
import Testing
import WireProtocol

/// The audit can fail: each kind of damage is found by it, and what is whole is not.
@Suite struct AuditTests {
    /// The rules by which the damaged story is found wrong.
    private func rules(_ damage: (inout Story) throws -> Void) throws -> Set<Finding.Rule> {
        var story = try Story.ofTwoPeople()
        try damage(&story)
        return Set(try story.findings().map(\.rule))
    }

    private func index(of type: String, in service: ServiceEvidence) throws -> Int {
        try #require(service.events.firstIndex { $0.type == type })
    }

    @Test func a_story_in_which_all_is_well_has_no_findings() throws {
        #expect(try Story.ofTwoPeople().findings() == [])
    }

    @Test func who_was_turned_away_is_told_from_who_was_refused() {
        func isTurnedAway(_ outcome: LedgerEntry.Outcome?) -> Bool {
            let entry = LedgerEntry(
                number: 0, person: .new(), command: JoinCommand(), requestID: UUID(), invokedAt: .zero,
                endedAt: outcome.map { _ in .seconds(1) }, outcome: outcome)
            return entry.isTurnedAway
        }
        #expect(isTurnedAway(nil))
        for code in ["outcome_unknown", "internal_error", "The connection was lost"] {
            #expect(isTurnedAway(.unknown(code)), "\(code)")
        }
        for code in [
            "unavailable", "unreachable", "unauthenticated", "too_many_requests", "internal_error", "malformed",
            "unknown_method",
        ] { #expect(isTurnedAway(.fail(code)), "\(code)") }
        for code in ["already_claimed", "forbidden", "not_found", "wrong_state", "overlaps", "invalid"] {
            #expect(!isTurnedAway(.fail(code)), "\(code)")
        }
        #expect(!isTurnedAway(.ok("spot/1")))
    }

    @Test func an_acknowledged_command_that_is_not_in_effect_is_found() throws {
        let found = try rules { story in
            // The last post and everything of it: record, event, row.
            let entry = try #require(story.ledger.last { $0.command.name == "post" })
            story.listings.requests[entry.requestID] = nil
            story.spots = story.spots.filter { "spot/\($0.key)" != entry.aggregate }
            story.listings.events.removeLast()
            story.listings.head -= 1
            story.heard.removeLast()
        }
        #expect(found == [.lost])
    }

    @Test func a_command_that_took_effect_twice_is_found() throws {
        let found = try rules { story in
            // Its row and its event once more, in a transaction of their own.
            let event = story.listings.events[try index(of: SpotAdded.type, in: story.listings)]
            let spot = try #require(event.decoded(as: SpotAdded.self)).spot
            var row = Story.Row(id: .new(), posted_by: spot.postedBy.id, name: spot.name, state: .free)
            row.there = 0
            story.spots[row.id] = row
            var copy = spot
            copy.id = row.id
            try story.publish(SpotAdded(spot: copy), about: row.id, 999)
        }
        #expect(found == [.doubled])
    }

    @Test func a_command_without_an_answer_may_be_in_effect_as_a_whole() throws {
        let found = try rules { story in
            let spot = try #require(story.spots.values.first { $0.state == .free }).id
            try story.claim(spot, by: .new(), .unknown("outcome_unknown"))
            story.record(story.ledger.last!, story.listings.events.last!.mark)
        }
        #expect(found == [])
    }

    @Test func a_command_that_is_half_in_effect_is_found() throws {
        // Its record and its row, and no event.
        let unannounced = try rules { story in
            let spot = try #require(story.spots.values.first { $0.state == .free }).id
            try story.claim(spot, by: .new(), .unknown("outcome_unknown"))
            story.record(story.ledger.last!, story.listings.events.last!.mark)
            story.listings.events.removeLast(2)
            story.listings.head -= 2
            story.heard.removeLast()
        }
        #expect(unannounced == [.halfDone, .rowsDiffer])
        // Everything, but that those are told whose claim it is.
        let untold = try rules { story in
            let spot = try #require(story.spots.values.first { $0.state == .free }).id
            try story.claim(spot, by: .new(), .unknown("outcome_unknown"))
            story.record(story.ledger.last!, story.listings.events.last!.mark)
            story.listings.events.removeLast()
            story.listings.head -= 1
        }
        #expect(untold.contains(.halfDone))
        // Its event and its row, and no record.
        let unrecorded = try rules { story in
            let spot = try #require(story.spots.values.first { $0.state == .free }).id
            try story.claim(spot, by: .new(), .unknown("outcome_unknown"))
        }
        #expect(unrecorded.contains(.doubled))
        // Its record and its event, and no row.
        let unwritten = try rules { story in
            let spot = try #require(story.spots.values.first { $0.state == .free }).id
            try story.claim(spot, by: .new())
            story.spots[spot]!.state = .free
            story.spots[spot]!.claimed_by = nil
        }
        #expect(unwritten == [.rowsDiffer])
        // The second event of a change that publishes two.
        let unfinished = try rules { story in
            let moved = try index(of: SpotRemoved.type, in: story.listings)
            story.listings.events[moved + 1].mark += 1
        }
        #expect(unfinished.isSuperset(of: [.halfDone, .doubled]))
    }

    @Test func a_refused_command_that_is_in_effect_is_found() throws {
        let found = try rules { story in
            let spot = try #require(story.spots.values.first { $0.state == .free }).id
            try story.claim(spot, by: .new(), .fail("unavailable"))
            story.record(story.ledger.last!, story.listings.events.last!.mark)
        }
        #expect(found == [.doneThoughRefused])
    }

    @Test func a_command_that_never_ended_is_found() throws {
        let found = try rules { $0.ledger[$0.ledger.count - 1].outcome = nil }
        #expect(found == [.stuck])
    }

    @Test func a_gap_in_a_stream_is_found() throws {
        let gap = try rules { story in
            for index in 3..<story.listings.events.count { story.listings.events[index].position! += 1 }
            story.listings.head += 1
        }
        #expect(gap == [.gap])
        let end = try rules { $0.listings.head += 1 }
        #expect(end == [.gap])
        let unnumbered = try rules { story in
            story.listings.events[story.listings.events.count - 1].position = nil
            story.listings.head -= 1
            story.heard.removeLast()
        }
        #expect(unnumbered == [.stuck])
        let twice = try rules { $0.listings.events[3].position = 3 }
        #expect(twice.isSuperset(of: [.doubled, .gap]))
    }

    @Test func a_stream_that_is_not_in_the_order_of_what_happened_is_found() throws {
        let found = try rules { story in
            let claimed = try index(of: SpotClaimed.type, in: story.listings)
            (story.listings.events[claimed].position, story.listings.events[claimed + 1].position) = (
                story.listings.events[claimed + 1].position, story.listings.events[claimed].position
            )
        }
        #expect(found == [.disorder])
    }

    @Test func effects_against_the_order_of_the_answers_are_found() throws {
        let found = try rules { story in
            // The rename had ended before the person joined.
            let renamed = try #require(story.ledger.firstIndex { $0.command.name == "rename" })
            story.ledger[renamed].invokedAt = .zero
            story.ledger[renamed].endedAt = .milliseconds(1)
        }
        #expect(found == [.disorder])
    }

    @Test func nobody_keeps_a_place_in_a_stream_in_which_there_is_nothing() {
        var evidence = LedgerEvidence(
            ledger: [], services: ["rides": ServiceEvidence(), "chat": ServiceEvidence()],
            subscriptions: [("chat", "rides")])
        #expect(Audit(evidence, of: []).findings().isEmpty)
        evidence.services["rides"]!.head = 1
        #expect(Audit(evidence, of: []).findings().map(\.rule).contains(.notAppliedOnce))
    }

    @Test(arguments: PeopleSubject.keepers)
    func a_subscriber_that_is_behind_or_repeats_is_found(_ keeper: String) throws {
        func isTheirs(_ change: TappedChange) -> Bool { change.table.hasPrefix("\(keeper).") }
        let behind = try rules { story in
            story.services[keeper]!.offsets["auth"]!.position -= 1
            let last = story.auth.head
            story.taps.removeAll { isTheirs($0) && $0.transaction == last }
        }
        #expect(behind == [.notAppliedOnce])
        let repeated = try rules { $0.taps += $0.taps.filter(isTheirs).suffix(2) }
        #expect(repeated == [.notAppliedOnce])
        let skipped = try rules { story in story.taps.removeAll { isTheirs($0) && $0.transaction == 2 } }
        #expect(skipped == [.notAppliedOnce])
        let passedOver = try rules { story in
            story.taps.removeAll { $0.transaction == 2 && $0.table == "\(keeper).people" }
        }
        #expect(passedOver == [.notAppliedOnce])
        let elsewhere = try rules { story in
            story.services[keeper]!.offsets["auth"] = StreamOffset(epoch: UUID(), position: story.auth.head)
        }
        #expect(elsewhere == [.notAppliedOnce])
        let misled = try rules { $0.known[keeper]![$0.accounts.keys.first!] = "Somebody else" }
        #expect(misled == [.notAppliedOnce])
        let ignorant = try rules { $0.known[keeper]![$0.accounts.keys.first!] = nil }
        #expect(ignorant == [.notAppliedOnce])
    }

    @Test func an_event_that_was_set_aside_is_found() throws {
        #expect(try rules { $0.listings.deadLetters = 1 } == [.deadLetter])
    }

    @Test func rows_that_say_something_else_than_their_events_are_found() throws {
        #expect(try rules { $0.spots[$0.spots.keys.first!]!.name = "Another name" } == [.rowsDiffer])
        #expect(try rules { $0.spots[$0.spots.keys.first!]!.there += 1 } == [.rowsDiffer])
        #expect(try rules { $0.observations = [] } == [.rowsDiffer])
        #expect(try rules { $0.accounts[$0.accounts.keys.first!]!.version += 1 } == [.rowsDiffer])
        #expect(try rules { $0.accounts[$0.accounts.keys.first!] = nil } == [.halfDone])
    }
}
