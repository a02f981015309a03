import Hummingbird
import WireProtocol

/// The pages of a request for seats.
enum SeatPages {
    static func register(on routes: PageRoutes) {
        SeatPage.register(on: routes)
        SeatActPage.register(on: routes)
        SeatDisputesPage.register(on: routes)
    }
}

extension SeatRequest {
    var path: String { "/seats/\(id)" }

    /// The other one of the two; for moderators the rider.
    var other: PersonSummary { role == .rider ? driver : rider }

    /// Whether who asked rides along, or has.
    var hasSeat: Bool { state == .accepted || state == .rode }

    /// What the two have completed, once they have.
    var encounter: Subject { Subject(id) }
}
