import FoundationEssentials
import Hummingbird
import PlainText
import WireProtocol

/// `/spots/{id}`: everything about one spot, and what one may do about it; strangers may look.
struct SpotPage {
    var id: String
    var name: String
    var box: String
    var state: String
    /// Where the live stream was when the spot was asked for.
    var since: String
    var photo: String?
    var photoText: String
    var price: String
    var priced: Bool
    var kind: String
    var likelyGone: Bool
    var claimedByMe: Bool
    /// The one who claimed it has said that they have parked, or time has passed.
    var parked: Bool
    /// Where the other one of the two can be reviewed, once they are through with it.
    var reviewHref: String?
    var reviewText: String
    /// Who has taken one's own spot.
    var claimedBy: String?
    /// Why there is nothing to claim, and its sign.
    var closed: String?
    var closedIcon: String
    /// Why moderators have hidden it.
    var hidden: String?
    /// Where it can be reported.
    var report: String?
    /// Whom one may write to about it.
    var message: MessageButton?
    var canClaim: Bool
    var canEdit: Bool
    var canObserve: Bool
    var posted: Moment
    var expires: Moment?
    var positionText: String
    var center: String
    var basemap: String?
    var world: String?
    var mapLabel: String
    var by: PersonView
    var directions: DirectionsView
    var key = Visit.newKey()
    var seen: String
    var thanks: String?
    /// That one has looked for it.
    var found: FoundBox?

