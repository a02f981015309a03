import FoundationEssentials
import WireProtocol

// That somebody has looked at what a search has found.

extension Visit {
    /// What tells of what a search has found. A vertical more adds its kind here.
    private static let ofFinds: Set<InboxNoticeKind> = [.spotFound, .thingFound, .rideFound, .delivererFound]

    /// Whoever looks at what a search has found has read what they were told of it. However much that is, the inbox is asked once, and told once; the page does without
    /// where notification is slow or away.
    func markRead(_ finds: [WantedFind]) async {
        let shown = Set(finds.compactMap(\.subject))
        guard !shown.isEmpty else { return }
        let query = InboxQuery(unread: true, limit: 100)
        let unread = try? await ask(NotificationMethods.inbox, query, Nothing(), within: 1).items
        let read = (unread ?? []).filter { Self.ofFinds.contains($0.kind) && shown.contains($0.subject) }
        guard !read.isEmpty else { return }
        _ = try? await ask(NotificationMethods.markRead, Nothing(), InboxMark(ids: read.map(\.id)), within: 1)
    }
}

extension WantedFind {
    /// Nil of what is gone. A vertical more adds its form here.
    fileprivate var subject: Subject? {
        spot.map { Subject($0.id) } ?? thing.map { Subject($0.id) } ?? ride.map { Subject($0.id) }
            ?? deliverer.map { Subject($0.deliverer.id) }
    }
}
