import Hummingbird
import WireProtocol

/// `/rentals`: what one rents and lets. Without a filter what waits for one's answer first, then what runs, then what is over; with
/// `role=` or `state=` a list, page by page.
struct RentalsPage {
    struct Section {
        var id: String
        var title: String
        var rows: [RentalRow]
        var all: String?
        var allText: String
    }

    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    var choices: [Choice]
    /// Of a role that is chosen.
    var states: [Choice]
    var anyStates: Bool
    var sections: [Section]
    var any: Bool
    var more: String?
    var emptyTitle: String
    var emptyText: String
    var emptyHref: String
    var emptyAction: String

    static func register(on routes: PageRoutes) {
        routes.get("/rentals") { visit in
            try visit.context.requirePerson()
            let (role, state) = (
                visit.query("role").flatMap(RentalRole.init), visit.query("state").flatMap(RentalState.init)
            )
            let page = role == nil && state == nil ? try await overview(visit) : try await list(role, state, visit)
            let frame = PageFrame(title: visit.words["rentals.title"], tab: .me, width: "middle", styles: ["rentals"])
            return try await visit.page("rentals/rentals", page, frame)
        }
    }

    /// How many of a kind an overview shows; nobody has more that run.
    private static let most = 50

    private static func overview(_ visit: Visit) async throws -> RentalsPage {
        async let requested = found(.requested, visit)
        async let accepted = found(.accepted, visit)
        async let handedOver = found(.handedOver, visit)
        async let disputed = found(.disputed, visit)
        let latest = try await visit.ask(ListingsMethods.rentals, RentalQuery(limit: most), Nothing()).items
        let waiting = try await requested
        let running = try await handedOver + accepted + disputed
        let over = latest.filter(\.isOver)
        var page = RentalsPage(role: nil, state: nil, in: visit)
        page.add("answer", waiting.filter { $0.role == .owner }, visit)
        page.add(
            "renting", running.filter { $0.role == .renter } + waiting.filter { $0.role == .renter }, of: .renter, visit
        )
        page.add("letting", running.filter { $0.role == .owner }, of: .owner, visit)
        page.add("over", over, visit)
        return page
    }

    private static func found(_ state: RentalState, _ visit: Visit) async throws -> [Rental] {
        try await visit.ask(ListingsMethods.rentals, RentalQuery(state: state, limit: most), Nothing()).items
    }

    private static func list(_ role: RentalRole?, _ state: RentalState?, _ visit: Visit) async throws -> RentalsPage {
        let query = RentalQuery(role: role, state: state, limit: 20, cursor: visit.query("cursor"))
        let found = try await visit.ask(ListingsMethods.rentals, query, Nothing())
        var page = RentalsPage(role: role, state: state, in: visit)
        page.add(role == .owner ? "letting" : role == .renter ? "renting" : "all", found.items, visit)
        page.more = found.next.map {
            address(role, state, "cursor=\(LocalPath.encoded($0))")
        }
        return page
    }

    private static func address(_ role: RentalRole?, _ state: RentalState?, _ more: String? = nil) -> String {
        let parts = [role.map { "role=\($0.rawValue)" }, state.map { "state=\($0.rawValue)" }, more].compactMap { $0 }
        return parts.isEmpty ? "/rentals" : "/rentals?\(parts.joined(separator: "&"))"
    }

    private init(role: RentalRole?, state: RentalState?, in visit: Visit) {
        let words = visit.words
        choices = [nil, .renter, .owner].map { (one: RentalRole?) in
            Choice(
                href: Self.address(one, nil), text: words["rentals.list.\(one?.rawValue ?? "overview")"],
                current: one == role && (one != nil || state == nil))
        }
        anyStates = role != nil || state != nil
        states =
            anyStates
            ? [nil, .requested, .accepted, .handedOver, .returned, .disputed].map { (one: RentalState?) in
                Choice(
                    href: Self.address(role, one),
                    text: words[one.map { "rentals.state.\($0.rawValue)" } ?? "rentals.list.every"],
                    current: one == state)
            } : []
        sections = []
        any = false
        let empty = role.map { $0.rawValue } ?? "overview"
        emptyTitle = words["rentals.list.empty.\(empty)"]
        emptyText = words["rentals.list.empty.\(empty)Text"]
        emptyHref = role == .owner ? "/me/things" : "/cars"
        emptyAction = words["rentals.list.empty.\(role == .owner ? "share" : "browse")"]
    }

    private mutating func add(_ key: String, _ rentals: [Rental], of role: RentalRole? = nil, _ visit: Visit) {
        guard !rentals.isEmpty else { return }
        any = true
        sections.append(
            Section(
                id: key, title: visit.words["rentals.list.section.\(key)"],
                rows: rentals.map { RentalRow($0, in: visit) }, all: role.map { Self.address($0, nil) },
                allText: visit.words["rentals.list.all"]))
    }
}
