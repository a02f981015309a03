import People
import Testing
import WireProtocol

@testable import ListingsService

@Suite("What a person is told of a spot")
struct SpotAnswerTests {
    static let people = KnownPeople([PersonSummary(id: maya, name: "Maya"), PersonSummary(id: tom, name: "Tom")])

    private func answer(_ spot: ParkingSpot, to viewer: PersonID?) -> Spot {
        Spot(spot, for: viewer, among: Self.people, at: after(1.6))
    }

    @Test func whoClaimedItIsBetweenTheTwo() {
        let claimed = spot(in: claimedByTom)
        #expect(answer(claimed, to: lin).state == .claimed)
        #expect(answer(claimed, to: lin).claim == nil)
        #expect(answer(claimed, to: nil).claim == nil)
        #expect(answer(claimed, to: tom).claim == SpotClaim(by: Self.people[tom], at: noon, mine: true))
        #expect(answer(claimed, to: maya).claim == SpotClaim(by: Self.people[tom], at: noon, mine: false))
    }

    @Test func mineAndAgeAndName() {
        #expect(answer(spot(), to: maya).mine)
        #expect(!answer(spot(), to: tom).mine)
        #expect(!answer(spot(), to: nil).mine)
        #expect(answer(spot(), to: nil).age == 96)
        #expect(answer(spot(), to: nil).postedBy.name == "Maya")
        #expect(answer(spot(), to: nil).distance == nil)
    }

    @Test func someoneWhoIsNotKnownIsSomeone() {
        #expect(Self.people[kim] == PersonSummary(id: kim, name: "Someone"))
    }

    @Test func aSpotThatTheSweepHasNotSeenYetHasExpiredAllTheSame() {
        #expect(Spot(spot(), for: nil, among: Self.people, at: after(30)).state == .expired)
    }

    @Test(arguments: [
        (library, "Level 3 (east)", "geo:60.1711,24.95?q=60.1711,24.95(Level%203%20%28east%29)"),
        (Position(latitude: -0.00001, longitude: 0), "停", "geo:-0.00001,0.0?q=-0.00001,0.0(%E5%81%9C)"),
        (Position(latitude: -33.9999999, longitude: 151), "a&b", "geo:-34.0,151.0?q=-34.0,151.0(a%26b)"),
    ])
    func directions(position: Position, name: String, address: String) {
        #expect(GeoAddress.text(of: name, at: position) == address)
    }
}
