import FoundationEssentials
import Logging
import Reactor
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Hands mails and texts over to the notification service until it has acknowledged each.
///
/// What a mail says is made at this moment, and the same request id is used each time: a mail is taken on once, whoever dies in between.
struct OutgoingMails: Service, CustomStringConvertible {
    enum Order: Hashable, Sendable {
        case mail(MailOrder)
        case text(TextOrder)
    }

    /// Asks notification.
    typealias Send = @Sendable (_ order: Order, _ id: UUID) async throws -> Void

    let database: any AuthDatabase
    let secrets: AuthSecrets
    let resets: ResetPolicy
    let campuses: CampusDirectory
    let logger: Logger
    let now: @Sendable () -> Date
    let send: Send
    var batch = 20
    var pause = Duration.milliseconds(500)
    /// Longer than one request to notification may take.
    var lease: TimeInterval = 30

    init(
        database: any AuthDatabase, secrets: AuthSecrets, resets: ResetPolicy, campuses: CampusDirectory,
        logger: Logger, now: @escaping @Sendable () -> Date, send: @escaping Send
    ) {
        self.database = database
        self.secrets = secrets
        self.resets = resets
        self.campuses = campuses
        self.logger = logger
        self.now = now
        self.send = send
    }

    var description: String { "outgoing mails" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "mails wait for the database") {
            try await round() == batch
        }
    }

    /// Hands over what is due.
    /// - Returns: How many were tried.
    func round() async throws -> Int {
        let now = now()
        let mails = try await database.stores.outgoing.claim(
            atMost: batch, now: now, lease: now.addingTimeInterval(lease))
        for mail in mails { try await handOver(mail) }
        return mails.count
    }

    private func handOver(_ mail: OutgoingMail) async throws {
        let outgoing = database.stores.outgoing
        guard mail.expiresAt > now(), let order = try await order(for: mail) else {
            return try await forget(mail)
        }
        do {
            try await send(order, mail.id)
            try await forget(mail)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier one was taken on, and an account has changed since.
            try await forget(mail)
        } catch let error as ServiceError where error.code == .invalid {
            // The address, which is nobody's business here.
            logger.error("notification refuses a mail", metadata: ["mail": .string(mail.id.uuidString.lowercased())])
            try await forget(mail)
        } catch {
            if Task.isCancelled { throw error }
            logger.warning("notification is away; a mail waits", metadata: ["reason": .string("\(error)")])
            try await outgoing.postpone(mail, to: now().addingTimeInterval(Self.wait(after: mail.attempts)))
        }
    }

    static func wait(after attempts: Int) -> TimeInterval {
        TimeInterval(Backoff.step(attempts - 1, first: .seconds(1), limit: .seconds(15)).components.seconds)
    }

    /// Nil where there is nobody to write to.
    private func order(for mail: OutgoingMail) async throws -> Order? {
        switch mail.kind {
        case .passwordReset: try await resetOrder(for: mail).map(Order.mail)
        case .campusCode: try await codeOrder(for: mail).map(Order.mail)
        case .emailCode: try await emailOrder(for: mail).map(Order.mail)
        case .leftAddress: try await leftOrder(for: mail).map(Order.mail)
        case .erasure: try await erasureOrder(for: mail).map(Order.mail)
        case .notice: try await noticeOrder(for: mail).map(Order.mail)
        case .phoneCode: try await textOrder(for: mail).map(Order.text)
        }
    }

    private func textOrder(for text: OutgoingMail) async throws -> TextOrder? {
        guard let verification = try await database.stores.phones.verification(text.id) else { return nil }
        return TextOrder(
            to: verification.phone.text, language: text.language,
            phoneCode: PhoneCodeText(
                code: secrets.phoneCode(of: verification.id),
                minutes: verification.minutes),
            expiresAt: verification.expiresAt)
    }

    private func resetOrder(for mail: OutgoingMail) async throws -> MailOrder? {
        guard let reset = try await database.stores.resets.reset(mail.id),
            let found = try await database.stores.credentials.account(at: reset.emailDigest)
        else { return nil }
        let token = ResetToken(
            reset: reset.id, account: found.account.id, passwordHash: found.passwordHash, secrets)
        let account = PasswordResetMail.Account(
            since: String(WireJSON.text(of: found.account.joinedAt).prefix(10)),
            username: found.account.profile.username, token: token.text)
        return MailOrder(
            to: found.account.email.text, language: mail.language,
            passwordReset: PasswordResetMail(minutes: Int(resets.lifetime / 60), accounts: [account]),
            expiresAt: reset.expiresAt)
    }

    private func noticeOrder(for mail: OutgoingMail) async throws -> MailOrder? {
        guard let kept = try await database.stores.notices.notice(NoticeID(mail.id)),
            let account = try await database.stores.accounts.account(kept.person, locked: false),
            let address = account.mailbox
        else { return nil }
        let notice = kept.notice
        return MailOrder(
            to: address.text, language: mail.language,
            notice: NoticeMail(
                kind: notice.kind, text: notice.text,
                until: notice.until.map { String(WireJSON.text(of: $0).prefix(10)) }), expiresAt: mail.expiresAt)
    }

    private func emailOrder(for mail: OutgoingMail) async throws -> MailOrder? {
        guard let verification = try await database.stores.addresses.verification(mail.id) else { return nil }
        return MailOrder(
            to: verification.email.text, language: mail.language,
            emailCode: EmailCodeMail(
                code: secrets.emailCode(of: verification.id),
                minutes: verification.minutes),
            expiresAt: verification.expiresAt)
    }

    private func leftOrder(for mail: OutgoingMail) async throws -> MailOrder? {
        guard let address = try await database.stores.addresses.left(for: mail.id) else { return nil }
        return MailOrder(
            to: address.text, language: mail.language, notice: NoticeMail(kind: .emailChanged, text: nil, until: nil),
            expiresAt: mail.expiresAt)
    }

    private func codeOrder(for mail: OutgoingMail) async throws -> MailOrder? {
        guard let verification = try await database.stores.verifications.verification(mail.id),
            let campus = campuses[verification.campus]
        else { return nil }
        return MailOrder(
            to: verification.email.text, language: mail.language,
            campusCode: CampusCodeMail(
                code: secrets.campusCode(of: verification.id),
                minutes: verification.minutes,
                campus: campus.name), expiresAt: verification.expiresAt)
    }

    private func erasureOrder(for mail: OutgoingMail) async throws -> MailOrder? {
        let id = ErasureID(mail.id)
        guard let address = try await database.stores.erasures.address(of: id) else { return nil }
        return MailOrder(
            to: address.text, language: mail.language, erasure: ErasureMail(id: id), expiresAt: mail.expiresAt)
    }

    /// It is notification's, or nobody's.
    private func forget(_ mail: OutgoingMail) async throws {
        try await database.stores.outgoing.remove(mail.id)
        if mail.kind == .erasure { try await database.stores.erasures.forgetAddress(of: ErasureID(mail.id)) }
    }
}
