import Crypto
import FoundationEssentials
import Postgres
import WireProtocol

/// Where a file's places come from.
struct PlaceSource: Hashable, Sendable {
    var name: String
    var licence: String
    var attribution: String
    var url: String?
}

/// Brings one file into the tables: all of it, or nothing.
struct PlaceImport: Sendable {
    let pool: PostgresPool
    var source: PlaceSource
    var format: ImportFormat
    var kind: PlaceKind?
    /// So many places travel to the server at once.
    var batch = 1000
    /// Told how many were read so far, each time when there are so many more.
    var progress: @Sendable (Int) -> Void = { _ in }
    var progressEvery = 20_000
    /// Whether the source may lose more than half of what it has.
    var mayShrink = false
    /// From so many new or changed places on the table of names is made anew, where there are names already.
    var namesAnewFrom = 100_000

    /// Of how files are read: with a new one, all are read again.
    static let version = 4

    /// - Parameter next: The next bytes of the file; empty at its end.
    func run(_ next: @Sendable @escaping () throws -> [UInt8]) async throws -> ImportSummary {
        if format.saysRegions { return try await bringRegions(next) }
        return try await pool.transaction(patience: .seconds(7200)) { transaction in
            let tables = PostgresPlaceImport(
                transaction: transaction, source: source, mayShrink: mayShrink, namesAnewFrom: namesAnewFrom)
            try await tables.begin()
            var summary = ImportSummary()
            let hash = try await read(next, into: &summary) { records in try await tables.stage(records) }
            try summary.check()
            try await tables.apply(&summary, digest: digest(of: hash))
            return (summary, [])
        }
    }

    /// Of the whole file; the same file read in another way is another one.
    func digest(of bytes: SHA256) -> String {
        let hex = HexText.text(of: bytes.finalize())
        return "\(Self.version) \(format.rawValue) \(kind?.rawValue ?? "-") \(hex)"
    }

    /// - Returns: The digest of all that was read.
    private func read(
        _ next: () throws -> [UInt8], into summary: inout ImportSummary,
        _ store: ([PlaceRecord]) async throws -> Void
    ) async throws -> SHA256 {
        var (cutter, reader, hash, told) = (format.cutter, format.reader(kind: kind), SHA256(), 0)
        var last: UInt8?
        var records: [PlaceRecord] = []
        func take(_ piece: Piece) {
            do throws(LeftOut) {
                guard let piece else { throw .tooLarge }
                guard let record = try reader.read(piece) else { return }
                let checked = try record.checked()
                summary.kinds[checked.kind, default: 0] += 1
                records.append(checked)
            } catch {
                summary.leftOut[error, default: 0] += 1
            }
        }
        while true {
            let bytes = try next()
            let isEnd = bytes.isEmpty
            if isEnd {
                let before = summary.halves(of: format)
                guard cutter.finish(take) else { throw ImportProblem.endsInTheMiddle }
                // A last line that nothing ends may be whole; one that cannot be read is not.
                if last != UInt8(ascii: "\n"), summary.halves(of: format) > before {
                    throw ImportProblem.endsInTheMiddle
                }
            } else {
                if last == nil, let problem = FirstBytes.problem(of: bytes) { throw problem }
                last = bytes.last
                hash.update(data: bytes)
                cutter.cut(bytes[...], take)
            }
            if let problem = (reader as? CSVPlaces)?.problem { throw problem }
            while records.count >= batch || isEnd && !records.isEmpty {
                try await store(Array(records.prefix(batch)))
                records.removeFirst(min(batch, records.count))
            }
            if summary.read >= told + progressEvery {
                told = summary.read
                progress(told)
            }
            if isEnd { return hash }
        }
    }
}
