import ArgumentParser
import StreetNetwork
import Subprocess
import SystemPackage

struct Build: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Builds a network from an extract (.osm.pbf, or whatever osmium reads), or from OPL text.")
    @Argument(help: "The extract; a file whose name ends with .opl is read as it is.") var extract: String
    @Argument(help: "The network's file; it is replaced only when the new one is whole.") var network: String

    func run() async throws {
        let (built, summary) = try await extract.hasSuffix(".opl") ? fromText() : fromExtract()
        try built.write(to: network)
        print(
            """
            \(summary.ways) ways, \(summary.nodes) nodes; walkable \(summary.walkable), drivable \(summary.drivable); \
            barriers \(summary.barriers), missing nodes \(summary.missingNodes), overlong steps \(summary.overlongSteps)
            """)
        show(built)
    }

    private func fromText() throws -> (StreetNetwork, StreetNetworkBuilder.Summary) {
        var builder = StreetNetworkBuilder()
        let file = try FileDescriptor.open(FilePath(extract), .readOnly)
        try file.closeAfter {
            while true {
                let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 20) { space, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(space))
                }
                guard !piece.isEmpty else { break }
                try builder.read(piece)
            }
        }
        return try builder.finish()
    }

    /// osmium does the reading, and says what is wrong with an extract.
    private func fromExtract() async throws -> (StreetNetwork, StreetNetworkBuilder.Summary) {
        let arguments = ["tags-filter", extract, "w/highway", "--output-format=opl,add_metadata=false", "--output=-"]
        let result = try await Subprocess.run(
            .name("osmium"), arguments: Arguments(arguments), input: .none, output: .sequence,
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
        ) { execution in
            var builder = StreetNetworkBuilder()
            for try await piece in execution.standardOutput { try builder.read(piece.withUnsafeBytes { Array($0) }) }
            return builder
        }
        // Half an extract is text without faults.
        guard result.terminationStatus.isSuccess else { throw Unreadable(extract: extract) }
        return try result.closureResult.finish()
    }
}

struct Unreadable: Error, CustomStringConvertible {
    var extract: String
    var description: String { "osmium cannot read \(extract)" }
}

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Checks a network's file and says how large it is.")
    @Argument var network: String

    func run() throws { show(try StreetNetwork.load(from: network)) }
}

func show(_ network: StreetNetwork) {
    for profile in TravelProfile.allCases {
        print(
            "\(profile.rawValue): \(network.vertexCount(profile)) vertices, \(network.roadCount(profile)) roads,",
            "\(network.arcCount(profile)) arcs in the hierarchy")
    }
    print("\(network.size) bytes")
}
