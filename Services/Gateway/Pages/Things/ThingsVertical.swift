import WireProtocol

/// What is for rent: cars, storage spaces and private parking.
struct ThingsVertical: Vertical {
    func register(on routes: PageRoutes) {
        ThingsPage.register(on: routes)
        ThingPage.register(on: routes)
        SharingPages.register(on: routes)
        RentPage.register(on: routes)
        RentalsPage.register(on: routes)
        RentalPage.register(on: routes)
        RentalPrintPage.register(on: routes)
        RentalActPage.register(on: routes)
        DisputesPage.register(on: routes)
    }

    var calls: [APIRoute] { APIRoute.things + APIRoute.rentals }

    func lists(at path: String?, in visit: Visit) -> [PageLink] {
        ThingKind.allCases.map { kind in
            let isHere = kind.path == path
            return PageLink(
                href: isHere ? kind.path : visit.lastSearch(of: kind), icon: kind.icon,
                text: visit.words["things.vertical.\(kind.rawValue)"], chosen: isHere)
        }
    }

    func ways(at path: String?, in words: Words) -> [PageLink] {
        ThingKind.allCases.map { kind in
            PageLink(
                href: kind.sharePath, icon: kind.icon, text: words["sharing.kind.\(kind.rawValue)"],
                chosen: kind.sharePath == path)
        }
    }

    /// The address of a thing leads on to the list that it belongs to.
    var subjects: [SubjectLook] {
        [
            SubjectLook(kind: .thing, icon: "car", path: "/things"),
            SubjectLook(kind: .rental, path: "/rentals"),
            SubjectLook(kind: .post, path: "/posts"),
        ]
    }

    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? {
        guard let id = subject.id(of: Thing.self) else { return nil }
        let thing = try await visit.ask(ListingsMethods.thing, ThingReference(id: id), Nothing())
        return ReportedThing(title: thing.title, said: thing.description, back: thing.path, isOwn: thing.mine)
    }

    /// The agreement that runs between the two.
    func panel(of room: Room, in visit: Visit) async -> PagePart? {
        await RoomRental(of: room, in: visit).map { PagePart(template: "rentals/room", model: $0) }
    }

    func summary(of entry: CalendarEntry, in words: Words) -> String? {
        guard entry.kind == .rental else { return nil }
        let values = ["title": entry.title, "name": entry.with?.name ?? words["inbox.somebody"]]
        let role = entry.role?.rawValue ?? RentalRole.renter.rawValue
        return words["calendar.summary.\(role)", values]
    }

    func own(in words: Words) -> [PageLink] {
        [
            PageLink(href: "/rentals", icon: "hand", text: words["rentals.title"]),
            PageLink(href: MyThingsPage.path, icon: "car", text: words["rentals.list.things"]),
        ]
    }

    var searchCookies: [String] { ThingKind.allCases.map(\.cookie) }
}
