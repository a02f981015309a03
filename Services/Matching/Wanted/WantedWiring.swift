import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import ServiceLifecycle
import WireProtocol

/// Standing searches: who is connected to whom.
struct WantedWiring: Sendable {
    let store: WantedStore
    let useCases: WantedUseCases
    /// Of each service that has what is looked for.
    private let looks: [WantedLooks]
    /// All that runs.
    let rounds: [any Service]

    /// - Parameter client: connected to each of those services.
    init(
        _ database: Database, _ people: PeopleProjection, _ limits: WantedLimits, asking client: RequestClient,
        logger: Logger
    ) {
        let clock: @Sendable () -> Date = { Date() }
        let store = WantedStore(database: database, people: people)
        let services = SearchedServices(asking: client)
        let telling = WantedTelling(store: store, logger: logger, clock: clock)
        let looks = Capability.searched.services.map { service in
            WantedLooks(
                service: service, store: store, services: services, telling: telling.bell, logger: logger,
                clock: clock)
        }
        (self.store, self.looks) = (store, looks)
        useCases = WantedUseCases(store: store, limits: limits, services: services, clock: clock)
        var rounds: [any Service] = looks
        rounds.append(
            WantedCatchUp(store: store, services: services, telling: telling.bell, logger: logger, clock: clock))
        rounds.append(telling)
        rounds.append(WantedTimes(store: store, logger: logger))
        self.rounds = rounds
    }

    func follow(on consumer: DurableConsumer) { WantedHandlers(looks: looks).follow(on: consumer) }
}
