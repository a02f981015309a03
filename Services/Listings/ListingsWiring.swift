import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum ListingsWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("listings", role: .listings, migrating: { try await migrate($0) }) {
            try await services($0)
        }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        let campuses = try ListingsConfiguration(host.config).campuses
        try await Database.migrate(
            config: host.config, schema: "listings", migrations: ListingsSchema.migrations, reactor: host.reactor,
            logger: host.logger
        ) { database in
            try await CampusIndexes.settle(campuses.isOn, in: database)
        }
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try ListingsConfiguration(host.config)
        let limits = configuration.limits
        let database = try await Database.open(
            config: host.config, service: host.name, schema: "listings", migrations: ListingsSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, plannerSwitchedOff: SpotPage.unsuitable,
            plansOnce: true, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }

        let auth = try host.requestClient(to: PeerRole.listings.publishers)
        let community = Community(
            database: database, campuses: configuration.campuses, tellsModerators: false, asking: auth)
        let people = community.people
        let store = SpotStore(database: database, people: people)
        let rentalStore = RentalStore(
            database: database, people: people,
            seal: PlateSeal(secret: host.sharedSecret, logger: host.logger),
            plateTries: configuration.rentals.plateTries)
        let consumer = DurableConsumer(database: database)
        ListingsHandlers(spots: store, rentals: rentalStore, limits: limits).follow(community, on: consumer)
        let spots = SpotUseCases(store: store, people: people, limits: limits) { Date() }
        let rentals = RentalUseCases(
            store: rentalStore, people: people, limits: configuration.rentals,
            askForPhone: { try await auth.phone(of: $0) }, clock: { Date() })

        let moderators = ModeratorCheck(asking: auth)
        var router = RequestRouter(service: host.name) { try await moderators.caller($0, asking: $1) }
        ListingsEndpoint(spots: spots, rentals: rentals).answer(on: &router)
        database.answer(on: &router, publishing: ListingsEvents.stream, consumer: consumer)

        let publisher = try host.eventPublisher(of: ListingsEvents.stream) { try await database.head() }
        var services = database.background(publishingWith: publisher) + [auth]
        services.append(
            try host.eventSubscriber(to: PeerRole.listings.publishers, client: auth, consumer: consumer))
        services += community.snapshots
        return services + [
            SpotRounds(store: store, limits: limits, logger: host.logger),
            RentalRounds(store: rentalStore, logger: host.logger),
            try host.requestServer(router),
        ]
    }
}
