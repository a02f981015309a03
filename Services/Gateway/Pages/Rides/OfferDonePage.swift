import Hummingbird
import WireProtocol

/// `/rides/{id}/offered`: that a ride can be found, what comes next, and where to go on.
struct OfferDonePage {
    var title: String
    var when: String
    var text: String
    var ride: String
    var mine: String
    var back: String

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/offered") { visit in
            let ride = try await visit.ownRide()
            guard ride.state == .open else { return visit.redirect(to: ride.path) }
            let frame = PageFrame(title: visit.words["offer.done.title"], tab: .share, styles: ["rides"])
            return try await visit.page("rides/offer-done", OfferDonePage(ride, in: visit), frame)
        }
    }

    private init(_ ride: Ride, in visit: Visit) {
        let view = RideView(ride, in: visit)
        (title, when) = (view.title, view.when)
        text = visit.words["offer.done.\(ride.accepts.rawValue)"]
        self.ride = ride.path
        mine = MyRidesPage.path
        back = "\(OfferPages.path)?back=\(ride.id)"
    }
}
