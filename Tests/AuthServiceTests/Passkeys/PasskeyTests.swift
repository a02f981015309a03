import Crypto
import DurableMessaging
import Foundation
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// What a person does with their passkeys, once signed in.
@Suite struct PasskeyTests {
    @Test func one_is_added_by_who_has_the_password_and_is_told_so() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            try await bench.auth.showAddress("ada@example.org")
            let options = try await bench.options(ada)
            #expect(options.rp.id == "share.example.org" && options.rp.name == "Kampong")
            #expect(options.user.name == "ada@example.org" && options.user.displayName == "Ada")
            #expect(Base64URL.decode(options.user.id)?.count == 32 && !options.user.id.contains("ada"))
            #expect(options.pubKeyCredParams.map(\.alg) == [-7, -8, -257] && options.attestation == "none")
            #expect(options.authenticatorSelection == .init() && options.excludeCredentials.isEmpty)
            let device = SoftAuthenticator()
            let id = UUID.version7()
            let added = try await bench.add(device, options.challenge, as: ada, name: " My phone ", id: id)
            #expect(added.name == "My phone" && added.synced && added.lastUsedAt == nil)
            #expect(WireJSON.text(of: added.addedAt) == WireJSON.text(of: bench.auth.clock.now))
            #expect(try await bench.add(device, options.challenge, as: ada, name: " My phone ", id: id) == added)
            #expect(try await bench.list(ada) == [added])
            let again = try await bench.options(ada)
            #expect(again.excludeCredentials == [.init(id: Base64URL.encode(device.id), transports: ["internal"])])
            #expect(again.user.id == options.user.id && again.challenge != options.challenge)
            let notices = try await bench.notices(ada)
            #expect(notices.map(\.kind) == [.passkeyAdded] && notices.first?.title == "My phone")
            let office = PostOffice()
            _ = try await bench.auth.mails(to: office).round()
            #expect(office.orders.map(\.to) == ["ada@example.org"])
            #expect(office.orders.first?.notice?.kind == .passkeyAdded)
            // Nobody else has it.
            #expect(try await bench.list(try await bench.joined("Ben")).isEmpty)
        }
    }

    @Test func without_the_password_nothing_begins_and_guesses_are_counted() async throws {
        try await PasskeyBench.run({ $0.limits.pair = 3 }) { (bench) async throws in
            let ada = try await bench.joined("Ada")
            for wrong in [nil, ""] as [String?] {
                let refused = try await refusal { try await bench.options(ada, wrong) }
                #expect(refused?.errors.map(\.code) == ["missing"])
            }
            for _ in 0..<2 {
                let refused = try await refusal { try await bench.options(ada, "something else") }
                #expect(refused?.errors.map(\.code) == ["wrong"])
            }
            #expect(try await refusal { try await bench.options(ada) }?.code == .tooManyRequests)
            bench.auth.clock.advance(by: .seconds(901))
            _ = try await bench.options(ada)
            #expect(try await refusal { try await bench.options(.anonymous) }?.code == .unauthenticated)
        }
    }

    @Test func who_has_no_password_has_to_have_signed_in_just_now() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            try await bench.auth.forgetPassword(ada)
            _ = try await bench.options(ada, nil)
            bench.auth.clock.advance(by: .seconds(601))
            #expect(
                try await refusal { try await bench.options(ada, nil) }?.errors.map(\.code) == ["sign_in_again"])
            let elsewhere = Caller(person: ada.person, session: .new(), address: ada.address)
            #expect(try await refusal { try await bench.options(elsewhere, nil) }?.code == .invalid)
        }
    }

    @Test func a_challenge_is_for_this_person_in_this_session_once_and_for_ten_minutes() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let (ada, ben) = (try await bench.joined("Ada"), try await bench.joined("Ben"))
            let challenge = try await bench.options(ada).challenge
            func refused(_ challenge: String, as caller: Caller) async throws -> ErrorCode? {
                try await refusal { try await bench.add(SoftAuthenticator(), challenge, as: caller) }?.code
            }
            #expect(try await refused(challenge, as: ben) == .passkeyStale)
            let elsewhere = Caller(person: ada.person, session: .new(), address: ada.address)
            #expect(try await refused(challenge, as: elsewhere) == .passkeyStale)
            #expect(try await refused(try await bench.challenge(), as: ada) == .passkeyStale)
            #expect(try await refused("", as: ada) == .passkeyStale)
            _ = try await bench.add(SoftAuthenticator(), challenge, as: ada)
            #expect(try await refused(challenge, as: ada) == .passkeyStale)
            let late = try await bench.options(ada).challenge
            bench.auth.clock.advance(by: .seconds(600))
            #expect(try await refused(late, as: ada) == .passkeyStale)
            #expect(try await bench.list(ada).count == 1)
            bench.auth.clock.advance(by: .seconds(120))
            try await bench.auth.parts.upkeep.prune()
            #expect(try await bench.auth.count("passkey_challenges") == 0)
        }
    }

    @Test func of_many_finishes_with_one_challenge_one_adds() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let challenge = try await bench.options(ada).challenge
            let codes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await refusal { try await bench.add(SoftAuthenticator(), challenge, as: ada) }?.code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.filter { $0 == .passkeyStale }.count == 19)
            #expect(try await bench.list(ada).count == 1)
        }
    }

    @Test func there_are_no_more_than_one_may_have_also_at_once() async throws {
        try await PasskeyBench.run({ $0.passkeys.most = 2 }) { (bench) async throws in
            let ada = try await bench.joined("Ada")
            var challenges: [String] = []
            for _ in 0..<5 { challenges.append(try await bench.options(ada).challenge) }
            let codes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for challenge in challenges {
                    group.addTask {
                        try await refusal { try await bench.add(SoftAuthenticator(), challenge, as: ada) }?.code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 2 && codes.filter { $0 == .tooManyPasskeys }.count == 3)
            #expect(try await refusal { try await bench.options(ada) }?.code == .tooManyPasskeys)
        }
    }

    @Test func a_credential_leads_into_one_account() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let (ada, ben) = (try await bench.joined("Ada"), try await bench.joined("Ben"))
            let (device, _) = try await bench.device(of: ada)
            for caller in [ben, ada] {
                let challenge = try await bench.options(caller).challenge
                let refused = try await refusal { try await bench.add(device, challenge, as: caller) }
                #expect(refused?.code == .passkeyTaken)
            }
            #expect(try await bench.list(ben).isEmpty)
        }
    }

    @Test(arguments: PasskeyRulesTests.adding)
    func what_is_wrong_is_said_at_the_credential(_ wrong: PasskeyRulesTests.Case) async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            var device = SoftAuthenticator()
            wrong.change(&device)
            let challenge = try await bench.options(ada).challenge
            let refused = try await refusal { try await bench.add(device, challenge, as: ada) }
            #expect(refused?.code == .invalid && refused?.errors.map(\.code) == [wrong.refusal.code])
            #expect(try await bench.list(ada).isEmpty)
        }
    }

    @Test func it_is_renamed_and_removed_by_its_owner_alone() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let (ada, ben) = (try await bench.joined("Ada"), try await bench.joined("Ben"))
            let (device, passkey) = try await bench.device(of: ada)
            func rename(_ name: String, as caller: Caller) async throws -> Passkey {
                try await bench.auth.call(
                    AuthMethods.renamePasskey, PasskeyReference(id: passkey.id), PasskeyName(name: name), as: caller)
            }
            #expect(try await refusal { try await rename("Mine", as: ben) }?.code == .notFound)
            #expect(try await refusal { try await bench.remove(passkey.id, as: ben) }?.code == .notFound)
            #expect(try await refusal { try await rename(" ", as: ada) }?.errors.map(\.field) == ["name"])
            #expect(try await rename("Old phone", as: ada).name == "Old phone")
            let id = UUID.version7()
            for _ in 0..<2 {
                let _: Nothing = try await bench.auth.call(
                    AuthMethods.removePasskey, PasskeyReference(id: passkey.id), Nothing(), as: ada, id: id)
            }
            #expect(try await bench.list(ada).isEmpty)
            #expect(try await refusal { try await bench.remove(passkey.id, as: ada) }?.code == .notFound)
            #expect(try await refusal { try await bench.signIn(device) }?.code == .passkeyRefused)
            let notices = try await bench.notices(ada)
            #expect(
                notices.map(\.kind) == [.passkeyRemoved, .passkeyAdded]
                    || notices.map(\.kind) == [.passkeyAdded, .passkeyRemoved])
            #expect(notices.contains { $0.kind == .passkeyRemoved && $0.title == "Old phone" })
        }
    }

    @Test func the_last_way_in_stays() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (_, first) = try await bench.device(of: ada)
            let (_, second) = try await bench.device(of: ada)
            try await bench.auth.forgetPassword(ada)
            // Of two that go at once, one stays.
            let codes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for passkey in [first, second] {
                    group.addTask { try await refusal { try await bench.remove(passkey.id, as: ada) }?.code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.contains(nil) && codes.contains(.lastWayIn))
            #expect(try await bench.list(ada).count == 1)
        }
    }

    /// The community has moved to another host name: what was made for the earlier one leads nowhere, and says so.
    @Test func one_of_an_earlier_host_is_marked_and_is_no_way_in() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, old) = try await bench.device(of: ada)
            #expect(old.elsewhere == nil)
            try await bench.auth.move(old.id, to: "old.example.org")
            #expect(try await bench.list(ada).map(\.elsewhere) == ["old.example.org"])
            #expect(try await refusal { try await bench.signIn(device) }?.code == .passkeyRefused)
            // A browser may make one anew on the same device.
            #expect(try await bench.options(ada).excludeCredentials.isEmpty)
            let (_, present) = try await bench.device(of: ada)
            try await bench.auth.forgetPassword(ada)
            // It is no other way in beside the last one, and may itself go.
            #expect(try await refusal { try await bench.remove(present.id, as: ada) }?.code == .lastWayIn)
            try await bench.remove(old.id, as: ada)
            #expect(try await bench.list(ada).map(\.id) == [present.id])
            // Those from before hosts were kept are taken to be of this one, once.
            try await bench.auth.move(present.id, to: nil)
            for host in ["share.example.org", "new.example.org"] {
                try await bench.auth.stores.stores.passkeys.adopt(host: host)
            }
            #expect(try await bench.list(ada).map(\.elsewhere) == [nil])
        }
    }

    @Test func they_are_in_the_archive_without_what_they_are_made_of_and_go_with_the_account() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, passkey) = try await bench.device(of: ada)
            _ = try await bench.signIn(device)
            var (records, cursor): ([PersonalRecord], String?) = ([], nil)
            repeat {
                let page = try await bench.auth.parts.ownRecords.page(
                    PersonalDataQuery(person: try ada.requirePerson(), cursor: cursor))
                records += page.items
                cursor = page.next
            } while cursor != nil
            let own = records.filter { $0.kind == "passkeys" }
            #expect(own.count == 1 && own.first?.json.contains(passkey.name) == true)
            let all = records.map(\.json).joined()
            for secret in [Base64URL.encode(device.id), Base64URL.encode(device.key.publicKey.rawRepresentation)] {
                #expect(!all.contains(secret))
            }
            let erasure = try await bench.auth.call(
                AuthMethods.eraseMe, LanguageParameters(), ErasureRequest(password: PasskeyBench.password), as: ada)
            #expect(erasure.parts[0].records.contains(ErasedRecords(.passkeys, 1)))
            #expect(try await bench.auth.count("passkeys") == 0)
            #expect(try await refusal { try await bench.signIn(device) }?.code == .passkeyRefused)
        }
    }

    @Test func a_new_password_takes_them_away_and_says_so() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            let token = try #require(try await bench.auth.tokens(for: "ada@example.org").first)
            try await bench.auth.reset(token, to: "another walk in the rain")
            #expect(try await refusal { try await bench.signIn(device) }?.code == .passkeyRefused)
            #expect(try await bench.list(ada).isEmpty)
            #expect(try await bench.notices(ada).contains { $0.kind == .passkeysReset })
        }
    }

    @Test func where_there_is_no_name_there_are_none() async throws {
        try await PasskeyBench.run({ $0.party = nil }) { (bench) async throws in
            let ada = try await bench.joined("Ada")
            #expect(try await refusal { try await bench.options(ada) }?.code == .notFound)
            #expect(try await refusal { try await bench.challenge() }?.code == .notFound)
            #expect(try await refusal { try await bench.signIn(SoftAuthenticator(), "x") }?.code == .notFound)
            #expect(try await refusal { try await bench.add(SoftAuthenticator(), "x", as: ada) }?.code == .notFound)
            #expect(try await bench.list(ada).isEmpty)
        }
    }
}

extension AuthBench {
    func move(_ passkey: PasskeyID, to host: String?) async throws {
        _ = try await database.query("UPDATE passkeys SET host = \(host) WHERE id = \(passkey.uuid)")
    }

    /// Makes it an account that joined with an identity provider.
    func forgetPassword(_ caller: Caller) async throws {
        _ = try await database.query(
            "UPDATE accounts SET has_password = false WHERE id = \(try caller.requirePerson().uuid)")
    }
}
