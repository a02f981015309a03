import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum MatchingWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("matching", role: .matching, migrating: { try await migrate($0) }) {
            try await services($0)
        }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        // What the service does not start with is refused here already.
        _ = try MatchingConfiguration(host.config)
        try await Database.migrate(
            config: host.config, schema: "matching", migrations: MatchingSchema.migrations, reactor: host.reactor,
            logger: host.logger)
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try MatchingConfiguration(host.config)
        let database = try await Database.open(
            config: host.config, service: host.name, schema: "matching", migrations: MatchingSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, plansOnce: true, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }

        let others = try host.requestClient(to: PeerRole.matching.publishers + [.places, .notification])
        let community = Community(
            database: database, campuses: configuration.campuses, tellsModerators: false, asking: others)
        let store = DeliveryStore(
            database: database, people: community.people,
            words: SealedWords(secret: host.sharedSecret, logger: host.logger))
        let deliveries = DeliveryUseCases(
            store: store, people: community.people, limits: configuration.limits,
            askForPlaces: { try await others.places($0) },
            askForRestaurants: { try await others.restaurants(around: $0, within: $1) },
            askForWays: { try await others.ways(from: $0, to: $1) }, askForPhone: { try await others.phone(of: $0) },
            clock: { Date() })
        let consumer = DurableConsumer(database: database)
        let wanted = WantedWiring(
            database, community.people, configuration.wanted, beside: deliveries, asking: others, logger: host.logger)
        MatchingHandlers(store: store, wanted: wanted.store).follow(community, on: consumer)
        wanted.follow(on: consumer)

        let moderators = ModeratorCheck(asking: others)
        var router = RequestRouter(service: host.name) { try await moderators.caller($0, asking: $1) }
        MatchingEndpoint(deliveries: deliveries, wanted: wanted.useCases).answer(on: &router)
        database.answer(on: &router, publishing: MatchingEvents.stream, consumer: consumer)

        let publisher = try host.eventPublisher(of: MatchingEvents.stream) { try await database.head() }
        var services = database.background(publishingWith: publisher) + [others]
        services.append(
            try host.eventSubscriber(to: PeerRole.matching.publishers, client: others, consumer: consumer))
        services += community.snapshots + wanted.rounds
        return services + [
            MatchRounds(store: store, limits: configuration.limits, logger: host.logger),
            DeliveryRounds(store: store, logger: host.logger),
            StreetHops(store: store, logger: host.logger, ask: deliveries.askForWays),
            try host.requestServer(router),
        ]
    }
}
