import WireProtocol

/// Rides that somebody drives and has seats in.
struct RidesVertical: Vertical {
    static let path = "/rides"

    func register(on routes: PageRoutes) {
        RidesPage.register(on: routes)
        RideRegionPage.register(on: routes)
        RideSearchPage.register(on: routes)
        OfferPages.register(on: routes)
        RidePage.register(on: routes)
        RideSeekersPage.register(on: routes)
        RidePrintPage.register(on: routes)
        RideSavingPages.register(on: routes)
        RideActPages.register(on: routes)
        MyRidesPage.register(on: routes)
        AskPages.register(on: routes)
        SeatPages.register(on: routes)
    }

    var calls: [APIRoute] { APIRoute.rides }

    func lists(at path: String?, in visit: Visit) -> [PageLink] {
        let isHere = path == Self.path
        return [
            PageLink(
                href: isHere ? Self.path : visit.lastRideSearch, icon: "ride", text: visit.words["rides.title"],
                chosen: isHere)
        ]
    }

    func ways(at path: String?, in words: Words) -> [PageLink] {
        [PageLink(href: OfferPages.path, icon: "ride", text: words["rides.one"], chosen: path == OfferPages.path)]
    }

    var subjects: [SubjectLook] {
        [
            SubjectLook(kind: .ride, icon: "ride", path: "/rides"),
            SubjectLook(kind: .seat, icon: "ride", path: "/seats"),
        ]
    }

    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? {
        guard let id = subject.id(of: Ride.self) else { return nil }
        let ride = try await visit.ask(RidesMethods.ride, RideReference(id: id), Nothing())
        return ReportedThing(
            title: ride.title(in: visit.words), said: ride.notes, back: ride.path, isOwn: ride.mine)
    }

    /// The request that runs between the two.
    func panel(of room: Room, in visit: Visit) async -> PagePart? {
        await RoomRide(of: room, in: visit).map { PagePart(template: "rides/room", model: $0) }
    }

    func summary(of entry: CalendarEntry, in words: Words) -> String? {
        guard entry.kind == .ride else { return nil }
        let values = ["title": entry.title, "name": entry.with?.name ?? words["inbox.somebody"]]
        return words["calendar.summary.\(entry.isDriving == true ? "driving" : "riding")", values]
    }

    func offers(at place: Place, in words: Words) -> [PlacePage.Offer] {
        let there = PlaceChoice(position: place.position, label: place.label).written
        let href = "\(Self.path)?to=\(LocalPath.encoded(there))"
        return [.init(href: href, icon: "ride", text: words["rides.toHere"], isQuiet: true)]
    }

    func own(in words: Words) -> [PageLink] {
        [PageLink(href: MyRidesPage.path, icon: "ride", text: words["rides.mine"])]
    }

    var searchCookies: [String] { [Visit.rideCookie] }
}

/// The chips at the head of the pages of rides (`rides/tabs`).
struct RideTabs {
    enum Tab: String, CaseIterable { case find, offer, mine }

    var tabs: [PageLink]

    init(_ current: Tab?, in words: Words) {
        tabs = Tab.allCases.map { tab in
            let (href, icon) =
                switch tab {
                case .find: (RidesVertical.path, "search")
                case .offer: (OfferPages.path, "plus")
                case .mine: (MyRidesPage.path, "ride")
                }
            return PageLink(href: href, icon: icon, text: words["rides.tab.\(tab.rawValue)"], chosen: tab == current)
        }
    }
}
