import HTTPTypes
import Hummingbird
import WireProtocol

/// `/spots/{id}/claim`: asks once, then takes the spot; says so kindly where somebody was faster.
struct ClaimPage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/spots/{id}/claim") { visit in
            try visit.context.requirePerson()
            let spot = try await SpotPage.spot(visit)
            guard !spot.mine, spot.claim?.mine != true else { return visit.redirect(to: "/spots/\(spot.id)") }
            guard spot.state == .free else { return try await missed(spot, visit, status: .ok) }
            if visit.isFragment { return visit.fragment("parking/claim", ClaimPage(spot, in: visit)) }
            return try await show(ClaimPage(spot, in: visit), visit)
        }
        routes.post("/spots/{id}/claim") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let claim = SpotClaiming(id: try visit.id(), expectedPrice: Int(form["seen"]))
            do {
                let spot = try await visit.command(ListingsMethods.claimSpot, claim, Nothing(), of: form)
                return visit.redirect(to: "/spots/\(spot.id)", done: "claimed")
            } catch let error as ServiceError where error.code == .termsChanged {
                var page = ClaimPage(try await SpotPage.spot(visit), key: Visit.key(form), in: visit)
                page.ask.problem = visit.words["claim.changed"]
                return try await show(page, visit, status: .conflict)
            } catch let error as ServiceError where [.alreadyClaimed, .wrongState, .notFound].contains(error.code) {
                return try await missed(
                    try? await SpotPage.spot(visit), isTaken: error.code == .alreadyClaimed, visit, status: .conflict)
            }
        }
    }

    private init(_ spot: Spot, key: String = Visit.newKey(), in visit: Visit) {
        ask = Ask(
            "claim", icon: "hand", action: "/spots/\(spot.id)/claim", cancel: "/spots/\(spot.id)", name: spot.name,
            in: visit.words)
        ask.key = key
        let (price, costs) = (spot.priceText(in: visit.words), spot.price?.amount ?? 0)
        ask.note = costs > 0 ? visit.words["claim.price", ["price": price]] : price
        ask.seen = String(costs)
    }

    private static func show(
        _ page: ClaimPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = PageFrame(title: visit.words["claim.page"], tab: .map)
        return try await visit.page("parking/claim", page, frame, status: status)
    }

    private static func missed(
        _ spot: Spot?, isTaken: Bool = false, _ visit: Visit, status: HTTPResponse.Status
    ) async throws -> Response {
        let page = TakenPage(spot, isTaken: isTaken, in: visit)
        if visit.isFragment { return visit.fragment("parking/taken", page) }
        return try await visit.page("parking/taken", page, PageFrame(title: page.title, tab: .map), status: status)
    }
}

/// What one sees who pressed a moment later, or found the spot over: what has become of it.
struct TakenPage {
    var title: String
    var text: String
    /// The spot, where it can be claimed after all.
    var again: String?

    /// - Parameters:
    ///   - spot: as it is now; nil where it can't be seen any more.
    ///   - isTaken: Somebody else had it when it was to be claimed.
    init(_ spot: Spot?, isTaken: Bool, in visit: Visit) {
        let key =
            switch spot?.state {
            case .claimed?: "claimed"
            case .expired?: visit.isSeenGone(spot) ? "seenGone" : "expired"
            case .removed?: "removed"
            case .free?: "free"
            case nil: isTaken ? "someone" : "unseen"
            }
        title = visit.words["taken.\(key).title"]
        text = visit.words["taken.\(key).text", ["name": spot?.name ?? ""]]
        again = spot?.state == .free ? spot.map { "/spots/\($0.id)" } : nil
    }
}
