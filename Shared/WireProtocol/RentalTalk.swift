#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How long the two of an agreement may write to each other about the thing, listed or not: by it listings keeps their room open, and pages
/// lead there.
package struct RentalTalk: Hashable, Sendable {
    /// Seconds for which there may be something to say of what is over.
    package static let recent: TimeInterval = 3 * 86_400

    private let isRunning: Bool
    /// When they have nothing more to say to each other about something that is over; nil where it is not over, or came to nothing.
    package let until: Date?

    /// - Parameter endedOnceBegun: Whether it was called off, or lapsed, when what was agreed had begun already.
    package init(_ state: RentalState, since changedAt: Date, endedOnceBegun: Bool) {
        switch state {
        case .requested, .accepted, .handedOver, .disputed: (isRunning, until) = (true, nil)
        case .returned, .noShow, .settled: (isRunning, until) = (false, changedAt + Self.recent)
        case .lapsed, .cancelled: (isRunning, until) = (false, endedOnceBegun ? changedAt + Self.recent : nil)
        case .declined: (isRunning, until) = (false, nil)
        }
    }

    package func goesOn(at now: Date) -> Bool { isRunning || until.map { $0 > now } ?? false }
}

extension Rental {
    package var talk: RentalTalk {
        RentalTalk(state, since: changedAt, endedOnceBegun: acceptedAt != nil && changedAt >= startsAt)
    }
}
