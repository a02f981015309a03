import FoundationEssentials
import StreetNetwork
import WireProtocol

/// The folder of street networks, each a file that is called by the digest of its contents: what is there is whole and never changes, so that the service
/// may read while an import writes.
struct StreetFolder: Sendable {
    let path: String
    private static let ending = ".streets"

    func path(of file: String) -> String { "\(path)/\(file)\(Self.ending)" }

    /// - Returns: What the file is called.
    func put(_ network: StreetNetwork) throws -> String {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let file = Self.name(of: network)
        try network.write(to: path(of: file))
        return file
    }

    /// Reads a network and checks all of it.
    /// - Throws: `StreetNetworkError`.
    func load(_ file: String) throws -> StreetNetwork {
        let network = try StreetNetwork.load(from: path(of: file))
        guard Self.name(of: network) == file else { throw StreetNetworkError.corrupted("it is another one") }
        return network
    }

    private static func name(of network: StreetNetwork) -> String {
        HexText.text(of: network.digest)
    }

    func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(of: file)) }

    /// Which file it is, to tell whether there is another one by now; nil where there is none.
    func mark(of file: String) -> String? {
        guard let about = try? FileManager.default.attributesOfItem(atPath: path(of: file)) else { return nil }
        let time = (about[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        return "\(about[.systemFileNumber] ?? 0) \(about[.size] ?? 0) \(time)"
    }

    /// Removes what no source uses any more, and what builds left that broke off. Nobody may write meanwhile.
    func sweep(keeping files: Set<String>) throws {
        let kept = Set(files.map { $0 + Self.ending })
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where !kept.contains(name) {
            guard name.hasSuffix(Self.ending) || name.hasSuffix(".part") else { continue }
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }
}
