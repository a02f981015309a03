import FoundationEssentials
import WireProtocol

extension ThingsVertical {
    func newest(in visit: Visit) async throws -> [HomeShelf?] {
        async let cars = visit.newest(.car, 6)
        async let spaces = visit.newest(.space, 3)
        async let parking = visit.newest(.parking, 3)
        let words = visit.words
        func way(_ kind: ThingKind, isQuiet: Bool = false) -> HomeShelf.Empty.Way {
            .init(href: kind.sharePath, text: words["things.share.\(kind.rawValue)"], isQuiet: isQuiet)
        }
        var first = Self.homeShelf(of: [try await cars], "car", id: "cars", icon: "car", ways: [way(.car)], in: visit)
        first?.more = HomeShelf.More(href: ThingKind.car.path, text: words["things.more.car"])
        let others = Self.homeShelf(
            of: [try await spaces, try await parking], "other", id: "others", icon: "box",
            ways: [way(.space), way(.parking, isQuiet: true)], in: visit)
        return [first, others]
    }

    /// - Parameters:
    ///   - kinds: of each kind its newest; nil where listings is away for it.
    ///   - topic: which of the headings.
    private static func homeShelf(
        of kinds: [[Thing]?], _ topic: String, id: String, icon: String, ways: [HomeShelf.Empty.Way], in visit: Visit
    ) -> HomeShelf? {
        let newest = kinds.compactMap(\.self).joined().sorted { $0.postedAt > $1.postedAt }
        // That nothing is shared yet is not known where listings is away.
        if newest.isEmpty, kinds.contains(where: { $0 == nil }) { return nil }
        let words = visit.words
        let empty = HomeShelf.Empty(
            icon: icon, title: words["things.none.\(topic)"], text: words["things.noneText"], ways: ways)
        return HomeShelf(
            id: id, heading: words["things.newest.\(topic)"], card: "things/card",
            cards: newest.map { ThingCard($0, isMixed: kinds.count > 1, in: visit) }, isRow: true,
            empty: newest.isEmpty ? empty : nil)
    }
}

extension Visit {
    /// Nil where listings is away.
    fileprivate func newest(_ kind: ThingKind, _ number: Int) async throws -> [Thing]? {
        try await askUnlessAway(ListingsMethods.things, ThingQuery(kind: kind, limit: number))?.items
    }
}
