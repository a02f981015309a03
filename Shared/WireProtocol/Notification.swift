#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Requests and events of the notification service.

/// A mail that shall be sent: to whom, and what it is about. The words are its template's.
///
/// It carries links and codes, so it crosses the bus and stands nowhere else in the clear: no event, no log, no table.
package struct MailOrder: Codable, Hashable, Sendable {
    /// An email address.
    package var to: String
    /// The person's language (`de`); English where there is no template in it.
    package var language: String
    package var template: MailTemplate
    /// What the template is filled with, in the field of its name.
    package var passwordReset: PasswordResetMail?
    package var campusCode: CampusCodeMail?
    package var emailCode: EmailCodeMail?
    package var erasure: ErasureMail?
    package var notice: NoticeMail?
    /// When it is of no more use, and is not delivered any more.
    package var expiresAt: Date

    package init(to: String, language: String, passwordReset: PasswordResetMail, expiresAt: Date) {
        self.init(to, language, .passwordReset, expiresAt)
        self.passwordReset = passwordReset
    }

    package init(to: String, language: String, campusCode: CampusCodeMail, expiresAt: Date) {
        self.init(to, language, .campusCode, expiresAt)
        self.campusCode = campusCode
    }

    package init(to: String, language: String, emailCode: EmailCodeMail, expiresAt: Date) {
        self.init(to, language, .emailCode, expiresAt)
        self.emailCode = emailCode
    }

    package init(to: String, language: String, erasure: ErasureMail, expiresAt: Date) {
        self.init(to, language, .erasure, expiresAt)
        self.erasure = erasure
    }

    package init(to: String, language: String, notice: NoticeMail, expiresAt: Date) {
        self.init(to, language, .notice, expiresAt)
        self.notice = notice
    }

    private init(_ to: String, _ language: String, _ template: MailTemplate, _ expiresAt: Date) {
        self.to = to
        self.language = language
        self.template = template
        self.expiresAt = expiresAt
    }
}

/// What mails there are.
package enum MailTemplate: String, Codable, CaseIterable, Hashable, Sendable {
    case passwordReset, campusCode, emailCode, erasure, notice
}

/// The link that sets a new password, for the account whose address it is.
package struct PasswordResetMail: Codable, Hashable, Sendable {
    package struct Account: Codable, Hashable, Sendable {
        /// The day on which it was made: `2026-05-03`.
        package var since: String
        package var username: String?
        /// What the link carries.
        package var token: String

        package init(since: String, username: String?, token: String) {
            self.since = since
            self.username = username
            self.token = token
        }
    }

    /// How long the links are good.
    package var minutes: Int
    package var accounts: [Account]

    package init(minutes: Int, accounts: [Account]) {
        self.minutes = minutes
        self.accounts = accounts
    }
}

/// The code that shows that somebody reads the mail of a campus address.
package struct CampusCodeMail: Codable, Hashable, Sendable {
    package var code: String
    /// How long it is good.
    package var minutes: Int
    /// The campus's name.
    package var campus: String

    package init(code: String, minutes: Int, campus: String) {
        self.code = code
        self.minutes = minutes
        self.campus = campus
    }
}

/// The code that shows that somebody reads the mail of the address that they sign in with.
package struct EmailCodeMail: Codable, Hashable, Sendable {
    package var code: String
    /// How long it is good.
    package var minutes: Int

    package init(code: String, minutes: Int) {
        self.code = code
        self.minutes = minutes
    }
}

/// Where somebody who has erased themselves finds the receipt.
package struct ErasureMail: Codable, Hashable, Sendable {
    package var id: ErasureID
    package init(id: ErasureID) { self.id = id }
}

/// What moderators did, for the one whom it concerns.
package struct NoticeMail: Codable, Hashable, Sendable {
    package var kind: NoticeKind
    /// In a moderator's words. Those of others, such as the name of a spot, are not for mails.
    package var text: String?
    /// The day on which it ends: `2026-05-03`; absent where it is for good, or for no time at all.
    package var until: String?

    package init(kind: NoticeKind, text: String?, until: String?) {
        self.kind = kind
        self.text = text
        self.until = until
    }
}

/// A text for a telephone, as `MailOrder` is a mail; what is said of that one holds for it too.
package struct TextOrder: Codable, Hashable, Sendable {
    /// A telephone number as E.164 writes it.
    package var to: String
    package var language: String
    package var template: TextTemplate
    /// What the template is filled with, in the field of its name.
    package var phoneCode: PhoneCodeText?
    package var expiresAt: Date

    package init(to: String, language: String, phoneCode: PhoneCodeText, expiresAt: Date) {
        (self.to, self.language, self.template) = (to, language, .phoneCode)
        (self.phoneCode, self.expiresAt) = (phoneCode, expiresAt)
    }
}

/// What texts there are.
package enum TextTemplate: String, Codable, CaseIterable, Hashable, Sendable {
    case phoneCode
}

/// The code that shows that somebody reads the texts of a number.
package struct PhoneCodeText: Codable, Hashable, Sendable {
    package var code: String
    /// How long it is good.
    package var minutes: Int

    package init(code: String, minutes: Int) { (self.code, self.minutes) = (code, minutes) }
}

/// How something reaches people.
package enum MailChannel: String, Codable, CaseIterable, Hashable, Sendable {
    case mail, text
}

/// A mail or a text that was given up, as the operator sees it: not to whom, nor what.
package struct DeadMail: Codable, Hashable, Sendable {
    package var id: UUID
    package var channel: MailChannel
    package var template: String
    package var reason: String
    package var attempts: Int
    package var acceptedAt: Date
    package var endedAt: Date
    /// Whether what it says is still there, so that it can be tried again.
    package var canRetry: Bool

    package init(
        id: UUID, channel: MailChannel, template: String, reason: String, attempts: Int, acceptedAt: Date,
        endedAt: Date, canRetry: Bool
    ) {
        self.id = id
        self.channel = channel
        self.template = template
        self.reason = reason
        self.attempts = attempts
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
        self.canRetry = canRetry
    }
}

package struct MailRetry: Codable, Hashable, Sendable {
    /// How many wait for delivery again.
    package var retried: Int
    package init(retried: Int) { self.retried = retried }
}

package enum NotificationEvents {
    package static let stream = PublishedStream(of: .notification)
}

package enum NotificationMethods {
    /// Takes a mail on, once for each request id; it is delivered afterwards.
    package static let sendMail = Method<Nothing, MailOrder, Nothing>(
        "notification.sendMail", .command, peers: [.auth])
    /// The same for a text.
    package static let sendText = Method<Nothing, TextOrder, Nothing>(
        "notification.sendText", .command, peers: [.auth])
    package static let deadMails = Method<Nothing, Nothing, Page<DeadMail>>(
        "notification.deadMails", .query, peers: [.operator])
    package static let retryDeadMails = Method<Nothing, Nothing, MailRetry>(
        "notification.retryDeadMails", .command, peers: [.operator])
}
