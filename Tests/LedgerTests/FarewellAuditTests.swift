import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

/// The audit of those who go can fail: each kind of remainder is found by it.
@Suite struct FarewellAuditTests {
    /// One who is erased, one who is not and has asked for an archive, and what is there of both.
    private struct Made {
        let subject = GuestsSubject()
        let gone: Guest
        let staying: Guest
        let receipt = ErasureID(UUID())
        var rows: [String: [String]] = [:]

        init() {
            var random = SeededGenerator(seed: 1)
            let people = (1...2).map {
                LedgerPerson(number: $0, client: .init(baseURL: URL(string: "http://127.0.0.1:1")!))
            }
            gone = subject.book.guest(of: people[0], using: &random)
            staying = subject.book.guest(of: people[1], using: &random)
            gone.live { [receipt] in ($0.id, $0.erasure, $0.receipt) = (.new(), .acknowledged, receipt) }
            staying.live { ($0.id, $0.export) = (.new(), .acknowledged) }
            let (one, other) = (gone.now.id!, staying.now.id!)
            rows["receipts"] = ["{\"id\":\"\(receipt)\",\"done\":true,\"waiting\":0}"]
            rows["exports"] = ["{\"person\":\"\(other)\",\"ready\":true}"]
            rows["guestAccounts"] = ["{\"id\":\"\(other)\"}"]
            rows["tables"] = [
                Self.table("auth.accounts", "<id>\(other)</id><name>Guest \(staying.word)</name>"),
                Self.table("listings.people_erased", "<id>\(one)</id>"),
            ]
        }

        static func table(_ name: String, _ content: String) -> String {
            "{\"name\":\"\(name)\",\"content\":\"\(content)\"}"
        }

        var rules: [Finding.Rule] {
            let evidence = LedgerEvidence(ledger: [], services: [:], rows: rows)
            return Audit(evidence, of: [subject]).findings().map(\.rule)
        }
    }

    @Test func who_is_gone_wholly_and_who_has_an_archive_are_no_findings() {
        #expect(Made().rules == [])
    }

    @Test func an_id_or_a_word_of_somebody_who_is_erased_is_found_wherever_it_stands() {
        for trace in [\Guest.word, \.idText] {
            for table in ["listings.spots", "auth.erasure_parts", "notification.mails"] {
                var made = Made()
                made.rows["tables"]! += [
                    Made.table(table, "<row><a>1</a><b>x \(made.gone[keyPath: trace]) y</b></row>")
                ]
                #expect(made.rules == [.halfDone])
            }
        }
        var named = Made()
        named.rows["tables"]! += [Made.table("listings.people_erased", named.gone.word)]
        var spot = Made()
        spot.rows["nobodysSpots"] = ["{\"id\":\"\(SpotID.new())\"}"]
        #expect(spot.rules == [.halfDone])
        #expect(named.rules == [.halfDone], "of those who are erased the id is kept, and not the name")
    }

    @Test func who_never_heard_and_is_gone_has_to_be_gone_wholly() {
        var made = Made()
        made.gone.live { $0.erasure = .perhaps }
        made.rows["tables"]! += [Made.table("listings.spots", made.gone.word)]
        #expect(made.rules == [.halfDone])
        made.rows["guestAccounts"]! += ["{\"id\":\"\(made.gone.idText)\"}"]
        #expect(made.rules == [], "not erased at all is whole, too")
    }

    @Test func receipts_and_archives_that_wait_or_are_lost_are_found() {
        var waiting = Made()
        waiting.rows["receipts"] = ["{\"id\":\"\(waiting.receipt)\",\"done\":false,\"waiting\":1}"]
        #expect(waiting.rules == [.stuck])
        var lost = Made()
        lost.rows["receipts"] = []
        #expect(lost.rules == [.lost])
        var gathering = Made()
        gathering.rows["exports"] = ["{\"person\":\"\(gathering.staying.idText)\",\"ready\":false}"]
        #expect(gathering.rules == [.stuck])
        var forgotten = Made()
        forgotten.rows["exports"] = []
        #expect(forgotten.rules == [.lost])
    }
}

extension Guest {
    fileprivate var idText: String { now.id!.description }
}
