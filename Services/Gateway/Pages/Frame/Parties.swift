import FoundationEssentials
import WireProtocol

// What the pages of what two have agreed on have in common: rentals, seats in rides, and deliveries.

/// One of the two, and as what.
struct PartyView {
    var person: PersonView
    var role: String
}

extension Visit {
    /// Whoever looks at it has read what they were told of it. The page does without where notification is slow or away.
    func markRead(about subject: Subject) async {
        _ = try? await ask(NotificationMethods.markRead, Nothing(), InboxMark(about: subject), within: 1)
    }

    /// Whether there is something to review.
    /// - Parameter completed: when the two have completed it; nil where it is not said that they have. Auth hears of it a moment later.
    func mayReview(_ subject: Subject, of person: PersonID, completed: Date?) async -> Bool {
        if let completed, now.timeIntervalSince(completed) < 60 { return true }
        let asked = EncounterQuery(with: person, limit: 100)
        let waiting = try? await ask(AuthMethods.encounters, asked, Nothing(), within: 2).items
        return waiting?.contains { $0.subject == subject } ?? (completed != nil)
    }
}
