import Foundation
import Logging
import Postgres
import Synchronization
import TestKit
import WireProtocol

@testable import AuthService

/// Notification as far as auth knows it: takes each mail on once for its request id, unless it is away.
final class PostOffice: Sendable {
    struct State {
        var all: [(id: UUID, order: OutgoingMails.Order)] = []
        var failure: ServiceError?
        var asked = 0
    }
    let state = Mutex(State())

    var orders: [MailOrder] {
        state.withLock { $0.all }.compactMap { if case .mail(let order) = $0.order { order } else { nil } }
    }
    var texts: [TextOrder] {
        state.withLock { $0.all }.compactMap { if case .text(let order) = $0.order { order } else { nil } }
    }
    var asked: Int { state.withLock(\.asked) }

    func fail(with error: ServiceError?) { state.withLock { $0.failure = error } }

    @Sendable func send(_ order: OutgoingMails.Order, _ id: UUID) throws {
        try state.withLock { state in
            state.asked += 1
            if let failure = state.failure { throw failure }
            if let known = state.all.first(where: { $0.id == id }) {
                guard known.order == order else { throw ServiceError(.idempotencyMismatch, "Another mail.") }
                return
            }
            state.all.append((id, order))
        }
    }
}

extension AuthBench {
    /// What hands auth's mails over to `office`.
    func mails(to office: PostOffice, _ policy: ResetPolicy = ResetPolicy()) -> OutgoingMails {
        OutgoingMails(
            database: PostgresAuthDatabase(database: database, fields: secrets.fields), secrets: secrets,
            resets: policy, campuses: Self.campuses,
            logger: .init(label: "auth"), now: clock.read
        ) { order, id in try office.send(order, id) }
    }

    /// - Parameter shown: whether the address was shown to be somebody's before: else nobody is written to.
    func askForReset(
        _ email: String, from address: String = "203.0.113.7", language: String? = nil, shown: Bool = true,
        id: UUID = .version7()
    ) async throws {
        if shown { try await showAddress(email) }
        let _: Nothing = try await call(
            AuthMethods.requestPasswordReset, LanguageParameters(language: language),
            PasswordResetRequest(email: email),
            as: Caller(address: address), id: id)
    }

    func reset(_ token: String, to password: String, id: UUID = .version7()) async throws {
        let _: Nothing = try await call(
            AuthMethods.resetPassword, Nothing(), PasswordReset(token: token, password: password),
            as: Caller(address: "203.0.113.7"), id: id)
    }

    /// Takes it that the first who joined with an address has shown that it is theirs, where nobody has.
    func showAddress(_ email: String) async throws {
        guard let address = EmailAddress(email) else { return }
        let digest = secrets.digest(of: address)
        _ = try await pool.query(
            """
            UPDATE accounts SET email_verified_at = joined_at
            WHERE id = (SELECT id FROM accounts WHERE email_digest = \(digest) ORDER BY joined_at, id LIMIT 1)
                AND NOT EXISTS (SELECT FROM accounts WHERE email_digest = \(digest) AND email_verified_at IS NOT NULL)
            """)
    }

    /// Somebody in a session that has just begun.
    func fresh(_ person: PersonID) async throws -> Caller {
        let (secrets, now) = (secrets, clock.now)
        let issued = try await stores.transaction { transaction in
            guard let account = try await transaction.accounts.account(person, locked: false) else {
                throw ServiceError(.unauthenticated, "Gone.")
            }
            return try await transaction.open(account, device: DeviceParameters(), SessionPolicy(), secrets, now)
        }
        return Caller(person: person, session: issued.session, address: "203.0.113.7")
    }

    /// What `CampusTests` calls the community's campuses.
    static let campuses =
        (try? CampusDirectory(["hill=Hill Campus:hill.example.org", "bay=Bay Campus:.bay.example.org"])) ?? .none

    /// The tokens of the one mail that is sent now.
    func tokens(for email: String) async throws -> [String] {
        let office = PostOffice()
        try await askForReset(email)
        _ = try await mails(to: office).round()
        return office.orders.flatMap { $0.passwordReset?.accounts.map(\.token) ?? [] }
    }
}
