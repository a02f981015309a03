import FoundationEssentials
import People
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Who sees what of a ride: Maya drives it, Tom rides along.
@Suite struct RideVisibilityTests {
    private func exact(_ ride: Ride) -> Bool {
        let doors = ride.stops.map(\.address) == ["1 Grand Ave", nil, "Pier 1"]
        let coarse = ride.stops.allSatisfy { !$0.isExact && $0.address == nil && $0.position == $0.position.onGrid }
        #expect(doors != coarse)
        return doors
    }

    @Test func doors_are_for_its_driver_and_for_who_rides_along() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let request = try await rides.ask(ride).id
            func seen() async throws -> [Bool] {
                var seen: [Bool] = []
                for person in [maya, tom, lin, nil] { seen.append(exact(try await rides.seen(ride, by: person))) }
                return seen
            }
            #expect(try await seen() == [true, false, false, false])
            #expect(try await !rides.seen(request, by: tom).boarding.isExact)
            try await rides.act(request, .accept)
            #expect(try await seen() == [true, true, false, false])
            #expect(try await rides.seen(request, by: tom).boarding.address == "1 Grand Ave")
            let moderator = Caller(person: kim, roles: [.moderator])
            #expect(try await !exact(rides.rides.ride(ride, for: moderator)))
            try await rides.act(request, .leave, by: tom)
            #expect(try await seen() == [true, false, false, false])
            #expect(try await !rides.seen(request, by: tom).boarding.isExact)
        }
    }

    /// Whatever lists it.
    @Test func lists_tell_no_door_either() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            try await RideFeed(
                database: rides.database, board: rides.board, clock: rides.clock.read, logger: .quiet
            ).round()
            for person in [tom, nil] {
                let caller = Caller(person: person)
                let listed = try await rides.rides.rides(RideQuery(), for: caller).items
                let search = RideSearchQuery(from: campus, to: city, at: Example.departure)
                let found = try await rides.rides.search(search, for: caller).items
                #expect(listed.map(\.id) == [ride] && found.map(\.ride.id) == [ride])
                #expect((listed + found.map(\.ride)).allSatisfy { !exact($0) })
                #expect(found.allSatisfy { !$0.boarding.isExact && $0.boarding.address == nil })
            }
            try await rides.rides.save(ride, .from(tom))
            for tab in MyRidesTab.allCases {
                let own = try await rides.rides.myRides(MyRidesQuery(tab: tab), for: Caller(person: tom)).items
                #expect(own.count == (tab == .saved ? 1 : 0) && own.allSatisfy { !exact($0.ride) })
            }
        }
    }

    @Test func a_point_of_ones_own_is_told_to_the_driver_with_the_acceptance() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let request = try await rides.ask(ride) { draft in
                draft.from = Example.own("King City", Example.kingCity, "Broadway 12")
            }
            #expect(request.boarding.address == "Broadway 12" && request.boarding.isExact && request.detour > 0)
            let asked = try await rides.seen(request.id, by: maya).boarding
            #expect(asked.address == nil && asked.position == Example.kingCity.onGrid && asked.name == "King City")
            try await rides.act(request.id, .accept)
            let given = try await rides.seen(request.id, by: maya).boarding
            #expect(given.address == "Broadway 12" && given.position == Example.kingCity)
            #expect(try await rides.seen(ride, by: maya).detourLeft == 20_000 - request.detour)
        }
    }

    @Test func strangers_are_not_told_who_rides_along() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            try await rides.name(tom, "Tom")
            _ = try await rides.seated(in: ride) { $0.seats = 2 }
            #expect(try await rides.seen(ride, by: nil).passengers.isEmpty)
            for person in [maya, tom, lin] {
                let passengers = try await rides.seen(ride, by: person).passengers
                #expect(passengers.map(\.person.name) == ["Tom"] && passengers.map(\.seats) == [2])
            }
            try await rides.part(tom, lin)
            let apart = try await rides.seen(ride, by: lin).passengers
            #expect(apart.map(\.person.name) == [PersonSummary.nameOfUnknown], "she rides along with somebody")
            #expect(apart.map(\.person.id) == [.nobody])
        }
    }

    @Test func what_moderators_hide_is_there_for_its_driver_who_rides_along_and_them() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            _ = try await rides.seated(in: ride)
            try await rides.store.transaction { try await $0.hide(ride, Hiding(at: noon, reason: "Advertising.")) }
            for person in [lin, nil] {
                #expect(await rideRefusal { try await rides.seen(ride, by: person) } == .notFound)
                #expect(try await rides.rides.rides(RideQuery(), for: Caller(person: person)).items.isEmpty)
            }
            for person in [maya, tom] { #expect(try await rides.seen(ride, by: person).id == ride) }
            let moderator = Caller(person: lin, roles: [.moderator])
            #expect(try await rides.rides.ride(ride, for: moderator).hidden?.reason == "Advertising.")
        }
    }

    @Test func a_ride_of_somebody_who_is_apart_is_not_there() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            try await rides.part(maya, tom)
            func tries(_ id: RideID) async -> [RideError?] {
                [
                    await rideRefusal { try await rides.seen(id, by: tom) },
                    await rideRefusal { try await rides.ask(id) },
                    await rideRefusal { try await rides.rides.quoteSeat(id, SeatDraft(), for: Caller(person: tom)) },
                    await rideRefusal { try await rides.rides.save(id, .from(tom)) },
                    await rideRefusal { try await rides.rides.change(id, to: RideDraft(), .from(tom)) },
                    await rideRefusal { try await rides.rides.remove(id, RideRemoval(), .from(tom)) },
                    await rideRefusal {
                        try await rides.rides.subject(SubjectQuery(subject: Subject(id), viewer: tom))
                    },
                ]
            }
            #expect(await tries(ride) == Array(repeating: .notFound, count: 7))
            #expect(await tries(.new()) == Array(repeating: .notFound, count: 7), "to the letter")
            #expect(try await rides.rides.rides(RideQuery(by: maya), for: Caller(person: tom)).items.isEmpty)
            #expect(try await rides.seen(ride, by: lin).id == ride)
        }
    }

    /// Maya and Lin belong to the hill, Tom to the bay, Kim to none.
    @Test func campuses_may_be_kept_apart() async throws {
        try await Rides.with(campuses: CampusSeparation(isOn: true)) { rides in
            for (person, name, campus) in [(maya, "Maya", "hill"), (lin, "Lin", "hill"), (tom, "Tom", "bay")] {
                try await rides.name(person, name, campus: campus)
            }
            try await rides.name(kim, "Kim")
            let ride = try await rides.posted().id
            for person in [tom, kim, nil] {
                #expect(await rideRefusal { try await rides.seen(ride, by: person) } == .notFound)
                #expect(try await rides.rides.rides(RideQuery(), for: Caller(person: person)).items.isEmpty)
            }
            #expect(await rideRefusal { try await rides.ask(ride) } == .notFound)
            let asked = try await rides.ask(ride, by: lin)
            try await rides.name(lin, "Lin", campus: "bay")
            #expect(await rideRefusal { try await rides.act(asked.id, .accept) } == .wrongState([.reject]))
        }
    }

    @Test func somebodys_own_rides_are_in_four_lists() async throws {
        try await Rides.with { rides in
            let first = try await rides.posted().id
            let second = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 96)) }.id
            let seat = try await rides.seated(in: first)
            let asked = try await rides.ask(second, by: maya)
            func tab(_ tab: MyRidesTab, _ person: PersonID) async throws -> [RideID] {
                try await rides.rides.myRides(MyRidesQuery(tab: tab), for: Caller(person: person)).items.map(\.ride.id)
            }
            #expect(try await tab(.current, maya) == [first])
            #expect(try await tab(.pending, maya) == [second])
            #expect(try await tab(.current, tom) == [first])
            #expect(try await tab(.pending, lin) == [second])
            let toAnswer = try await rides.rides.myRides(MyRidesQuery(tab: .pending), for: Caller(person: lin)).items
            #expect(toAnswer.map(\.request?.id) == [asked.id] && toAnswer[0].request?.possible == [.accept, .reject])
            #expect(
                await refusalCode { try await rides.rides.myRides(MyRidesQuery(), for: .anonymous) } == .unauthenticated
            )
            rides.advance(hours: 48)
            try await rides.pass()
            _ = try await rides.rides.arrive(first, .from(maya))
            for person in [maya, tom] {
                #expect(try await tab(.past, person) == [first])
                #expect(try await tab(.current, person).isEmpty)
            }
            #expect(try await rides.seen(seat.id, by: tom).state == .rode)
        }
    }
}
