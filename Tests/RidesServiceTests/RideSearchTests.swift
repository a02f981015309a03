import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Finding rides along a way")
struct RideSearchTests {
    @Test func aRideIsFoundAsSoonAsItIsPosted() async throws {
        try await Rides.with { rides in
            try await rides.feed.round()
            let ride = try await rides.posted()
            // The board does not have it yet; then it does.
            for _ in 0..<2 {
                let found = try await rides.searched()
                #expect(found.items.map(\.ride.id) == [ride.id] && found.beyond.isEmpty && found.next == nil)
                let one = try #require(found.items.first)
                #expect(one.boarding.stop == 1 && one.boarding.name == "Salinas" && one.leaving.stop == 2)
                #expect([one.extra, one.startGap, one.endGap, one.detour] == [0, 0, 0, 0])
                #expect(one.free == 4 && one.boarding.address == nil && !one.boarding.isExact)
                #expect(one.timeDifference == Int(one.boarding.time.timeIntervalSince(Example.departure).rounded()))
                let share = Double(2000 * (one.leaving.at - one.boarding.at)) / Double(ride.length)
                #expect(one.cost == Money(amount: Int(share.rounded()), currency: "USD"))
                try await rides.feed.round()
            }
        }
    }

    @Test func whatCannotBeFoundAnyMoreIsNotShown() async throws {
        try await Rides.with { rides in
            var all: [Ride] = []
            for hours in [40.0, 44, 48, 52, 56] {
                all.append(try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: hours)) })
            }
            try await rides.feed.round()
            #expect(try await rides.searched(by: tom).items.count == 5)
            _ = try await rides.rides.remove(all[0].id, RideRemoval(), .from(maya))
            #expect(try await rides.searched(by: tom).items.map(\.ride.id) == all.dropFirst().map(\.id))
            // It leaves a week later.
            _ = try await rides.rides.change(
                all[1].id, to: RideDraft(departsAt: WireJSON.text(of: after(hours: 220))), .from(maya))
            _ = try await rides.database.query(
                "UPDATE rides SET hidden_at = \(noon), hidden_reason = 'No.' WHERE id = \(all[2].id)")
            #expect(try await rides.searched(by: tom).items.map(\.ride.id) == all[3...].map(\.id))
            rides.advance(hours: 52)
            #expect(try await rides.searched { $0.at = after(hours: 52) }.items.map(\.ride.id) == [all[4].id])
        }
    }

    @Test func whoIsApartIsNotFound() async throws {
        try await Rides.with { rides in
            let mine = try await rides.posted()
            let theirs = try await rides.posted(by: lin)
            try await rides.feed.round()
            #expect(try await Set(rides.searched(by: tom).items.map(\.ride.id)) == [mine.id, theirs.id])
            try await rides.part(maya, tom)
            #expect(try await rides.searched(by: tom).items.map(\.ride.id) == [theirs.id])
            #expect(try await rides.searched(by: kim).items.count == 2)
            #expect(try await rides.searched().items.count == 2)
        }
    }

    @Test func campusesAreKeptApart() async throws {
        try await Rides.with(campuses: CampusSeparation(isOn: true)) { rides in
            try await rides.feed.round()
            try await rides.name(maya, "Maya", campus: "slo")
            try await rides.name(tom, "Tom", campus: "slo")
            try await rides.name(lin, "Lin")
            let ride = try await rides.posted()
            for _ in 0..<2 {
                #expect(try await rides.searched(by: tom).items.map(\.ride.id) == [ride.id])
                #expect(try await rides.searched(by: lin).items.isEmpty)
                #expect(try await rides.searched().items.isEmpty)
                try await rides.feed.round()
            }
            // Who belongs somewhere else from now on.
            try await rides.name(tom, "Tom", campus: "davis")
            #expect(try await rides.searched(by: tom).items.isEmpty)
            try await rides.name(maya, "Maya", campus: "davis")
            #expect(try await rides.searched(by: tom).items.map(\.ride.id) == [ride.id])
        }
    }

    @Test func whatIsFullIsFoundUnlessOnlyFreeOnesAreWanted() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            try await rides.feed.round()
            _ = try await rides.seated(tom, in: ride.id, 1...2) { $0.seats = 3 }
            _ = try await rides.seated(kim, in: ride.id, 1...2)
            for _ in 0..<2 {
                let found = try await rides.searched(by: lin)
                #expect(found.items.map(\.free) == [0] && found.items.map(\.ride.free) == [[4, 0]])
                #expect(try await rides.searched(by: lin) { $0.onlyFree = true }.items.isEmpty)
                // On another part there are seats.
                let other = try await rides.searched(by: lin) {
                    ($0.from, $0.to, $0.onlyFree, $0.seats) = (campus, salinas, true, 4)
                }
                #expect(other.items.map(\.free) == [4])
                try await rides.feed.round()
            }
        }
    }

    @Test func whatIsAskedOfRidesIsKept() async throws {
        try await Rides.with { rides in
            try await rides.feed.round()
            try await rides.name(maya, "Maya", campus: "slo")
            try await rides.name(lin, "Lin")
            let verified = try await rides.posted()
            let large = try await rides.posted(by: lin) { $0.luggage = .large }
            for _ in 0..<2 {
                #expect(try await rides.searched { $0.luggage = .large }.items.map(\.ride.id) == [large.id])
                #expect(try await rides.searched { $0.luggage = .medium }.items.count == 2)
                #expect(try await rides.searched { $0.onlyVerified = true }.items.map(\.ride.id) == [verified.id])
                try await rides.feed.round()
            }
        }
    }

    /// From a town beside the way to another one.
    @Test func aDetourBringsWhoIsBesideTheWay() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            try await rides.feed.round()
            func found(_ change: (inout RideSearchQuery) -> Void = { _ in }) async throws -> FoundRide? {
                try await rides.searched {
                    ($0.from, $0.to) = (Example.paso, Example.gilroy)
                    change(&$0)
                }.items.first
            }
            let one = try #require(try await found())
            #expect(one.detour > 0 && one.extra == one.detour && one.startGap == 0 && one.endGap == 0)
            #expect(one.boarding.stop == nil && one.boarding.isExact && one.boarding.position == Example.paso)
            #expect(one.detour <= ride.maxDetour && one.boarding.at < one.leaving.at)
            let quote = try await rides.rides.quoteSeat(
                ride.id,
                SeatDraft(
                    from: SeatPointDraft(name: "Paso Robles", position: Example.paso),
                    to: SeatPointDraft(name: "Gilroy", position: Example.gilroy)), for: Caller(person: tom))
            #expect(quote.detour == one.detour && quote.cost == one.cost && quote.free == one.free)
            #expect([quote.boarding.at, quote.leaving.at] == [one.boarding.at, one.leaving.at])
            let near = try #require(try await found { $0.noDetour = true })
            #expect(near.detour == 0 && near.extra > one.extra && near.boarding.stop == 0)
            // Somebody else needs what the driver offers.
            _ = try await rides.database.query("UPDATE rides SET max_detour = \(one.detour - 1)")
            #expect(try await found()?.extra == near.extra)
        }
    }

    @Test func nobodySearchesABoardThatIsNotFilled() async throws {
        try await Rides.with { rides in
            #expect(await refusalCode { try await rides.searched() } == .unavailable)
        }
    }
}

extension Rides {
    /// From Salinas to San Francisco around the departure of the tests' rides.
    func searched(
        by person: PersonID? = nil, _ change: (inout RideSearchQuery) -> Void = { _ in }
    ) async throws -> FoundRides {
        var query = RideSearchQuery(from: salinas, to: city, at: Example.departure)
        change(&query)
        return try await rides.search(query, for: Caller(person: person))
    }
}
