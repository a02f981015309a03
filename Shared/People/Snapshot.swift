import DurableMessaging
import Logging
package import Postgres
import Reactor
import ServiceLifecycle
package import WireProtocol

/// What a snapshot fills: one table of a projection, `table`, each row with the number of its generation. How far it came stands in the
/// only row of `<table>_snapshot`: `generation`, `is_complete`, and the columns that say a place.
package protocol SnapshotContents: Sendable {
    associatedtype Item: Codable & Sendable
    /// Where an item stands in the order in which all of them are asked for.
    associatedtype Place: Hashable & Sendable

    static var table: String { get }
    static func place(of item: Item) -> Place
    static var placeColumns: SQLQuery { get }
    static func place(in row: PostgresRow) throws -> Place?
    /// The columns' new values, as in `UPDATE … SET`.
    static func setting(_ place: Place?) -> SQLQuery
    /// Adds what is not there, and replaces what is of an older generation.
    static func insertion(of items: [Item], in generation: Int64) -> SQLQuery
    /// What is kept only while a snapshot is under way, and goes at its end and at a new beginning.
    static var forgetting: [SQLQuery] { get }
}

/// Where all of them are asked for in the order of people's ids.
extension SnapshotContents where Place == PersonID {
    package static var placeColumns: SQLQuery { "reached" }
    package static func place(in row: PostgresRow) throws -> PersonID? { try row.get("reached") }
    package static func setting(_ place: PersonID?) -> SQLQuery { "reached = \(place)" }
    package static var forgetting: [SQLQuery] { [] }
}

/// Fills a table with all that auth knows of its kind: at the first start, and whenever auth's events begin anew, because those
/// that are kept tell of the last days only.
///
/// Rows have a generation, and each new beginning starts the next one. What an event of this generation said is never replaced: all
/// that follows it comes as events too. What is left of older generations when everything was asked for is no more.
/// How far it came is kept with the rows, so it goes on where it was when the process ended, and replicas do no harm to each other.
package struct Snapshot<Contents: SnapshotContents>: Service, CustomStringConvertible {
    /// Asks auth for what comes after a place, in order; `next` is nil on the last page.
    package typealias Ask = @Sendable (_ after: Contents.Place?) async throws -> Page<Contents.Item>

    fileprivate struct Progress: Equatable {
        var generation: Int64
        var reached: Contents.Place?
        var isComplete: Bool

        init(_ rows: PostgresRows) throws {
            let row = rows[0]
            generation = try row.get("generation")
            reached = try Contents.place(in: row)
            isComplete = try row.get("is_complete")
        }
    }

    private let database: Database
    private let ask: Ask
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    package var description: String { "snapshot of \(Contents.table)" }

    init(database: Database, ask: @escaping Ask) {
        self.database = database
        self.ask = ask
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wake.yield()
    }

    func follow(on consumer: DurableConsumer) {
        consumer.whenAnew(PeerRole.auth.rawValue) { transaction in
            _ = try await transaction.pipeline([Self.beginning] + Contents.forgetting)
        } after: { [wake] in
            wake.yield()
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in wakes { await fill() }
        }
    }

    /// Asks until all is there. Where auth or the database is away it waits, and longer each time.
    func fill() async {
        var backoff = Backoff(first: .milliseconds(200), limit: .seconds(30))
        while !Task.isCancelled {
            do {
                guard try await step() else { return }
                backoff.reset()
            } catch {
                guard !Task.isCancelled else { return }
                database.logger.warning(
                    "auth could not be asked for all \(Contents.table)", metadata: ["reason": "\(error)"])
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Takes over one page.
    /// - Returns: False where nothing was left to do.
    func step() async throws -> Bool {
        let before = try Progress(try await database.read(Self.progress))
        guard !before.isComplete else { return false }
        let page = try await ask(before.reached)
        try await database.transaction { transaction in
            let now = try Progress(try await transaction.query(Self.progress + " FOR UPDATE"))
            // A replica was faster, or the events began anew while we asked: then this page is of no more use.
            guard now == before else { return }
            _ = try await transaction.query(Contents.insertion(of: page.items, in: now.generation))
            let isLast = page.next == nil || page.items.isEmpty
            if isLast {
                _ = try await transaction.pipeline([Self.removal(before: now.generation)] + Contents.forgetting)
            }
            let reached = page.items.last.map { Contents.place(of: $0) } ?? now.reached
            _ = try await transaction.query(
                "UPDATE \(Self.rows) SET \(Contents.setting(reached)), is_complete = \(isLast)")
        }
        return true
    }

    private static var rows: SQLQuery { "\(unescaped: Contents.table)_snapshot" }

    private static var progress: SQLQuery {
        "SELECT generation, is_complete, \(Contents.placeColumns) FROM \(rows)"
    }

    private static var beginning: SQLQuery {
        "UPDATE \(rows) SET generation = generation + 1, \(Contents.setting(nil)), is_complete = false"
    }

    private static func removal(before generation: Int64) -> SQLQuery {
        "DELETE FROM \(unescaped: Contents.table) WHERE generation < \(generation)"
    }
}
