import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Erasing oneself, as far as auth does it.
@Suite struct ErasureTests {
    private static let password = "quiet river stones"
    private static let services = Capability.erasure.services.map(\.rawValue)

    private func erase(
        _ account: NewAccount, _ password: String = password, on auth: AuthBench, id: UUID = .version7(),
        from address: String = "203.0.113.7"
    ) async throws -> Erasure {
        try await auth.call(
            AuthMethods.eraseMe, LanguageParameters(language: "de"), ErasureRequest(password: password),
            as: Caller(person: account.person.id, address: address), id: id)
    }

    private func receipt(_ id: ErasureID, on auth: AuthBench) async throws -> Erasure {
        try await auth.call(AuthMethods.erasure, ErasureReference(id: id), Nothing())
    }

    @Test func nothing_of_the_person_is_left_but_a_receipt_without_a_name() async throws {
        try await AuthBench.run { auth in
            let village = BlockVillage(auth: auth)
            let email = "gone-\(UUID())@example.org"
            let ada = try await auth.signUp(email, name: "Adaeze Obi", username: "adaeze")
            let id = ada.person.id
            let (ben, cyd) = (try await auth.newcomer("Ben"), try await auth.newcomer("Cyd"))
            try await village.befriend(id, ben)
            try await village.block(id, cyd)
            let key = UUID.version7()
            let erasure = try await erase(ada, on: auth, id: key)
            #expect(try await erase(ada, on: auth, id: key) == erasure, "the same request is answered the same")
            #expect(erasure.parts.map(\.service) == Self.services)
            #expect(erasure.parts.filter { $0.doneAt != nil }.map(\.service) == ["auth"])
            let records = erasure.parts[0].records.map { "\($0.count) \($0.kind.rawValue)" }
            #expect(records == ["1 accounts", "1 sessions", "1 friendships", "1 blocks"])
            for viewer in [nil, ben] {
                #expect(try await refusal { try await village.person(id, as: viewer) }?.code == .notFound)
            }
            #expect(try await refusal { try await auth.signIn(email) }?.code == .wrongCredentials)
            let token = ada.session.refreshToken
            #expect(try await refusal { try await auth.refresh(token) }?.code == .unauthenticated)
            #expect(try await refusal { try await self.erase(ada, on: auth) }?.code == .unauthenticated)
            #expect(try await auth.events(PersonErased.self).count == 1)
            // The tables that hold people, the receipts and what waits for the post.
            let tables = [
                "accounts", "sessions", "friendships", "blocks", "erasures", "erasure_parts", "outgoing_mails",
            ]
            for table in tables {
                let rows = try await auth.pool.query("SELECT t::text AS row FROM \(unescaped: table) t")
                let text = try rows.map { try $0.get("row", as: String.self) }.joined()
                for trace in [email, "Adaeze", "adaeze", id.description] { #expect(!text.contains(trace), "\(table)") }
            }
            // The name is free again, and so is the address.
            _ = try await auth.signUp(email, name: "Somebody new", username: "adaeze")
        }
    }

    @Test func it_takes_the_password_and_guessing_is_slowed() async throws {
        try await AuthBench.run({ $0.limits.pair = 3 }) { auth in
            let ada = try await auth.signUp("ada@example.org", from: "203.0.113.9")
            let without = try await refusal { try await erase(ada, "", on: auth) }
            #expect(without?.errors.map(\.code) == ["missing"])
            for guess in ["a first guess", "a second guess", "a third guess"] {
                let wrong = try await refusal { try await erase(ada, guess, on: auth) }
                #expect(wrong?.errors.map(\.code) == ["wrong"])
            }
            let slowed = try await refusal { try await erase(ada, Self.password, on: auth) }
            #expect(slowed?.code == .tooManyRequests)
            #expect(try await auth.count("erasures") == 0)
            // A stranger's guesses are not in the way of the person at home.
            _ = try await auth.signIn("ada@example.org", from: "203.0.113.9")
            _ = try await erase(ada, on: auth, from: "203.0.113.9")
        }
    }

    @Test func nobody_goes_with_what_is_anothers() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.signUp("ada@example.org")
            let car = Commitment(Subject(RentalID.new()), title: "Jazz")
            auth.posts.give([car], to: ada.person.id)
            let wrong = try await refusal { try await erase(ada, "a guess", on: auth) }
            #expect(wrong?.code == .invalid, "only who shows that it is them is told")
            let key = UUID.version7()
            let held = try await refusal { try await erase(ada, on: auth, id: key) }
            #expect(held?.code == .inHand)
            #expect(held?.errors == [FieldError("rental", car.subject.id.description, "Jazz")])
            auth.posts.fail(with: ServiceError(.outcomeUnknown, "Away."))
            let unknown = try await refusal { try await erase(ada, on: auth) }
            #expect(unknown?.code == .unavailable && unknown?.isFinal == false, "not knowing, nobody goes")
            #expect(try await auth.events(PersonErased.self).isEmpty)
            auth.posts.fail(with: nil)
            auth.posts.give([], to: ada.person.id)
            let erasure = try await erase(ada, on: auth, id: key)
            auth.posts.fail(with: ServiceError(.unavailable, "Away."))
            #expect(try await erase(ada, on: auth, id: key) == erasure, "what was done is answered again")
        }
    }

    @Test func sessions_stay_known_as_revoked_while_their_tokens_live() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.signUp("ada@example.org")
            _ = try await erase(ada, on: auth)
            let revoked: RevokedSessions = try await auth.call(AuthMethods.revokedSessions, Nothing(), Nothing())
            #expect(revoked.sessions.count == 1)
            let events = try await auth.events(SessionsRevoked.self)
            #expect(events.map(\.event.sessions) == [revoked.sessions])
            let erased = try await auth.events(PersonErased.self)
            #expect(erased.map(\.event.person) == [ada.person.id])
            #expect(erased.allSatisfy { $0.header.audience == .nobody })
            auth.clock.advance(by: .seconds(700))
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("revoked_sessions") == 0)
        }
    }

    @Test func it_is_complete_when_each_service_has_done_its_part_and_no_picture_is_left() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.signUp("ada@example.org")
            let photo = String(repeating: "a", count: 64)
            _ = try await auth.call(
                AuthMethods.changeProfile, Nothing(), ProfileChange(photo: .set(photo)),
                as: Caller(person: ada.person.id))
            let id = try await erase(ada, on: auth).id
            // Not yet: a spot of the person may show it still.
            #expect(try await waiting(on: auth).isEmpty)
            let store = auth.stores.stores.erasures
            let part = ErasurePart(service: "listings", doneAt: auth.clock.now, records: [ErasedRecords(.spots, 2)])
            for service in Self.services where !["auth", "gateway", "listings"].contains(service) {
                try await store.finish(ErasurePart(service: service, doneAt: auth.clock.now), of: id, photos: [])
            }
            #expect(try await waiting(on: auth).isEmpty)
            for _ in 0..<2 { try await store.finish(part, of: id, photos: [photo, String(repeating: "b", count: 64)]) }
            let left = try await waiting(on: auth)
            #expect(left.map(\.photos.count) == [2])
            #expect(try await receipt(id, on: auth).completedAt == nil)
            for (photo, deleted) in zip(left[0].photos, [1, 0]) {
                let done = ErasedPhotos(erasure: id, photos: [photo], deleted: deleted)
                let key = UUID.version7()
                for _ in 0..<2 {
                    let _: Nothing = try await auth.call(AuthMethods.photosErased, Nothing(), done, id: key)
                }
            }
            let complete = try await receipt(id, on: auth)
            #expect(complete.completedAt.map { abs($0.timeIntervalSince(auth.clock.now)) < 0.001 } == true)
            func records(of service: String) -> [ErasedRecords]? {
                complete.parts.first { $0.service == service }?.records
            }
            #expect(records(of: "gateway") == [ErasedRecords(.photos, 1)])
            #expect(records(of: "listings") == part.records)
            auth.clock.advance(by: .seconds(31 * 86_400))
            try await auth.parts.upkeep.prune()
            #expect(try await refusal { try await receipt(id, on: auth) }?.code == .notFound)
        }
    }

    private func waiting(on auth: AuthBench) async throws -> [ErasedPhotos] {
        try await auth.call(AuthMethods.photosToErase, Nothing(), Nothing()).items
    }

    @Test func the_receipt_goes_to_the_address_which_is_forgotten_then() async throws {
        try await AuthBench.run { auth in
            let (office, ada) = (PostOffice(), try await auth.signUp("ada@example.org"))
            try await auth.showAddress("ada@example.org")
            office.fail(with: ServiceError(.unavailable, "Away."))
            let id = try await erase(ada, on: auth).id
            let mails = auth.mails(to: office)
            _ = try await mails.round()
            #expect(try await auth.stores.stores.erasures.address(of: id)?.text == "ada@example.org")
            office.fail(with: nil)
            auth.clock.advance(by: .seconds(60))
            _ = try await mails.round()
            #expect(office.orders.map(\.to) == ["ada@example.org"])
            #expect(office.orders.map(\.erasure) == [ErasureMail(id: id)])
            #expect(office.orders.map(\.language) == ["de"])
            #expect(try await auth.stores.stores.erasures.address(of: id) == nil)
        }
    }

    @Test func who_has_no_password_has_to_have_signed_in_just_now() async throws {
        try await IdentityBench.run { (bench) async throws in
            let auth = bench.auth
            let account = try await bench.signUp(try await bench.visit().ticket)
            let session = try await auth.pool.query("SELECT id FROM sessions")[0].get("id", as: UUID.self)
            func erase(_ caller: Caller) async throws -> Erasure {
                try await auth.call(
                    AuthMethods.eraseMe, LanguageParameters(), ErasureRequest(password: ""), as: caller)
            }
            let me = account.person.id
            let without = try await refusal { try await erase(Caller(person: me)) }
            #expect(without?.errors.map(\.code) == ["sign_in_again"])
            auth.clock.advance(by: .seconds(601))
            let late = try await refusal { try await erase(Caller(person: me, session: SessionID(session))) }
            #expect(late?.errors.map(\.code) == ["sign_in_again"])
            auth.clock.advance(by: .seconds(-60))
            let erasure = try await erase(Caller(person: me, session: SessionID(session)))
            #expect(erasure.parts[0].records.contains(ErasedRecords(.accounts, 1)))
            #expect(try await auth.count("identities") == 0)
        }
    }

    @Test func of_two_requests_at_once_one_erases_and_there_is_one_receipt() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.signUp("ada@example.org")
            let outcomes = await withTaskGroup(of: ServiceError?.self) { group in
                for _ in 0..<4 { group.addTask { try? await refusal { try await erase(ada, on: auth) } } }
                return await group.reduce(into: [ServiceError?]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.compactMap { $0?.code }.allSatisfy { $0 == .unauthenticated })
            #expect(try await auth.count("erasures") == 1)
            #expect(try await auth.events(PersonErased.self).count == 1)
        }
    }

    @Test func who_is_gone_meanwhile_hears_that_and_of_nothing_else_that_went_wrong() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.signUp("ada@example.org")
            auth.posts.meanwhile { _ = try await erase(ada, on: auth) }
            let late = try await refusal { try await erase(ada, on: auth) }
            #expect(late?.code == .unauthenticated)
            #expect(try await auth.count("erasures") == 1)
        }
    }
}
