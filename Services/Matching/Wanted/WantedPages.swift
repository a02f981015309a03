import FoundationEssentials
import Logging
import Postgres
import WireProtocol

/// One page of somebody's searches, the newest first.
struct WantedPage: Hashable, Sendable {
    var person: PersonID
    var limit = PageSize.usual
    var after: WantedID?

    /// - Throws: `invalid`, or `unauthenticated`.
    init(_ query: WantedListQuery, for caller: Caller) throws {
        person = try caller.requirePerson()
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { WantedID($0) }
        guard errors.isEmpty else { throw WantedError.invalid(errors) }
    }

    /// Answers the first `limit` + 1.
    var statement: SQLQuery { Self.statement(of: person, after: after, atMost: limit + 1) }

    static func statement(of person: PersonID, after: WantedID?, atMost limit: Int) -> SQLQuery {
        let earlier: SQLQuery = after.map { "AND id < \($0)" } ?? ""
        return """
            SELECT \(WantedSearch.columns) FROM wanted WHERE person = \(person) \(earlier)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit)")
            """
    }
}

/// A search in a list.
struct ListedSearch: Hashable, Sendable {
    let id: WantedID
    /// Nil where it cannot be read: the others are listed without it, and its person can still remove it.
    let search: WantedSearch?

    init(_ row: PostgresRow, logger: Logger) throws {
        id = try row.get("id")
        do { search = try WantedSearch(row) } catch {
            logger.error(
                "a standing search cannot be read", metadata: ["wanted": "\(id)", "reason": .string("\(error)")])
            search = nil
        }
    }
}

/// One page of what a search has found, with what was there when it began; the latest first.
struct FindPage: Hashable, Sendable {
    var wanted: WantedID
    var limit = PageSize.usual
    var after: MomentCursor?

    /// - Throws: `invalid`.
    init(_ query: WantedFindQuery) throws {
        wanted = query.id
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MomentCursor($0) }
        guard errors.isEmpty else { throw WantedError.invalid(errors) }
    }

    /// Answers the first `limit` + 1.
    var statement: SQLQuery {
        let earlier: SQLQuery = after.map { "AND (found_at, subject) < (\($0.time), \($0.id))" } ?? ""
        return """
            SELECT kind, subject, found_at FROM all_finds WHERE wanted = \(wanted) \(earlier)
            ORDER BY found_at DESC, subject DESC LIMIT \(unescaped: "\(limit + 1)")
            """
    }
}

/// Something that a search has found.
struct StoredFind: Hashable, Sendable {
    var subject: Subject
    var foundAt: Date

    init(_ row: PostgresRow) throws {
        subject = try Subject(row)
        foundAt = try row.get("found_at")
    }

    /// What the page after it begins with.
    var cursor: MomentCursor { MomentCursor(foundAt, subject.id.uuid) }
}
