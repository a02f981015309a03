import FoundationEssentials
import WireProtocol

/// Archives that are being gathered, and those that are ready.
protocol DataExportStore: Sendable {
    /// The person's one, if there is any.
    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func export(of person: PersonID, locked: Bool) async throws -> DataExport?
    /// In the place of one that was there.
    func put(_ export: DataExport, of person: PersonID) async throws
    /// Takes parts that are due, so that nobody else takes them before `lease`.
    func claim(atMost count: Int, now: Date, lease: Date) async throws -> [DueExportPart]
    /// Keeps a page of a part, encrypted; nothing happens where somebody else has kept it, or where the export is gone.
    func keep(_ page: Page<PersonalRecord>, of part: DueExportPart, now: Date, expiresAt: Date) async throws
    func postpone(_ part: DueExportPart, to date: Date) async throws
    /// Of an archive that is ready; nil where there is no such page.
    func page(_ number: Int, of person: PersonID) async throws -> DataExportPage?
    func prune(now: Date, requestedBefore date: Date) async throws
}

/// What is to be asked of one service next.
struct DueExportPart: Hashable, Sendable {
    let export: DataExportID
    let person: PersonID
    let service: String
    /// How many pages there are.
    let pages: Int
    let cursor: String?
    let attempts: Int
}

enum DataExportPolicy {
    /// Who is asked. The pictures are named in their records, and the gateway has them.
    static let services = Capability.personalData.services
    /// How long an archive can be fetched, in seconds.
    static let lifetime: TimeInterval = 2 * 86_400
    /// After which one that never became ready is given up.
    static let patience: TimeInterval = 14 * 86_400
}
