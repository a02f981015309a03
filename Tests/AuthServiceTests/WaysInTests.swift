import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Password and address are changed by who shows that it is them; what is not shown to be theirs is written to for nothing else.
@Suite struct WaysInTests {
    private static let password = "quiet river stones"

    private func code(_ auth: AuthBench, to email: String) async throws -> String {
        let office = PostOffice()
        _ = try await auth.mails(to: office).round()
        let order = try #require(office.orders.first { $0.template == .emailCode })
        #expect(order.to == email && order.emailCode?.minutes == 10)
        return try #require(order.emailCode?.code)
    }

    private func ask(_ auth: AuthBench, _ email: String, _ password: String? = nil, as caller: Caller) async throws {
        let _: Nothing = try await auth.call(
            AuthMethods.changeEmail, LanguageParameters(language: "de"),
            EmailChange(email: email, password: password), as: caller)
    }

    private func confirm(
        _ auth: AuthBench, _ code: String, as caller: Caller, id: UUID = .version7()
    ) async throws -> Person {
        try await auth.call(AuthMethods.confirmEmail, Nothing(), EmailConfirmation(code: code), as: caller, id: id)
    }

    private func change(
        _ auth: AuthBench, _ current: String?, to password: String, as caller: Caller, id: UUID = .version7()
    ) async throws {
        let _: Nothing = try await auth.call(
            AuthMethods.changePassword, Nothing(), PasswordChange(current: current, password: password), as: caller,
            id: id)
    }

