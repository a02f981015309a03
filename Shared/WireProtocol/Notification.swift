#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Requests of the notification service.

/// A mail that shall be sent: whose it is, and what its template is filled with. The words are the template's.
///
/// It carries links and codes, so it crosses the bus and stands nowhere else in the clear: no event, no log, no table.
package struct MailOrder: Codable, Hashable, Sendable {
    /// An email address.
    package var to: String
    /// The person's language (`de`); English where there is no template in it.
    package var language: String
    package var template: MailTemplate
    package var values: [String: String]
    /// What the template repeats, for example the accounts of an address.
    package var rows: [[String: String]]
    /// When it is of no more use, and is not delivered any more.
    package var expiresAt: Date

    package init(
        to: String, language: String, template: MailTemplate, values: [String: String] = [:],
        rows: [[String: String]] = [], expiresAt: Date
    ) {
        self.to = to
        self.language = language
        self.template = template
        self.values = values
        self.rows = rows
        self.expiresAt = expiresAt
    }
}

/// What mails there are.
package enum MailTemplate: String, Codable, CaseIterable, Hashable, Sendable {
    /// `minutes`; for each account in `rows`: `since`, `username` (may be empty), `token`.
    case passwordReset
}

/// A mail that was given up, as the operator sees it: not to whom, nor what.
package struct DeadMail: Codable, Hashable, Sendable {
    package var id: UUID
    package var template: String
    package var reason: String
    package var attempts: Int
    package var acceptedAt: Date
    package var endedAt: Date
    /// Whether what it says is still there, so that it can be tried again.
    package var canRetry: Bool

    package init(
        id: UUID, template: String, reason: String, attempts: Int, acceptedAt: Date, endedAt: Date, canRetry: Bool
    ) {
        self.id = id
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

package enum NotificationMethods {
    /// Takes a mail on, once for each request id; it is delivered afterwards.
    package static let sendMail = Method<Nothing, MailOrder, Nothing>(
        "notification.sendMail", .command, peers: [.auth])
    package static let deadMails = Method<Nothing, Nothing, Page<DeadMail>>(
        "notification.deadMails", .query, peers: [.operator])
    package static let retryDeadMails = Method<Nothing, Nothing, MailRetry>(
        "notification.retryDeadMails", .command, peers: [.operator])
}
