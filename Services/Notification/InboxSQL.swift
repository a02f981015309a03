import FoundationEssentials
import People
import Postgres
import WireProtocol

/// Statements that read notices.
struct InboxSQL: Sendable {
    let campuses: CampusSeparation
    let now: Date

    static let columns: SQLQuery = """
        notices.id, notices.person, notices.kind, notices.actor, notices.subject_kind, notices.subject_id, notices.title,
        notices.variant, notices.facts::text AS facts, notices.count, notices.happened_at, notices.shown_at, notices.seen_at,
        notices.read_at, notices.until
        """

    /// Notices that their person sees: nothing of those from whom they are apart, or who are suspended for as long as that lasts.
    var isVisible: SQLQuery {
        let together: SQLQuery =
            campuses.isOn
            ? """
            AND (SELECT coalesce(campus, '') FROM people WHERE people.id = notices.actor)
                = (SELECT coalesce(campus, '') FROM people WHERE people.id = notices.person)
            """ : ""
        return """
            (notices.actor IS NULL
                OR NOT EXISTS (SELECT FROM blocks WHERE blocks.person = notices.person AND blocks.other = notices.actor)
                AND NOT \(SuspensionProjection.isSuspended("notices.actor", at: now)) \(together))
            """
    }

    /// Notices that a mail or a device may tell of: nothing that was seen since it came, as all is that was read.
    var isNews: SQLQuery { "(notices.seen_at IS NULL AND \(isVisible))" }

    func count(of person: PersonID) -> SQLQuery {
        """
        SELECT count(*) AS unread, count(*) FILTER (WHERE seen_at IS NULL) AS unseen
        FROM notices WHERE person = \(person) AND told AND read_at IS NULL AND \(isVisible)
        """
    }

    /// Of those alone who have anything.
    func counts(of people: [PersonID]) -> SQLQuery {
        """
        SELECT person, count(*) AS unread FROM notices
        WHERE person = ANY(\(people)) AND told AND read_at IS NULL AND \(isVisible) GROUP BY person
        """
    }

    /// By the one that each of somebody's keys has.
    func unseen(_ keys: [NoticeKey], of person: PersonID) -> SQLQuery {
        """
        SELECT key FROM notices WHERE person = \(person) AND key = ANY(\(keys.map(\.rawValue))) AND told AND \(isNews)
        """
    }

    func page(_ page: InboxPage, of person: PersonID) -> SQLQuery {
        let unread: SQLQuery = page.isUnread ? "AND read_at IS NULL" : ""
        let onwards: SQLQuery = page.after.map { "AND (happened_at, id) < (\($0.time), \($0.id))" } ?? ""
        return """
            SELECT \(Self.columns) FROM notices WHERE person = \(person) AND told \(unread) \(onwards) AND \(isVisible)
            ORDER BY happened_at DESC, id DESC LIMIT \(unescaped: "\(page.limit + 1)")
            """
    }
}

extension InboxCount {
    init(_ rows: PostgresRows) throws {
        self.init(unread: try rows[0].get("unread"), unseen: try rows[0].get("unseen"))
    }
}

/// A notice as it is kept.
struct KeptInboxNotice: Hashable, Sendable {
    let person: PersonID
    let actor: PersonID?
    /// When the first of what it tells of, and was not seen, was shown.
    let shownAt: Date
    /// Until when it is of use, where that is a moment and whoever told it says so.
    let until: Date?
    /// But for the actor, who is to be looked up.
    let notice: InboxNotice

    /// When the first of what it tells of, and was not seen, happened. What comes on top of it puts nothing off.
    func began(_ policy: NoticePolicy) -> Date { min(notice.at, shownAt - policy.delay(of: notice.kind)) }

    /// - Parameter kinds: what is true of the kinds that there are.
    init(_ row: PostgresRow, _ kinds: NoticeKinds) throws {
        let (kind, facts) = (try InboxNoticeKind(row), try row.get("facts", as: String?.self))
        guard let subjectKind = SubjectKind(rawValue: try row.get("subject_kind")) else {
            throw PostgresError(.unexpectedValue, debugDetail: "a subject that there is not")
        }
        let subject = Subject(kind: subjectKind, id: try row.get("subject_id"))
        person = try row.get("person")
        actor = try row.get("actor")
        (shownAt, until) = (try row.get("shown_at"), try row.get("until"))
        notice = InboxNotice(
            id: try row.get("id"), kind: kind, subject: subject, actor: nil, count: try row.get("count"),
            title: try row.get("title"), variant: try row.get("variant"),
            values: try facts.map { try WireJSON.decode(NoticeValues.self, from: Array($0.utf8)) },
            link: kinds[kind].link(to: subject, of: person, by: actor), at: try row.get("happened_at"),
            seen: try row.get("seen_at", as: Date?.self) != nil, readAt: try row.get("read_at"))
    }

    func named(_ people: KnownPeople) -> InboxNotice {
        var named = notice
        named.actor = actor.map { people[$0] }
        return named
    }
}
