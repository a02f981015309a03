// What services do for all others, whatever they are about: the one place that says which service does what, and whose which subjects are.

/// What a service does as others do: what it answers stands beside it, in `CommonMethods`. Who is asked, and who may ask and hear, follows.
package enum Capability: CaseIterable, Hashable, Sendable {
    /// Knows people by what auth tells of them: who they are, who is apart, who is suspended.
    case people
    /// Does its part of an erasure, and says so (`PersonalDataErased`).
    case erasure
    /// `CommonMethods.personalData`: what it keeps about somebody, for their archive.
    case personalData
    /// `CommonMethods.photosInUse`: which pictures it shows, so that nobody deletes them.
    case photosInUse
    /// Says what people are told of (`NoticeRaised`, `NoticeSettled`), and notification hears it.
    case notices
    /// Tells what two people have completed (`EncounterCompleted`), and auth lets them review each other.
    case encounters
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
    /// `CommonMethods.readSearch` and what stands beside it, and `SearchableChanged`: what standing searches look for.
    case searched
}

extension PeerRole {
    package var capabilities: Set<Capability> {
        switch self {
        case .auth: [.erasure, .personalData, .photosInUse, .notices, .waiting]
        case .chat: [.people, .erasure, .personalData, .photosInUse, .notices, .subject]
        // The gateway has the pictures, and no events: its part of an erasure is done when none is left.
        case .gateway: [.erasure]
        // The example for those that follow.
        case .listings: Set(Capability.allCases)
        // A ride has no pictures.
        case .rides: Set(Capability.allCases).subtracting([.photosInUse])
        // What is brought is on nobody's shelf, and over before a calendar is read.
        case .matching: Set(Capability.allCases).subtracting([.shelf, .calendarEntries])
        case .notification: [.people, .erasure, .personalData]
        case .places, .operator: []
        }
    }

    /// Who hears its events: the gateway, which relays them, and those for whom its capabilities are.
    package var subscribers: Set<PeerRole> {
        if self == .auth { return Capability.people.peers.union([.gateway]) }
        var subscribers: Set<PeerRole> = [.gateway]
        if !capabilities.isDisjoint(with: [.erasure, .encounters]) { subscribers.insert(.auth) }
        if capabilities.contains(.roomSubject) { subscribers.insert(.chat) }
        if capabilities.contains(.notices) { subscribers.insert(.notification) }
        // Matching knows of its own what changes.
        if capabilities.contains(.searched), self != .matching { subscribers.insert(.matching) }
        return subscribers
    }

    /// What it answers as others do, for whoever asks.
    package var methods: CommonMethods { CommonMethods(service: rawValue) }

    /// Whose events it hears.
    package var publishers: [PeerRole] { Self.stateful.filter { $0 != self && $0.subscribers.contains(self) } }
}

extension Capability {
    /// Who has it, in the order of their names.
    package var services: [PeerRole] {
        PeerRole.services.filter { $0.capabilities.contains(self) }.sorted { $0.rawValue < $1.rawValue }
    }

    /// The same, for whom a method is.
    package var peers: Set<PeerRole> { Set(services) }
}

extension SubjectKind {
    /// Whose things of this kind are: who is asked about them.
    package var service: PeerRole {
        switch self {
        case .person, .review, .notice: .auth
        case .spot, .thing, .rental, .post: .listings
        case .ride, .seat: .rides
        case .order, .match, .availability, .wanted: .matching
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
        case .thing, .ride: [.reports, .rooms, .notices]
        case .seat: [.encounters, .notices]
        case .order, .availability, .wanted: [.notices]
        case .match: [.reports, .rooms, .encounters, .notices]
        case .rental: [.encounters, .notices]
        case .message, .post: [.reports]
        case .review: [.reports, .notices]
        case .room, .notice: [.notices]
        }
    }
}
