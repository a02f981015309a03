import Hummingbird
import WireProtocol

/// `/spots/{id}/claim`: asks once, then takes the spot; says so kindly where somebody was faster.
struct ClaimPage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/spots/{id}/claim") { visit in
            try visit.context.requirePerson()
            let spot = try await SpotPage.spot(visit)
            guard spot.state == .free else { return try await taken(spot, visit, status: .ok) }
            guard !spot.mine else { return visit.redirect(to: "/spots/\(spot.id)") }
            let ask = Ask(
                "claim", icon: "hand", action: "/spots/\(spot.id)/claim", cancel: "/spots/\(spot.id)", name: spot.name,
                in: visit.words)
            if visit.isFragment { return visit.fragment("parking/claim", ClaimPage(ask: ask)) }
            let frame = PageFrame(title: visit.words["claim.page"], tab: .map)
            return try await visit.page("parking/claim", ClaimPage(ask: ask), frame)
        }
        routes.post("/spots/{id}/claim") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let reference = SpotReference(id: try visit.id())
            do {
                let spot = try await visit.command(ListingsMethods.claimSpot, reference, Nothing(), of: form)
                return visit.redirect(to: "/spots/\(spot.id)", done: "claimed")
            } catch let error as ServiceError where [.alreadyClaimed, .wrongState, .notFound].contains(error.code) {
                return try await taken(try? await SpotPage.spot(visit), visit, status: .conflict)
            }
        }
    }

    private static func taken(_ spot: Spot?, _ visit: Visit, status: HTTPResponse.Status) async throws -> Response {
        let page = TakenPage(spot, in: visit.words)
        if visit.isFragment { return visit.fragment("parking/taken", page) }
        return try await visit.page(
            "parking/taken", page, PageFrame(title: visit.words["taken.page"], tab: .map), status: status)
    }
}

/// What one sees who pressed a moment later, or found the spot over.
struct TakenPage {
    var title: String
    var text: String

    init(_ spot: Spot?, in words: Words) {
        title = words["taken.title"]
        switch spot?.state {
        case .claimed?: text = words["taken.text", ["name": spot?.name ?? ""]]
        case .expired?: text = words["spot.closedExpired"]
        case .removed?: text = words["spot.closedRemoved"]
        case .free?, nil: text = words["spot.closedClaimed"]
        }
        if spot?.state == .expired || spot?.state == .removed { title = words["error.conflict"] }
    }
}
