import FoundationEssentials
import WireProtocol

// The first table of README.md: who may do what to an availability, when, and what becomes of it. No I/O and no clock.

/// Who does something to an availability.
enum AvailabilityParty: String, CaseIterable, Hashable, Sendable {
    case deliverer
    /// Nobody: its time has come.
    case time
    /// Its deliverer may not take part any more, or has gone.
    case community
}

/// What its deliverer does.
enum AvailabilityAct: String, CaseIterable, Hashable, Sendable {
    case change, resume, end
    /// Of an offer, whatever they say.
    case answer
}

/// One line of the table.
struct AvailabilityRule: Hashable, Sendable {
    var state: AvailabilityState
    var who: AvailabilityParty
    /// Nil where nobody asks for it.
    var act: AvailabilityAct?
    var condition: AvailabilityCondition
    var next: AvailabilityState
    /// Nil where nothing is told.
    var told: AvailabilityChanged.Change?
}

enum AvailabilityCondition: Hashable, Sendable {
    case always
    case beforeItEnds, afterItEnds
    /// Three offers in a row.
    case notAnswering
}

extension AvailabilityRule {
    static let table: [AvailabilityRule] = [
        .init(.available, .deliverer, .change, .beforeItEnds, .available, .changed),
        .init(.available, .deliverer, .resume, .beforeItEnds, .available, nil),
        .init(.available, .deliverer, .answer, .always, .available, nil),
        .init(.available, .deliverer, .end, .always, .ended, .changed),
        .init(.available, .time, nil, .afterItEnds, .ended, .ended),
        .init(.available, .time, nil, .notAnswering, .paused, .paused),
        .init(.available, .community, nil, .always, .ended, .ended),
        .init(.paused, .deliverer, .change, .beforeItEnds, .available, .changed),
        .init(.paused, .deliverer, .resume, .beforeItEnds, .available, .changed),
        .init(.paused, .deliverer, .answer, .beforeItEnds, .available, .changed),
        .init(.paused, .deliverer, .end, .always, .ended, .changed),
        .init(.paused, .time, nil, .afterItEnds, .ended, .ended),
        .init(.paused, .community, nil, .always, .ended, .ended),
    ]

    private init(
        _ state: AvailabilityState, _ who: AvailabilityParty, _ act: AvailabilityAct?,
        _ condition: AvailabilityCondition, _ next: AvailabilityState, _ told: AvailabilityChanged.Change?
    ) {
        self.init(state: state, who: who, act: act, condition: condition, next: next, told: told)
    }

    static func of(
        _ party: AvailabilityParty, for availability: OfferedAvailability, at now: Date
    ) -> [AvailabilityRule] {
        table.filter {
            $0.state == availability.state && $0.who == party && $0.condition.holds(for: availability, at: now)
        }
    }
}

extension AvailabilityCondition {
    func holds(for availability: OfferedAvailability, at now: Date) -> Bool {
        switch self {
        case .always: true
        case .beforeItEnds: now < availability.until
        case .afterItEnds: now >= availability.until
        case .notAnswering: availability.unanswered >= DeliveryLimits.unanswered
        }
    }
}