    private func me(_ auth: AuthBench, _ caller: Caller) async throws -> Person {
        try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: caller)
    }

    @Test func an_address_is_shown_by_its_code_and_only_then_written_to() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org").person
            let caller = try await auth.fresh(maya.id)
            #expect(maya.emailVerified == false)
            func contact() async throws -> Contact? {
                try await auth.call(AuthMethods.contacts, ContactsQuery(people: [maya.id]), Nothing()).items.first
            }
            let before = try await contact()
            #expect(before?.person == maya.id && before?.email == nil)
            try await ask(auth, "maya@example.org", as: caller)
            let code = try await code(auth, to: "maya@example.org")
            #expect(
                try await refusal { try await confirm(auth, "000000" == code ? "000001" : "000000", as: caller) }?.code
                    == .invalid)
            let id = UUID.version7()
            for _ in 0..<2 { #expect(try await confirm(auth, code, as: caller, id: id).emailVerified == true) }
            #expect(try await contact()?.email == "maya@example.org")
            auth.clock.advance(by: .seconds(31))
            #expect(
                try await refusal { try await ask(auth, "maya@example.org", as: caller) }?.errors.map(\.code)
                    == ["same"])
            // Others do not learn it.
            let ben = Caller(person: try await auth.newcomer("Ben"))
            let seen = try await auth.call(AuthMethods.person, PersonReference(id: maya.id), Nothing(), as: ben)
            #expect(seen.emailVerified == nil && seen.email == nil)
        }
    }

    @Test func a_mistyped_address_is_corrected_and_no_mail_goes_to_a_stranger() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maia@example.org").person
            let caller = try await auth.fresh(maya.id)
            for (password, code) in [(nil, "missing"), ("", "missing"), ("not hers at all", "wrong")]
                as [(String?, String)]
            {
                let refused = try await refusal { try await ask(auth, "maya@example.org", password, as: caller) }
                #expect(refused?.errors.map { "\($0.field) \($0.code)" } == ["password \(code)"])
            }
            try await ask(auth, "maya@example.org", Self.password, as: caller)
            #expect(try await me(auth, caller).email == "maia@example.org")
            let code = try await code(auth, to: "maya@example.org")
            #expect(try await confirm(auth, code, as: caller).email == "maya@example.org")
            #expect(try await auth.signIn("maya@example.org").person.id == maya.id)
            #expect(try await refusal { try await auth.signIn("maia@example.org") }?.code == .wrongCredentials)
            let office = PostOffice()
            _ = try await auth.mails(to: office).round()
            #expect(office.orders.map(\.to) == ["maya@example.org"])
            #expect(office.orders.map(\.notice?.kind) == [.emailChanged])
            try await auth.askForReset("maia@example.org", shown: false)
            _ = try await auth.mails(to: office).round()
            #expect(office.orders.count == 1)
        }
    }

    @Test func an_address_that_was_shown_is_told_that_it_was_left() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org").person
            try await auth.showAddress("maya@example.org")
            let caller = try await auth.fresh(maya.id)
            try await ask(auth, "maya@new.example", Self.password, as: caller)
            _ = try await confirm(auth, try await code(auth, to: "maya@new.example"), as: caller)
            let office = PostOffice()
            _ = try await auth.mails(to: office).round()
            #expect(Set(office.orders.map(\.to)) == ["maya@example.org", "maya@new.example"])
            #expect(office.orders.allSatisfy { $0.notice?.kind == .emailChanged })
            #expect(try await auth.count("left_addresses") == 0)
            for table in ["email_verifications", "outgoing_mails", "refusals"] {
                let rows = try await auth.pool.query("SELECT t::text AS row FROM \(unescaped: table) t")
                let text = try rows.map { try $0.get("row", as: String.self) }.joined()
                #expect(!text.contains("maya@"), "\(table)")
            }
        }
    }

    /// As of telephone numbers: whoever reads the mail now has the address, and the earlier one hears of it.
    @Test func who_shows_an_address_last_has_it() async throws {
        try await AuthBench.run { auth in
            let first = try await auth.fresh(try await auth.signUp("maya@example.org").person.id)
            try await auth.showAddress("maya@example.org")
            let second = try await auth.fresh(try await auth.signUp("maya@example.org", "of another account").person.id)
            try await ask(auth, "Maya@example.org", as: second)
            _ = try await confirm(auth, try await code(auth, to: "Maya@example.org"), as: second)
            #expect(try await me(auth, first).emailVerified == false)
            #expect(try await me(auth, second).emailVerified == true)
            let told = try await auth.call(AuthMethods.notices, Nothing(), Nothing(), as: first).items
            #expect(told.map(\.kind) == [.emailMoved])
        }
    }

    /// Each has a right code for the other's address, and both use them at once.
    @Test func two_who_change_places_do_not_wait_for_ever() async throws {
        try await AuthBench.run { auth in
            var people: [(caller: Caller, code: String)] = []
            for (mine, others) in [("ada@example.org", "ben@example.org"), ("ben@example.org", "ada@example.org")] {
                let person = try await auth.signUp(mine, "words of \(mine)", name: "Ada").person
                try await auth.showAddress(mine)
                let caller = try await auth.fresh(person.id)
                try await ask(auth, others, "words of \(mine)", as: caller)
                people.append((caller, try await code(auth, to: others)))
            }
            let all = people
            try await withThrowingTaskGroup { group in
                for person in all {
                    group.addTask { _ = try await refusal { try await confirm(auth, person.code, as: person.caller) } }
                }
                try await group.waitForAll()
            }
            let rows = try await auth.pool.query(
                "SELECT count(*) AS count FROM accounts WHERE email_verified_at IS NOT NULL")
            #expect(try rows[0].get("count", as: Int.self) >= 1)
        }
    }

    @Test func a_password_is_changed_by_who_knows_it_and_ends_the_other_sessions() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org").person
            try await auth.showAddress("maya@example.org")
            let other = try await auth.signIn("maya@example.org")
            let caller = try await auth.fresh(maya.id)
            auth.clock.advance(by: .seconds(1000))
            #expect(
                try await refusal { try await change(auth, "wrong", to: "another good one", as: caller) }?.errors
                    .map { "\($0.field) \($0.code)" } == ["current wrong"])
            #expect(
                try await refusal { try await change(auth, nil, to: "another good one", as: caller) }?.code
                    == .proofNeeded)
            #expect(
                try await refusal { try await change(auth, Self.password, to: "short", as: caller) }?.errors
                    .map(\.field) == ["password"])
            let id = UUID.version7()
            for _ in 0..<2 { try await change(auth, Self.password, to: "another good one", as: caller, id: id) }
            #expect(try await auth.signIn("maya@example.org", "another good one").person.id == maya.id)
            #expect(try await refusal { try await auth.signIn("maya@example.org") }?.code == .wrongCredentials)
            #expect(try await refusal { try await auth.refresh(other.refreshToken) }?.code == .unauthenticated)
            let live = try await auth.stores.stores.sessions.live(of: maya.id, now: auth.clock.now)
            #expect(live.contains { $0.id == caller.session })
            let office = PostOffice()
            _ = try await auth.mails(to: office).round()
            #expect(office.orders.map(\.notice?.kind) == [.passwordChanged])
        }
    }

    /// What was asked for with the old password is not carried out with the new one.
    @Test func a_change_of_address_does_not_outlive_the_password() async throws {
        try await AuthBench.run { auth in
            let caller = try await auth.fresh(try await auth.signUp("maya@example.org").person.id)
            try await ask(auth, "thief@example.org", Self.password, as: caller)
            let code = try await code(auth, to: "thief@example.org")
            try await change(auth, Self.password, to: "another good one", as: caller)
            #expect(try await refusal { try await confirm(auth, code, as: caller) }?.code == .invalid)
            #expect(try await me(auth, caller).email == "maya@example.org")
        }
    }

    @Test func ways_in_are_removed_only_by_who_has_shown_lately_that_it_is_them() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org").person
            let caller = try await auth.fresh(maya.id)
            func end(_ caller: Caller) async throws -> ErrorCode? {
                try await refusal {
                    try await auth.call(AuthMethods.endCalendarFeed, Nothing(), Nothing(), as: caller)
                }?.code
            }
            func prove(_ password: String, _ caller: Caller) async throws -> ServiceError? {
                try await refusal {
                    try await auth.call(
                        AuthMethods.prove, Nothing(), ProofOfPerson(password: password), as: caller)
                }
            }
            #expect(try await end(caller) == nil)
            auth.clock.advance(by: .seconds(600))
            #expect(try await end(caller) == .proofNeeded)
            // A session of somebody else, or none, shows nothing.
            let ben = try await auth.fresh(try await auth.newcomer("Ben"))
            #expect(try await end(Caller(person: maya.id, session: ben.session)) == .proofNeeded)
            #expect(try await end(Caller(person: maya.id)) == .proofNeeded)
            #expect(try await prove("not hers", caller)?.errors.map(\.code) == ["wrong"])
            #expect(try await end(caller) == .proofNeeded)
            #expect(try await prove(Self.password, caller) == nil)
            #expect(try await end(caller) == nil)
            auth.clock.advance(by: .seconds(600))
            #expect(try await end(caller) == .proofNeeded)
            // Without a password one signs in again.
            try await auth.forgetPassword(caller)
            #expect(try await prove("", caller)?.errors.map(\.code) == ["sign_in_again"])
        }
    }

    @Test func a_device_more_is_told_and_the_same_one_again_is_not() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org", device: "Firefox").person
            try await auth.showAddress("maya@example.org")
            func told() async throws -> [NoticeKind] {
                try await auth.call(AuthMethods.notices, Nothing(), Nothing(), as: Caller(person: maya.id)).items
                    .map(\.kind)
            }
            // From where they joined, with what they joined with; then from elsewhere.
            _ = try await auth.signIn("maya@example.org", device: "Firefox")
            _ = try await auth.signIn("maya@example.org", from: "198.51.100.1", device: "Firefox")
            #expect(try await told().isEmpty)
            _ = try await refusal { try await auth.signIn("maya@example.org", "no", from: "192.0.2.9", device: "curl") }
            #expect(try await told().isEmpty)
            _ = try await auth.signIn("maya@example.org", from: "192.0.2.9", device: "curl")
            #expect(try await told() == [.signedIn])
            let office = PostOffice()
            _ = try await auth.mails(to: office).round()
            #expect(office.orders.map(\.notice?.kind) == [.signedIn])
            // It is known by now, and so is from where it comes.
            _ = try await auth.signIn("maya@example.org", from: "192.0.2.9", device: "curl")
            _ = try await auth.signIn("maya@example.org", from: "192.0.2.9", device: "wget")
            #expect(try await told() == [.signedIn])
            // Who joins has no other device.
            _ = try await auth.call(
                AuthMethods.endAllSessions, Nothing(), Nothing(), as: Caller(person: maya.id))
            _ = try await auth.signIn("maya@example.org", from: "192.0.2.77", device: "lynx")
            #expect(try await told() == [.signedIn])
        }
    }
}
