import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Who shows by an email address that they belong to a campus, against a real PostgreSQL.
@Suite struct CampusTests {
    @Test func a_code_makes_somebody_one_of_the_campus_and_everybody_sees_it() async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            let code = try #require(try await bench.code(for: maya, at: "Maya.Tan@hill.example.org", language: "de"))
            let order = try #require(bench.office.orders.last)
            #expect(order.to == "Maya.Tan@hill.example.org" && order.language == "de" && order.template == .campusCode)
            #expect(order.campusCode?.campus == "Hill Campus" && order.campusCode?.minutes == 10)
            #expect(code.wholeMatch(of: /[0-9]{6}/) != nil)

            #expect(try await bench.verify(code, as: maya).campus == "hill")
            let seen = try await bench.auth.call(AuthMethods.person, PersonReference(id: maya.id), Nothing())
            #expect(seen.campus == "hill")
            let heard = try await bench.auth.events(PersonChanged.self).map(\.event.person)
            #expect(heard.map(\.campus) == [nil, "hill"])
            let everybody = try await bench.auth.call(AuthMethods.people, PeopleQuery(), Nothing())
            #expect(everybody.items.map(\.campus) == ["hill"])
            // Access tokens say it from the next one on.
            let session = try await bench.auth.signIn("maya@example.org")
            let claims = try #require(session.accessToken.split(separator: ".").dropFirst().first)
            let bytes = try #require(Base64URL.decode(claims))
            #expect(try WireJSON.decode(AccessTokenClaims.self, from: bytes).campus == "hill")
        }
    }

    @Test func neither_code_nor_address_stands_in_the_database() async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            let code = try #require(try await bench.code(for: maya, at: "maya.at.hill@hill.example.org"))
            _ = try await bench.verify(code, as: maya)
            try await bench.auth.askForCampus("ben.at.hill@hill.example.org", as: Caller(person: bench.join("ben").id))
            var dump = ""
            for table in ["accounts", "campus_verifications", "outgoing_mails", "outbox", "requests", "refusals"] {
                dump += try await bench.auth.pool.query("SELECT t::text AS row FROM \(unescaped: table) t").map {
                    try $0.get("row", as: String.self)
                }.joined()
            }
            #expect(dump.contains("hill"))
            for secret in ["at.hill@", "hill.example", "\"\(code)\""] {
                let hex = secret.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
                #expect(!dump.contains(secret) && !dump.contains(hex), "\(secret)")
            }
        }
    }

    @Test func after_five_wrong_codes_the_right_one_is_refused_in_the_same_words() async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            let never = try await refusal { try await bench.verify("000000", as: maya) }
            let code = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            let wrong = code == "111111" ? "222222" : "111111"
            for text in [wrong, "", "12345", "abcdef", wrong] {
                #expect(try await refusal { try await bench.verify(text, as: maya) } == never)
            }
            #expect(try await refusal { try await bench.verify(code, as: maya) } == never)
            #expect(never?.errors.map(\.code) == ["wrong"])
            bench.auth.clock.advance(by: .seconds(31))
            let next = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            let (head, tail) = (next.prefix(3), next.suffix(3))
            #expect(try await bench.verify(" \(head) \(tail)", as: maya).campus == "hill")
        }
    }

    @Test func guesses_at_once_are_five_at_most() async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            let code = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            let wrong = code == "111111" ? "222222" : "111111"
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { _ = try await refusal { try await bench.verify(wrong, as: maya) } } }
                try await group.waitForAll()
            }
            let attempts = try await bench.auth.pool.query("SELECT attempts FROM campus_verifications")
            #expect(try attempts.map { try $0.get("attempts", as: Int.self) } == [5])
        }
    }

    @Test func a_code_is_good_for_ten_minutes_and_once_and_the_latest_counts() async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            let late = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            bench.auth.clock.advance(by: .seconds(601))
            #expect(try await refusal { try await bench.verify(late, as: maya) }?.code == .invalid)
            let first = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            bench.auth.clock.advance(by: .seconds(31))
            let second = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            if first != second {
                #expect(try await refusal { try await bench.verify(first, as: maya) }?.code == .invalid)
            }
            let id = UUID.version7()
            // A repeated request is answered as the first time; another one finds the code spent.
            for _ in 0..<3 { #expect(try await bench.verify(second, as: maya, id: id).campus == "hill") }
            #expect(try await refusal { try await bench.verify(second, as: maya) }?.code == .invalid)
            #expect(try await bench.auth.events(PersonChanged.self).count == 2)
        }
    }

    @Test func a_code_is_good_for_the_one_who_asked() async throws {
        try await CampusBench.run { bench in
            let (maya, ben) = (try await bench.join("maya"), try await bench.join("ben"))
            let code = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            _ = try await bench.code(for: ben, at: "ben@hill.example.org")
            #expect(try await refusal { try await bench.verify(code, as: ben) }?.code == .invalid)
            #expect(try await refusal { try await bench.verify(code, as: nil) }?.code == .unauthenticated)
            #expect(try await bench.verify(code, as: maya).campus == "hill")
        }
    }

    @Test func an_address_belongs_to_one_account_however_it_is_written() async throws {
        try await CampusBench.run { bench in
            let (maya, ben) = (try await bench.join("maya"), try await bench.join("ben"))
            let first = try #require(try await bench.code(for: maya, at: "maya@hill.example.org"))
            _ = try await bench.verify(first, as: maya)
            for address in ["maya@hill.example.org", "MAYA+second@Hill.example.org"] {
                // Asking is answered as ever; only who reads the mail is told.
                let code = try #require(try await bench.code(for: ben, at: address))
                let refused = try await refusal { try await bench.verify(code, as: ben) }
                #expect(refused?.errors.map(\.code) == ["address_taken"])
                bench.auth.clock.advance(by: .seconds(31))
            }
            let seen = try await bench.auth.call(AuthMethods.person, PersonReference(id: ben.id), Nothing())
            #expect(seen.campus == nil)
            // The owner may move to another campus, and then the address is free.
            let moved = try #require(try await bench.code(for: maya, at: "maya@cs.bay.example.org"))
            #expect(try await bench.verify(moved, as: maya).campus == "bay")
            bench.auth.clock.advance(by: .seconds(31))
            let code = try #require(try await bench.code(for: ben, at: "maya@hill.example.org"))
            #expect(try await bench.verify(code, as: ben).campus == "hill")
        }
    }

    @Test func who_asks_often_waits_and_an_address_gets_five_mails_an_hour() async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            for _ in 0..<5 {
                #expect(try await bench.code(for: maya, at: "shared@hill.example.org") != nil)
                let soon = try await refusal { try await bench.code(for: maya, at: "shared@hill.example.org") }
                #expect(soon?.code == .tooManyRequests && soon?.retryAfter == 30)
                bench.auth.clock.advance(by: .seconds(31))
            }
            let often = try await refusal { try await bench.code(for: maya, at: "other@hill.example.org") }
            #expect(often?.code == .tooManyRequests)
            // Somebody else is answered as ever, and no sixth mail comes.
            let ben = try await bench.join("ben")
            #expect(try await bench.code(for: ben, at: "shared@hill.example.org") == nil)
            bench.auth.clock.advance(by: .seconds(3600))
            #expect(try await bench.code(for: ben, at: "shared@hill.example.org") != nil)
            try await bench.auth.parts.upkeep.prune()
            #expect(try await bench.auth.count("campus_verifications") == 1)
        }
    }

    @Test(arguments: [
        ("maya@example.org", "no_campus"), ("maya@sub.hill.example.org", "no_campus"),
        ("maya@bay.example.org", "no_campus"), ("maya@xbay.example.org", "no_campus"), ("maya", "email"),
    ])
    func other_addresses_are_refused_at_the_field(_ address: String, _ code: String) async throws {
        try await CampusBench.run { bench in
            let maya = try await bench.join("maya")
            let refused = try await refusal { try await bench.code(for: maya, at: address) }
            #expect(refused?.errors.map(\.field) == ["email"] && refused?.errors.map(\.code) == [code])
        }
    }
}

