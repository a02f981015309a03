#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What operators see of pushes that were given up: requests of the notification service.

package typealias DeadPushID = ID<DeadPush>

/// Nothing of whose device it is, nor of what it was to be told.
package struct DeadPush: Codable, Hashable, Sendable {
    package var id: DeadPushID
    /// Of the device.
    package var device: PushKind
    /// Of the notice.
    package var kind: InboxNoticeKind
    package var reason: String
    package var attempts: Int
    package var endedAt: Date
    /// Whether there is still something to be told: it was not read meanwhile.
    package var canRetry: Bool

    package init(
        id: DeadPushID, device: PushKind, kind: InboxNoticeKind, reason: String, attempts: Int, endedAt: Date,
        canRetry: Bool
    ) {
        self.id = id
        self.device = device
        self.kind = kind
        self.reason = reason
        self.attempts = attempts
        self.endedAt = endedAt
        self.canRetry = canRetry
    }
}

/// The latest first.
package struct DeadPushQuery: Codable, Hashable, Sendable {
    package static let largest = 50
    package var limit: Int?
    package var cursor: String?

    package init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

package struct DeadPushReference: Codable, Hashable, Sendable {
    package var id: DeadPushID
    package init(id: DeadPushID) { self.id = id }
}

extension NotificationMethods {
    // For operators alone, as `mails`.
    package static let deadPushes = Method<DeadPushQuery, Nothing, Page<DeadPush>>("notification.deadPushes", .query)
    /// `wrong_state` where it was read meanwhile.
    package static let retryDeadPush = Method<DeadPushReference, Nothing, Nothing>(
        "notification.retryDeadPush", .command)
    package static let forgetDeadPush = Method<DeadPushReference, Nothing, Nothing>(
        "notification.forgetDeadPush", .command)
}
