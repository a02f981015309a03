import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension WantedTransaction {
    /// Tells somebody who seeks that a driver would take them along. What was done before is not done again, nor told.
    /// - Throws: `WantedError.rideNotFound`, `notFound` where the driver does not see who seeks, or their search has not found the ride, or `tooManyInvitations`.
    func invite(_ seeker: WantedID, to ride: RideID, by driver: PersonID) async throws {
        let subject = Subject(ride)
        // It does not go, nor is the search removed, until this is committed.
        let rides = try await transaction.query(
            """
            SELECT title FROM searchables
            WHERE \(subject.isHere("searchables")) AND owner = \(driver) AND is_there FOR SHARE
            """)
        guard let title = try rides.first?.get("title", as: String.self) else { throw WantedError.rideNotFound }
        let seekers = try await transaction.query(
            """
            SELECT wanted.person FROM wanted JOIN finds ON finds.wanted = wanted.id
            WHERE wanted.id = \(seeker) AND \(subject.isHere("finds"))
                AND \(WantedSearch.isShown(to: driver, at: now, people.campuses))
            FOR KEY SHARE OF wanted
            """)
        guard let person = try seekers.first?.get("person", as: PersonID.self) else { throw WantedError.notFound }
        let earlier = try await transaction.query(
            """
            SELECT EXISTS (
                    SELECT FROM invitations JOIN wanted AS theirs ON theirs.id = invitations.wanted
                    WHERE invitations.ride = \(ride) AND theirs.person = \(person)) AS is_invited,
                (SELECT count(*) FROM invitations WHERE driver = \(driver) AND at > \(now - SeekingLimits.day)) AS number
            """)[0]
        let (isInvited, number): (Bool, Int) = (try earlier.get("is_invited"), try earlier.get("number"))
        if isInvited { return }
        guard number < SeekingLimits.invitations else {
            throw WantedError.tooManyInvitations(limit: SeekingLimits.invitations)
        }
        try await transaction.query(
            "INSERT INTO invitations (ride, wanted, driver, at) VALUES (\(ride), \(seeker), \(driver), \(now))")
        transaction.publish(
            NoticeRaised.invitation(to: ride, titled: title, for: person, by: seeker, from: driver, at: now),
            about: subject.key, to: .nobody)
    }

    /// Searches go: who was invited because of them is invited no more.
    func settleInvitations(of ids: [WantedID]) async throws {
        let rows = try await transaction.query(
            """
            SELECT invitations.ride, wanted.id, wanted.person
            FROM invitations JOIN wanted ON wanted.id = invitations.wanted
            WHERE invitations.wanted = ANY(\(ids)) ORDER BY wanted.id, invitations.ride
            """)
        for row in rows {
            let (ride, search): (RideID, WantedID) = (try row.get("ride"), try row.get("id"))
            transaction.publish(
                NoticeSettled([.invitation(to: ride, of: search)], for: .people([try row.get("person")])),
                about: "wanted/\(search)", to: .nobody)
        }
    }

    /// A ride can be found no more: what its driver was told of those who seek, and who was invited to it, is seen to.
    func settleSeeking(along subject: Subject) async throws {
        guard let ride = subject.id(of: Ride.self) else { return }
        let answers = try await transaction.pipeline([
            "SELECT owner FROM searchables WHERE \(subject.isHere("searchables"))",
            """
            SELECT wanted.id, wanted.person FROM invitations JOIN wanted ON wanted.id = invitations.wanted
            WHERE invitations.ride = \(ride) ORDER BY wanted.id
            """,
        ])
        if let driver = try answers[0].first?.get("owner", as: PersonID.self) {
            transaction.publish(
                NoticeSettled([.seekers(along: ride)], for: .people([driver])), about: subject.key, to: .nobody)
        }
        for row in answers[1] {
            let (search, person): (WantedID, PersonID) = (try row.get("id"), try row.get("person"))
            transaction.publish(
                NoticeSettled([.invitation(to: ride, of: search)], for: .people([person])), about: subject.key,
                to: .nobody)
        }
    }
}
