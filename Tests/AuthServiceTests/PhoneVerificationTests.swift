import DurableMessaging
import Foundation
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Who shows by a text that a telephone number is theirs, against a real PostgreSQL.
@Suite struct PhoneVerificationTests {
    private static let number = "+6591234567"

    @Test func a_code_gives_the_number_and_others_see_that_it_is_verified_and_not_the_number() async throws {
        try await PhoneBench.run { bench in
            let maya = try await bench.join("maya")
            let code = try #require(try await bench.code(for: maya, "+65 9123 4567", language: "de"))
            let order = try #require(bench.office.texts.last)
            #expect(order.to == Self.number && order.language == "de" && order.phoneCode?.minutes == 10)
            #expect(code.wholeMatch(of: /[0-9]{6}/) != nil)
            // Asking alone changes nothing.
            #expect(try await bench.me(maya).phone == nil)
            let verified = try await bench.verify(code, as: maya)
            #expect(verified.phone == Self.number && verified.phoneVerified == true)
            #expect(try await bench.me(maya).phoneVerified == true)
            let seen = try await bench.auth.call(AuthMethods.person, PersonReference(id: maya.id), Nothing())
            #expect(seen.phoneVerified == true && seen.phone == nil)
            // Summaries do not say it, so that nobody has to hear of it.
            #expect(try await bench.auth.events(PersonChanged.self).count == 1)
        }
    }

    @Test func a_changed_or_removed_number_is_no_longer_verified() async throws {
        try await PhoneBench.run { bench in
            for (change, phone) in [
                (ProfileChange(phone: "+4930901820"), "+4930901820"), (ProfileChange(phone: .remove), nil),
            ] as [(ProfileChange, String?)] {
                let maya = try await bench.join(phone == nil ? "maya" : "ben")
                try await bench.prove(Self.number, by: maya)
                // The same number again, and something else, change nothing about it.
                let same = ProfileChange(phone: "+65 9123-4567", bio: "Hello")
                #expect(try await bench.change(same, as: maya).phoneVerified == true)
                let changed = try await bench.change(change, as: maya)
                #expect(changed.phone == phone && changed.phoneVerified == nil)
                // Nor is it when they write the old one again.
                #expect(try await bench.change(ProfileChange(phone: "+6591234567"), as: maya).phoneVerified == nil)
            }
            #expect(try await bench.auth.pool.query("SELECT FROM accounts WHERE phone_digest IS NOT NULL").isEmpty)
        }
    }

    @Test func neither_code_nor_number_stands_in_the_database() async throws {
        try await PhoneBench.run { bench in
            let maya = try await bench.join("maya")
            let code = try #require(try await bench.code(for: maya, Self.number))
            _ = try await bench.verify(code, as: maya)
            try await bench.ask("+4930901820", as: Caller(person: bench.join("ben").id))
            var dump = ""
            for table in [
                "accounts", "phone_verifications", "phone_texts", "outgoing_mails", "outbox", "requests", "refusals",
            ] {
                dump += try await bench.auth.pool.query("SELECT t::text AS row FROM \(unescaped: table) t").map {
                    try $0.get("row", as: String.self)
                }.joined()
            }
            #expect(dump.contains("phoneCode"))
            for secret in ["91234567", "4930901820", "\"\(code)\""] {
                let hex = secret.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
                #expect(!dump.contains(secret) && !dump.contains(hex), "\(secret)")
            }
        }
    }

