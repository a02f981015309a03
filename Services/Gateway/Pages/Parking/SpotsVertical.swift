import WireProtocol

/// Parking spots that somebody has seen.
struct SpotsVertical: Vertical {
    func register(on routes: PageRoutes) {
        ParkingPage.register(on: routes)
        SpotPage.register(on: routes)
        ClaimPage.register(on: routes)
        SharePage.register(on: routes)
        EditPage.register(on: routes)
        RemovePage.register(on: routes)
        MySpotsPage.register(on: routes)
    }

    var calls: [APIRoute] { APIRoute.spots }

    func lists(at path: String?, in visit: Visit) -> [PageLink] {
        [PageLink(href: "/parking", icon: "park", text: visit.words["home.parking"], chosen: path == "/parking")]
    }

    func ways(at path: String?, in words: Words) -> [PageLink] {
        [
            PageLink(
                href: SharePage.path, icon: "park", text: words["sharing.kind.spot"], chosen: path == SharePage.path)
        ]
    }

    var subjects: [SubjectLook] { [SubjectLook(kind: .spot, icon: "park", path: "/spots")] }

    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? {
        guard let id = subject.id(of: Spot.self) else { return nil }
        let spot = try await visit.ask(ListingsMethods.spot, SpotReference(id: id), Nothing())
        return ReportedThing(title: spot.name, back: "/spots/\(id)", isOwn: spot.mine)
    }

    func offers(at place: Place, in words: Words) -> [PlacePage.Offer] {
        let here = LocalPath.encoded(place.position.written)
        return [
            .init(href: PlaceTarget.parking.href(to: place), icon: "park", text: words["places.spotsHere"]),
            .init(href: "\(SharePage.path)?at=\(here)", icon: "plus", text: words["places.shareHere"], isQuiet: true),
        ]
    }

    func own(in words: Words) -> [PageLink] {
        [
            PageLink(href: "/me/spots", icon: "park", text: words["me.posted"]),
            PageLink(href: "/me/spots?of=claimed", icon: "hand", text: words["me.claimed"]),
        ]
    }
}
