// What the listings service is asked about parking spots.

extension ListingsMethods {
    package static let spots = Method<SpotQuery, Nothing, Page<Spot>>("listings.spots", .query)
    package static let spot = Method<SpotReference, Nothing, Spot>("listings.spot", .query)
    package static let postSpot = Method<Nothing, SpotDraft, Spot>("listings.postSpot", .command)
    package static let changeSpot = Method<SpotReference, SpotDraft, Spot>("listings.changeSpot", .command)
    package static let removeSpot = Method<SpotReference, Nothing, Nothing>("listings.removeSpot", .command)
    package static let claimSpot = Method<SpotClaiming, Nothing, Spot>("listings.claimSpot", .command)
    package static let releaseSpot = Method<SpotReference, Nothing, Spot>("listings.releaseSpot", .command)
    package static let observeSpot = Method<SpotReference, SpotObservation, Spot>("listings.observeSpot", .command)
}
