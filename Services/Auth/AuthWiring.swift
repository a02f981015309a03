import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import Postgres
import Reactor
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum AuthWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("auth", role: .auth, migrating: { try await migrate($0) }) { try await services($0) }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        try await Database.migrate(
            config: host.config, schema: "auth", migrations: AuthSchema.migrations, appendOnly: AuthSchema.appendOnly,
            reactor: host.reactor, logger: host.logger)
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try AuthConfiguration(host.config)
        let file = SecretsFile(path: configuration.secrets)
        let (secrets, isNew) = try file.load()
        let database = try await Database.open(
            config: host.config, service: "auth", schema: "auth", migrations: AuthSchema.migrations,
            reactor: host.reactor, digestKey: secrets.requestDigestKey, logger: host.logger)
        let stores = PostgresAuthDatabase(
            database: database, fields: secrets.fields,
            apart: Apartness(betweenCampuses: configuration.campuses.areApart))
        let publishers = try host.requestClient(to: PeerRole.auth.publishers)
        let subject: Subjects.AskForSubject = { query in
            let method = query.subject.kind.service.methods.subject
            return try await publishers.call(method, query, Nothing(), deadline: Date() + 2)
        }
        let messages: Subjects.AskForMessages = { message in
            try await publishers.call(ChatMethods.reported, message, Nothing(), deadline: Date() + 2)
        }
        let commitments: ErasureUseCases.AskForCommitments = { person in
            var found: [Commitment] = []
            for service in Capability.commitments.services {
                let (method, whose) = (service.methods.commitments, PersonReference(id: person))
                found += try await publishers.call(method, whose, Nothing(), deadline: Date() + 2).items
            }
            return found
        }
        let parts = try await AuthParts.open(
            configuration, secrets, stores, subject: subject, messages: messages, commitments: commitments, host.logger,
            refusingNew: isNew ? file : nil)
        var router = RequestRouter(service: "auth")
        parts.endpoint.answer(on: &router)
        let consumer = DurableConsumer(database: database)
        stores.follow(on: consumer)
        database.answer(on: &router, publishing: AuthEvents.stream, consumer: consumer)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }
        let notification = try host.requestClient(to: [.notification])
        let mails = OutgoingMails(
            database: stores, secrets: secrets, resets: configuration.resets, campuses: configuration.campuses,
            logger: host.logger, now: { Date() }
        ) { order, id in
            switch order {
            case .mail(let mail):
                _ = try await notification.call(NotificationMethods.sendMail, Nothing(), mail, id: id)
            case .text(let text):
                _ = try await notification.call(NotificationMethods.sendText, Nothing(), text, id: id)
            }
        }
        let holders = try host.requestClient(to: DataExportPolicy.services.filter { $0 != .auth })
        let own = parts.ownRecords
        let archives = DataExportGatherer(database: stores, logger: host.logger, now: { Date() }) { service, query in
            if service == PeerRole.auth.rawValue { return try await own.page(query) }
            let methods = CommonMethods(service: service)
            return try await holders.call(methods.personalData, query, Nothing(), deadline: Date() + 10)
        }
        let publisher = try host.eventPublisher(of: AuthEvents.stream) { try await database.head() }
        return database.background(publishingWith: publisher) + [
            parts.upkeep, notification, mails, publishers, holders, archives,
            try host.eventSubscriber(
                to: PeerRole.auth.publishers, client: publishers, consumer: consumer),
            try host.requestServer(router),
        ]
    }
}
