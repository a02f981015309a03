import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Ada with a session and her case, and who decides it.
struct ReportedAda {
    let village: ModerationVillage
    let ada: PersonID
    let session: SignedIn
    let mod: PersonID
    let eve: PersonID
    let one: CaseID

    var auth: AuthBench { village.auth }

    func suspend(_ days: Int? = 7, version: Int = 0) async throws {
        _ = try await auth.call(
            AuthMethods.act, CaseReference(id: one),
            ActDraft(act: .suspend, reason: "Threats.", days: days, version: version), as: Caller(person: mod))
    }

    func refusalToSignIn(_ password: String = "quiet river stones") async throws -> ServiceError? {
        try await refusal { try await auth.signIn("ada@example.org", password) }
    }

    /// Whether a session that she opens now is good for her own data alone.
    func comesInSuspended() async throws -> Bool {
        try await auth.signIn("ada@example.org").suspended == true
    }

    /// With such a session.
    func suspended() async throws -> Caller {
        _ = try await auth.signIn("ada@example.org")
        let live = try await auth.stores.stores.sessions.live(of: ada, now: auth.clock.now)
        return Caller(person: ada, session: live.last?.id, isSuspended: true)
    }

    func profile(as viewer: PersonID?) async throws -> ErrorCode? {
        try await refusal {
            try await auth.call(AuthMethods.person, PersonReference(id: ada), Nothing(), as: Caller(person: viewer))
        }?.code
    }

    static func run(_ test: (ReportedAda) async throws -> Void) async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let ada = try await auth.signUp("ada@example.org", name: "Ada", device: "Firefox").person.id
            let session: SignedIn = try await auth.call(
                AuthMethods.signIn, DeviceParameters(device: "Firefox", language: "de-DE"),
                SignIn(email: "ada@example.org", password: "quiet river stones"),
                as: Caller(address: "203.0.113.7"))
            let (mod, eve) = (try await village.moderators(1)[0], try await auth.newcomers(1)[0])
            try await village.report(Subject(kind: .person, id: ID(ada.uuid)), by: eve, .harassment)
            let one = try #require(try await village.cases(by: mod).first?.id)
            try await test(
                ReportedAda(village: village, ada: ada, session: session, mod: mod, eve: eve, one: one))
        }
    }
}
