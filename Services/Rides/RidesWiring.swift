import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
package import ServiceKit
package import ServiceLifecycle
import WireProtocol

/// Who is connected to whom.
package enum RidesWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("rides", role: .rides, migrating: { try await migrate($0) }) {
            try await services($0)
        }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        // What the service does not start with is refused here already.
        let campuses = try RidesConfiguration(host.config).campuses
        try await Database.migrate(
            config: host.config, schema: "rides", migrations: RidesSchema.migrations, reactor: host.reactor,
            logger: host.logger
        ) { database in
            try await RideCampusIndexes.settle(campuses.isOn, in: database)
        }
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try RidesConfiguration(host.config)
        let database = try await Database.open(
            config: host.config, service: host.name, schema: "rides", migrations: RidesSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, plansOnce: true, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }
        let board = RideBoard()
        host.readiness.require("board") { guard board.seen != nil else { throw BoardIsEmpty() } }

        let others = try host.requestClient(to: PeerRole.rides.publishers + [.places])
        let community = Community(
            database: database, campuses: configuration.campuses, tellsModerators: false, asking: others)
        let people = community.people
        let store = RideStore(database: database, people: people)
        let consumer = DurableConsumer(database: database)
        RidesHandlers(store: store).follow(community, on: consumer)
        let rides = RideUseCases(
            store: store, people: people, limits: configuration.limits,
            finder: RideSearch(store: store, board: board, askForStreets: { try await others.streets($0) }),
            askForPhone: { try await others.phone(of: $0) },
            areFriends: { try await others.areFriends($0, $1) },
            askForRegion: { try await region(at: $0, asking: others) },
            askForTown: { try await town(at: $0, asking: others) },
            askForLegs: { try await others.legs(of: $0) }, askForStreets: { try await others.streets($0) },
            clock: { Date() })

        let moderators = ModeratorCheck(asking: others)
        var router = RequestRouter(service: host.name) { try await moderators.caller($0, asking: $1) }
        RidesEndpoint(rides: rides).answer(on: &router)
        database.answer(on: &router, publishing: RidesEvents.stream, consumer: consumer)

        let publisher = try host.eventPublisher(of: RidesEvents.stream) { try await database.head() }
        var services = database.background(publishingWith: publisher) + [others]
        services.append(
            try host.eventSubscriber(to: PeerRole.rides.publishers, client: others, consumer: consumer))
        services += community.snapshots
        return services + [
            RideFeed(database: database, board: board, clock: { Date() }, logger: host.logger),
            RideRounds(store: store, logger: host.logger),
            SeriesRounds(store: store, limits: configuration.limits, logger: host.logger),
            RideRegionRounds(
                store: store, logger: host.logger, ask: rides.askForRegion, askForLegs: rides.askForLegs),
            try host.requestServer(router),
        ]
    }

    /// A second at most, as of the region.
    private static func town(at point: Position, asking client: RequestClient) async throws -> String? {
        do {
            let found = try await client.call(
                PlacesMethods.reverse, ReversePlaceQuery(at: point), Nothing(), deadline: Date() + 1)
            return found.place.kind == .town ? found.place.name : found.town?.name
        } catch let error as ServiceError where error.code == .notFound {
            return nil
        }
    }

    /// One of the community's regions, else the state or province. Whoever posts a ride waits for it: a second at most.
    private static func region(at point: Position, asking client: RequestClient) async throws -> String? {
        do {
            return try await client.call(
                PlacesMethods.region, ReversePlaceQuery(at: point), Nothing(), deadline: Date() + 1
            ).name
        } catch let error as ServiceError where error.code == .notFound {
            return nil
        }
    }
}

/// Nothing was read in yet: searches would find nothing.
private struct BoardIsEmpty: Error, CustomStringConvertible {
    var description: String { "rides are being read in" }
}
