import Hummingbird
import WireProtocol

/// `/rentals`: what one rents and lets. Without a filter what waits for one's answer first, then what runs, then what is over; with
/// `role=` or `stage=` a list, page by page.
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
    var stages: [Choice]
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
            let choice = RentalChoice(in: visit)
            let page = choice.isAll ? try await overview(visit) : try await list(choice, visit)
            let frame = PageFrame(title: visit.words["rentals.title"], tab: .me, width: "middle", styles: ["rentals"])
            return try await visit.page("rentals/rentals", page, frame)
        }
    }

    /// How many of what is over an overview shows.
    private static let latest = 10

    private static func overview(_ visit: Visit) async throws -> RentalsPage {
        async let over = visit.ask(ListingsMethods.rentals, RentalQuery(stage: .over, limit: latest), Nothing())
        let running = try await RunningRentals(in: visit)
        var page = RentalsPage(RentalChoice(), running, in: visit)
        page.add("answer", running.waiting.filter { $0.role == .owner }, visit)
        let (begun, asked) = (running.inHand + running.upcoming, running.waiting.filter { $0.role == .renter })
        page.add(
            "renting", begun.filter { $0.role == .renter } + asked, all: RentalChoice(role: .renter), visit)
        page.add("letting", begun.filter { $0.role == .owner }, all: RentalChoice(role: .owner), visit)
        let past = try await over
        page.add("over", past.items, all: past.next == nil ? nil : RentalChoice(stage: .over), visit)
        return page
    }

    private static func list(_ choice: RentalChoice, _ visit: Visit) async throws -> RentalsPage {
        let query = RentalQuery(role: choice.role, stage: choice.stage, limit: 20, cursor: visit.query("cursor"))
        async let running = try? RunningRentals(in: visit)
        let found = try await visit.ask(ListingsMethods.rentals, query, Nothing())
        var page = RentalsPage(choice, await running, in: visit)
        page.add(choice.section, found.items, visit)
        page.more = found.next.map { choice.path(cursor: $0) }
        return page
    }

    private init(_ choice: RentalChoice, _ running: RunningRentals?, in visit: Visit) {
        let words = visit.words
        choices = [nil, .renter, .owner].map { (role: RentalRole?) in
            Choice(
                href: RentalChoice(role: role).path(), text: words["rentals.list.\(role?.rawValue ?? "overview")"],
                current: role == choice.role && (role != nil || choice.stage == nil))
        }
        let every = Choice(
            href: RentalChoice(role: choice.role).path(), text: words["rentals.list.every"],
            current: choice.stage == nil)
        stages =
            (choice.role == nil ? [] : [every])
            + RentalStage.allCases.map { stage in
                let one = choice.at(stage)
                let name = words["rentals.list.stage.\(one.name)"]
                let number = running?.count(one) ?? 0
                return Choice(
                    href: one.path(),
                    text: number == 0
                        ? name : words["rentals.list.counted", ["name": name, "n": RunningRentals.text(number)]],
                    current: one == choice)
            }
        sections = []
        any = false
        let empty = choice.stage?.rawValue ?? choice.role?.rawValue ?? "overview"
        emptyTitle = words["rentals.list.empty.\(empty)"]
        emptyText = words["rentals.list.empty.\(empty)Text"]
        let isOwner = choice.role == .owner
        emptyHref = isOwner ? MyThingsPage.path : "/cars"
        emptyAction = words["rentals.list.empty.\(isOwner ? "share" : "browse")"]
    }

    private mutating func add(_ key: String, _ rentals: [Rental], all: RentalChoice? = nil, _ visit: Visit) {
        guard !rentals.isEmpty else { return }
        any = true
        sections.append(
            Section(
                id: key, title: visit.words["rentals.list.section.\(key)"],
                rows: rentals.map { RentalRow($0, in: visit) }, all: all?.path(),
                allText: visit.words["rentals.list.all"]))
    }
}
