#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What operators see of mails and texts: requests of the notification service.

package typealias KeptMailID = ID<KeptMail>

package enum MailState: String, Codable, CaseIterable, Hashable, Sendable {
    case waiting, delivered, dead
}

/// A mail or a text in a list. Its subject is not there: that of a code has the code in it.
package struct KeptMail: Codable, Hashable, Sendable {
    package var id: KeptMailID
    package var channel: MailChannel
    package var template: String
    package var state: MailState
    /// To whom; only of what lies in a folder.
    package var to: String?
    package var acceptedAt: Date
    /// Deliveries that were begun.
    package var attempts: Int
    /// Why the last one failed.
    package var reason: String?
    /// Whether it was given up and can be tried again.
    package var canRetry: Bool

    package init(
        id: KeptMailID, channel: MailChannel, template: String, state: MailState, to: String? = nil, acceptedAt: Date,
        attempts: Int, reason: String?, canRetry: Bool
    ) {
        self.id = id
        self.channel = channel
        self.template = template
        self.state = state
        self.to = to
        self.acceptedAt = acceptedAt
        self.attempts = attempts
        self.reason = reason
        self.canRetry = canRetry
    }
}

/// The latest first. Where a server sends them, those that were delivered are left out.
package struct KeptMailQuery: Codable, Hashable, Sendable {
    package static let largest = 50

    package var channel: MailChannel
    package var limit: Int?
    package var cursor: String?

    package init(channel: MailChannel, limit: Int? = nil, cursor: String? = nil) {
        self.channel = channel
        self.limit = limit
        self.cursor = cursor
    }
}

package struct KeptMailReference: Codable, Hashable, Sendable {
    package var id: KeptMailID
    package init(id: KeptMailID) { self.id = id }
}

/// What lies in the folder.
package struct KeptMailContent: Codable, Hashable, Sendable {
    package var mail: KeptMail
    /// Of a mail.
    package var subject: String?
    package var text: String

    package init(mail: KeptMail, subject: String?, text: String) {
        self.mail = mail
        self.subject = subject
        self.text = text
    }
}

extension NotificationMethods {
    // For operators alone: who is one, auth is asked at each call. The second and the third are noted in the audit log.
    package static let mails = Method<KeptMailQuery, Nothing, Page<KeptMail>>("notification.mails", .query)
    package static let mail = Method<KeptMailReference, Nothing, KeptMailContent>("notification.mail", .query)
    package static let retryMail = Method<KeptMailReference, Nothing, Nothing>("notification.retryMail", .command)
}
