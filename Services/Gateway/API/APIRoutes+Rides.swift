import HTTPTypes
import WireProtocol

extension APIRoute {
    /// Rides that people share, what becomes rides each week, and seats in them.
    static let rides: [APIRoute] = offered + series + seats

    private static let offered: [APIRoute] = [
        .service(.get, "/v1/regions", "getRegions", RidesMethods.regions, session: .optional),
        .service(.get, "/v1/rides", "listRides", RidesMethods.rides, session: .optional) { read, _ in
            rideQuery(&read)
        },
        .service(.post, "/v1/rides", "postRide", RidesMethods.postRide, success: .created),
        // Before those that take an id: a router takes what is said in words first, and readers do.
        .service(.get, "/v1/rides/search", "searchRides", RidesMethods.search, session: .optional) { read, _ in
            rideSearchQuery(&read)
        },
        .service(.post, "/v1/rides/quote", "quoteRide", RidesMethods.quoteRide),
        .service(.get, "/v1/rides/{id}", "getRide", RidesMethods.ride, session: .optional, read: rideReference),
        .service(.patch, "/v1/rides/{id}", "changeRide", RidesMethods.changeRide, read: rideReference),
        .service(.delete, "/v1/rides/{id}", "removeRide", RidesMethods.removeRide, read: rideReference),
        .service(.post, "/v1/rides/{id}/depart", "departRide", RidesMethods.departRide, read: rideReference),
        .service(.post, "/v1/rides/{id}/arrive", "arriveRide", RidesMethods.arriveRide, read: rideReference),
        .service(.put, "/v1/saved-rides/{id}", "saveRide", RidesMethods.saveRide, read: rideReference),
        .service(.delete, "/v1/saved-rides/{id}", "unsaveRide", RidesMethods.unsaveRide, read: rideReference),
        .service(.get, "/v1/my/rides", "listMyRides", RidesMethods.myRides) { read, _ in myRidesQuery(&read) },
    ]

    private static let series: [APIRoute] = [
        .service(.get, "/v1/ride-series", "listRideSeries", RidesMethods.mySeries) { read, _ in
            MySeriesQuery(limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.post, "/v1/ride-series", "postRideSeries", RidesMethods.postSeries, success: .created),
        // Before those that take an id, as above.
        .service(.post, "/v1/ride-series/quote", "quoteRideSeries", RidesMethods.quoteSeries),
        .service(.get, "/v1/ride-series/{id}", "getRideSeries", RidesMethods.series, read: seriesReference),
        .service(.patch, "/v1/ride-series/{id}", "changeRideSeries", RidesMethods.changeSeries, read: seriesReference),
        .service(.delete, "/v1/ride-series/{id}", "endRideSeries", RidesMethods.endSeries, read: seriesReference),
    ]

    private static let seats: [APIRoute] = [
        .service(.post, "/v1/rides/{id}/seat-quote", "quoteSeat", RidesMethods.quoteSeat, read: rideReference),
        .service(
            .post, "/v1/rides/{id}/requests", "requestSeat", RidesMethods.requestSeat, success: .created,
            read: rideReference),
        .service(.get, "/v1/rides/{id}/requests", "listRideRequests", RidesMethods.requests) { read, _ in
            SeatRequestQuery(
                ride: read.id(), state: read.choice("state", of: SeatState.allCases),
                limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.get, "/v1/seat-requests", "listSeatRequests", RidesMethods.requests) { read, _ in
            seatRequestQuery(&read)
        },
        .service(.get, "/v1/seat-requests/{id}", "getSeatRequest", RidesMethods.request, read: requestReference),
        // Before the acts, as above.
        .service(
            .get, "/v1/seat-requests/{id}/contact", "getSeatContact", RidesMethods.contact, read: requestReference),
        .service(.post, "/v1/seat-requests/{id}/{act}", "actOnRequest", RidesMethods.actOnRequest) { read, _ in
            SeatActReference(id: read.id(), act: read.segment("act", as: SeatAct.init(path:)) ?? .accept)
        },
    ]

    @Sendable private static func rideReference(_ read: inout ParameterReader, _: APICall) -> RideReference {
        RideReference(id: read.id())
    }

    @Sendable private static func seriesReference(_ read: inout ParameterReader, _: APICall) -> RideSeriesReference {
        RideSeriesReference(id: read.id())
    }

    @Sendable private static func requestReference(_ read: inout ParameterReader, _: APICall) -> SeatRequestReference {
        SeatRequestReference(id: read.id())
    }

    private static func rideQuery(_ read: inout ParameterReader) -> RideQuery {
        RideQuery(
            region: read.text("region"), direction: read.choice("direction", of: RideDirection.allCases),
            by: read.reference("by"), series: read.reference("series"), limit: read.integer("limit", in: 1...100),
            cursor: read.text("cursor"))
    }

    private static func rideSearchQuery(_ read: inout ParameterReader) -> RideSearchQuery {
        read.exactlyOne(of: ["from"])
        read.exactlyOne(of: ["to"])
        let nowhere = Position(latitude: 0, longitude: 0)
        return RideSearchQuery(
            from: read.position("from") ?? nowhere, to: read.position("to") ?? nowhere, at: read.moment("at"),
            after: read.moment("after"), before: read.moment("before"), seats: read.integer("seats", in: 1...8),
            luggage: read.choice("luggage", of: RideLuggage.allCases), onlyFree: read.flag("onlyFree"),
            noDetour: read.flag("noDetour"), mostExtra: read.integer("mostExtra", in: 0...3_000_000),
            onlyVerified: read.flag("onlyVerified"), limit: read.integer("limit", in: 1...100),
            cursor: read.text("cursor"))
    }

    private static func myRidesQuery(_ read: inout ParameterReader) -> MyRidesQuery {
        MyRidesQuery(
            tab: read.choice("tab", of: MyRidesTab.allCases), limit: read.integer("limit", in: 1...100),
            cursor: read.text("cursor"))
    }

    private static func seatRequestQuery(_ read: inout ParameterReader) -> SeatRequestQuery {
        SeatRequestQuery(
            ride: read.reference("ride"), role: read.choice("role", of: SeatRole.allCases),
            state: read.choice("state", of: SeatState.allCases), disputed: read.flag("disputed"),
            limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
    }
}
