#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What those who seek a ride, and drivers, are told of each other.

extension NoticeKey {
    /// Of each ride and search there is one invitation.
    package static func invitation(to ride: RideID, of seeker: WantedID) -> NoticeKey {
        NoticeKey(rawValue: "\(InboxNoticeKind.rideInvited.rawValue)/\(ride)/\(seeker)")
    }

    /// Of each ride there is one notice of who seeks along its way, which moves up.
    package static func seekers(along ride: RideID) -> NoticeKey {
        NoticeKey(rawValue: "\(InboxNoticeKind.seekerFound.rawValue)/\(ride)")
    }
}

extension NoticeRaised {
    /// A driver invites somebody who seeks.
    /// - Parameter title: of the ride, as everybody may know it.
    package static func invitation(
        to ride: RideID, titled title: String, for seeker: PersonID, by search: WantedID, from driver: PersonID,
        at moment: Date
    ) -> NoticeRaised {
        NoticeRaised(
            .rideInvited, .invitation(to: ride, of: search), to: .people([seeker]), by: driver, Subject(ride),
            title: title, at: moment)
    }

    /// Somebody begins to seek along the way of a ride.
    package static func seeker(
        _ person: PersonID, along ride: RideID, titled title: String, of driver: PersonID, at moment: Date
    ) -> NoticeRaised {
        NoticeRaised(
            .seekerFound, .seekers(along: ride), to: .people([driver]), by: person, Subject(ride), title: title,
            at: moment)
    }
}
