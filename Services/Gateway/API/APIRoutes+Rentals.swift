import HTTPTypes
import WireProtocol

extension APIRoute {
    /// Agreements about what is rented, whatever it is.
    static let rentals: [APIRoute] = [
        .service(.get, "/v1/rentals", "listRentals", ListingsMethods.rentals) { read, _ in
            rentalQuery(&read)
        },
        .service(.get, "/v1/rentals/{id}", "getRental", ListingsMethods.rental, read: rentalReference),
        // Before the acts: a router takes what is said in words first, and readers do.
        .service(
            .get, "/v1/rentals/{id}/contact", "getRentalContact", ListingsMethods.rentalContact, read: rentalReference),
        .service(.post, "/v1/rentals/{id}/{act}", "actOnRental", ListingsMethods.actOnRental) { read, _ in
            RentalActReference(id: read.id(), act: read.segment("act", as: RentalAct.init(path:)) ?? .accept)
        },
    ]

    @Sendable private static func rentalReference(_ read: inout ParameterReader, _: APICall) -> RentalReference {
        RentalReference(id: read.id())
    }

    /// What `GET /v1/rentals` can be asked, in pages as well.
    static func rentalQuery(_ read: inout ParameterReader) -> RentalQuery {
        RentalQuery(
            role: read.choice("role", of: RentalRole.allCases), state: read.choice("state", of: RentalState.allCases),
            stage: read.choice("stage", of: RentalStage.allCases), thing: read.reference("thing"),
            disputed: read.flag("disputed"), limit: read.integer("limit", in: 1...100),
            cursor: read.text("cursor"))
    }
}
