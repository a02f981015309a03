import Synchronization

/// The streets of an extract, for distances on foot and by car. Nothing of it changes once it is made; it may be used from any thread.
///
/// Every function computes on the thread that calls it: a few milliseconds for a hundred targets in a city, and a building takes seconds.
package final class StreetNetwork: Sendable {
    /// Metres within which a place's street is looked for, unless the caller says otherwise.
    package static let reach = 300.0

    private let file: AlignedBytes
    /// The SHA-256 of the OPL text that it was built from.
    package let source: [UInt8]
    private let walk: Network
    private let drive: Network

    /// Of the file's format: files of other versions are refused.
    package static var formatVersion: Int { Int(NetworkFile.version) }
    /// The SHA-256 of all that it is.
    package var digest: [UInt8] { Array(file.contents.suffix(NetworkFile.digestLength)) }

    /// - Parameter contents: Of a file that `write(to:)` wrote.
    /// - Throws: `foreign`, `version`, `truncated` or `corrupted`.
    package convenience init(contents: [UInt8]) throws(StreetNetworkError) {
        try self.init(AlignedBytes(copying: contents))
    }

    /// Reads a file that `write(to:)` wrote, and checks all of it.
    /// - Throws: `inputOutput` where it cannot be read; otherwise as `init(contents:)`.
    package static func load(from path: String) throws(StreetNetworkError) -> StreetNetwork {
        try StreetNetwork(AlignedBytes(reading: path))
    }

    private init(_ bytes: AlignedBytes) throws(StreetNetworkError) {
        file = bytes
        var reader = try NetworkFileReader(bytes.contents)
        source = reader.source
        walk = Network(try reader.profile())
        drive = Network(try reader.profile())
    }

    /// Writes all of it beside `path`, to the disk, and only then under that name: who reads it finds the old file or the new one, whole.
    /// The same streets make the same bytes.
    /// - Throws: `inputOutput`.
    package func write(to path: String) throws(StreetNetworkError) { try file.write(to: path) }

    /// How many streets, between crossings, a profile has.
    package func roadCount(_ profile: TravelProfile) -> Int { network(profile).arrays.roadCount }
    /// How many crossings, ends and barriers it has.
    package func vertexCount(_ profile: TravelProfile) -> Int { network(profile).arrays.vertexCount }
    /// How many arcs the hierarchy has, shortcuts among them.
    package func arcCount(_ profile: TravelProfile) -> Int {
        network(profile).arrays.up.heads.count + network(profile).arrays.down.heads.count
    }
    /// Bytes of the file, and of memory.
    package var size: Int { file.contents.count }

    /// The file's contents.
    var bytes: [UInt8] { Array(file.contents) }

    func network(_ profile: TravelProfile) -> Network { profile == .walk ? walk : drive }
}

extension StreetNetwork {
    /// A profile's arrays, with memory for queries that several threads may make at once.
    final class Network: Sendable {
        // Unsafe, because these are pointers into the file's memory, which nobody changes and which lives as long as the network does.
        nonisolated(unsafe) let arrays: ProfileNetwork
        private let spare = Mutex<[QueryMemory]>([])

        init(_ arrays: ProfileNetwork) { self.arrays = arrays }

        func withMemory<Result>(_ body: (QueryMemory) -> Result) -> Result {
            let memory = spare.withLock { $0.popLast() } ?? QueryMemory(vertexCount: arrays.vertexCount)
            // As many as there are queries at once on a small machine; the others' memory goes.
            defer { spare.withLock { if $0.count < 4 { $0.append(memory) } } }
            return body(memory)
        }
    }
}
