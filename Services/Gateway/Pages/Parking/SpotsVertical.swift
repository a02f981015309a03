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

    func lists(at path: String?, in visit: Visit) -> [Chip] {
        [Chip(href: "/parking", icon: "park", text: visit.words["home.parking"], chosen: path == "/parking")]
    }

    func ways(at path: String?, in words: Words) -> [Chip] {
        [
            Chip(
                href: SharePage.path, icon: "park", text: words["sharing.kind.spot"], chosen: path == SharePage.path)
        ]
    }

    var topic: RoomTopic? { RoomTopic(kind: .spot, icon: "park", path: "/spots") }

    func own(in words: Words) -> [MePage.Way] {
        [
            .init(icon: "park", href: "/me/spots", text: words["me.posted"]),
            .init(icon: "hand", href: "/me/spots?of=claimed", text: words["me.claimed"]),
        ]
    }
}
