public import WireProtocol

// The inbox and how one is told. What happens comes by ``KampongClient/events(after:in:)`` as `notification` and `notificationsRead`.

extension KampongClient {
    /// What one was told, the newest first.
    public func notifications(
        unread: Bool? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<InboxNotice> {
        try await call(
            .get, "v1/notifications",
            query: Self.query([
                ("unread", unread.map(String.init)), ("limit", limit.map(String.init)), ("cursor", cursor),
            ]))
    }

    /// How many were not read, and how many of them were in no list yet.
    public func unreadNotifications() async throws -> InboxCount { try await call(.get, "v1/notifications/unread") }

    /// That somebody looks; to be said while they do, once a minute at the most.
    public func notePresence() async throws { let _: Nothing = try await call(.put, "v1/presence") }

    /// Those with these ids, or one and all that are older.
    public func markNotificationsRead(_ mark: InboxMark, key: String? = nil) async throws -> InboxCount {
        try await call(.put, "v1/notifications/read", body: mark, key: key)
    }

    /// When a list was shown. They stay unread.
    public func markNotificationsSeen(_ mark: InboxMark, key: String? = nil) async throws -> InboxCount {
        try await call(.put, "v1/notifications/seen", body: mark, key: key)
    }

    public func notificationSettings() async throws -> NoticeSettings {
        try await call(.get, "v1/notification-settings")
    }

    /// Kinds that are left out stay as they are.
    public func changeNotificationSettings(_ settings: NoticeSettings, key: String? = nil) async throws
        -> NoticeSettings
    {
        try await call(.put, "v1/notification-settings", body: settings, key: key)
    }

    /// By whose servers devices are reached here.
    public func pushSettings() async throws -> PushSettings { try await call(.get, "v1/push-key") }

    public func pushDevices() async throws -> [PushDevice] {
        try await call(.get, "v1/push-subscriptions", as: Page<PushDevice>.self).items
    }

    /// Registers this device. The same one again is the same; call it whenever the system hands out a new token.
    public func addPushDevice(_ draft: PushDeviceDraft, key: String? = nil) async throws -> PushDevice {
        try await call(.post, "v1/push-subscriptions", body: draft, key: key)
    }

    public func removePushDevice(_ id: PushDeviceID) async throws {
        let _: Nothing = try await call(.delete, "v1/push-subscriptions/\(id)")
    }
}
