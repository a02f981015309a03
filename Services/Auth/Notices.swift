import FoundationEssentials
import Messaging
import WireProtocol

// What people are told of what moderators did: by mail, and in their account until they have read it.

/// A notice as it is kept; it goes with the account.
struct KeptNotice: Hashable, Sendable {
    let notice: Notice
    let person: PersonID

    init(
        _ id: NoticeID, _ kind: NoticeKind, for person: PersonID, title: String? = nil, text: String? = nil,
        until: Date? = nil, at now: Date
    ) {
        self.init(
            notice: Notice(id: id, kind: kind, at: now, title: title, text: text, until: until), person: person)
    }

    init(notice: Notice, person: PersonID) {
        self.notice = notice
        self.person = person
    }

    /// How long a mail with it is worth being delivered.
    static let mailLifetime: TimeInterval = 7 * 86_400
}

protocol NoticeStore: Sendable {
    /// - Returns: False where there is one of this id already, or nobody to be told.
    func add(_ notice: KeptNotice) async throws -> Bool
    /// The latest first.
    func unread(by person: PersonID, atMost limit: Int) async throws -> [Notice]
    /// All of somebody's, read or not, in the same order; one more than `limit` where there are more.
    func notices(of person: PersonID, after: MomentCursor?, limit: Int) async throws -> [Notice]
    func notice(_ id: NoticeID) async throws -> KeptNotice?
    /// - Returns: False where there is none of theirs.
    func read(_ id: NoticeID, by person: PersonID, at now: Date) async throws -> Bool
    /// In which the person last signed in, or which they have chosen since.
    func language(of person: PersonID) async throws -> String?
    /// The same of many; who used none is not there.
    func languages(of people: [PersonID]) async throws -> [PersonID: String]
    func keep(language: String, of person: PersonID) async throws
}

/// What can be asked of notices.
struct NoticeUseCases: Sendable {
    let database: any AuthDatabase
    let now: @Sendable () -> Date

    private static let most = 20

    func unread(for caller: Caller) async throws -> Page<Notice> {
        let me = try caller.requirePerson()
        return Page(items: try await database.stores.notices.unread(by: me, atMost: Self.most))
    }

    /// In which notices are written from now on.
    func set(language: String?, _ context: RequestContext) async throws {
        let me = try context.caller.requirePerson()
        _ = try await database.command(context) { transaction in
            guard try await transaction.accounts.account(me, locked: false) != nil else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            try await transaction.stores.notices.keep(language: Language.code(language), of: me)
            return Nothing()
        }
    }

    /// It does no harm to do so twice.
    func read(_ id: NoticeID, _ context: RequestContext) async throws {
        let me = try context.caller.requirePerson()
        let now = now()
        _ = try await database.command(context) { transaction in
            guard try await transaction.stores.notices.read(id, by: me, at: now) else {
                throw ServiceError.notFound("notice")
            }
            transaction.publish(NoticeRead(person: me, notice: id), "notice/\(id)")
            return Nothing()
        }
    }
}

extension AuthTransaction {
    /// Tells somebody, once for each id: a mail is on its way with the notice's own id, and their inbox hears of it.
    func tell(_ kept: KeptNotice, at now: Date) async throws {
        guard try await stores.notices.add(kept) else { return }
        let notice = kept.notice
        let mail = OutgoingMail(
            id: notice.id.uuid, kind: .notice,
            language: try await stores.notices.language(of: kept.person) ?? Language.code(nil),
            expiresAt: now.addingTimeInterval(KeptNotice.mailLifetime))
        try await stores.outgoing.add(mail, dueAt: now)
        publish(
            NoticeGiven(
                person: kept.person, notice: notice.id, kind: notice.kind,
                title: notice.kind.isOfPost ? notice.title : nil),
            "notice/\(notice.id)")
    }
}

extension NoticeKind {
    /// What a spot is called is said by listings anyway. What people call their passkeys stays here.
    fileprivate var isOfPost: Bool { self == .hidden || self == .restored || self == .concerned }
}