    static func register(on routes: PageRoutes) {
        routes.get("/spots/{id}") { visit in
            try visit.context.requireSoundSession()
            let since = visit.since
            return try await show(try await spot(visit), since: since, visit)
        }
        // Who has it now, for a page that hears that it was taken.
        routes.get("/spots/{id}/claimed") { visit in
            try visit.context.requireSoundSession()
            let spot = try await spot(visit)
            guard spot.state == .claimed else { throw ServiceError.notFound("claim") }
            return visit.fragment("parking/claimed", SpotClaimed(spot, in: visit.words))
        }
        routes.post("/spots/{id}/release") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let reference = SpotReference(id: try visit.id())
            _ = try await visit.command(ListingsMethods.releaseSpot, reference, Nothing(), of: form)
            // Where the two have parted meanwhile, there is no such spot any more for who gave it back.
            let isGone = (try? await spot(visit)) == nil
            return visit.redirect(to: isGone ? "/me/spots?of=claimed" : "/spots/\(reference.id)", done: "released")
        }
        routes.post("/spots/{id}/observe") { visit in
            try visit.context.requirePerson()
            return try await observe(visit)
        }
    }

    static func spot(_ visit: Visit) async throws -> Spot {
        try await visit.ask(ListingsMethods.spot, SpotReference(id: visit.id()), Nothing())
    }

    private static func observe(_ visit: Visit) async throws -> Response {
        let form = try await visit.form()
        let reference = SpotReference(id: try visit.id())
        guard let state = ObservedState(rawValue: form["state"]) else {
            throw ServiceError(.malformed, "Say whether it is there or gone.")
        }
        let spot = try await visit.command(
            ListingsMethods.observeSpot, reference, SpotObservation(state: state), of: form, doing: state.rawValue)
        guard visit.isFragment else { return visit.redirect(to: "/spots/\(reference.id)") }
        guard spot.state == .free else { return visit.refresh() }
        var page = SpotPage(spot, since: visit.since, in: visit)
        page.thanks = visit.words["spot.thanks"]
        return visit.fragment("parking/observe", page)
    }

    private static func show(_ spot: Spot, since: String, _ visit: Visit) async throws -> Response {
        let frame = PageFrame(
            title: spot.name, tab: .map, width: "", usesMap: true, scripts: ["spot", "way", "pinned"])
        async let found = FoundBox(of: Subject(spot.id), on: "/spots/\(spot.id)", in: visit)
        let way = await WayView(to: spot.position, in: visit)
        var page = SpotPage(spot, since: since, way: way, in: visit)
        page.found = await found
        return try await visit.page("parking/spot", page, frame)
    }

    private init(_ spot: Spot, since: String, way: WayView = WayView(), in visit: Visit) {
        let words = visit.words
        id = spot.id.description
        name = spot.name
        box = BoundingBox(around: spot.position, metres: 200).written
        state = spot.state.rawValue
        self.since = since
        photo = spot.photo
        photoText = words["spot.photo", ["name": spot.name]]
        price = spot.priceText(in: words)
        priced = (spot.price?.amount ?? 0) > 0
        kind = words["kind.\(spot.kind.rawValue)"]
        likelyGone = spot.likelyGone && spot.state == .free
        claimedByMe = spot.claim?.mine == true && spot.state == .claimed
        parked = spot.claim?.parkedAt != nil
        let other = spot.claim.map { $0.mine ? spot.postedBy : $0.by }
        let subject = Subject(spot.id)
        reviewHref = parked ? other.map { subject.reviewPath(of: $0.id) } : nil
        reviewText = words["review.writeOf", ["name": other?.name ?? ""]]
        claimedBy = spot.mine ? spot.claim.map { words["spot.claimedBy", ["name": $0.by.name]] } : nil
        closed = Self.closed(spot, in: visit)
        closedIcon =
            spot.state == .claimed
            ? "hand" : spot.state == .expired && !visit.isSeenGone(spot) ? "clock" : "gone"
        hidden = spot.hidden.map { words["spot.hidden", ["reason": $0.reason]] }
        report = spot.mine || !visit.isSignedIn ? nil : Subject(spot.id).reportHref
        message = MessageButton.about(spot, in: visit)
        canClaim = spot.state == .free && !spot.mine && spot.hidden == nil
        canEdit = spot.state == .free && spot.mine
        canObserve = canClaim && visit.isSignedIn
        posted = visit.moment(spot.postedAt, .ago)
        expires = spot.state == .free ? visit.moment(spot.expiresAt, .until) : nil
        positionText = spot.position.shown
        center = spot.position.written
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
        mapLabel = words["places.pinLabel", ["name": spot.name]]
        by = PersonView(spot.postedBy, in: visit)
        directions = DirectionsView(to: spot.position, called: spot.name, way, in: visit)
        seen = Self.seen(spot.observations, words)
    }

    private static func closed(_ spot: Spot, in visit: Visit) -> String? {
        let words = visit.words
        return switch spot.state {
        case .free: nil
        case .claimed: spot.mine || spot.claim?.mine == true ? nil : words["spot.closedClaimed"]
        case .expired: words[visit.isSeenGone(spot) ? "spot.closedGone" : "spot.closedExpired"]
        case .removed: words["spot.closedRemoved"]
        }
    }

    private static func seen(_ count: ObservationCount, _ words: Words) -> String {
        let said = [
            count.there > 0 ? words["spot.seenThere", count: count.there] : nil,
            count.gone > 0 ? words["spot.seenGone", count: count.gone] : nil,
        ]
        return said.compactMap { $0 }.joined(separator: " ").nonEmpty ?? words["spot.seenNobody"]
    }
}

extension Visit {
    /// Whether a spot that is over is so because passers-by have said that it is gone, and not because its time has passed.
    func isSeenGone(_ spot: Spot?) -> Bool { spot.map { $0.likelyGone && $0.expiresAt > now } ?? false }
}

/// Who has just claimed a spot. Listings tells the name to the owner and to the one who claimed it, and to nobody else.
struct SpotClaimed {
    var text: String

    init(_ spot: Spot, in words: Words) {
        if let claim = spot.claim {
            text = words[claim.mine ? "spot.justYours" : "spot.justClaimed", ["name": claim.by.name]]
        } else {
            // As the page said at once by itself, so that nothing is said twice.
            text = words["script.live.takenHere"]
        }
    }
}
