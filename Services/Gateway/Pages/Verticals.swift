/// The verticals that there are, in the order in which pages show them. One more is one value more here.
enum Verticals {
    static let all: [any Vertical] = [RidesVertical(), ThingsVertical(), SpotsVertical(), DeliveriesVertical()]
}

extension APIRoute {
    static let ofVerticals: [APIRoute] = Verticals.all.flatMap { $0.calls }
}

extension Visit {
    var verticals: [any Vertical] { site.services.verticals }

    /// What each of them says, asked at once, in their order.
    func eachVertical<Part: Sendable>(
        _ ask: @escaping @Sendable (any Vertical) async throws -> Part
    ) async throws -> [Part] {
        try await withThrowingTaskGroup(of: (Int, Part).self) { group in
            for (number, vertical) in verticals.enumerated() {
                group.addTask { try await (number, ask(vertical)) }
            }
            var parts: [(Int, Part)] = []
            for try await part in group { parts.append(part) }
            return parts.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// What there is to look at.
    /// - Parameter path: of the list that is looked at now.
    func lists(at path: String? = nil) -> [PageLink] {
        let places = PageLink(href: "/places", icon: "building", text: words["places.home"])
        return verticals.flatMap { $0.lists(at: path, in: self) } + [places]
    }

    /// The ways to share something. That of the tab comes first.
    /// - Parameter path: of the one that is open now.
    func ways(at path: String) -> [PageLink] {
        let all = verticals.flatMap { $0.ways(at: path, in: words) }
        return all.filter { $0.href == SharePage.path } + all.filter { $0.href != SharePage.path }
    }
}
