import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum ChatWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("chat", role: .chat, migrating: { try await migrate($0) }) { try await services($0) }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        try await Database.migrate(
            config: host.config, schema: "chat", migrations: ChatSchema.migrations, reactor: host.reactor,
            logger: host.logger)
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try ChatConfiguration(host.config)
        let limits = configuration.limits
        let database = try await Database.open(
            config: host.config, service: host.name, schema: "chat", migrations: ChatSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }

        let others = try host.requestClient(to: PeerRole.chat.publishers)
        let community = Community(
            database: database, campuses: configuration.campuses, tellsModerators: false, asking: others)
        let store = RoomStore(database: database, people: community.people)
        let consumer = DurableConsumer(database: database)
        store.follow(community, on: consumer)
        store.followModerators(on: consumer)

        let ask: ChatUseCases.AskForSubject = { query in
            let method = query.subject.kind.service.methods.roomSubject
            return try await others.call(method, query, Nothing(), deadline: Date() + 2)
        }
        let chat = ChatUseCases(
            store: store, people: community.people, limits: limits, askForSubject: ask, clock: { Date() })
        var router = RequestRouter(service: host.name)
        ChatEndpoint(chat: chat).answer(on: &router)
        database.answer(on: &router, publishing: ChatEvents.stream, consumer: consumer)

        let publisher = try host.eventPublisher(of: ChatEvents.stream) { try await database.head() }
        var services = database.background(publishingWith: publisher) + [others]
        services.append(
            try host.eventSubscriber(to: PeerRole.chat.publishers, client: others, consumer: consumer))
        services += community.snapshots
        return services + [
            ChatSweep(store: store, limits: limits, logger: host.logger),
            SuspensionNews(store: store, logger: host.logger),
            SubjectInquiries(store: store, logger: host.logger, askForSubject: ask, clock: { Date() }),
            try host.requestServer(router),
        ]
    }
}
