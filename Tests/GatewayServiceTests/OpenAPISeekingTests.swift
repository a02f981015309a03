import FoundationEssentials
import Testing
import WireProtocol

/// What the document says of those who seek a ride.
extension OpenAPITests {
    @Test func schemas_of_seekers_say_what_types_write() throws {
        let end = SeekingEnd(name: "", region: "", position: Position(latitude: 0, longitude: 0))
        let seeking = Seeking(from: end, to: end, after: Date(), before: Date(), seats: 1, luggage: .small)
        let seeker = Seeker(.new(), of: PersonSummary(id: .new(), name: ""), seeking)
        let fit = SeekerFit(id: seeker.id, startGap: 0, endGap: 0, detour: 0, detourSeconds: 0, extra: 0)
        try holds("SeekingEnd", end)
        try holds("Seeker", seeker)
        try holds("SeekerAlong", SeekerAlong(seeker, fit, invitedAt: Date()))
    }
}
