import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// A new password for who has forgotten theirs, against a real PostgreSQL.
@Suite struct PasswordResetTests {
    @Test func a_link_sets_the_password_once_and_ends_every_session() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org")
            _ = try await auth.signIn("maya@example.org")
            let token = try #require(try await auth.tokens(for: "MAYA@example.org").first)
            let account: PasswordResetAccount = try await auth.call(
                AuthMethods.passwordReset, Nothing(), PasswordResetLink(token: token))
            #expect(account.name == "Maya")

            try await auth.reset(token, to: "another good one")
            #expect(try await refusal { try await auth.signIn("maya@example.org") }?.code == .wrongCredentials)
            #expect(try await auth.signIn("maya@example.org", "another good one").person.id == maya.person.id)
            let revoked = try await auth.events(SessionsRevoked.self)
            #expect(revoked.flatMap(\.event.sessions).count == 2)
            let dead = try await refusal { try await auth.refresh(maya.session.refreshToken) }
            #expect(dead?.code == .unauthenticated)

            let again = try await refusal { try await auth.reset(token, to: "a third one here") }
            #expect(again?.errors.map(\.field) == ["token"])
            let looked = try await refusal {
                try await auth.call(AuthMethods.passwordReset, Nothing(), PasswordResetLink(token: token))
            }
            #expect(looked?.errors.map(\.code) == ["dead"])
        }
    }

    @Test func a_link_is_spent_even_where_the_password_stays_the_same() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let token = try #require(try await auth.tokens(for: "maya@example.org").first)
            try await auth.reset(token, to: "quiet river stones")
            #expect(try await refusal { try await auth.reset(token, to: "quiet river stones") }?.code == .invalid)
        }
    }

    @Test func a_repeated_request_is_answered_as_the_first_time() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let token = try #require(try await auth.tokens(for: "maya@example.org").first)
            let id = UUID.version7()
            for _ in 0..<3 { try await auth.reset(token, to: "another good one", id: id) }
            #expect(try await auth.events(SessionsRevoked.self).count == 1)
        }
    }

    @Test func twenty_at_once_spend_a_link_once() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let token = try #require(try await auth.tokens(for: "maya@example.org").first)
            let refused = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        try await refusal { try await auth.reset(token, to: "number \(number) of twenty") }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
            }
            #expect(refused == 19)
        }
    }

    @Test func a_link_is_good_for_an_hour_and_for_this_password_only() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let late = try #require(try await auth.tokens(for: "maya@example.org").first)
            auth.clock.advance(by: .seconds(3601))
            #expect(try await refusal { try await auth.reset(late, to: "another good one") }?.code == .invalid)
            let (first, second) = (
                try #require(try await auth.tokens(for: "maya@example.org").first),
                try #require(try await auth.tokens(for: "maya@example.org").first)
            )
            try await auth.reset(second, to: "another good one")
            #expect(try await refusal { try await auth.reset(first, to: "a third one here") }?.code == .invalid)
        }
    }

    @Test(arguments: ["", "x", "bGluaw", String(repeating: "A", count: 86)])
    func what_is_no_link_of_ours_is_dead(_ token: String) async throws {
        try await AuthBench.run { auth in
            let refused = try await refusal { try await auth.reset(token, to: "another good one") }
            #expect(refused?.errors.map(\.code) == ["dead"])
            #expect(auth.counts.take().hashes == 0)
        }
    }

    @Test func a_link_of_one_account_sets_no_other_password() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let ben = try await auth.signUp("ben@example.org", "words of his own")
            let token = try #require(try await auth.tokens(for: "maya@example.org").first.flatMap(ResetToken.init))
            let forged = Base64URL.encode(
                Frame.uuid(token.reset) + Frame.uuid(ben.person.id.uuid) + token.secret)
            #expect(try await refusal { try await auth.reset(forged, to: "another good one") }?.code == .invalid)
            _ = try await auth.signIn("ben@example.org", "words of his own")
        }
    }

    @Test func a_weak_password_is_said_at_its_field_and_the_link_stays_good() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            auth.clock.advance(by: .seconds(1))
            _ = try await auth.signUp("maya@example.org", "of another account")
            let token = try #require(try await auth.tokens(for: "maya@example.org").first)
            let weak = try await refusal { try await auth.reset(token, to: "short") }
            #expect(weak?.errors.map(\.field) == ["password"] && weak?.errors.map(\.code) == ["too_short"])
            let used = try await refusal { try await auth.reset(token, to: "of another account") }
            #expect(used?.errors.map(\.field) == ["password"] && used?.errors.map(\.code) == ["in_use"])
            try await auth.reset(token, to: "another good one")
        }
    }

    /// An address that several people have typed: whoever has shown that it is theirs gets the one link, and no name is in the mail.
    @Test func accounts_that_others_made_with_an_address_stand_in_nobodys_way() async throws {
        try await AuthBench.run { auth in
            for number in 0..<9 {
                _ = try await auth.signUp(
                    "maya@example.org", "password number \(number)", name: "Visit evil.example now")
                auth.clock.advance(by: .seconds(60))
            }
            let hers = try await auth.signUp("Maya@example.org", username: "maya")
            let office = PostOffice()
            // As long as nobody has shown that it is theirs, it may be anybody's.
            try await auth.askForReset("maya@example.org", shown: false)
            #expect(try await auth.mails(to: office).round() == 1)
            #expect(office.orders.isEmpty)
            _ = try await auth.pool.query(
                "UPDATE accounts SET email_verified_at = joined_at WHERE id = \(hers.person.id.uuid)")
            try await auth.askForReset("maya@example.org", language: "de", shown: false)
            #expect(try await auth.mails(to: office).round() == 1)
            let order = try #require(office.orders.first)
            #expect(order.language == "de" && order.to == "Maya@example.org" && order.template == .passwordReset)
            #expect(order.passwordReset?.accounts.map(\.username) == ["maya"])
            #expect(!"\(order)".contains("evil"))
            try await auth.reset(try #require(order.passwordReset?.accounts[0].token), to: "another good one")
            #expect(try await auth.signIn("maya@example.org", "another good one").person.id == hers.person.id)
        }
    }

    @Test func asking_does_the_same_whether_or_not_there_is_an_account() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            _ = auth.counts.take()
            try await auth.askForReset("maya@example.org")
            let known = auth.counts.take()
            try await auth.askForReset("nobody@example.org")
            #expect(auth.counts.take() == known)
            #expect(known.hashes == 0 && known.statements.count == 5)
            let office = PostOffice()
            #expect(try await auth.mails(to: office).round() == 2)
            #expect(office.orders.map(\.to) == ["maya@example.org"])
            #expect(try await auth.count("outgoing_mails") == 0)
        }
    }

    @Test func no_more_than_three_mails_an_hour_go_to_one_address_and_nobody_is_told() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let office = PostOffice()
            for number in 0..<6 { try await auth.askForReset("maya@example.org", from: "192.0.2.\(number)") }
            while try await auth.mails(to: office).round() > 0 {}
            #expect(office.orders.count == 3)
            auth.clock.advance(by: .seconds(3601))
            try await auth.askForReset("maya@example.org")
            _ = try await auth.mails(to: office).round()
            #expect(office.orders.count == 4)
        }
    }

    @Test func one_network_asks_for_so_many_only() async throws {
        try await AuthBench.run({ $0.resets.perNetwork = 3 }) { auth in
            for number in 0..<3 { try await auth.askForReset("p\(number)@example.org") }
            let refused = try await refusal { try await auth.askForReset("p3@example.org") }
            #expect(refused?.code == .tooManyRequests)
            try await auth.askForReset("p3@example.org", from: "198.51.100.1")
        }
    }

    @Test func a_mail_waits_for_notification_and_is_taken_on_once() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let office = PostOffice()
            let mails = auth.mails(to: office)
            try await auth.askForReset("maya@example.org")
            office.fail(with: ServiceError(.unavailable, "away"))
            for _ in 0..<4 {
                _ = try await mails.round()
                auth.clock.advance(by: .seconds(15))
            }
            #expect(office.asked == 4)
            // The acknowledgement is lost with a process: the mail is there, and is asked for again when the lease is over.
            office.fail(with: nil)
            let order = try await auth.database.query("SELECT id FROM outgoing_mails")
            #expect(order.count == 1)
            _ = try await mails.round()
            #expect(office.orders.count == 1)
            #expect(try await auth.count("outgoing_mails") == 0)
            // Asked for anew, it is another mail.
            try await auth.askForReset("maya@example.org")
            _ = try await mails.round()
            #expect(office.orders.count == 2)
        }
    }

    @Test func a_mail_that_nobody_takes_is_dropped_with_its_time() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let office = PostOffice()
            office.fail(with: ServiceError(.unavailable, "away"))
            try await auth.askForReset("maya@example.org")
            _ = try await auth.mails(to: office).round()
            auth.clock.advance(by: .seconds(3601))
            office.fail(with: nil)
            _ = try await auth.mails(to: office).round()
            #expect(office.orders.isEmpty)
            #expect(try await auth.count("outgoing_mails") == 0)
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("password_resets") == 0)
        }
    }

    @Test func no_link_stands_in_the_database() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            let token = try #require(try await auth.tokens(for: "maya@example.org").first)
            try await auth.reset(token, to: "another good one")
            let dump = try await auth.dump(besides: ["password_resets", "password_reset_uses", "outgoing_mails"])
            let secret = try #require(ResetToken(token)).secret
            for text in [
                token, "another good one", secret.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined(),
            ] {
                #expect(!dump.contains(text))
            }
        }
    }

    /// Who was locked out after guessing at the own password gets in by the link.
    @Test func a_link_forgives_what_was_guessed_from_here() async throws {
        try await AuthBench.run({ $0.limits.pair = 2 }) { auth in
            _ = try await auth.signUp("maya@example.org", from: "198.51.100.1")
            for _ in 0..<2 { _ = try await refusal { try await auth.signIn("maya@example.org", "not this one") } }
            let token = try #require(try await auth.tokens(for: "maya@example.org").first)
            #expect(try await refusal { try await auth.signIn("maya@example.org") }?.code == .tooManyRequests)
            try await auth.reset(token, to: "another good one")
            _ = try await auth.signIn("maya@example.org", "another good one")
        }
    }
}
