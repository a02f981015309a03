#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What two people have completed together: the ground on which each may review the other.

/// What it was about.
public struct EncounterSubject: Codable, Hashable, Sendable {
    public var kind: EncounterKind
    /// Of a spot or of a rental.
    public var id: ID<EncounterSubject>

    public init(kind: EncounterKind, id: ID<EncounterSubject>) {
        self.kind = kind
        self.id = id
    }
}

public enum EncounterKind: String, Codable, CaseIterable, Hashable, Sendable {
    /// One has parked where the other had said that there was room.
    case spot
    /// One has rented a thing of the other, and has given it back.
    case rental
}

/// Two people have completed something together. Every service in which that happens publishes it, once or more often: an encounter is
/// known by its subject and its people. For services: who was where with whom is nobody else's business.
package struct EncounterCompleted: Event {
    package static let type = "encounterCompleted"
    package var subject: EncounterSubject
    /// What the two know it by: the name of the spot.
    package var title: String
    package var people: [PersonID]
    package var completedAt: Date

    package init(subject: EncounterSubject, title: String, people: [PersonID], completedAt: Date) {
        self.subject = subject
        self.title = title
        self.people = people
        self.completedAt = completedAt
    }
}
