import PlainText
import WireProtocol

extension RidesVertical {
    private static let most = 6

    /// What leaves soonest: from the region of the one who looks, or where nothing does, in all of the community. Nil where rides is away.
    func newest(in visit: Visit) async throws -> [HomeShelf?] {
        async let soonest = visit.askUnlessAway(RidesMethods.rides, RideQuery(limit: Self.most))
        let near = try await Self.near(visit)
        guard let all = try await soonest else { return [nil] }
        let words = visit.words
        let rides = near?.rides ?? all.items
        let empty = HomeShelf.Empty(
            icon: "ride", title: words["rides.none"], text: words["rides.noneText"],
            ways: [.init(href: OfferPages.path, text: words["rides.offer"])])
        let more = near.map { RideRegionPage.path($0.region, .from) } ?? Self.path
        let shelf = HomeShelf(
            id: "rides", heading: near.map { words["rides.region.from", ["region": $0.region]] } ?? words["rides.soon"],
            more: HomeShelf.More(href: more, text: words["rides.more"]), card: "rides/card",
            cards: rides.map { RideCard($0, in: visit) }, isRow: true, empty: rides.isEmpty ? empty : nil)
        return [shelf]
    }

    /// Nil where they have named no region, nothing leaves from there, or that is not known now.
    private static func near(_ visit: Visit) async throws -> (region: String, rides: [Ride])? {
        let me = try? await visit.ask(AuthMethods.me, Nothing(), Nothing(), within: 1)
        guard let region = me?.region?.nonEmpty else { return nil }
        let query = RideQuery(region: region, limit: most)
        let found = try await visit.askUnlessAway(RidesMethods.rides, query)?.items ?? []
        return found.isEmpty ? nil : (region, found)
    }
}
