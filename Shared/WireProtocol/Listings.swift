// The listings service: what people share. Each vertical has a file of its methods and one of its events: spots in SpotMethods.swift and
// SpotEvents.swift, what is rented in RentalMethods.swift and RentalEvents.swift.

package enum ListingsMethods {}

package enum ListingsEvents {
    package static let stream = PublishedStream(of: .listings)
}
