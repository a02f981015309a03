import DurableMessaging
import Messaging
import Postgres
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Who is connected to whom.
package enum NotificationWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("notification", role: .notification) { try await services($0) }
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try NotificationConfiguration(host.config)
        let transport: any MailTransport
        switch configuration.delivery {
        case .folder(let folder): transport = FolderTransport(folder: folder, reactor: host.reactor)
        case .smtp(let settings): transport = SMTPTransport(settings: settings, reactor: host.reactor)
        }
        let composer = try MailComposer(
            sender: configuration.sender, url: configuration.url, community: configuration.community,
            folder: ServiceResources.directory(of: "NotificationService") + "/Templates")

        let database = try await Database.open(
            config: host.config, service: host.name, schema: "notification", migrations: NotificationSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }
        let store = PostgresMailStore(database: database)
        let seal = MailSeal(secret: host.sharedSecret)

        var router = RequestRouter(service: host.name)
        NotificationEndpoint(mails: MailUseCases(records: store, seal: seal) { Date() }).answer(on: &router)
        database.answer(on: &router, publishing: NotificationEvents.stream)
        let publisher = try host.eventPublisher(of: NotificationEvents.stream) { try await database.head() }
        return database.background(publishingWith: publisher) + [
            MailSender(
                queue: store, seal: seal, composer: composer, transport: transport, policy: MailPolicy(),
                logger: host.logger, now: { Date() }),
            try host.requestServer(router),
        ]
    }
}
