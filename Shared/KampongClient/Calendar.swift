public import WireProtocol

// Where one's calendar can be read.

extension KampongClient {
    /// - Throws: `not_found` where there is no address.
    public func calendarFeed() async throws -> CalendarFeed { try await call(.get, "v1/me/calendar-feed") }

    /// A new address; the one before ends.
    public func makeCalendarFeed(key: String? = nil) async throws -> CalendarFeed {
        try await call(.post, "v1/me/calendar-feed", key: key)
    }

    public func removeCalendarFeed(key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/me/calendar-feed", key: key)
    }
}
