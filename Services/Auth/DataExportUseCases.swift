import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked about the archive of one's own data.
struct DataExportUseCases: Sendable {
    let database: any AuthDatabase
    let now: @Sendable () -> Date

    /// Begins to gather, unless that is under way.
    func request(_ context: RequestContext) async throws -> DataExport {
        let person = try context.caller.requirePerson()
        let now = now()
        return try await database.command(context) { transaction in
            let exports = transaction.stores.exports
            if let found = try await exports.export(of: person, locked: true), found.readyAt == nil { return found }
            guard try await transaction.accounts.account(person, locked: false) != nil else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            let export = DataExport(
                id: .new(at: now), requestedAt: now,
                parts: DataExportPolicy.services.map { DataExportPart(service: $0.rawValue) })
            try await exports.put(export, of: person)
            return export
        }
    }

    func export(for caller: Caller) async throws -> DataExport {
        let person = try caller.requirePerson()
        guard let export = try await database.stores.exports.export(of: person, locked: false) else {
            throw ServiceError.notFound("archive")
        }
        return export
    }

    /// - Throws: `wrongState` while it is not ready, or where there is none.
    func page(_ query: DataExportPageQuery, for caller: Caller) async throws -> DataExportPage {
        let person = try caller.requirePerson()
        guard let page = try await database.stores.exports.page(max(0, query.number), of: person) else {
            throw ServiceError(.wrongState, "The archive is not ready.")
        }
        return page
    }
}
