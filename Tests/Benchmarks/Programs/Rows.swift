import ArgumentParser
import Postgres
import Reactor
import WireProtocol

/// What both commands are told.
struct PoolOptions: ParsableArguments {
    @Option(help: "The database, prepared by `pgbench -i`.") var url: String
    @Option(help: "Connections.") var connections = 8
    @Option(help: "Statements under way on each connection.") var depth = 1
    @Option(help: "How long to measure.") var seconds = 3.0

    func pool() throws -> PostgresPool {
        var configuration = try PostgresConfiguration(url: url, schema: "public")
        configuration.poolSize = connections
        configuration.maxInFlight = depth
        // As every service has it.
        let reactor = Reactor(name: "rows", staysAwake: Reactor.usuallyStaysAwake)
        return PostgresPool(reactor: reactor, configuration: configuration, logger: quiet)
    }

    func measure(_ statement: @escaping @Sendable (PostgresPool, Int) async throws -> Void) async throws {
        let pool = try pool()
        let summary = try await repeatedly(
            crowd: connections * depth, seconds: seconds, on: pool.reactor
        ) { try await statement(pool, $0) }
        try report(summary)
        await pool.close()
    }
}

struct SelectRows: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Reads single rows by key, as `pgbench -S` does.")
    @OptionGroup var options: PoolOptions
    @Option(help: "The rows that there are.") var rows = 100_000

    func run() async throws {
        try await options.measure { [rows] pool, _ in
            var random = BufferedRandom()
            let key = Int.random(in: 1...rows, using: &random)
            let found = try await pool.read("SELECT abalance FROM pgbench_accounts WHERE aid = \(key)")
            _ = try found[0].get("abalance", as: Int32.self)
        }
    }
}

struct InsertRows: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Inserts single rows, each durable before it counts.")
    @OptionGroup var options: PoolOptions

    func run() async throws {
        try await options.measure { pool, number in
            _ = try await pool.query(
                "INSERT INTO inserted (worker, content) VALUES (\(number), 'a row of some length')")
        }
    }
}
