package import Configuration
import Crypto
package import FoundationEssentials
package import Logging
package import Messaging
package import Postgres
package import Reactor
package import ServiceLifecycle
import WireProtocol

/// A stateful service's own schema: its pool, its idempotent commands, the events that it publishes.
///
/// A value that is passed around freely. What it needs to live is in `background`.
package struct Database: Sendable {
    package let pool: PostgresPool
    /// The name under which events are published and common methods answered.
    package let service: String
    package let logger: Logger
    let settings: DatabaseSettings
    let keys: RecordKeys
    let clock: @Sendable () -> Date
    let sequencer: Sequencer

    /// Connects, waiting up to half a minute for the server, and makes sure that the schema's owner has brought it up to date (`migrate`).
    ///
    /// Reads `database.url`, and where they are set `database.pool.size` (8), `events.keep.days` (7) and
    /// `requests.keep.days` (2).
    /// - Parameters:
    ///   - migrations: the service's own tables.
    ///   - digestKey: a secret of at least 16 bytes that all replicas of the service share and keep; what is stored of
    ///     requests is digested and sealed with keys made from it.
    package static func open(
        config: ConfigReader, service: String, schema: String, migrations: [Migration], reactor: Reactor,
        digestKey: [UInt8], plannerSwitchedOff: [String] = [], plansOnce: Bool = false, logger: Logger
    ) async throws -> Database {
        let url = try config.requiredString(forKey: "database.url", isSecret: true)
        var configuration = try PostgresConfiguration(url: url, schema: schema)
        configuration.applicationName = service
        configuration.plannerSwitchedOff = plannerSwitchedOff
        configuration.plansOnce = plansOnce
        configuration.poolSize = max(2, config.int(forKey: "database.pool.size", default: configuration.poolSize))
        var settings = DatabaseSettings()
        settings.keepEvents = .days(config.int(forKey: "events.keep.days", default: 7))
        settings.keepRequests = .days(config.int(forKey: "requests.keep.days", default: 2))
        let pool = PostgresPool(reactor: reactor, configuration: configuration, logger: logger)
        let database = Database(
            pool: pool, service: service, digestKey: digestKey, settings: settings, logger: logger)
        do {
            try await database.requireMigrated(migrations)
        } catch {
            await pool.close()
            throw error
        }
        return database
    }

    /// A database on a pool that exists, of a schema that is up to date.
    package init(
        pool: PostgresPool, service: String, digestKey: [UInt8], settings: DatabaseSettings = DatabaseSettings(),
        clock: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) {
        self.pool = pool
        self.service = service
        self.logger = logger
        self.settings = settings
        self.clock = clock
        keys = RecordKeys(secret: digestKey)
        sequencer = Sequencer(
            outbox: Outbox(pool: pool, publisher: service), interval: settings.sequencerInterval,
            gathering: settings.sequencerGathering, batch: settings.sequencerBatch, logger: logger)
    }

    // MARK: Outside of transactions

    /// A statement that only reads, pipelined with those of others.
    /// - Throws: `PostgresError`, or `ServiceError` `.unavailable` where the database is away.
    package func read(_ query: SQLQuery) async throws -> PostgresRows {
        try await translatingOutages { try await pool.read(query) }
    }

    /// A statement that commits by itself. For what needs no event and does no harm twice.
    /// - Throws: `PostgresError`, or `ServiceError` `.unavailable` or `.outcomeUnknown` where the database is away.
    package func query(_ query: SQLQuery) async throws -> PostgresRows {
        try await translatingOutages { try await pool.query(query) }
    }

    // MARK: Events

    /// The epoch and the last position that was given out: what the publisher's heartbeats say.
    package func head() async throws -> StreamOffset? { try await sequencer.outbox.head() }

    /// Starts a new epoch. After the schema was restored from a backup, before the service starts: subscribers then consume
    /// anew instead of taking new events for those that they had seen under the same positions.
    package func newEpoch() async throws { try await sequencer.outbox.newEpoch() }

    /// What has to run for as long as the service does, the first to stop last: the pool, the sequencer, house-keeping.
    ///
    /// Put `publisher` (where there is one) between the pool and the sequencer by this call, so that the last events still get out.
    package func background(publishingWith publisher: EventPublisher? = nil) -> [any Service] {
        var services: [any Service] = [PoolService(pool: pool)]
        if let publisher { services.append(publisher) }
        services.append(SequencerService(sequencer: sequencer) { events in await publisher?.publish(events) })
        services.append(Housekeeping(database: self))
        return services
    }
}

/// How a service keeps what it has to remember.
package struct DatabaseSettings: Sendable {
    /// Since they were numbered. Subscribers that were away for longer start anew.
    package var keepEvents: Duration = .days(7)
    /// For longer than anybody repeats a request.
    package var keepRequests: Duration = .days(2)
    /// How long a refused command stays refused after its deadline: a copy of it may have stood in a process that was stopped, and
    /// would be done when that goes on. Who corrects what was refused sends something else, or later.
    package var keepRefusals: Duration = .seconds(10)
    /// How often the sequencer looks without being woken.
    package var sequencerInterval: Duration = .milliseconds(40)
    /// How long after a round with events the next one begins at the earliest.
    package var sequencerGathering: Duration = .milliseconds(8)
    /// The most events numbered in one transaction.
    package var sequencerBatch = 500
    package var measureInterval: Duration = .seconds(5)
    package var pruneInterval: Duration = .seconds(600)
    /// How often a transaction is run that others made fail.
    package var attempts = 5

    package init() {}
}

extension Duration {
    package static func days(_ days: Int) -> Duration { .seconds(86400 * Int64(days)) }
    var timeInterval: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
