import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Standing searches: who is connected to whom.
struct WantedWiring: Sendable {
    private static let own = PeerRole.matching

    let store: WantedStore
    let useCases: WantedUseCases
    /// Of each kind of what is looked for.
    private let looks: [WantedLooks]
    /// All that runs.
    let rounds: [any Service]

    /// - Parameters:
    ///   - deliveries: what this service has itself that is looked for.
    ///   - client: connected to each of the other services, and to notification.
    init(
        _ database: Database, _ people: PeopleProjection, _ limits: WantedLimits, beside deliveries: DeliveryUseCases,
        asking client: RequestClient, logger: Logger
    ) {
        let clock: @Sendable () -> Date = { Date() }
        let store = WantedStore(database: database, people: people)
        let services = SearchedServices(asking: client).beside(deliveries)
        let seeking = SeekingServices(asking: client)
        let telling = WantedTelling(store: store, logger: logger, clock: clock)
        let spare = SpareLook()
        let looks = SubjectKind.searched.map { kind in
            WantedLooks(
                kind: kind, store: store, services: services, telling: telling.bell, logger: logger, clock: clock,
                spare: spare, bell: kind.service == Self.own ? deliveries.store.searched : RoundBell())
        }
        (self.store, self.looks) = (store, looks)
        useCases = WantedUseCases(store: store, limits: limits, services: services, seeking: seeking, clock: clock)
        var rounds: [any Service] = looks
        rounds.append(
            WantedCatchUp(store: store, services: services, telling: telling.bell, logger: logger, clock: clock))
        rounds.append(telling)
        rounds.append(SeekingAnnouncing(store: store, services: services, logger: logger))
        rounds.append(SeekingRegions(store: store, seeking: seeking, logger: logger))
        rounds.append(WantedTimes(store: store, logger: logger))
        rounds.append(WantedUnseen(store: store, logger: logger, clock: clock) { try await client.unseen($0) })
        rounds.append(WantedForgetting(store: store, logger: logger, clock: clock))
        self.rounds = rounds
    }

    /// What this service has itself, the database says by triggers (SearchedSchema.swift).
    func follow(on consumer: DurableConsumer) {
        WantedHandlers(looks: looks.filter { $0.kind.service != Self.own }).follow(on: consumer)
    }
}