/// Auth with two campuses, and an office that takes its mails.
private struct CampusBench {
    let auth: AuthBench
    let office = PostOffice()

    static func run(_ test: (CampusBench) async throws -> Void) async throws {
        try await AuthBench.run({ $0.campuses = AuthBench.campuses }) { try await test(CampusBench(auth: $0)) }
    }

    func join(_ name: String) async throws -> Person { try await auth.signUp("\(name)@example.org").person }

    /// The code of the mail that comes when a person asks for one; nil where none comes.
    func code(for person: Person, at address: String, language: String? = nil) async throws -> String? {
        let before = office.orders.count
        try await auth.askForCampus(address, language: language, as: Caller(person: person.id))
        _ = try await auth.mails(to: office).round()
        return office.orders.dropFirst(before).first?.campusCode?.code
    }

    func verify(_ code: String, as person: Person?, id: UUID = .version7()) async throws -> Person {
        try await auth.call(
            AuthMethods.verifyEmail, Nothing(), EmailVerification(code: code), as: Caller(person: person?.id), id: id)
    }
}

extension AuthBench {
    fileprivate func askForCampus(_ address: String, language: String? = nil, as caller: Caller) async throws {
        let _: Nothing = try await call(
            AuthMethods.requestEmailVerification, LanguageParameters(language: language),
            EmailVerificationRequest(email: address), as: caller)
    }
}
