import Hummingbird
import WireProtocol

/// The pages on which somebody offers seats in a ride, once or each week, and changes what they offer.
enum OfferPages {
    static let path = "/rides/new"

    static func register(on routes: PageRoutes) {
        OfferPage.register(on: routes)
        OfferDonePage.register(on: routes)
        OfferChangePage.register(on: routes)
        CommutesPage.register(on: routes)
        CommutePage.register(on: routes)
        CommuteChangePage.register(on: routes)
        CommuteEndPage.register(on: routes)
    }
}

extension Visit {
    /// The ride in the address, which the visitor drives.
    /// - Throws: `unauthenticated`, `notFound`, `forbidden`.
    func ownRide() async throws -> Ride {
        try context.requirePerson()
        let ride = try await ask(RidesMethods.ride, RideReference(id: try id()), Nothing())
        guard ride.mine else { throw ServiceError(.forbidden, "Only its driver may do that.") }
        return ride
    }

    /// The commute in the address: to everybody but its driver there is none.
    /// - Throws: `unauthenticated`, `notFound`.
    func ownCommute() async throws -> RideSeries {
        try context.requirePerson()
        return try await ask(RidesMethods.series, RideSeriesReference(id: try id()), Nothing())
    }

    /// A refusal of rides in the person's language.
    func toldOfRide(_ error: ServiceError) -> String {
        words.find("seats.problem.\(error.code.rawValue)") ?? told(error)
    }
}
