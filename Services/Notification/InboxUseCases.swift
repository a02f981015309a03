import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// What people can ask of their inbox.
struct InboxUseCases: Sendable {
    let database: Database
    let people: PeopleProjection
    let book: PostgresNoticeBook
    let now: @Sendable () -> Date

    private var statements: InboxSQL { InboxSQL(campuses: people.campuses, now: now()) }

    func notices(_ query: InboxQuery, for caller: Caller) async throws -> Page<InboxNotice> {
        let me = try caller.requirePerson()
        let page = try InboxPage(query)
        return try await answer(FoundPage(try await kept(page, of: me), of: page.limit), to: me)
    }

    func count(for caller: Caller) async throws -> InboxCount {
        let me = try caller.requirePerson()
        return try InboxCount(try await database.read(statements.count(of: me)))
    }

    /// It does no harm to do so twice.
    func markRead(_ mark: InboxMark, _ context: RequestContext) async throws -> InboxCount {
        let me = try context.caller.requirePerson()
        let marked = try MarkedNotices(mark)
        return try await database.command(context) { [book] transaction in
            try await book.read(where: marked.condition(of: me, asOf: mark.asOf), of: me, in: transaction)
            return try await book.count(of: me, in: transaction)
        }
    }

    /// They stay unread, and are told of nowhere else.
    func markSeen(_ mark: InboxMark, _ context: RequestContext) async throws -> InboxCount {
        let me = try context.caller.requirePerson()
        let marked = try MarkedNotices(mark)
        return try await database.command(context) { [book] transaction in
            try await book.see(where: marked.condition(of: me, asOf: mark.asOf), of: me, in: transaction)
            return try await book.count(of: me, in: transaction)
        }
    }

    /// That somebody has a page open. Nothing is remembered of the request: the moment is, and never moves back.
    func noteSeen(_ caller: Caller) async throws {
        let me = try caller.requirePerson()
        _ = try await database.query(
            """
            INSERT INTO presence (person, seen_at)
            SELECT \(me), \(now()) WHERE NOT EXISTS (SELECT FROM people_erased WHERE id = \(me))
            ON CONFLICT (person) DO UPDATE SET seen_at = greatest(presence.seen_at, excluded.seen_at)
            """)
    }

    /// For services: which of these stand in the inbox, as its person sees it, and were neither seen nor read.
    func unseen(_ query: UnseenQuery) async throws -> UnseenKeys {
        guard query.keys.count <= UnseenQuery.largest else {
            throw ServiceError.invalid([FieldError("keys", "too_many", "At most \(UnseenQuery.largest) at once.")])
        }
        if query.keys.isEmpty { return UnseenKeys(keys: []) }
        let rows = try await database.read(statements.unseen(query.keys, of: query.person))
        return UnseenKeys(keys: try rows.map { NoticeKey(rawValue: try $0.get("key")) })
    }

    private func kept(_ page: InboxPage, of person: PersonID) async throws -> [KeptInboxNotice] {
        try await database.read(statements.page(page, of: person)).map { try KeptInboxNotice($0, book.policy.kinds) }
    }

    private func answer(_ found: FoundPage<KeptInboxNotice>, to person: PersonID) async throws -> Page<InboxNotice> {
        let known = try await people.summaries(of: Set(found.shown.compactMap(\.actor)), for: person)
        return Page(
            items: found.shown.map { $0.named(known) }, next: found.last.map { MomentCursor($0.notice).text })
    }

    // MARK: The person's archive

    /// What is kept about somebody: what they were told, and what they want to be told.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("notifications") { person, cursor in
                let page = InboxPage(limit: PageSize.largest, after: cursor.flatMap { MomentCursor($0) })
                let found = FoundPage(try await kept(page, of: person), of: page.limit)
                let notices = try await answer(found, to: person)
                return Page(
                    items: try notices.items.map { try PersonalRecord("notifications", $0) }, next: notices.next)
            },
            .init("notification-settings") { person, _ in
                let kept = try await NoticeSettingsStore(database: database, policy: book.policy).kept(of: person)
                return Page(items: try kept.map { [try PersonalRecord("notification-settings", $0.answer)] } ?? [])
            },
        ]
    }
}

extension MarkedNotices {
    /// - Parameter moment: What has happened since was not looked at; to the millisecond, as it is written.
    func condition(of person: PersonID, asOf moment: Date?) -> SQLQuery {
        let all = condition(of: person)
        return moment.map { "\(all) AND happened_at < \($0.addingTimeInterval(0.001))" } ?? all
    }

    /// Of one person alone: ids of others are passed over.
    private func condition(of person: PersonID) -> SQLQuery {
        switch self {
        case .these(let ids): "person = \(person) AND told AND id = ANY(\(ids)::uuid[])"
        case .upTo(let last):
            """
            person = \(person) AND told AND (happened_at, id)
                <= (SELECT happened_at, id FROM notices AS last WHERE last.id = \(last) AND last.person = \(person))
            """
        case .about(let subject):
            "person = \(person) AND subject_kind = \(subject.kind.rawValue) AND subject_id = \(subject.id)"
        }
    }
}
