import Testing
import WireProtocol

@testable import ListingsService

@Suite("A spot's life")
struct SpotTests {
    @Test func postedSpotIsOnTheMapForTheCommunitysTime() throws {
        let posted = try ParkingSpot.post(.new(at: noon), draft(), by: maya, having: 0, at: noon, within: limits)
        #expect(posted.events == [.added])
        #expect(posted.spot.state(at: noon) == .free)
        #expect(posted.spot.expiresAt == after(30))
        #expect(posted.spot.state(at: after(30)) == .expired, "its time is over to the moment")
    }

    @Test(arguments: [(SpotKind.street, 30.0), (.garage, 43_200), (.private, 43_200)])
    func garagesAndPrivatePlacesLiveLonger(kind: SpotKind, minutes: Double) throws {
        let posted = try ParkingSpot.post(
            .new(at: noon), draft(kind: kind), by: maya, having: 0, at: noon, within: limits)
        #expect(posted.spot.expiresAt == after(minutes))
    }

    @Test func aPersonHasAtMostSoManyFreeSpots() {
        #expect(throws: SpotError.tooManySpots(limit: 20)) {
            try ParkingSpot.post(.new(at: noon), draft(), by: maya, having: 20, at: noon, within: limits)
        }
    }

    @Test func changeReplacesWordsAndKeepsTheTime() throws {
        let changed = try spot().change(
            to: draft("Level 3", price: Money(amount: 250, currency: "SGD")), by: maya, at: after(1), within: limits)
        #expect(changed.events == [.changed])
        #expect(changed.spot.details.name == "Level 3")
        #expect(changed.spot.details.price == Money(amount: 250, currency: "SGD"))
        #expect(changed.spot.expiresAt == spot().expiresAt)
    }

    @Test func aChangeMaySetTheTimeAnew() throws {
        for (lifetime, expires) in [(SpotLifetime.minutes(5), after(15)), (.longest, after(40))] {
            let changed = try spot().change(to: draft(lifetime: lifetime), by: maya, at: after(10), within: limits)
            #expect(changed.spot.expiresAt == expires)
            #expect(changed.events == [.changed])
        }
    }

    @Test func aChangeThatSaysNothingOfTheTimeKeepsWhatAPasserByMadeOfIt() throws {
        let halved = try spot().observe(.gone, by: tom, before: nil, at: after(10), within: limits).spot
        let changed = try halved.change(to: draft("Level 3"), by: maya, at: after(11), within: limits)
        #expect(changed.spot.expiresAt == after(20))
    }

    @Test func aPrivatePlaceThatBecomesAStreetLivesNoLongerThanAStreet() throws {
        let changed = try spot(.private).change(to: draft(kind: .street), by: maya, at: after(10), within: limits)
        #expect(changed.spot.expiresAt == after(40))
        let back = try spot().change(to: draft(kind: .private), by: maya, at: after(10), within: limits)
        #expect(back.spot.expiresAt == after(30), "nobody said that it is free for longer")
    }

    @Test func aChangeThatChangesNothingTellsNothing() throws {
        let same = try spot().change(to: draft(), by: maya, at: after(1), within: limits)
        #expect(same.events.isEmpty)
    }

    @Test func aSpotThatMovesLeavesOnePlaceAndComesToAnother() throws {
        let there = Position(latitude: 60.2, longitude: 24.9)
        let moved = try spot().change(to: draft(at: there), by: maya, at: after(1), within: limits)
        #expect(moved.events == [.removed(from: library, .moved), .added])
    }

    @Test func claimHoldsAndReleaseGivesBack() throws {
        let claimed = try spot().claim(by: tom, holding: 2, at: noon, within: limits)
        #expect(claimed.spot.state == claimedByTom)
        #expect(claimed.events == [.claimed])
        let back = try claimed.spot.release(by: tom, at: after(29))
        #expect(back.spot.state == .free)
        #expect(back.events == [.added])
        let late = try claimed.spot.release(by: tom, at: after(30))
        #expect(late.spot.state == .expired)
        #expect(late.events.isEmpty, "nobody saw it on the map, so nobody is told that it left")
    }

    @Test func claimingOnesOwnClaimAgainIsTheSameAnswer() throws {
        let claimed = spot(in: claimedByTom)
        let again = try claimed.claim(by: tom, holding: 3, at: after(40), within: limits)
        #expect(again == claimed.unchanged)
    }

    @Test func whoHasParkedHasCompletedItOnce() throws {
        let claimed = spot(in: claimedByTom)
        let parked = try claimed.observe(.there, by: tom, before: nil, at: after(5), within: limits)
        #expect(parked.spot.state == .claimed(by: tom, at: noon, parked: after(5)))
        #expect(parked.events == [.completed(with: tom, at: after(5))])
        #expect(
            try parked.spot.observe(.there, by: tom, before: nil, at: after(6), within: limits) == parked.spot.unchanged
        )
        let again = try parked.spot.claim(by: tom, holding: 1, at: after(7), within: limits)
        #expect(again == parked.spot.unchanged)
        #expect(try parked.spot.release(by: tom, at: after(8)).spot.state == .free)
    }

    @Test func aClaimThatNobodyGaveBackIsCompletedInTheEnd() {
        let claimed = spot(in: claimedByTom)
        #expect(claimed.settle(at: after(119), within: limits) == claimed.unchanged)
        let settled = claimed.settle(at: after(500), within: limits)
        #expect(settled.events == [.completed(with: tom, at: after(120))], "when it was over, not when it was noticed")
        #expect(settled.spot.settle(at: after(501), within: limits).events.isEmpty)
        #expect(spot().settle(at: after(500), within: limits).events.isEmpty)
    }

    @Test func onlyAFreeSpotExpires() {
        #expect(spot().expire(at: after(29)).events.isEmpty)
        #expect(spot().expire(at: after(30)).events == [.removed(from: library, .expired)])
        #expect(spot().expire(at: after(30)).spot.state == .expired)
        #expect(spot(in: claimedByTom).expire(at: after(30)).events.isEmpty)
        #expect(spot(in: .removed).expire(at: after(30)).events.isEmpty)
    }

    @Test func aRemovedSpotIsVisibleToItsPosterOnly() {
        #expect(spot(in: .removed).isVisible(to: maya))
        #expect(!spot(in: .removed).isVisible(to: tom))
        #expect(!spot(in: .removed).isVisible(to: nil))
        #expect(spot(in: .expired).isVisible(to: nil))
    }
}

