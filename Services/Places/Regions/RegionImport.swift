import Crypto
import FoundationEssentials
import Postgres
import WireProtocol

extension PlaceImport {
    /// Brings in the regions of a file, or the names of states: all of it, or nothing. There are few, so that they are read as a whole first.
    func bringRegions(_ next: () throws -> [UInt8]) async throws -> ImportSummary {
        var (cutter, hash, pieces) = (format.cutter, SHA256(), [[UInt8]?]())
        while case let bytes = try next(), !bytes.isEmpty {
            hash.update(data: bytes)
            cutter.cut(bytes[...]) { pieces.append($0.map(Array.init)) }
        }
        guard cutter.finish({ pieces.append($0.map(Array.init)) }) else { throw ImportProblem.endsInTheMiddle }
        var summary = ImportSummary()
        let names = format == .regions ? try Self.names(in: pieces, &summary) : []
        var reader = RegionReader(format)
        if format != .regions { for piece in pieces { try reader.read(piece?[...]) } }
        let regions = format == .regions ? [] : try reader.finish()
        let digest = self.digest(of: hash)
        try await pool.transaction(patience: .seconds(7200)) { transaction in
            try await PostgresPlaceImport.lock(transaction)
            _ = try await transaction.query(PostgresPlaceImport.patience)
            try await PostgresPlaceImport.enter(source, transaction)
            let tables = PostgresRegionImport(transaction: transaction, source: source)
            switch format {
            case .regions: try await tables.replace(names: names)
            case .drawnCountries: try await tables.replace(countries: regions)
            default: try await tables.replace(regions)
            }
            _ = try await transaction.query("UPDATE sources SET digest = \(digest) WHERE name = \(source.name)")
            return ((), [])
        }
        (summary.regionNames, summary.regions) = (names.count, regions.map(\.name))
        return summary
    }

    /// Lines of a code, a name, and other names.
    private static func names(in pieces: [[UInt8]?], _ summary: inout ImportSummary) throws -> [RegionName] {
        var found: [String: RegionName] = [:]
        for piece in pieces {
            do throws(LeftOut) {
                guard let piece else { throw .tooLarge }
                let columns = try piece[...].utf8().split(separator: "\t").map { String($0).oneLine }
                guard let code = columns.first, !code.hasPrefix("#") else { continue }
                guard columns.count >= 2, code.utf8.count <= 40, !columns[1].isEmpty, columns[1].utf8.count <= 400
                else {
                    throw .malformed
                }
                // GeoNames has the number of the region in its last column.
                let others = columns.dropFirst(2).filter { !$0.isEmpty && $0.utf8.count <= 400 && Int($0) == nil }
                found[code] = RegionName(
                    code: code, name: columns[1], others: others.prefix(RegionName.mostOthers).map(\.self))
            } catch {
                summary.leftOut[error, default: 0] += 1
            }
        }
        guard !found.isEmpty else { throw ImportProblem.nothing }
        return found.values.sorted { $0.code < $1.code }
    }
}

/// What a state or a country is called.
struct RegionName: Hashable, Sendable {
    static let mostOthers = 100

    /// `FI`, `FI.01`
    var code: String
    var name: String
    /// In other languages, or for short.
    var others: [String] = []
}
