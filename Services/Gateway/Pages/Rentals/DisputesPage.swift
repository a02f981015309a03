import Hummingbird
import WireProtocol

/// `/moderation/rentals`: agreements that the two do not agree about, for moderators to settle.
struct DisputesPage {
    var rows: [RentalRow]
    var any: Bool
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/moderation/rentals") { visit in
            try visit.context.requirePerson()
            let query = RentalQuery(disputed: true, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(ListingsMethods.rentals, query, Nothing())
            let frame = PageFrame(
                title: visit.words["rentals.disputes.title"], tab: .me, width: "middle", styles: ["rentals"])
            return try await visit.page("rentals/disputes", DisputesPage(found, in: visit), frame)
        }
    }

    private init(_ found: Page<Rental>, in visit: Visit) {
        rows = found.items.map { RentalRow($0, in: visit) }
        any = !rows.isEmpty
        more = found.next.map { "/moderation/rentals?cursor=\(LocalPath.encoded($0))" }
    }
}

extension ThingsVertical {
    /// How many agreements wait to be settled.
    func cases(in visit: Visit) async -> [CasesPage.Choice] {
        let query = RentalQuery(disputed: true, limit: 100)
        let found = try? await visit.ask(ListingsMethods.rentals, query, Nothing(), within: 2)
        let title = visit.words["rentals.disputes.title"]
        return [.init(to: "/moderation/rentals", called: title, counting: found, in: visit.words)]
    }
}
