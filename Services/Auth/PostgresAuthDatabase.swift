import DurableMessaging
import Messaging
import Postgres
import WireProtocol

/// The stores on auth's schema.
struct PostgresAuthDatabase: AuthDatabase {
    let database: Database
    let fields: FieldSeal
    var apart = Apartness()
    /// Wraps what statements go through; tests count round trips with it.
    var observe: @Sendable (any Statements) -> any Statements = { $0 }

    var keystone: Keystone { Keystone(statements: PoolStatements(database: database)) }

    var addressKeys: AddressKeys { AddressKeys(database: database, fields: fields) }

    var stores: AuthStores { stores(on: PoolStatements(database: database)) }

    func command<Reply: Codable & Sendable>(
        _ context: RequestContext, _ body: @escaping @Sendable (AuthTransaction) async throws -> Reply
    ) async throws -> Reply {
        try await database.command(context) { command in
            let transaction = transaction(command)
            // Whoever is suspended does nothing any more, also with an access token that is still good. Whose session says that they
            // are has come no further than to what is theirs (`RequestRouter`).
            if let person = context.caller.person, !context.caller.isSuspended {
                try await transaction.stores.suspensions.require(person, at: command.now)
            }
            return try await body(transaction)
        }
    }

    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (AuthTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(transaction($0)) }
    }

    private func transaction(_ command: CommandTransaction) -> AuthTransaction {
        AuthTransaction(stores: stores(on: command)) { event, aggregate, audience, concerned in
            command.publish(event, about: aggregate, to: audience, concerning: concerned)
        }
    }

    private func stores(on statements: any Statements) -> AuthStores {
        let statements = observe(statements)
        return AuthStores(
            accounts: PostgresAccountStore(statements: statements, fields: fields, apart: apart),
            friends: PostgresFriendStore(statements: statements, apart: apart),
            blocks: PostgresBlockStore(statements: statements),
            sessions: PostgresSessionStore(statements: statements),
            attempts: PostgresAttemptStore(statements: statements),
            keys: PostgresSigningKeyStore(statements: statements),
            credentials: PostgresCredentialStore(statements: statements, fields: fields),
            resets: PostgresPasswordResetStore(statements: statements),
            outgoing: PostgresOutgoingMailStore(statements: statements),
            verifications: PostgresVerificationStore(statements: statements, fields: fields),
            addresses: PostgresAddressStore(statements: statements, fields: fields),
            phones: PostgresPhoneStore(statements: statements, fields: fields),
            reviews: PostgresReviewStore(statements: statements, fields: fields, apart: apart),
            erasures: PostgresErasureStore(statements: statements, fields: fields),
            exports: PostgresDataExportStore(statements: statements, fields: fields),
            identities: PostgresIdentityStore(statements: statements, fields: fields),
            passkeys: PostgresPasskeyStore(statements: statements),
            reports: PostgresReportStore(statements: statements), cases: PostgresCaseStore(statements: statements),
            audit: PostgresAuditStore(statements: statements),
            roles: PostgresRoleStore(statements: statements, fields: fields),
            suspensions: PostgresSuspensionStore(statements: statements),
            notices: PostgresNoticeStore(statements: statements),
            calendars: PostgresCalendarFeedStore(statements: statements))
    }

    /// Notes what other services say was completed, and that they have done their part of an erasure.
    func follow(on consumer: DurableConsumer) {
        for service in ErasurePolicy.services where service != .auth && service != .gateway {
            consumer.on(PersonalDataErased.self, from: service.rawValue) { event, header, transaction in
                let part = ErasurePart(service: service.rawValue, doneAt: header.occurredAt, records: event.records)
                try await stores(on: transaction).erasures.finish(part, of: event.erasure, photos: event.photos)
            }
        }
        for service in Capability.encounters.services {
            consumer.on(EncounterCompleted.self, from: service.rawValue) { event, _, transaction in
                guard let encounter = CompletedEncounter(event) else { return }
                try await stores(on: transaction).reviews.add(encounter)
            }
        }
        // Once for each event, however often it comes.
        consumer.on(PosterSuspended.self, from: PeerRole.listings.rawValue) { event, header, command in
            let notice = KeptNotice(
                NoticeID(header.id), .concerned, for: event.claimer, title: event.name, at: header.occurredAt)
            try await transaction(command).tell(notice, at: command.now)
        }
    }
}

extension CommandTransaction: Statements {}

private struct PoolStatements: Statements {
    let database: Database
    func query(_ query: SQLQuery) async throws -> PostgresRows { try await database.query(query) }
}
