#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What two people have completed together: the ground on which each may review the other.

/// Two people have completed something together. Every service in which that happens publishes it, once or more often: an encounter is
/// known by its subject and its people. For services: who was where with whom is nobody else's business.
package struct EncounterCompleted: Event {
    package static let type = "encounterCompleted"
    /// A spot: one has parked where the other had said that there was room. A rental: one has rented a thing of the other, and has given it back. A seat: one has ridden
    /// along in a ride of the other. A match: one has brought the other something.
    package var subject: Subject
    /// What the two know it by: the name of the spot.
    package var title: String
    package var people: [PersonID]
    package var completedAt: Date

    package init(subject: Subject, title: String, people: [PersonID], completedAt: Date) {
        self.subject = subject
        self.title = title
        self.people = people
        self.completedAt = completedAt
    }
}
