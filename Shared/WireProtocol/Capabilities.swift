// What services do for all others, whatever they are about: the one place that says which service does what, and whose which subjects are.

/// What a service can be asked as others can, or does as others do. What it is asked by stands beside it, in `CommonMethods`.
package enum Capability: CaseIterable, Hashable, Sendable {
    /// `CommonMethods.subject`: what may be reported of its things.
    case subject
    /// `CommonMethods.roomSubject`, and `RoomSubjectChanged`: what rooms about its things need to know.
    case roomSubject
    /// `CommonMethods.calendarEntries`: what of its things stands in somebody's calendar.
    case calendarEntries
    /// `CommonMethods.commitments`: what of its things keeps somebody from leaving.
    case commitments
    /// `CommonMethods.waiting`: what of its things waits for somebody.
    case waiting
    /// `CommonMethods.shelf`: what of `SubjectKind.shared` somebody shares now, for their profile.
    case shelf
}

extension PeerRole {
    package var capabilities: Set<Capability> {
        switch self {
        case .auth: [.waiting]
        case .listings: [.subject, .roomSubject, .calendarEntries, .commitments, .waiting, .shelf]
        case .chat: [.subject]
        case .notification, .places, .gateway, .operator: []
        }
    }
}

extension Capability {
    /// Who has it, in the order of their names.
    package var services: [PeerRole] {
        PeerRole.services.filter { $0.capabilities.contains(self) }.sorted { $0.rawValue < $1.rawValue }
    }
}

extension PeerRole {
    /// What every service answers, as it is asked by others.
    package var methods: CommonMethods { CommonMethods(service: rawValue) }
}

extension SubjectKind {
    /// Whose things of this kind are: who is asked about them.
    package var service: PeerRole {
        switch self {
        case .person, .review, .notice: .auth
        case .spot, .thing, .rental, .post: .listings
        case .room, .message: .chat
        }
    }
}

/// What subjects are named for.
package enum SubjectUse: Sendable {
    /// Moderators are told of them.
    case reports
    /// Two people write to each other about them.
    case rooms
    /// Two people have completed them, and may review each other for that.
    case encounters
    /// Inboxes tell of them.
    case notices
}

extension SubjectKind {
    package var uses: Set<SubjectUse> {
        switch self {
        case .person: [.reports, .rooms, .notices]
        case .spot: [.reports, .rooms, .encounters, .notices]
        case .thing: [.reports, .rooms]
        case .rental: [.encounters, .notices]
        case .message, .post: [.reports]
        case .review: [.reports, .notices]
        case .room, .notice: [.notices]
        }
    }
}
