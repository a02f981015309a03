import FoundationEssentials
import Logging
import Reactor
import StreetNetwork
import Synchronization
import WireProtocol

/// A source's street network, as the table `streets` has it.
struct ListedStreets: Hashable, Sendable {
    var source: String
    /// What it is called in the folder.
    var file: String
    /// Whose it is, as it is to be shown.
    var attribution: String
}

/// One of them in memory.
struct LoadedStreets: Sendable {
    var listed: ListedStreets
    var network: StreetNetwork
}

/// The street networks in memory, one for each source that has one, and the distances that they tell. What computes leaves the reactor.
final class StreetMaps: Sendable {
    private let folder: StreetFolder?
    private let logger: Logger
    private let pool: BlockingPool
    private let loaded = Mutex<[LoadedStreets]>([])
    /// Files that could not be read, with what they were then: they are tried again when they are others.
    private let refused = Mutex<[String: String?]>([:])
    /// How many questions are being answered or wait, and how many may.
    private let inside = Atomic(0)
    private let room: Int

    init(folder: StreetFolder?, atOnce: Int, waiting: Int = 64, logger: Logger) {
        (self.folder, self.logger) = (folder, logger)
        pool = BlockingPool(name: "streets", limit: atOnce)
        room = atOnce + waiting
    }

    /// The sources whose streets are known.
    var sources: [String] { loaded.withLock { $0.map(\.listed.source) } }

    /// Has what is listed in memory, and nothing else. A network that cannot be read is none: where it was, lines are straight.
    func follow(_ listed: [ListedStreets]) async throws {
        let before = loaded.withLock { Dictionary($0.map { ($0.listed.file, $0.network) }) { first, _ in first } }
        var now: [LoadedStreets] = []
        for streets in listed {
            var network = before[streets.file]
            if network == nil { network = try await load(streets) }
            if let network { now.append(LoadedStreets(listed: streets, network: network)) }
        }
        loaded.withLock { $0 = now }
        refused.withLock { all in all = all.filter { file, _ in listed.contains { $0.file == file } } }
    }

    private func load(_ streets: ListedStreets) async throws -> StreetNetwork? {
        let mark = folder?.mark(of: streets.file)
        guard refused.withLock({ $0[streets.file] != .some(mark) }) else { return nil }
        do {
            guard let folder else { throw NoFolder() }
            let network = try await pool.run { try folder.load(streets.file) }
            logger.notice("streets are known", metadata: ["source": "\(streets.source)", "bytes": "\(network.size)"])
            refused.withLock { _ = $0.removeValue(forKey: streets.file) }
            return network
        } catch let error as CancellationError {
            throw error
        } catch {
            refused.withLock { $0[streets.file] = .some(mark) }
            logger.error(
                "streets cannot be read; distances there are straight lines until they are imported again",
                metadata: ["source": "\(streets.source)", "reason": "\(error)"])
            return nil
        }
    }

    private struct NoFolder: Error, CustomStringConvertible {
        let description = "KAMPONG_STREETS_DIRECTORY names no folder"
    }

    /// Computes on a thread of its own with all that is known now.
    /// - Throws: `unavailable` where there is more to do than can be done in time.
    func compute<Answer: Sendable>(
        before deadline: Date, _ body: @Sendable @escaping ([LoadedStreets]) throws -> Answer
    ) async throws -> Answer {
        let maps = loaded.withLock(\.self)
        guard !maps.isEmpty else { return try body([]) }
        defer { inside.subtract(1, ordering: .relaxed) }
        guard inside.add(1, ordering: .relaxed).newValue <= room else { throw Self.overloaded }
        return try await pool.run {
            guard deadline > Date() else { throw Self.overloaded }
            return try body(maps)
        }
    }

    static let overloaded = ServiceError(
        .unavailable, "Many distances are being measured right now. Try again in a moment.", retryAfter: 2)

    /// Finishes what is queued and ends the threads; not from one of them.
    func stop() { pool.stop() }
}
