import FoundationEssentials
import Messaging
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What a driver does with a ride.
@Suite struct RideCommandTests {
    // MARK: Posting

    @Test func a_ride_is_there_as_soon_as_it_is_posted() async throws {
        try await Rides.with { rides in
            try await rides.name(maya, "Maya")
            let ride = try await rides.posted()
            #expect(ride.mine && ride.state == .open && ride.action == .own && ride.driver.name == "Maya")
            #expect(ride.possible == [.change, .remove] && ride.version != nil && ride.free == [4, 4])
            #expect(ride.stops.map(\.address) == ["1 Grand Ave", nil, "Pier 1"])
            #expect(try await rides.seen(ride.id, by: maya) == ride)
            let told = try #require(try await rides.told(RidePosted.self).first?.ride)
            #expect(told.id == ride.id && told.stops.allSatisfy { !$0.isExact && $0.address == nil })
        }
    }

    @Test func who_posts_is_signed_in_and_says_all_of_it() async throws {
        try await Rides.with { rides in
            #expect(await refusalCode { try await rides.rides.post(Example.draft(), .from(nil)) } == .unauthenticated)
            #expect(await refusalCode { try await rides.rides.post(RideDraft(), .from(maya)) } == .invalid)
            let told = try await rides.told(RidePosted.self)
            #expect(told.isEmpty)
        }
    }

    @Test func a_person_has_so_many_open_rides() async throws {
        var few = limits
        few.rides = 2
        try await Rides.with(limits: few) { rides in
            @Sendable func post(_ day: Double) async throws -> Ride {
                try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: day * 24)) }
            }
            _ = try await post(1)
            // Of two that are posted at one moment one is too many.
            let results = await atOnce([2.0, 3]) { try await post($0) }
            #expect(results.count { $0.isSuccess } == 1)
            #expect(results.compactMap(\.error).first as? RideError == .tooManyRides(limit: 2))
            let second = try #require(results.compactMap { try? $0.get() }.first)
            try await rides.rides.remove(second.id, RideRemoval(), .from(maya))
            #expect(try await post(4).state == .open)
        }
    }

    @Test func the_same_ride_once_more_is_named() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            func again(_ minutes: Double, to end: Position = city) async -> RideError? {
                await rideRefusal {
                    try await rides.posted { draft in
                        draft.departsAt = WireJSON.text(of: Example.departure + minutes * 60)
                        draft.stops = [Example.stops[0], Example.stop("The city", end)]
                    }
                }
            }
            #expect(await again(30) == .duplicate(ride.id))
            #expect(RideError.duplicate(ride.id).serviceError.errors.map(\.code) == [ride.id.description])
            let results = await atOnce([RideDraft](repeating: Example.draft(), count: 5)) { draft in
                try await rides.rides.post(draft, .from(tom))
            }
            #expect(results.count { $0.isSuccess } == 1)
            #expect(await again(-31) == nil)
            #expect(await again(0, to: sanJose) == nil, "it goes elsewhere")
        }
    }

    @Test func places_is_asked_for_regions_before_and_may_be_away() async throws {
        struct Away: Error {}
        let asked = Mutex<[Position]>([])
        try await Rides.with(region: { point in
            asked.withLock { $0.append(point) }
            if point == salinas.onGrid { throw Away() }
            return point == city.onGrid ? "Bay Area" : nil
        }) { rides in
            let ride = try await rides.posted()
            #expect(ride.stops.map(\.region) == [nil, nil, "Bay Area"])
            #expect(Set(asked.withLock { $0 }) == Set([campus, salinas, city].map(\.onGrid)), "of no door")
            let regions = try await rides.rides.regions(for: .anonymous).items
            #expect(regions == [RegionOfRides(region: "Bay Area", from: 0, to: 1)])
            let found = try await rides.rides.rides(
                RideQuery(region: "Bay Area", direction: .to), for: .anonymous)
            #expect(found.items.map(\.id) == [ride.id])
        }
    }

    // MARK: A quote

    @Test func a_quote_says_what_it_would_be_and_what_to_look_at() async throws {
        try await Rides.with { rides in
            func quote(_ person: PersonID?) async throws -> RideQuote {
                try await rides.rides.quote(Example.draft(), for: Caller(person: person))
            }
            #expect(await refusalCode { try await quote(nil) } == .unauthenticated)
            let first = try await quote(maya)
            #expect(first.warnings.isEmpty && first.costs.map(\.amount).reduce(0, +) == 2000)
            #expect(try await rides.told(RidePosted.self).isEmpty)
            _ = try await rides.posted()
            #expect(try await quote(maya).warnings == [.closeToAnother])
            #expect(try await quote(tom).warnings.isEmpty)
        }
    }

    // MARK: Saving

    @Test func a_ride_is_saved_once_and_its_drivers_own_never() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            for _ in 1...2 { try await rides.rides.save(ride, .from(tom)) }
            #expect(try await rides.seen(ride, by: tom).isSaved)
            let tab = try await rides.rides.myRides(MyRidesQuery(tab: .saved), for: Caller(person: tom))
            #expect(tab.items.map(\.ride.id) == [ride])
            #expect(await refusalCode { try await rides.rides.save(ride, .from(maya)) } == .wrongState)
            for _ in 1...2 { try await rides.rides.unsave(ride, .from(tom)) }
            #expect(try await !rides.seen(ride, by: tom).isSaved)
            #expect(await rideRefusal { try await rides.rides.save(.new(), .from(tom)) } == .notFound)
        }
    }
}