    @Test func after_five_wrong_codes_the_right_one_is_refused_in_the_same_words() async throws {
        try await PhoneBench.run { bench in
            let maya = try await bench.join("maya")
            let never = try await refusal { try await bench.verify("000000", as: maya) }
            let code = try #require(try await bench.code(for: maya, Self.number))
            let wrong = code == "111111" ? "222222" : "111111"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let refused = try await refusal { try await bench.verify(wrong, as: maya) }
                        #expect(refused == never)
                    }
                }
                try await group.waitForAll()
            }
            let attempts = try await bench.auth.pool.query("SELECT attempts FROM phone_verifications")
            #expect(try attempts.map { try $0.get("attempts", as: Int.self) } == [5])
            #expect(try await refusal { try await bench.verify(code, as: maya) } == never)
            #expect(try await bench.me(maya).phone == nil)
        }
    }

    @Test func a_code_is_good_for_ten_minutes_once_and_for_the_one_who_asked() async throws {
        try await PhoneBench.run { bench in
            let (maya, ben) = (try await bench.join("maya"), try await bench.join("ben"))
            let late = try #require(try await bench.code(for: maya, Self.number))
            bench.auth.clock.advance(by: .seconds(601))
            #expect(try await refusal { try await bench.verify(late, as: maya) }?.code == .invalid)
            let code = try #require(try await bench.code(for: maya, Self.number))
            _ = try await bench.code(for: ben, "+4930901820")
            if bench.office.texts.last?.phoneCode?.code != code {
                #expect(try await refusal { try await bench.verify(code, as: ben) }?.code == .invalid)
            }
            #expect(try await refusal { try await bench.verify(code, as: nil) }?.code == .unauthenticated)
            let id = UUID.version7()
            // A repeated request is answered as the first time; another one finds the code spent.
            for _ in 0..<3 { #expect(try await bench.verify(code, as: maya, id: id).phoneVerified == true) }
            #expect(try await refusal { try await bench.verify(code, as: maya) }?.code == .invalid)
        }
    }

    @Test func who_shows_it_last_has_the_number_and_the_earlier_one_is_told() async throws {
        try await PhoneBench.run { bench in
            let (maya, ben) = (try await bench.join("maya"), try await bench.join("ben"))
            try await bench.prove(Self.number, by: maya)
            let before = bench.office.orders.count
            try await bench.prove(Self.number, by: ben)
            #expect(try await bench.me(ben).phoneVerified == true)
            let lost = try await bench.me(maya)
            #expect(lost.phoneVerified == nil && lost.phone == Self.number)
            let notices = try await bench.auth.call(
                AuthMethods.notices, Nothing(), Nothing(), as: Caller(person: maya.id))
            // Nothing says who.
            #expect(notices.items.map(\.kind) == [.phoneMoved] && notices.items[0].title == nil)
            try await bench.auth.showAddress("maya@example.org")
            _ = try await bench.auth.mails(to: bench.office).round()
            let mails = bench.office.orders.dropFirst(before)
            #expect(mails.map(\.notice?.kind) == [.phoneMoved] && mails.map(\.to) == ["maya@example.org"])
            // And back.
            bench.auth.clock.advance(by: .seconds(61))
            try await bench.prove(Self.number, by: maya)
            #expect(try await bench.me(ben).phoneVerified == nil)
        }
    }

    /// Each has a right code for a number of the others, and all use them at once, around in a circle.
    @Test func of_many_who_show_it_at_once_one_has_it_and_nobody_waits_for_ever() async throws {
        try await PhoneBench.run({ $0.perNumber = 20 }) { bench in
            let numbers = (0..<4).map { "+659123000\($0)" }
            var people: [Person] = []
            for (index, number) in numbers.enumerated() {
                people.append(try await bench.join("person\(index)"))
                try await bench.prove(number, by: people[index])
            }
            for shift in 1...3 {
                bench.auth.clock.advance(by: .seconds(61))
                var codes: [(Person, String)] = []
                for (index, person) in people.enumerated() {
                    // In the last round all want the same one.
                    let number = shift == 3 ? numbers[0] : numbers[(index + shift) % 4]
                    codes.append((person, try #require(try await bench.code(for: person, number))))
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (person, code) in codes { group.addTask { _ = try await bench.verify(code, as: person) } }
                    try await group.waitForAll()
                }
                let holders = try await bench.auth.pool.query("SELECT FROM accounts WHERE phone_digest IS NOT NULL")
                #expect(holders.count == (shift == 3 ? 1 : 4))
            }
        }
    }

    @Test func who_asks_often_waits_and_a_number_gets_five_texts_a_day() async throws {
        try await PhoneBench.run { bench in
            let maya = try await bench.join("maya")
            for _ in 0..<5 {
                #expect(try await bench.code(for: maya, Self.number) != nil)
                let soon = try await refusal { try await bench.code(for: maya, Self.number) }
                #expect(soon?.code == .tooManyRequests && soon?.retryAfter == 60)
                bench.auth.clock.advance(by: .seconds(61))
            }
            let often = try await refusal { try await bench.code(for: maya, "+4930901820") }
            #expect(often?.code == .tooManyRequests)
            // Somebody else is answered as ever, waits as ever, and no sixth text comes: not for a new account after an old one went, either.
            _ = try await bench.auth.pool.query("DELETE FROM accounts WHERE id = \(maya.id.uuid)")
            let ben = try await bench.join("ben")
            #expect(try await bench.code(for: ben, Self.number) == nil)
            #expect(try await refusal { try await bench.code(for: ben, Self.number) }?.retryAfter == 60)
            bench.auth.clock.advance(by: .seconds(86_401))
            #expect(try await bench.code(for: ben, Self.number) != nil)
            try await bench.auth.parts.upkeep.prune()
            #expect(try await bench.auth.count("phone_verifications") == 1)
            #expect(try await bench.auth.count("phone_texts") == 1)
        }
    }

    /// A crowd at the same moment: the limit for all is one that nobody gets past.
    @Test func the_community_sends_no_more_texts_in_a_day_than_it_may() async throws {
        try await PhoneBench.run({ $0.inAll = 3 }) { bench in
            var people: [Person] = []
            for index in 0..<8 { people.append(try await bench.join("person\(index)")) }
            let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (index, person) in people.enumerated() {
                    group.addTask {
                        let refused = try await refusal {
                            try await bench.ask("+659123000\(index)", as: Caller(person: person.id))
                        }
                        if let refused { #expect(refused.code == .tooManyRequests && refused.retryAfter == 3600) }
                        return refused == nil
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(sent == 3)
            #expect(try await bench.auth.count("phone_texts") == 3)
            bench.auth.clock.advance(by: .seconds(86_401))
            #expect(try await bench.code(for: people[7], Self.number) != nil)
        }
    }

    @Test(arguments: [
        ("9123 4567", "country"), ("+65 9123", "phone"), ("", "country"), ("+1 555 010 0000", "not_served"),
        ("+65 9123 4567\n", nil),
    ])
    func other_numbers_are_refused_at_the_field(_ number: String, _ code: String?) async throws {
        try await PhoneBench.run({ $0.prefixes = ["+65", "+49"] }) { bench in
            let maya = try await bench.join("maya")
            let refused = try await refusal { try await bench.code(for: maya, number) }
            #expect(refused?.errors.map(\.code) == code.map { [$0] })
            #expect(refused?.errors.map(\.field) == code.map { _ in ["phone"] })
        }
    }

    @Test func where_no_texts_are_sent_there_is_nothing() async throws {
        try await PhoneBench.run({ $0.isOn = false }) { bench in
            let maya = try await bench.join("maya")
            #expect(try await refusal { try await bench.code(for: maya, Self.number) }?.code == .notFound)
            #expect(try await refusal { try await bench.verify("048213", as: maya) }?.code == .notFound)
        }
    }

    /// Whatever else may write.
    @Test func the_schema_has_room_for_one_holder_and_for_none_without_a_number() async throws {
        try await PhoneBench.run { bench in
            let (maya, ben) = (try await bench.join("maya"), try await bench.join("ben"))
            try await bench.prove(Self.number, by: maya)
            for (statement, constraint) in [
                ("phone = NULL", "accounts_phone_there"), ("phone_verified_at = NULL", "accounts_phone_whole"),
            ] {
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await bench.auth.pool.query(
                        "UPDATE accounts SET \(unescaped: statement) WHERE id = \(maya.id.uuid)")
                }
                #expect(error?.constraint == constraint)
            }
            let error = await #expect(throws: PostgresError.self) {
                _ = try await bench.auth.pool.query(
                    """
                    UPDATE accounts SET (phone, phone_digest, phone_verified_at) =
                        (SELECT phone, phone_digest, phone_verified_at FROM accounts WHERE id = \(maya.id.uuid))
                    WHERE id = \(ben.id.uuid)
                    """)
            }
            #expect(error?.constraint == "accounts_phone")
        }
    }

    @Test func the_archive_says_it_and_an_erasure_takes_it_along() async throws {
        try await PhoneBench.run { bench in
            let maya = try await bench.join("maya")
            try await bench.prove(Self.number, by: maya)
            let page = try await bench.auth.parts.ownRecords.page(PersonalDataQuery(person: maya.id, cursor: nil))
            let record = try #require(page.items.first { $0.kind == "account" })
            let own: Person = try WireJSON.decode(from: Array(record.json.utf8))
            #expect(own.phone == Self.number && own.phoneVerified == true)
            let _: Erasure = try await bench.auth.call(
                AuthMethods.eraseMe, LanguageParameters(), ErasureRequest(password: "quiet river stones"),
                as: Caller(person: maya.id, address: "203.0.113.7"))
            #expect(try await bench.auth.count("phone_verifications") == 0)
            bench.auth.clock.advance(by: .seconds(61))
            let ben = try await bench.join("ben")
            try await bench.prove(Self.number, by: ben)
            #expect(try await bench.me(ben).phoneVerified == true)
        }
    }
}
