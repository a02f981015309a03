import Foundation
import KampongClient
import Testing
import WireProtocol

/// Where calls about rides and seats go, and what they say there.
extension CallTests {
    private static let ride = RideID.new()
    private static let request = SeatRequestID.new()

    @Test func calls_about_a_ride_go_to_its_addresses() async {
        let (id, one) = (Self.ride, "/v1/rides/\(Self.ride)")
        #expect(await arrives { _ = try await $0.ride(id) } == .init("GET", one))
        #expect(await arrives { _ = try await $0.postRide(RideDraft()) } == .init("POST", "/v1/rides"))
        #expect(await arrives { _ = try await $0.quote(RideDraft()) } == .init("POST", "/v1/rides/quote"))
        #expect(await arrives { _ = try await $0.changeRide(id, with: RideDraft()) } == .init("PATCH", one))
        #expect(
            await arrives { try await $0.removeRide(id, reason: "Rain.", withOther: true) } == .init("DELETE", one))
        #expect(await arrives { _ = try await $0.departRide(id) } == .init("POST", "\(one)/depart"))
        #expect(await arrives { _ = try await $0.arriveRide(id) } == .init("POST", "\(one)/arrive"))
        #expect(await arrives { try await $0.saveRide(id) } == .init("PUT", "/v1/saved-rides/\(id)"))
        #expect(await arrives { try await $0.unsaveRide(id) } == .init("DELETE", "/v1/saved-rides/\(id)"))
        #expect(await arrives { _ = try await $0.quoteSeat(in: id) } == .init("POST", "\(one)/seat-quote"))
        #expect(await arrives { _ = try await $0.requestSeat(in: id) } == .init("POST", "\(one)/requests"))
        #expect(
            await arrives { _ = try await $0.seatRequests(for: id, state: .pending, limit: 5, cursor: "c") }
                == .init("GET", "\(one)/requests", "state=pending&limit=5&cursor=c"))
    }

    @Test func rides_are_looked_for_as_the_interface_has_it() async {
        let (by, series) = (PersonID.new(), RideSeriesID.new())
        #expect(await arrives { _ = try await $0.regionsOfRides() } == .init("GET", "/v1/regions"))
        let browsed = RideQuery(region: "Bay Area", direction: .to, by: by, series: series, limit: 5, cursor: "c")
        #expect(
            await arrives { _ = try await $0.rides(browsed) }
                == .init(
                    "GET", "/v1/rides", "region=Bay Area&direction=to&by=\(by)&series=\(series)&limit=5&cursor=c"))
        let moment = Date(timeIntervalSince1970: 1_796_428_800)
        let searched = RideSearchQuery(
            from: Position(latitude: 35.5, longitude: -120.5), to: Position(latitude: 37.5, longitude: -122.5),
            at: moment, after: moment, before: moment, seats: 2, luggage: .large, onlyFree: true, noDetour: false,
            mostExtra: 5000, onlyVerified: true, limit: 6, cursor: "d")
        let text = WireJSON.text(of: moment)
        #expect(
            await arrives { _ = try await $0.searchRides(searched) }
                == .init(
                    "GET", "/v1/rides/search",
                    "from=35.5,-120.5&to=37.5,-122.5&at=\(text)&after=\(text)&before=\(text)&seats=2&luggage=large"
                        + "&onlyFree=true&noDetour=false&mostExtra=5000&onlyVerified=true&limit=6&cursor=d"))
        #expect(
            await arrives { _ = try await $0.myRides(MyRidesQuery(tab: .saved, limit: 7, cursor: "e")) }
                == .init("GET", "/v1/my/rides", "tab=saved&limit=7&cursor=e"))
    }

    @Test func calls_about_a_series_go_to_its_addresses() async {
        let id = RideSeriesID.new()
        let one = "/v1/ride-series/\(id)"
        #expect(
            await arrives { _ = try await $0.rideSeries(limit: 5, cursor: "c") }
                == .init("GET", "/v1/ride-series", "limit=5&cursor=c"))
        let draft = RideSeriesDraft()
        #expect(await arrives { _ = try await $0.rideSeries(id) } == .init("GET", one))
        #expect(await arrives { _ = try await $0.quote(draft) } == .init("POST", "/v1/ride-series/quote"))
        #expect(await arrives { _ = try await $0.postRideSeries(draft) } == .init("POST", "/v1/ride-series"))
        #expect(await arrives { _ = try await $0.changeRideSeries(id, with: draft) } == .init("PATCH", one))
        #expect(await arrives { try await $0.endRideSeries(id) } == .init("DELETE", one))
    }

    @Test func ways_are_asked_for_as_the_interface_has_it() async {
        let (a, b) = (Position(latitude: 60.5, longitude: 24.5), Position(latitude: 60.25, longitude: 24.75))
        #expect(
            await arrives { _ = try await $0.route(through: [a, b], by: .walking) }
                == .init("GET", "/v1/places/route", "point=60.5,24.5&point=60.25,24.75&mode=walking"))
        #expect(
            await arrives { _ = try await $0.distances(from: a, to: [b, a], by: .driving, towards: true) }
                == .init(
                    "GET", "/v1/places/distances",
                    "from=60.5,24.5&mode=driving&towards=true&to=60.25,24.75&to=60.5,24.5"))
    }

    @Test func calls_about_a_request_for_seats_go_to_its_addresses() async {
        let (id, ride) = (Self.request, Self.ride)
        for act in SeatAct.allCases {
            let arrived = await arrives { _ = try await $0.act(act, on: id) }
            #expect(arrived == .init("POST", "/v1/seat-requests/\(id)/\(act.path)"))
        }
        #expect(await arrives { _ = try await $0.seatRequest(id) } == .init("GET", "/v1/seat-requests/\(id)"))
        #expect(await arrives { _ = try await $0.seatContact(id) } == .init("GET", "/v1/seat-requests/\(id)/contact"))
        let query = SeatRequestQuery(
            ride: ride, role: .driver, state: .disputed, disputed: true, limit: 5, cursor: "c")
        #expect(
            await arrives { _ = try await $0.seatRequests(query) }
                == .init(
                    "GET", "/v1/seat-requests",
                    "ride=\(ride)&role=driver&state=disputed&disputed=true&limit=5&cursor=c"))
    }
}
