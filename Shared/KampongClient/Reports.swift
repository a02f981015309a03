import Foundation
public import WireProtocol

// Reports, and what moderators do.

extension KampongClient {
    /// Tells moderators of something that one sees; whom it is about is not told.
    public func report(_ draft: ReportDraft, key: String? = nil) async throws -> Report {
        try await call(.post, "v1/reports", body: draft, key: key)
    }

    /// What moderators did about oneself, until it is read.
    public func notices() async throws -> Page<Notice> { try await call(.get, "v1/me/notices") }

    public func read(_ id: NoticeID, key: String? = nil) async throws {
        let _: Nothing = try await call(.put, "v1/me/notices/\(id)/read", key: key)
    }

    // MARK: For moderators

    /// What is reported: open cases with the oldest first, or decided ones with the latest decision first.
    public func cases(
        _ state: CaseState = .open, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<ModerationCase> {
        try await call(
            .get, "v1/moderation/cases",
            query: Self.query([("state", state.rawValue), ("limit", limit.map(String.init)), ("cursor", cursor)]))
    }

    /// A case with what it takes to decide it.
    public func caseFile(_ id: CaseID) async throws -> CaseFile { try await call(.get, "v1/moderation/cases/\(id)") }

    /// Does something about a case. Who names a version that is no more, hears that somebody was faster (`already_decided`).
    public func act(_ draft: ActDraft, on id: CaseID, key: String? = nil) async throws -> ModerationCase {
        try await call(.post, "v1/moderation/cases/\(id)/acts", body: draft, key: key)
    }

    /// What moderators and operators did, the latest first.
    public func audit(
        of person: PersonID? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<AuditEntry> {
        try await call(
            .get, "v1/moderation/audit",
            query: Self.query([
                ("person", person?.description), ("limit", limit.map(String.init)), ("cursor", cursor),
            ]))
    }
}
