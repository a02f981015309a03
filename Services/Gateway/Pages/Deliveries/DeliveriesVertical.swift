import WireProtocol

/// What people bring each other: who orders, and who brings it (`DeliveringPages`).
struct DeliveriesVertical: Vertical {
    static let path = "/deliveries"

    func register(on routes: PageRoutes) {
        DeliveriesPage.register(on: routes)
        DeliveryModePages.register(on: routes)
        RestaurantPage.register(on: routes)
        DelivererPage.register(on: routes)
        OrderNewPage.register(on: routes)
        OrdersPage.register(on: routes)
        OrderPage.register(on: routes)
        OrderChangePage.register(on: routes)
        OrderActPages.register(on: routes)
        DeliveringPages.register(on: routes)
    }

    var calls: [APIRoute] { APIRoute.deliveries }

    func lists(at path: String?, in visit: Visit) -> [PageLink] {
        [
            PageLink(
                href: Self.path, icon: "restaurant", text: visit.words["deliveries.title"], chosen: path == Self.path)
        ]
    }

    func ways(at path: String?, in words: Words) -> [PageLink] {
        [
            PageLink(
                href: DeliverPage.path, icon: "restaurant", text: words["deliveries.one"],
                chosen: path == DeliverPage.path)
        ]
    }

    var subjects: [SubjectLook] {
        [
            SubjectLook(kind: .order, icon: "restaurant", path: OrdersPage.path),
            SubjectLook(kind: .match, icon: "restaurant", path: MatchesPage.path),
            SubjectLook(kind: .availability, icon: "restaurant", path: DelivererPage.path),
        ]
    }

    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? {
        try await DeliveringPages.reported(subject, in: visit)
    }

    func panel(of room: Room, in visit: Visit) async -> PagePart? { await DeliveringPages.panel(of: room, in: visit) }

    func cases(in visit: Visit) async -> [CasesPage.Choice] { await DeliveringPages.cases(in: visit) }

    func offers(at place: Place, in words: Words) -> [PlacePage.Offer] {
        guard place.kind != .restaurant else {
            let href = RestaurantPage.path(of: place.id)
            return [.init(href: href, icon: "restaurant", text: words["deliveries.fromHere"], isQuiet: true)]
        }
        let here = PlaceChoice(position: place.position, label: place.label).written
        let href = "\(Self.path)?to=\(LocalPath.encoded(here))"
        return [.init(href: href, icon: "restaurant", text: words["deliveries.toHere"], isQuiet: true)]
    }

    func own(in words: Words) -> [PageLink] {
        [PageLink(href: OrdersPage.path, icon: "restaurant", text: words["orders.mine"])]
            + DeliveringPages.own(in: words)
    }

    var searchCookies: [String] { [Visit.dropOffCookie] }
}
