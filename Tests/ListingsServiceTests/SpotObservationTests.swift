import Testing
import WireProtocol

@testable import ListingsService

@Suite("Still there, or gone")
struct SpotObservationTests {
    @Test func thereLengthensToHalfALifetimeFromNow() throws {
        let early = try spot().observe(.there, by: tom, before: nil, at: after(10), within: limits).spot
        #expect(early.expiresAt == after(30), "it had longer than that")
        let late = try spot().observe(.there, by: tom, before: nil, at: after(28), within: limits)
        #expect(late.spot.expiresAt == after(43))
        #expect(late.spot.observations == ObservationCount(there: 1, gone: 0))
        #expect(late.events == [.changed])
    }

    @Test func thereAgainLengthensAgainAndCountsOnce() throws {
        let once = try spot().observe(.there, by: tom, before: nil, at: after(28), within: limits).spot
        let twice = try once.observe(.there, by: tom, before: .there, at: after(40), within: limits).spot
        #expect(twice.expiresAt == after(55))
        #expect(twice.observations == ObservationCount(there: 1, gone: 0))
    }

    @Test func nothingLivesLongerThanFourLifetimes() throws {
        var spot = spot()
        spot.expiresAt = after(115)
        let late = try spot.observe(.there, by: tom, before: nil, at: after(114), within: limits).spot
        #expect(late.expiresAt == after(120))
        let later = try late.observe(.there, by: lin, before: nil, at: after(119), within: limits).spot
        #expect(later.expiresAt == after(120))
    }

    @Test func goneHalvesWhatIsLeftOnceForEachPerson() throws {
        let once = try spot().observe(.gone, by: tom, before: nil, at: after(10), within: limits)
        #expect(once.spot.expiresAt == after(20))
        #expect(once.spot.likelyGone)
        #expect(once.events == [.changed])
        let again = try once.spot.observe(.gone, by: tom, before: .gone, at: after(12), within: limits)
        #expect(again == SpotDecision(spot: once.spot, events: []))
    }

    @Test func twoPeopleWhoFindItGoneEndIt() throws {
        let once = try spot().observe(.gone, by: tom, before: nil, at: after(1), within: limits).spot
        let ended = try once.observe(.gone, by: lin, before: nil, at: after(2), within: limits)
        #expect(ended.spot.state == .expired)
        #expect(ended.events == [.removed(from: library, .gone)])
    }

    @Test func twoAgainstTwoDoNot() throws {
        var spot = spot()
        spot.observations = ObservationCount(there: 2, gone: 1)
        let tied = try spot.observe(.gone, by: kim, before: nil, at: after(1), within: limits).spot
        #expect(tied.state == .free)
        #expect(!tied.likelyGone)
        #expect(tied.observations == ObservationCount(there: 2, gone: 2))
        let turned = try tied.observe(.gone, by: tom, before: .there, at: after(2), within: limits).spot
        #expect(turned.observations == ObservationCount(there: 1, gone: 3))
        #expect(turned.state == .expired)
    }

    @Test func thePostersGoneTakesItAway() throws {
        let gone = try spot().observe(.gone, by: maya, before: nil, at: after(1), within: limits)
        #expect(gone.spot.state == .removed)
        #expect(gone.events == [.removed(from: library, .gone)])
    }
}
