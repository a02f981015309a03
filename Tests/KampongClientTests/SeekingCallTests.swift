import Foundation
import KampongClient
import Testing
import WireProtocol

/// Where calls about those who seek a ride go, and what they say there.
extension CallTests {
    @Test func who_seeks_is_asked_for_and_invited_as_the_interface_has_it() async {
        let (ride, seeker) = (RideID.new(), WantedID.new())
        #expect(await arrives { _ = try await $0.seekers() } == .init("GET", "/v1/seekers"))
        let query = SeekingQuery(region: "North", direction: .to, limit: 5, cursor: "c")
        #expect(
            await arrives { _ = try await $0.seekers(query) }
                == .init("GET", "/v1/seekers", "region=North&direction=to&limit=5&cursor=c"))
        let along = RideSeekersQuery(ride: ride, limit: 6, cursor: "d")
        #expect(
            await arrives { _ = try await $0.seekers(along: along) }
                == .init("GET", "/v1/rides/\(ride)/seekers", "limit=6&cursor=d"))
        #expect(
            await arrives { try await $0.inviteSeeker(seeker, to: ride) }
                == .init("POST", "/v1/rides/\(ride)/seekers/\(seeker)/invite"))
    }
}
