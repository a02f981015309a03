// What the rides service is asked, and the stream of what it publishes.

package enum RidesMethods {
    package static let regions = Method<Nothing, Nothing, Page<RegionOfRides>>("rides.regions", .query)
    package static let rides = Method<RideQuery, Nothing, Page<Ride>>("rides.rides", .query)
    package static let search = Method<RideSearchQuery, Nothing, FoundRides>("rides.search", .query)
    package static let quoteRide = Method<Nothing, RideDraft, RideQuote>("rides.quoteRide", .query)
    package static let ride = Method<RideReference, Nothing, Ride>("rides.ride", .query)
    package static let myRides = Method<MyRidesQuery, Nothing, Page<MyRide>>("rides.myRides", .query)

    package static let postRide = Method<Nothing, RideDraft, Ride>("rides.postRide", .command)
    /// What is absent stays.
    package static let changeRide = Method<RideReference, RideDraft, Ride>("rides.changeRide", .command)
    package static let removeRide = Method<RideReference, RideRemoval, Nothing>("rides.removeRide", .command)
    package static let departRide = Method<RideReference, Nothing, Ride>("rides.departRide", .command)
    package static let arriveRide = Method<RideReference, Nothing, Ride>("rides.arriveRide", .command)
    package static let saveRide = Method<RideReference, Nothing, Nothing>("rides.saveRide", .command)
    package static let unsaveRide = Method<RideReference, Nothing, Nothing>("rides.unsaveRide", .command)

    package static let quoteSeries = Method<Nothing, RideSeriesDraft, RideSeriesQuote>("rides.quoteSeries", .query)
    package static let mySeries = Method<MySeriesQuery, Nothing, Page<RideSeries>>("rides.mySeries", .query)
    package static let series = Method<RideSeriesReference, Nothing, RideSeries>("rides.series", .query)
    package static let postSeries = Method<Nothing, RideSeriesDraft, RideSeries>("rides.postSeries", .command)
    /// What is absent stays.
    package static let changeSeries = Method<RideSeriesReference, RideSeriesDraft, RideSeries>(
        "rides.changeSeries", .command)
    package static let endSeries = Method<RideSeriesReference, RideSeriesEnding, Nothing>("rides.endSeries", .command)

    package static let quoteSeat = Method<RideReference, SeatDraft, SeatQuote>("rides.quoteSeat", .query)
    package static let requestSeat = Method<RideReference, SeatDraft, SeatRequest>("rides.requestSeat", .command)
    package static let requests = Method<SeatRequestQuery, Nothing, Page<SeatRequest>>("rides.requests", .query)
    package static let request = Method<SeatRequestReference, Nothing, SeatRequest>("rides.request", .query)
    package static let actOnRequest = Method<SeatActReference, SeatActDraft, SeatRequest>(
        "rides.actOnRequest", .command)
    package static let contact = Method<SeatRequestReference, Nothing, SeatContact>("rides.contact", .query)
}

package enum RidesEvents {
    package static let stream = PublishedStream(of: .rides)
}
