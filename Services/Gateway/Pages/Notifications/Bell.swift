import WireProtocol

/// The bell in the head of every page, with how much one was told and has not read.
struct Bell {
    /// Nil where it is nothing, or the notification service is away.
    var number: Int?
}

extension Visit {
    /// A page does without the number where it is not there soon.
    func unreadNotices() async -> Int? {
        let count = try? await ask(NotificationMethods.inboxCount, Nothing(), Nothing(), within: 1).unread
        return count == 0 ? nil : count
    }
}
