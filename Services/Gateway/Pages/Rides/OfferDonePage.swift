import Hummingbird
import WireProtocol

/// `/rides/{id}/offered`, `/rides/commutes/{id}/offered`: what was offered and can be found now, what comes next, and where to go on.
struct OfferDonePage {
    struct Way {
        var title: String
        var when: String
    }

    struct Link {
        var href: String
        var text: String
        var quiet = false
    }

    var heading: String
    var ways: [Way]
    /// How many rides a commute has, and when the first one is.
    var number: String?
    var text: String
    var links: [Link]
    /// Where all that is one's own is.
    var mine: Link

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/offered") { visit in
            let ride = try await visit.ownRide()
            guard ride.state == .open else { return visit.redirect(to: ride.path) }
            return try await show(OfferDonePage(ride, in: visit), visit)
        }
        routes.get("/rides/commutes/{id}/offered") { visit in
            let commute = try await visit.ownCommute()
            guard !commute.isOver else { return visit.redirect(to: commute.path) }
            return try await show(OfferDonePage(commute, in: visit), visit)
        }
    }

    private static func show(_ page: OfferDonePage, _ visit: Visit) async throws -> Response {
        let frame = PageFrame(title: page.heading, tab: .share, styles: ["rides"])
        return try await visit.page("rides/offer-done", page, frame)
    }

    private init(_ ride: Ride, in visit: Visit) {
        let (words, view) = (visit.words, RideView(ride, in: visit))
        ways = [Way(title: view.title, when: view.when)]
        text = words["offer.done.\(ride.accepts.rawValue)"]
        mine = Link(href: MyRidesPage.path, text: words["offer.done.mine"])
        links = [Link(href: ride.path, text: words["offer.done.see"])]
        if let back = ride.other, back.isReturn {
            heading = words["offer.done.both"]
            let when = RideClock(back.zone, in: words).moment(back.departsAt)
            ways.append(Way(title: words["offer.both.back"], when: when))
            links.append(Link(href: "/rides/\(back.id)", text: words["offer.done.seeBack"], quiet: true))
        } else {
            heading = words["offer.done.title"]
            let offersBack = ride.other == nil && ride.series == nil
            let back = Link(
                href: "\(OfferPages.path)?back=\(ride.id)", text: words["offer.done.back"], quiet: true)
            links += offersBack ? [back] : []
        }
        links.append(Link(href: RideSeekersPage.path(ride.id), text: words["seeking.find"], quiet: true))
    }

    private init(_ commute: RideSeries, in visit: Visit) {
        let (words, view) = (visit.words, CommuteView(commute, in: visit))
        heading = words["commutes.done.title"]
        ways = [Way(title: view.way, when: view.rhythm)]
        number = view.number
        text = words["offer.done.\((commute.ride.accepts ?? .nobody).rawValue)"]
        mine = Link(href: CommutesPage.path, text: words["commutes.mine"])
        links = [Link(href: commute.path, text: words["commutes.done.see"])]
        if let first = commute.rides.first {
            links.append(Link(href: "/rides/\(first.id)", text: words["commutes.done.first"], quiet: true))
        }
    }
}
