import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// What the document says of who brings what: availabilities, orders, and matches.
extension OpenAPITests {
    private static let money = Money(amount: 1, currency: "SGD")
    private static let at = Position(latitude: 0, longitude: 0)
    private static let someone = PersonSummary(id: .new(), name: "")
    private static let place = DeliveryPlace(place: .new(), name: "", address: "", position: at)
    private static let availability = Availability(
        id: .new(), state: .available, restaurant: place, dropOff: place, capacity: 1, taken: 0, detour: 0,
        until: Date(), leastFee: money, isListed: true, matches: [.new()])
    private static let dropOff = DropOffDraft(place: .new(), name: "", position: at)
    private static let from = OrderedFrom(restaurant: place, items: "")
    private static let around = OrderedAround(position: at, radius: 100, items: "")
    private static let terms = OrderTerms(fee: money, limit: money, paidBy: .cash)
    private static let step = OrderStep(what: .asked, person: someone, at: Date())
    private static let asked = AskedDeliverer(person: someone, match: .new(), until: Date())
    private static let statement = MatchStatement(by: someone, text: "", at: Date())

    @Test func schemas_of_availabilities_say_what_types_write() throws {
        try holds("DeliveryPlace", Self.place)
        try holds("Availability", Self.availability)
        try holds("OwnAvailability", OwnAvailability(availability: Self.availability))
        try holds("DropOffDraft", Self.dropOff)
        try holds(
            "AvailabilityDraft",
            AvailabilityDraft(
                restaurant: .new(), dropOff: Self.dropOff, capacity: 1, detour: 0, minutes: 15, leastFee: Self.money,
                isListed: true))
        try holds(
            "DeliveryRestaurant",
            DeliveryRestaurant(restaurant: Self.place, deliverers: 1, dropOffs: [""], until: Date(), distance: 0))
        let deliverer = Deliverer(
            id: .new(), person: Self.someone, dropOff: Self.place, distance: 0, free: 1, until: Date(),
            leastFee: Self.money)
        try holds("Deliverer", deliverer)
        try holds("DelivererFound", DelivererFound(restaurant: Self.place, deliverer: deliverer))
    }

    @Test func schemas_of_orders_say_what_types_write() throws {
        try holds("OrderedFrom", Self.from)
        try holds("OrderedAround", Self.around)
        try holds("OrderTerms", Self.terms)
        try holds("OrderStep", Self.step)
        try holds("AskedDeliverer", Self.asked)
        try holds(
            "DeliveryOrder",
            DeliveryOrder(
                id: .new(), state: .offered, from: [Self.from], around: Self.around, dropOff: Self.place, door: "",
                terms: Self.terms, rollsOn: true, steps: [Self.step], asked: Self.asked, possibleDeliverers: 1,
                placedAt: Date(), waitsUntil: Date(), match: .new(), possible: [.cancel]))
        let (from, around) = (
            OrderedFromDraft(restaurant: .new(), items: ""),
            OrderedAroundDraft(position: Self.at, radius: 100, items: "")
        )
        try holds("OrderedFromDraft", from)
        try holds("OrderedAroundDraft", around)
        try holds(
            "OrderDraft",
            OrderDraft(
                from: [from], around: around, dropOff: Self.dropOff, door: "", fee: Self.money, limit: Self.money,
                paidBy: .credits, pickUpCode: "", availability: .new(), rollsOn: true, minutes: 15))
        try holds("OrderAsking", OrderAsking(availability: .new()))
    }

    @Test func schemas_of_matches_say_what_types_write() throws {
        try holds("MatchStatement", Self.statement)
        try holds(
            "DeliveryMatch",
            DeliveryMatch(
                id: .new(), order: .new(), state: .disputed, orderer: Self.someone, deliverer: Self.someone,
                role: .orderer, restaurant: Self.place, items: "", dropOff: Self.place, destination: Self.place,
                door: "", pickUpCode: "", terms: Self.terms, detour: 0, detourSeconds: 0, isTurn: true,
                offeredAt: Date(), expiresAt: Date(), acceptedAt: Date(), expectedAt: Date(), pickedUpAt: Date(),
                spent: Self.money, receipt: "", tip: Self.money, owed: Self.money, code: "", isShared: true,
                changedAt: Date(), changedBy: Self.someone, reason: "", statements: [Self.statement],
                possible: [.accept]))
        let expected = MatchExpectation(state: .offered, fee: 0, limit: 0)
        try holds("MatchExpectation", expected)
        try holds(
            "MatchActDraft",
            MatchActDraft(
                reason: "", minutes: 1, spent: Self.money, receipt: "", code: "", amount: Self.money, share: 0,
                expected: expected))
        try holds("MatchPositionDraft", MatchPositionDraft(position: Self.at, accuracy: 1))
        try holds(
            "MatchPosition",
            MatchPosition(position: Self.at, accuracy: 1, at: Date(), metres: 1, seconds: 1, stopsBefore: 0))
        try holds("MatchContact", MatchContact(phone: ""))
    }

    @Test func every_choice_about_deliveries_is_described() {
        func holds<Choice: CaseIterable & RawRepresentable<String>>(_ name: String, _: Choice.Type) {
            #expect(document.components.schemas[name]?.values == Choice.allCases.map(\.rawValue), "\(name)")
        }
        holds("AvailabilityState", AvailabilityState.self)
        holds("OrderState", OrderState.self)
        holds("OrderAct", OrderAct.self)
        holds("OrderPayment", OrderPayment.self)
        holds("OrderStepKind", OrderStep.What.self)
        holds("MatchRole", MatchRole.self)
        holds("MatchState", MatchState.self)
        holds("MatchAct", MatchAct.self)
    }

    /// The acts as addresses say them, and each change that the stream tells of.
    @Test func every_word_of_addresses_and_events_is_described() throws {
        let whole = try OrderedJSON(bytes)
        let act = whole["components"]?["parameters"]?["MatchActIs"]?["schema"]?["enum"]
        #expect(act?.items.compactMap(\.text) == MatchAct.allCases.map(\.path))
        let said = try #require(
            whole["paths"]?["/v1/stream"]?["get"]?["responses"]?["200"]?["description"]?.text)
        let events = [
            NewMatch.type, MatchUpdate.type, MatchMoved.type, MatchReminder.type, OrderLapsed.type,
            RestaurantsChanged.type, AvailabilityChanged.type,
        ]
        let changes =
            MatchUpdate.Change.allCases.map(\.rawValue) + AvailabilityChanged.Change.allCases.map(\.rawValue)
            + MatchReminder.Occasion.allCases.map(\.rawValue)
        for word in events + changes { #expect(said.contains("`\(word)`"), "\(word)") }
    }
}
