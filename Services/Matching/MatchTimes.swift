import FoundationEssentials
import WireProtocol

// When something may be done to a match, and when time does it. No I/O and no clock.

extension MatchCondition {
    static let undoing: TimeInterval = 2 * 60
    static let atTheDoor: TimeInterval = 10 * 60
    static let late: TimeInterval = 30 * 60
    static let unpicked: TimeInterval = 3 * 3600
    static let unheard: TimeInterval = 12 * 3600
    static let recent: TimeInterval = 3 * 86_400
    static let tipping: TimeInterval = 86_400
    /// How often one person may add to a dispute: for what matters, and not for going on with it.
    static let mostSaid = 5

    /// - Parameter draft: what comes with the act; nil where it is only asked what is possible.
    func holds(for match: MatchAgreement, by party: MatchParty, saying draft: MatchActDraft?, at now: Date) -> Bool {
        switch self {
        case .always: true
        case .beforeItExpires: now < match.expiresAt
        case .afterItExpires: now >= match.expiresAt
        case .isBought: !match.terms.isPrepaid
        case .withCode: draft.map { $0.code != nil } ?? true
        case .withoutCode: draft.map { $0.code == nil } ?? true
        case .justNow: now < match.changedAt + Self.undoing
        case .longAtTheDoor: now >= match.isThereSince + Self.atTheDoor
        case .longLate: now >= (match.expectedAt ?? match.changedAt) + Self.late
        case .notPickedUp: now >= (match.acceptedAt ?? match.changedAt) + Self.unpicked
        case .notHeardOf: now >= (match.pickedUpAt ?? match.changedAt) + Self.unheard
        case .notDenied: now >= match.changedAt + Self.unheard
        case .lately: now < match.changedAt + Self.recent
        case .latelyOncePickedUp: match.pickedUpAt != nil && now < match.changedAt + Self.recent
        case .notAllSaid:
            match.statements.dropFirst().count { $0.by.rawValue == party.rawValue } < Self.mostSaid
        case .notTipped: match.tip == nil && now < match.changedAt + Self.tipping
        }
    }
}

extension MatchAgreement {
    /// Since when the deliverer is at the door, as they say or as it was expected.
    fileprivate var isThereSince: Date { state == .delivered ? changedAt : expectedAt ?? changedAt }

    /// When `pass` may next do something; nil where never.
    var dueAt: Date? {
        switch state {
        case .offered: expiresAt
        case .accepted: (acceptedAt ?? changedAt) + MatchCondition.unpicked
        case .pickedUp: (pickedUpAt ?? changedAt) + MatchCondition.unheard
        case .delivered, .received: changedAt + MatchCondition.unheard
        default: nil
        }
    }

    // MARK: Reminders

    static let pickUpReminder: TimeInterval = 30 * 60
    static let completionReminder: TimeInterval = 45 * 60

    private var reminder: (at: Date, about: MatchReminder.Occasion)? {
        switch state {
        case .accepted: ((acceptedAt ?? changedAt) + Self.pickUpReminder, .pickUp)
        case .pickedUp: ((pickedUpAt ?? changedAt) + Self.completionReminder, .complete)
        default: nil
        }
    }

    /// When somebody is to be reminded next, of one moment or later; nil where nobody is.
    func remindAt(after now: Date) -> Date? { reminder.flatMap { $0.at > now ? $0.at : nil } }

    /// What somebody is to be reminded of now; nil where of nothing.
    func occasion(at now: Date) -> MatchReminder.Occasion? { reminder.flatMap { $0.at <= now ? $0.about : nil } }

    // MARK: Talking

    /// When the two have nothing more to say to each other about what is over; nil where it is not over, or came to nothing.
    var talkUntil: Date? {
        switch state {
        case .cancelled, .givenUp, .lapsed: changedAt + 3600
        case .noShow: changedAt + MatchCondition.recent
        default: nil
        }
    }

    /// Whether the two may write to each other: from the acceptance until both have completed it.
    func keepsRoom(at now: Date) -> Bool { isInHand || talkUntil.map { $0 > now } ?? false }

    /// Whether the two are told how to call each other.
    var mayCall: Bool { isInHand }
}
