import FoundationEssentials
import Testing
import WireProtocol

/// What the document says of rides, and of seats in them.
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
        action: .own, request: .new(), possible: [.change], hidden: Hiding(at: Date(), reason: ""), version: "")
    private static let requested = RequestedRide(
        id: .new(), state: .open, from: "", to: "", departsAt: Date(), arrivesAt: Date(), zone: "")
    private static let request = SeatRequest(
        id: .new(), ride: requested, driver: someone, rider: someone, role: .driver, state: .pending, seats: 1,
        riders: [], boarding: point, leaving: point, detour: 0, cost: money, message: "", askedAt: Date(),
        answerBy: Date(), confirmBy: Date(), ahead: 0, changedAt: Date(), changedBy: someone, reason: "",
        possible: [.accept])

    @Test func schemas_of_rides_say_what_types_write() throws {
        try holds("RideStop", Self.stop)
        try holds("RidePassenger", RidePassenger(person: Self.someone, seats: 1))
        try holds("Ride", Self.ride)
        try holds("RideStopDraft", RideStopDraft(name: "", address: "", position: Self.at))
        try holds(
            "RideDraft",
            RideDraft(
                stops: [], departsAt: "", leavesBy: "", zone: "", seats: 1, cost: Self.money, maxDetour: 0,
                luggage: .small, accepts: .nobody, notes: "", version: ""))
        try holds(
            "RideQuote",
            RideQuote(
                stops: [], departsAt: Date(), arrivesAt: Date(), zone: "", length: 1, costs: [],
                highestCost: Self.money))
        try holds("RideRemoval", RideRemoval(reason: ""))
        try holds("RegionOfRides", RegionOfRides(region: "", from: 0, to: 0))
        try holds(
            "FoundRide",
            FoundRide(
                ride: Self.ride, boarding: Self.point, leaving: Self.point, startGap: 0, endGap: 0, detour: 0, extra: 0,
                timeDifference: 0, free: 0, cost: Self.money))
        try holds("FoundRides", FoundRides(items: [], next: ""))
        try holds("MyRide", MyRide(ride: Self.ride, request: Self.request))
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
        try holds(
            "SeatDraft",
            SeatDraft(
                seats: 1, riders: [], from: place, to: place, message: "", answerWithin: 3, waitlist: true,
                expected: expected))
        try holds(
            "SeatQuote",
            SeatQuote(
                boarding: Self.point, leaving: Self.point, seats: 1, free: 1, detour: 0, cost: Self.money, waiting: 0))
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
        holds("SeatRole", SeatRole.self)
        holds("SeatState", SeatState.self)
        holds("SeatAct", SeatAct.self)
    }
}
