import WireProtocol

// Which notices are asked for: checked queries. Pure.

/// One page of somebody's inbox, the newest first.
struct InboxPage: Hashable, Sendable {
    var isUnread: Bool
    var limit: Int
    /// The last notice of the page before.
    var after: MomentCursor?

    init(limit: Int, after: MomentCursor?, isUnread: Bool = false) {
        (self.limit, self.after, self.isUnread) = (limit, after, isUnread)
    }

    /// - Throws: `invalid`.
    init(_ query: InboxQuery) throws(ServiceError) {
        var errors: [FieldError] = []
        isUnread = query.unread ?? false
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MomentCursor($0) }
        guard errors.isEmpty else { throw .invalid(errors) }
    }
}

extension MomentCursor {
    init(_ notice: InboxNotice) { self.init(notice.at, notice.id.uuid) }
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
