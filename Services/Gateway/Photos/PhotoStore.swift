import FoundationEssentials
package import Logging
package import WireProtocol

/// Photos in a directory, by the digest of their full size: `ab/abcdef…/{thumb,medium,full}.webp`.
///
/// A photo appears all at once, by a rename; the same picture twice is one photo.
package struct PhotoStore: ClientPhotos {
    private let directory: String
    private let queue: PhotoQueue
    private let processor = PhotoProcessor()
    private let logger: Logger

    /// Makes the directory, and clears what a crash left half done long ago: other replicas may be at work in it.
    package init(directory: String, logger: Logger) throws {
        self.directory = directory
        self.logger = logger
        queue = PhotoQueue(atOnce: 2, waiting: 16)
        let incoming = directory + "/.incoming"
        try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: incoming) {
            let changed = try? FileManager.default.attributesOfItem(atPath: incoming + "/" + name)[.modificationDate]
            guard let changed = changed as? Date, changed.timeIntervalSinceNow < -Self.longestWork else { continue }
            try? FileManager.default.removeItem(atPath: incoming + "/" + name)
        }
    }

    /// Where archives with photos in them lie while they are sent.
    var archives: String { directory + "/.archives" }

    /// Seconds; five runs of a program that is stopped after thirty.
    private static let longestWork: TimeInterval = 600

    package func store(_ bytes: [UInt8], for person: PersonID) async throws -> Photo {
        guard bytes.count <= BodyLimits.photo else { throw BodyLimits.tooLarge(BodyLimits.photo) }
        guard PhotoFormat(bytes) != nil else { throw PhotoProcessor.unknownKind }
        return try await queue.enter(for: person) { try await process(bytes) }
    }

    package func preview(_ bytes: [UInt8], for person: PersonID) async throws -> [UInt8] {
        guard PhotoFormat(bytes) != nil else { throw PhotoProcessor.unknownKind }
        return try await queue.enter(for: person) {
            let work = try workplace()
            defer { try? FileManager.default.removeItem(atPath: work) }
            _ = try await processor.process(bytes, in: work)
            return Array(try Data(contentsOf: URL(filePath: "\(work)/\(PhotoSize.thumb.rawValue).webp")))
        }
    }

    private func workplace() throws -> String {
        let work = "\(directory)/.incoming/\(UUID.version7())"
        try FileManager.default.createDirectory(
            atPath: work, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return work
    }

    private func process(_ bytes: [UInt8]) async throws -> Photo {
        let work = try workplace()
        defer { try? FileManager.default.removeItem(atPath: work) }
        let result = try await processor.process(bytes, in: work)
        let target = folder(of: result.digest)
        // Who sends what is there already counts as well (`delete`).
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: target)
        if !FileManager.default.fileExists(atPath: target) {
            let parent = target.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                separator: "/")
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            do {
                try FileManager.default.moveItem(atPath: work, toPath: target)
            } catch  where FileManager.default.fileExists(atPath: target) {}  // somebody sent the same one just now
        }
        logger.info("photo stored", metadata: ["photo": "\(result.digest)", "bytes": "\(bytes.count)"])
        return Photo(id: result.digest, width: result.width, height: result.height)
    }

    /// Where a size of a photo lies, or nil where there is no such photo.
    package func path(of digest: String, _ size: PhotoSize) -> String? {
        guard Self.isDigest(digest) else { return nil }
        let path = "\(folder(of: digest))/\(size.rawValue).webp"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// Nothing else ever becomes part of a path.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Deletes a photo; it does no harm to do so twice.
    /// - Parameter rest: a photo that somebody sent within so many seconds may be about to be shown, and stays.
    /// - Returns: whether it is gone.
    func delete(_ digest: String, unlessSentWithin rest: TimeInterval) throws -> Bool {
        guard Self.isDigest(digest) else { return true }
        let folder = folder(of: digest)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: folder) else { return true }
        if let sent = attributes[.modificationDate] as? Date, -sent.timeIntervalSinceNow < rest { return false }
        try FileManager.default.removeItem(atPath: folder)
        logger.info("photo deleted", metadata: ["photo": "\(digest)"])
        return true
    }

    private func folder(of digest: String) -> String { "\(directory)/\(digest.prefix(2))/\(digest)" }
}

/// Lets a few in at once and a few wait; the rest is told to come back. One person has only so many of those places, because some pictures
/// take long, and some are made to.
actor PhotoQueue {
    private static let mostOfOne = 3

    private let most: Int
    private let mostWaiting: Int
    private var inside = 0
    private var byPerson: [PersonID: Int] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(atOnce: Int, waiting: Int) {
        most = atOnce
        mostWaiting = waiting
    }

    nonisolated func enter<Value: Sendable>(
        for person: PersonID, _ body: () async throws -> Value
    ) async throws -> Value {
        try await wait(person)
        do {
            let value = try await body()
            await leave(person)
            return value
        } catch {
            await leave(person)
            throw error
        }
    }

    private func wait(_ person: PersonID) async throws {
        let own = byPerson[person, default: 0]
        guard own < Self.mostOfOne, inside < most || waiting.count < mostWaiting else {
            throw ServiceError(.unavailable, "Many pictures are being worked on. Try again soon.", retryAfter: 5)
        }
        byPerson[person] = own + 1
        guard inside >= most else {
            inside += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the place to the next who waits, so that nobody overtakes.
    private func leave(_ person: PersonID) {
        let own = byPerson[person, default: 1] - 1
        byPerson[person] = own > 0 ? own : nil
        if waiting.isEmpty { inside -= 1 } else { waiting.removeFirst().resume() }
    }
}
