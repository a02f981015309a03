import DurableMessaging
import Messaging
import Postgres
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum PlacesWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("places", role: .places, migrating: { try await migrate($0) }) { try await services($0) }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        try await Database.migrate(
            config: host.config, schema: "places", migrations: PlacesSchema.migrations, reactor: host.reactor,
            logger: host.logger)
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try PlacesConfiguration(host.config)
        let database = try await Database.open(
            config: host.config, service: host.name, schema: "places", migrations: PlacesSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, plannerSwitchedOff: PlaceSearch.unsuitable,
            plansOnce: true, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }

        let streets = StreetStore(database: database)
        let maps = StreetMaps(
            folder: configuration.streets, atOnce: configuration.distancesAtOnce, logger: host.logger)
        // Who is ready knows its streets.
        try await maps.follow(try await streets.streets())

        var router = RequestRouter(service: host.name)
        PlacesEndpoint(places: PlaceUseCases(store: PlaceStore(database: database)), maps: maps)
            .answer(on: &router)
        database.answer(on: &router, publishing: PlacesEvents.stream)
        let publisher = try host.eventPublisher(of: PlacesEvents.stream) { try await database.head() }
        return database.background(publishingWith: publisher) + [
            StreetWatch(store: streets, maps: maps, logger: host.logger), try host.requestServer(router),
        ]
    }
}
