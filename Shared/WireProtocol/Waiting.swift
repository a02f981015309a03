#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What waits for somebody: rows of Home.

/// One thing that waits for the caller. In which words it is said, and where it leads, its kind says to the pages.
package struct WaitingItem: Codable, Hashable, Sendable {
    package var kind: Kind
    package var subject: Subject
    /// What the person knows it by.
    package var title: String
    /// The other one, where there is one.
    package var with: PersonSummary?
    /// Since when, or until when.
    package var at: Date
    /// The day that is meant, where whole days are agreed on; of a ride, on which it leaves.
    package var day: Day?
    /// What is rented.
    package var thing: ThingKind?

    /// A vertical more adds its kinds here.
    package enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// Somebody asks for one's thing: an answer is due.
        case requested
        /// What is agreed on begins; what one has is to be given back; what one let is not back in time.
        case begins, ends, overdue
        /// One holds a spot; one's own is on the map until then; somebody has taken it.
        case claimed, posted, taken
        /// Somebody asks for seats in one's ride; one has to say whether one keeps a seat; a ride leaves that one drives, or rides along in.
        case seatAsked, seatToKeep, driving, riding
        /// One is asked to bring something; one brings it; it is brought to one; the other one says that it is there.
        case matchOffered, bringing, awaited, matchToConfirm
        /// One has to say who else is asked to bring one's order.
        case orderToAsk
        /// One may review the other for it until then.
        case review
    }

    /// A day on the wall where a thing is.
    package struct Day: Codable, Hashable, Sendable {
        /// `2026-12-01`
        package var date: String
        /// IANA's name of the time zone.
        package var zone: String

        package init(_ date: String, in zone: String) {
            self.date = date
            self.zone = zone
        }
    }

    package init(
        _ kind: Kind, _ subject: Subject, title: String, with: PersonSummary? = nil, at: Date, day: Day? = nil,
        thing: ThingKind? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.title = title
        self.with = with
        self.at = at
        self.day = day
        self.thing = thing
    }
}

extension CommonMethods {
    /// Of the caller, what is due first coming first. There is a next page where more waits than is said; it is not asked for here.
    package var waiting: Method<Nothing, Nothing, Page<WaitingItem>> { Method("\(service).waiting", .query) }
}
