import WireProtocol

extension SpotsVertical {
    func newest(in visit: Visit) async throws -> [HomeShelf?] {
        let box = BoundingBox(around: visit.community.center, metres: SpotSearch.reach)
        let spots = try await visit.ask(ListingsMethods.spots, SpotQuery(bbox: box, limit: 6), Nothing()).items
        let words = visit.words
        let empty = HomeShelf.Empty(
            icon: "park", title: words["home.emptyTitle"], text: words["home.emptyText"],
            ways: [.init(href: SharePage.path, text: words["home.emptyAction"])])
        let shelf = HomeShelf(
            id: "new", heading: words["home.newest"],
            more: HomeShelf.More(href: "/parking", icon: "map", text: words["home.openMap"]), card: "parking/card",
            cards: spots.map { SpotCard($0, from: nil, in: visit) }, isRow: false, empty: spots.isEmpty ? empty : nil)
        return [shelf]
    }
}
