import HTTPTypes
import WireProtocol

extension APIRoute {
    /// What people are told: the inbox, what they want to hear, and on which devices.
    static let notifications: [APIRoute] = [
        .service(.get, "/v1/notifications", "listNotifications", NotificationMethods.inbox) { read, _ in
            InboxQuery(
                unread: read.flag("unread"), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.get, "/v1/notifications/unread", "countNotifications", NotificationMethods.inboxCount),
        .service(.put, "/v1/notifications/read", "markNotificationsRead", NotificationMethods.markRead),
        .service(.put, "/v1/notifications/seen", "markNotificationsSeen", NotificationMethods.markSeen),
        .service(.get, "/v1/notification-settings", "getNotificationSettings", NotificationMethods.settings),
        .service(.put, "/v1/notification-settings", "changeNotificationSettings", NotificationMethods.changeSettings),
        .service(.get, "/v1/push-key", "getPushKey", NotificationMethods.pushSettings),
        .service(.get, "/v1/push-subscriptions", "listPushSubscriptions", NotificationMethods.devices),
        .service(
            .post, "/v1/push-subscriptions", "addPushSubscription", NotificationMethods.registerDevice,
            success: .created
        ) { _, call in WebSessions.device(of: call.request, in: call.context) },
        .service(
            .delete, "/v1/push-subscriptions/{id}", "removePushSubscription", NotificationMethods.removeDevice
        ) { read, _ in PushDeviceReference(id: read.id()) },
        .service(.put, "/v1/presence", "notePresence", NotificationMethods.noteSeen),
        .service(.get, "/v1/me/calendar-feed", "getCalendarFeed", AuthMethods.calendarFeed),
        .service(
            .post, "/v1/me/calendar-feed", "makeCalendarFeed", AuthMethods.renewCalendarFeed, success: .created),
        .service(.delete, "/v1/me/calendar-feed", "removeCalendarFeed", AuthMethods.endCalendarFeed),
        .gateway(.get, "/v1/calendar.ics", "readCalendar", .calendar, session: .none, limits: .read),
    ]
}
