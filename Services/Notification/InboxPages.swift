import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Which notices are asked for: checked queries. Pure.

/// One page of somebody's inbox, the newest first.
struct InboxPage: Hashable, Sendable {
    static let usual = 20
    static let largest = 100

    var isUnread: Bool
    var limit: Int
    /// The last notice of the page before.
    var after: InboxCursor?

    init(limit: Int, after: InboxCursor?, isUnread: Bool = false) {
        (self.limit, self.after, self.isUnread) = (limit, after, isUnread)
    }

    /// - Throws: `invalid`.
    init(_ query: InboxQuery) throws(ServiceError) {
        var errors: [FieldError] = []
        isUnread = query.unread ?? false
        limit = query.limit ?? Self.usual
        if !(1...Self.largest).contains(limit) {
            errors.append(FieldError("limit", "out_of_range", "Between 1 and \(Self.largest)."))
        }
        after = query.cursor.flatMap { InboxCursor($0) }
        if query.cursor != nil, after == nil {
            errors.append(FieldError("cursor", "not_a_cursor", "This is not a cursor of this list."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }
}

/// The place of a notice in a list. Opaque to everybody else.
struct InboxCursor: Hashable, Sendable {
    /// Unix milliseconds, as precisely as notices are kept.
    let moment: Int64
    let id: UUID

    init(_ notice: InboxNotice) {
        moment = Int64((notice.at.timeIntervalSince1970 * 1000).rounded())
        id = notice.id.uuid
    }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UUID(canonical: String(parts[0])), let moment = Int64(parts[1], radix: 16),
            (0..<Int64(1) << 45).contains(moment)
        else { return nil }
        (self.id, self.moment) = (id, moment)
        // One text for one place: signs, zeros in front and capitals are not ours.
        guard self.text == text else { return nil }
    }

    var date: Date { Date(timeIntervalSince1970: Double(moment) / 1000) }
    var text: String { "\(ID<InboxCursor>(id))~\(String(moment, radix: 16))" }
}

/// Which notices somebody has read or seen.
enum MarkedNotices: Hashable, Sendable {
    static let most = 100

    case these([InboxNoticeID])
    /// That one, and all that are older.
    case upTo(InboxNoticeID)
    /// All about one subject, also what is not shown yet: whoever looks at it knows.
    case about(Subject)

    /// - Throws: `invalid`.
    init(_ mark: InboxMark) throws(ServiceError) {
        switch (mark.ids, mark.upTo, mark.about) {
        case (let ids?, nil, nil):
            guard ids.count <= Self.most else {
                throw .invalid([FieldError("ids", "too_many", "At most \(Self.most) at once.")])
            }
            self = .these(ids)
        case (nil, let last?, nil): self = .upTo(last)
        case (nil, nil, let subject?): self = .about(subject)
        case (nil, nil, nil): throw .invalid([FieldError("ids", "required", "Say which: ids, upTo, or about.")])
        default:
            let field = mark.about == nil ? "upTo" : "about"
            throw .invalid([FieldError(field, "not_both", "Give one of ids, upTo and about.")])
        }
    }
}
