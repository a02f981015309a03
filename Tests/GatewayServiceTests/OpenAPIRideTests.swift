import FoundationEssentials
import Testing
import WireProtocol

/// What the document says of rides, of series of them, and of seats in them.
extension OpenAPITests {
    private static let money = Money(amount: 1, currency: "SGD")
    private static let at = Position(latitude: 0, longitude: 0)
    private static let someone = PersonSummary(id: .new(), name: "")
    private static let stop = RideStop(
        name: "", address: "", position: at, isExact: true, region: "", at: 0, time: Date())
    private static let point = SeatPoint(
        name: "", address: "", position: at, isExact: true, stop: 0, at: 0, time: Date())
    private static let ride = Ride(
        id: .new(), state: .open, driver: someone, stops: [stop], departsAt: Date(), leavesBy: Date(),
        arrivesAt: Date(), zone: "", seats: 1, free: [], cost: money, length: 1, maxDetour: 0, detourLeft: 0,
        luggage: .small, accepts: .nobody, notes: "", passengers: [], postedAt: Date(), mine: true, isSaved: true,
        action: .own, request: .new(), other: way, series: .new(), possible: [.change],
        hidden: Hiding(at: Date(), reason: ""), version: "")
    private static let way = OtherWay(id: .new(), isReturn: true, state: .open, departsAt: Date(), zone: "")
    private static let back = ReturnDraft(stops: [], departsAt: "", leavesBy: "", seats: 1, cost: money)
    private static let draft = RideDraft(
        stops: [], departsAt: "", leavesBy: "", zone: "", seats: 1, cost: money, maxDetour: 0, luggage: .small,
        accepts: .nobody, notes: "", returnRide: back, version: "")
    private static let quotedBack = ReturnQuote(
        stops: [], departsAt: Date(), arrivesAt: Date(), length: 1, costs: [], highestCost: money)
    private static let quote = RideQuote(
        stops: [], departsAt: Date(), arrivesAt: Date(), zone: "", length: 1, costs: [], highestCost: money,
        returnRide: quotedBack)
    private static let requested = RequestedRide(
        id: .new(), state: .open, from: "", to: "", departsAt: Date(), arrivesAt: Date(), zone: "")
    private static let request = SeatRequest(
        id: .new(), ride: requested, driver: someone, rider: someone, role: .driver, state: .pending, seats: 1,
        riders: [], boarding: point, leaving: point, detour: 0, cost: money, message: "", askedAt: Date(),
        answerBy: Date(), confirmBy: Date(), ahead: 0, together: .new(), changedAt: Date(), changedBy: someone,
        reason: "", possible: [.accept])

    @Test func schemas_of_rides_say_what_types_write() throws {
        try holds("RideStop", Self.stop)
        try holds("RidePassenger", RidePassenger(person: Self.someone, seats: 1))
        try holds("Ride", Self.ride)
        try holds("RideStopDraft", RideStopDraft(name: "", address: "", position: Self.at))
        try holds("OtherWay", Self.way)
        try holds("ReturnDraft", Self.back)
        try holds("RideDraft", Self.draft)
        try holds("ReturnQuote", Self.quotedBack)
        try holds("RideQuote", Self.quote)
        try holds("RideRemoval", RideRemoval(reason: "", withOther: true))
        try holds("RegionOfRides", RegionOfRides(region: "", from: 0, to: 0))
        try holds(
            "FoundRide",
            FoundRide(
                ride: Self.ride, boarding: Self.point, leaving: Self.point, startGap: 0, endGap: 0, detour: 0,
                detourSeconds: 0, extra: 0, timeDifference: 0, free: 0, cost: Self.money))
        try holds("FoundRides", FoundRides(items: [], next: ""))
        try holds("MyRide", MyRide(ride: Self.ride, request: Self.request))
    }

    @Test func schemas_of_series_say_what_types_write() throws {
        let ride = SeriesRide(id: .new(), day: "", isReturn: true, departsAt: Date(), requests: 0)
        let gap = SeriesGap(day: "", why: .removed)
        try holds("SeriesRide", ride)
        try holds("SeriesGap", gap)
        try holds(
            "RideSeries",
            RideSeries(
                id: .new(), ride: Self.draft, weekdays: [.monday], from: "", until: "", skips: [""], rides: [ride],
                gaps: [gap], isOver: true, version: ""))
        try holds(
            "RideSeriesDraft",
            RideSeriesDraft(ride: Self.draft, weekdays: [.monday], until: "", skips: [""], version: ""))
        try holds("RideSeriesQuote", RideSeriesQuote(ride: Self.quote, days: [""], gaps: [gap]))
        try holds("RideSeriesEnding", RideSeriesEnding(reason: "", keepsAsked: true))
    }

    @Test func schemas_of_seats_say_what_types_write() throws {
        let (place, expected) = (
            SeatPointDraft(stop: 0, name: "", address: "", position: Self.at),
            SeatExpectation(cost: 0, departsAt: Date())
        )
        try holds("RequestedRide", Self.requested)
        try holds("SeatPoint", Self.point)
        try holds("SeatRequest", Self.request)
        try holds("SeatPointDraft", place)
        try holds("SeatExpectation", expected)
        let together = TogetherDraft(from: place, to: place, expected: expected)
        try holds("TogetherDraft", together)
        try holds(
            "SeatDraft",
            SeatDraft(
                seats: 1, riders: [], from: place, to: place, message: "", answerWithin: 3, waitlist: true,
                together: together, expected: expected))
        let other = OtherSeatQuote(
            ride: Self.requested, boarding: Self.point, leaving: Self.point, free: 1, detour: 0, detourSeconds: 0,
            cost: Self.money)
        try holds("OtherSeatQuote", other)
        try holds(
            "SeatQuote",
            SeatQuote(
                boarding: Self.point, leaving: Self.point, seats: 1, free: 1, detour: 0, detourSeconds: 0,
                cost: Self.money, waiting: 0, together: other))
        try holds("SeatActDraft", SeatActDraft(reason: "", rode: true, expected: .pending))
        try holds("SeatContact", SeatContact(phone: ""))
    }

    @Test func every_choice_about_rides_is_described() {
        func holds<Choice: CaseIterable & RawRepresentable<String>>(_ name: String, _: Choice.Type) {
            #expect(document.components.schemas[name]?.values == Choice.allCases.map(\.rawValue), "\(name)")
        }
        holds("RideState", RideState.self)
        holds("RideAction", RideAction.self)
        holds("RideAct", RideAct.self)
        holds("RideLuggage", RideLuggage.self)
        holds("RideAcceptance", RideAcceptance.self)
        holds("RideWarning", RideWarning.self)
        holds("Weekday", Weekday.self)
        holds("SeriesGapReason", SeriesGap.Reason.self)
        holds("SeatRole", SeatRole.self)
        holds("SeatState", SeatState.self)
        holds("SeatAct", SeatAct.self)
    }
}
