import ArgumentParser
import DurableMessaging
import FoundationEssentials
import Glibc
import Messaging
import Postgres
import Reactor
import ServiceLifecycle
import WireProtocol
import ZeroMQ

/// The event whose way is measured; its number names it in both logs.
struct Happened: Event {
    static let type = "happened"
    var number: Int
}

/// What publisher and subscriber are told.
struct EventOptions: ParsableArguments {
    @Option(help: "The database.") var url: String
    @Option(help: "The schema of this side.") var schema: String
    @Option(help: "A folder for the keys of the bus.") var keys: String
    @Option(help: "Where the publisher answers.") var requests: String
    @Option(help: "Where the publisher publishes.") var events: String
    @Option(help: "Where to write `number nanoseconds` lines.") var log: String

    func database(_ service: String, on reactor: Reactor) async throws -> Database {
        let pool = PostgresPool(
            reactor: reactor, configuration: try PostgresConfiguration(url: url, schema: schema), logger: quiet)
        let database = Database(
            pool: pool, service: service, digestKey: Array("a key of the benchmark".utf8), logger: quiet)
        try await database.migrate([Migration(1, "effects", "CREATE TABLE effects (number int8 PRIMARY KEY)")])
        return database
    }

    func write(_ moments: [(Int, Int64)]) throws {
        let lines = moments.map { "\($0.0) \($0.1)\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: log))
    }
}

struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Commits rows with their events at a steady rate, then serves until its input ends.")
    @OptionGroup var options: EventOptions
    @Option(help: "Commits a second.") var rate = 500
    @Option(help: "How many.") var count = 5000

    func run() async throws {
        let context = try busContext(.auth, keys: options.keys)
        let database = try await options.database("auth", on: context.reactor)
        var router = RequestRouter(service: "auth")
        database.answer(on: &router, publishing: AuthEvents.stream)
        let publisher = EventPublisher(
            AuthEvents.stream, context: context, endpoint: options.events, logger: quiet,
            head: { try await database.head() })
        let server = RequestServer(router, context: context, endpoint: options.requests, logger: quiet)
        let group = ServiceGroup(services: database.background(publishingWith: publisher) + [server], logger: quiet)
        let life = Task { try await group.run() }
        print("ready")
        fflush(nil)
        // One line starts it, the end of the input ends it.
        _ = await context.reactor.reading { readLine() }
        try options.write(try await commit(on: database))
        print("done")
        fflush(nil)
        _ = await context.reactor.reading { readLine() }
        life.cancel()
    }

    /// Each at its own time, whether or not the ones before it are done.
    private func commit(on database: Database) async throws -> [(Int, Int64)] {
        let moments = Shared<[(Int, Int64)]>([])
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                try await Task.sleep(until: begin + .seconds(1) * number / rate)
                group.addTask(executorPreference: database.pool.reactor) {
                    try await database.transaction { transaction in
                        try await transaction.query("INSERT INTO effects VALUES (\(number))")
                        transaction.publish(
                            Happened(number: number), about: "thing/\(number % 97)", to: .nobody)
                    }
                    let now = nanoseconds()
                    moments.withLock { $0.append((number, now)) }
                }
            }
            try await group.waitForAll()
        }
        return moments.withLock { $0 }
    }
}

extension Reactor {
    fileprivate func reading(_ line: @escaping @Sendable () -> String?) async -> String? {
        await (try? blocking { line() }) ?? nil
    }
}
