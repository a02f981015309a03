import HTTPTypes
import WireProtocol

extension APIRoute {
    /// Those who seek a ride and let others see it: all of them, and those along the way of a ride that one drives.
    static let seeking: [APIRoute] = [
        .service(.get, "/v1/seekers", "listSeekers", MatchingMethods.seekers) { read, _ in
            SeekingQuery(
                region: read.text("region"), direction: read.choice("direction", of: RideDirection.allCases),
                limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.get, "/v1/rides/{id}/seekers", "listRideSeekers", MatchingMethods.rideSeekers) { read, _ in
            RideSeekersQuery(ride: read.id(), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(
            .post, "/v1/rides/{id}/seekers/{seeker}/invite", "inviteSeeker", MatchingMethods.inviteSeeker
        ) { read, _ in SeekerReference(ride: read.id(), seeker: read.id("seeker")) },
    ]
}
