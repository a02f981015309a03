import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Puts mails of what people have not seen among those that wait for delivery: a while after it happened, at the end of their quiet hours,
/// or at their hour of the day.
///
/// Any number of replicas may run. A notice is taken by a lease (`mail_at`), and is off the list in the transaction that writes its mail:
/// no process that ends in between sends it twice, or never.
struct NoticeMailer: Service, CustomStringConvertible {
    /// How people are written to; who is not among the answers is not.
    typealias AskContacts = @Sendable ([PersonID]) async throws -> [Contact]

    let database: Database
    let campuses: CampusSeparation
    let policy: NoticePolicy
    let seal: MailSeal
    let contacts: AskContacts
    let logger: Logger
    let now: @Sendable () -> Date
    var pause = Duration.seconds(1)
    var batch = 200
    var lease: TimeInterval = 60

    var description: String { "notice mailer" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "mails of notices wait") {
            try await round() >= batch
        }
    }

    private struct Pending: Sendable {
        let kept: KeptInboxNotice
        var notice: InboxNotice { kept.notice }
    }

    /// - Returns: How many notices were looked at.
    @discardableResult
    func round() async throws -> Int {
        let (now, until) = (now().inMilliseconds, now().addingTimeInterval(lease).inMilliseconds)
        let taken = try await take(now: now, until: until)
        guard !taken.isEmpty else { return 0 }
        let people = Array(Set(taken.map(\.kept.person)))
        let wanted = try await NoticeSettingsStore.preferences(of: people, policy) { try await database.read($0) }
        let seen = try await Presence.last(of: people) { try await database.read($0) }

        var (due, later, dropped) = ([PersonID: [Pending]](), [(InboxNoticeID, Date)](), [InboxNoticeID]())
        for pending in taken {
            let (person, notice) = (pending.kept.person, pending.notice)
            let preferences = wanted[person] ?? .usual(policy)
            let time = preferences.mailTime(
                of: notice.kind, at: pending.kept.began(policy), seen: seen[person], now: now, policy)
            switch time {
            case nil: dropped.append(notice.id)
            case let time? where time > now: later.append((notice.id, time))
            default: due[person, default: []].append(pending)
            }
        }
        try await put(later, dropped, lease: until)
        try await write(due, wanted, lease: until)
        return taken.count
    }

    /// What is due, with all that is due for the same people, so that a day's mail is one however many get theirs at that hour. What is not
    /// shown yet waits until it is, which is a moment.
    private func take(now: Date, until: Date) async throws -> [Pending] {
        // Looked for without a transaction first: mostly there is nothing.
        guard
            try await !database.read("SELECT FROM notices WHERE mail_at <= \(now) AND told ORDER BY mail_at LIMIT 1")
                .isEmpty
        else { return [] }
        return try await database.transaction { transaction in
            // One at a time: of two at once, each would have a part of what is one person's.
            _ = try await transaction.query(.lock("mails of notices", "taking"))
            return try await transaction.query(
                """
                UPDATE notices SET mail_at = \(until)
                WHERE id IN (
                    SELECT id FROM notices
                    WHERE person = ANY(ARRAY(
                            SELECT person FROM notices WHERE mail_at <= \(now) AND told ORDER BY mail_at
                            LIMIT \(unescaped: "\(batch)")))
                        AND told AND read_at IS NULL AND mail_at <= \(now)
                    FOR UPDATE SKIP LOCKED)
                RETURNING \(InboxSQL.columns)
                """
            ).map { Pending(kept: try KeptInboxNotice($0, policy.kinds)) }
        }
    }

    /// Whatever changed meanwhile is left as it is: it was seen, or its person has chosen otherwise.
    private func put(_ later: [(InboxNoticeID, Date)], _ dropped: [InboxNoticeID], lease: Date) async throws {
        if !later.isEmpty {
            _ = try await database.query(
                """
                UPDATE notices SET mail_at = later.at
                FROM unnest(\(later.map(\.0))::uuid[], \(later.map(\.1))::timestamptz[]) AS later (id, at)
                WHERE notices.id = later.id AND mail_at = \(lease)
                """)
        }
        if !dropped.isEmpty {
            _ = try await database.query(
                "UPDATE notices SET mail_at = NULL WHERE id = ANY(\(dropped)) AND mail_at = \(lease)")
        }
    }

    private func write(
        _ due: [PersonID: [Pending]], _ wanted: [PersonID: NoticePreferences], lease: Date
    ) async throws {
        guard !due.isEmpty else { return }
        let ids = Set(due.keys).union(due.values.joined().compactMap(\.kept.actor)).sorted()
        var known: [PersonID: Contact] = [:]
        for start in stride(from: 0, to: ids.count, by: ContactsQuery.largest) {
            let asked = Array(ids[start..<min(start + ContactsQuery.largest, ids.count)])
            for contact in try await contacts(asked) { known[contact.person] = contact }
        }
        for (person, pending) in due.sorted(by: { $0.key < $1.key }) {
            guard let contact = known[person], let address = contact.email else {
                // No account, suspended, or an address that may be a stranger's: there is nobody to write to.
                try await put([], pending.map(\.notice.id), lease: lease)
                continue
            }
            let isDigest = wanted[person]?.mail == .daily
            try await write(pending, to: contact, at: address, usernames: known, isDigest: isDigest, lease: lease)
        }
    }

    /// One mail, with what is still unseen when it is written.
    private func write(
        _ pending: [Pending], to contact: Contact, at address: String, usernames: [PersonID: Contact], isDigest: Bool,
        lease: Date
    ) async throws {
        let accepted = now().inMilliseconds
        try await database.transaction { transaction in
            let statements = InboxSQL(campuses: campuses, now: accepted)
            let rows = try await transaction.query(
                """
                UPDATE notices SET mail_at = NULL
                WHERE id = ANY(\(pending.map(\.notice.id))) AND mail_at = \(lease)
                RETURNING id, coalesce(told AND \(statements.isNews), false) AS wanted
                """)
            let left = Set(
                try rows.filter { try $0.get("wanted") }.map { try $0.get("id", as: InboxNoticeID.self) })
            let lines = pending.filter { left.contains($0.notice.id) }
                .sorted { $0.notice.at > $1.notice.at }
                .map { pending in
                    InboxMail.Line(
                        notice: pending.notice.id, kind: pending.notice.kind, count: pending.notice.count,
                        username: pending.kept.actor.flatMap { usernames[$0]?.username }, link: pending.notice.link,
                        variant: pending.notice.variant, values: pending.notice.values)
                }
            guard !lines.isEmpty else { return }
            let order = InboxMail(
                to: address, language: contact.language, person: contact.person, lines: lines, isDigest: isDigest)
            let id = UUID.version7(at: accepted)
            try await transaction.query(
                """
                INSERT INTO mails (id, channel, template, sealed, accepted_at, due_at, expires_at)
                VALUES (\(id), \(MailChannel.mail.rawValue), \(InboxMail.template), \(try seal.seal(order, of: id)),
                    \(accepted), \(accepted), \(accepted + policy.mailLifetime))
                """)
        }
    }
}

extension NoticeMailer: MailedNotices {
    func stillWanted(_ notices: [InboxNoticeID], of person: PersonID) async throws -> Set<InboxNoticeID> {
        let preferences =
            try await NoticeSettingsStore.preferences(of: [person], policy) { try await database.read($0) }[person]
            ?? .usual(policy)
        guard preferences.mail != .never else { return [] }
        let statements = InboxSQL(campuses: campuses, now: now())
        let rows = try await database.read(
            """
            SELECT id, kind FROM notices
            WHERE id = ANY(\(notices)) AND person = \(person) AND \(statements.isNews)
            """)
        return Set(
            try rows.filter { preferences.choice(try InboxNoticeKind($0)).mail }
                .map { try $0.get("id", as: InboxNoticeID.self) })
    }
}

/// When people last had a page open.
enum Presence {
    static func last(of people: [PersonID], asking: (SQLQuery) async throws -> PostgresRows) async throws
        -> [PersonID: Date]
    {
        let rows = try await asking("SELECT person, seen_at FROM presence WHERE person = ANY(\(people))")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("person", as: PersonID.self), try $0.get("seen_at")) })
    }
}

extension Date {
    /// As it is written on the wire, and as exactly as times are compared here.
    var inMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}
