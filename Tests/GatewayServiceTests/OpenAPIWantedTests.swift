import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// What the document says of standing searches.
extension OpenAPITests {
    private static let at = Position(latitude: 0, longitude: 0)
    private static let someone = PersonSummary(id: .new(), name: "")
    private static let spots = SpotQuery(near: at, radius: 1)
    private static let things = ThingQuery(
        kind: .car, q: "", region: "", brand: "", model: "", highestPrice: 0, from: "", until: "")
    private static let spot = Spot(
        id: .new(), name: "", position: at, kind: .street, state: .free, photo: nil, price: nil, postedBy: someone,
        postedAt: Date(), expiresAt: Date(), age: 0, distance: nil, directions: "",
        observations: ObservationCount(there: 0, gone: 0), likelyGone: false, mine: false, claim: nil)
    private static let thing = Thing(
        id: .new(), kind: .car, state: .listed, title: "",
        terms: RentalTerms(unit: .day, cancellation: .flexible, zone: ""), owner: someone, postedAt: Date(),
        mine: false, action: .rent)

    private static let rides = RideSearchQuery(
        from: at, to: at, at: Date(), after: Date(), before: Date(), seats: 1, luggage: .small, onlyFree: true,
        noDetour: true, mostExtra: 0, onlyVerified: true)
    private static let ride = Ride(
        id: .new(), state: .open, driver: someone, stops: [], departsAt: Date(), arrivesAt: Date(), zone: "", seats: 1,
        free: [], length: 1, maxDetour: 0, detourLeft: 0, luggage: .none, accepts: .nobody, postedAt: Date(),
        mine: false, action: .ask)

    private static let deliverers = DelivererSearch(restaurant: .new(), near: at, radius: 50, to: at, until: Date())
    private static let place = DeliveryPlace(name: "", position: at)
    private static let deliverer = DelivererFound(
        restaurant: place,
        deliverer: Deliverer(id: .new(), person: someone, dropOff: place, free: 1, until: Date()))

    @Test func schemas_of_searches_say_what_types_write() throws {
        var query = WantedQuery(spots: Self.spots)
        query.things = Self.things
        query.rides = Self.rides
        query.deliverers = Self.deliverers
        try holds("WantedSpots", Self.spots)
        try holds("WantedThings", Self.things)
        try holds("WantedRides", Self.rides)
        try holds("WantedDeliverers", Self.deliverers)
        try holds("WantedQuery", query)
        try holds(
            "Wanted",
            Wanted(
                id: .new(), query: query, isVisible: true, state: .live, createdAt: Date(), expiresAt: Date(), found: 1,
                lastFoundAt: Date(), version: ""))
        try holds("WantedDraft", WantedDraft(query: query, isVisible: true))
        try holds("WantedChange", WantedChange(query: query, isPaused: true, isVisible: true, version: ""))
        try holds("WantedEstimate", WantedEstimate(perMonth: 0, isTooWide: true, fitting: 0))
        var find = WantedFind(at: Date(), ShelfItem(Self.spot))
        find.thing = Self.thing
        find.ride = Self.ride
        find.deliverer = Self.deliverer
        try holds("WantedFind", find)
    }

    @Test func every_word_about_searches_is_described() throws {
        let states = document.components.schemas["WantedState"]?.values
        #expect(states == WantedState.allCases.map(\.rawValue))
        let whole = try OrderedJSON(bytes)
        let said = try #require(
            whole["paths"]?["/v1/stream"]?["get"]?["responses"]?["200"]?["description"]?.text)
        let words = [WantedFound.type, WantedReminder.type] + WantedReminder.Occasion.allCases.map(\.rawValue)
        for word in words { #expect(said.contains("`\(word)`"), "\(word)") }
    }

    /// What can be found can be asked for, and told of.
    @Test func every_kind_that_searches_find_is_described() throws {
        let found = SubjectKind.searched
        let asked = try OrderedJSON(bytes)["components"]?["parameters"]?["FoundKind"]?["schema"]?["enum"]
        #expect(asked?.items.compactMap(\.text) == found.map(\.rawValue))
        let told = try OrderedJSON(bytes)["components"]?["schemas"]?["InboxSubject"]?["properties"]?["kind"]?["enum"]
        let kinds = SubjectKind.allCases.filter { $0.uses.contains(.notices) }.map(\.rawValue)
        #expect(told?.items.compactMap(\.text).sorted() == kinds.sorted())
    }

    @Test func every_kind_of_erased_record_is_described() throws {
        let kinds = try OrderedJSON(bytes)["components"]?["schemas"]?["ErasedRecords"]?["properties"]?["kind"]?["enum"]
        #expect(kinds?.items.compactMap(\.text).sorted() == ErasedRecords.Kind.allCases.map(\.rawValue).sorted())
    }
}
