import WireProtocol

extension DeliveriesVertical {
    private static let most = 6

    /// Restaurants that have somebody now: nothing where none has, since that changes by the minute. Nil where matching is away.
    func newest(in visit: Visit) async throws -> [HomeShelf?] {
        let dropOff = visit.lastDropOff
        let query = DeliveryRestaurantQuery(near: dropOff?.position, limit: Self.most)
        guard let found = try await visit.askUnlessAway(MatchingMethods.restaurants, query) else { return [nil] }
        let cards = found.items.compactMap { RestaurantRow($0, to: dropOff, in: visit) }
        guard !cards.isEmpty else { return [] }
        let words = visit.words
        return [
            HomeShelf(
                id: "restaurants", heading: words["deliveries.now"],
                more: HomeShelf.More(href: Self.path, text: words["deliveries.more"]),
                card: "deliveries/restaurant-card", cards: cards, isRow: true)
        ]
    }
}