/// Every transition from every state by everybody it may come from: what is refused, and why.
@Suite("What may not be done to a spot")
struct SpotRefusalTests {
    typealias Act = @Sendable (ParkingSpot, PersonID) throws -> SpotDecision

    static let acts: [String: Act] = [
        "change": { try $0.change(to: draft("Level 3"), by: $1, at: after(1), within: limits) },
        "remove": { try $0.remove(by: $1, at: after(1)) },
        "claim": { try $0.claim(by: $1, holding: 0, at: after(1), within: limits) },
        "claim the fourth": { try $0.claim(by: $1, holding: 3, at: after(1), within: limits) },
        "claim late": { try $0.claim(by: $1, holding: 0, at: after(30), within: limits) },
        "release": { try $0.release(by: $1, at: after(1)) },
        "there": { try $0.observe(.there, by: $1, before: nil, at: after(1), within: limits) },
        "gone": { try $0.observe(.gone, by: $1, before: nil, at: after(1), within: limits) },
    ]

    /// Lin is neither the one who posted it (Maya) nor the one who claimed it (Tom).
    static let refusals: [(String, ParkingSpot.State, PersonID, SpotError)] = [
        ("change", .free, lin, .notYours), ("change", claimedByTom, maya, .claimed),
        ("change", claimedByTom, tom, .notYours), ("change", .expired, maya, .expired),
        ("change", .removed, maya, .removed),
        ("remove", .free, lin, .notYours), ("remove", claimedByTom, maya, .claimed),
        ("remove", .expired, maya, .expired), ("remove", .removed, maya, .removed),
        ("claim", .free, maya, .yourOwn), ("claim", claimedByTom, lin, .alreadyClaimed),
        ("claim", claimedByTom, maya, .yourOwn), ("claim", .expired, lin, .expired), ("claim", .removed, lin, .removed),
        ("claim the fourth", .free, lin, .tooManyClaims(limit: 3)), ("claim late", .free, lin, .expired),
        ("release", .free, tom, .notClaimed), ("release", claimedByTom, lin, .notYourClaim),
        ("release", claimedByTom, maya, .notYourClaim), ("release", .expired, tom, .notClaimed),
        ("there", .free, maya, .yourOwn), ("there", claimedByTom, lin, .claimed), ("there", .expired, lin, .expired),
        ("gone", claimedByTom, maya, .claimed), ("gone", claimedByTom, tom, .claimed),
        ("gone", .removed, lin, .removed),
    ]

    @Test(arguments: refusals.indices)
    func isRefused(index: Int) throws {
        let (act, state, person, refusal) = Self.refusals[index]
        let perform = try #require(Self.acts[act])
        #expect(throws: refusal, "\(act) of a spot that is \(state)") { try perform(spot(in: state), person) }
    }
}
