// What the listings service is asked about things that people rent to each other, and about agreements.

extension ListingsMethods {
    package static let things = Method<ThingQuery, Nothing, Page<Thing>>("listings.things", .query)
    package static let thing = Method<ThingReference, Nothing, Thing>("listings.thing", .query)
    package static let postThing = Method<ThingKindParameters, ThingDraft, Thing>("listings.postThing", .command)
    package static let changeThing = Method<ThingReference, ThingDraft, Thing>("listings.changeThing", .command)
    /// What is absent stays.
    package static let amendThing = Method<ThingReference, ThingDraft, Thing>("listings.amendThing", .command)
    /// Lists a draft, or again what was withdrawn.
    package static let publishThing = Method<ThingReference, Nothing, Thing>("listings.publishThing", .command)
    /// A draft is gone by it.
    package static let withdrawThing = Method<ThingReference, Nothing, Nothing>("listings.withdrawThing", .command)
    package static let carModels = Method<Nothing, Nothing, CarModels>("listings.carModels", .query)
    package static let calendar = Method<CalendarQuery, Nothing, ThingCalendar>("listings.calendar", .query)
    package static let blockDates = Method<ThingReference, PeriodDraft, DateBlock>("listings.blockDates", .command)
    package static let unblockDates = Method<DateBlockReference, Nothing, Nothing>("listings.unblockDates", .command)

    package static let quoteRental = Method<RentalQuoteQuery, Nothing, RentalQuote>("listings.quoteRental", .query)
    package static let askRental = Method<ThingReference, RentalDraft, Rental>("listings.askRental", .command)
    package static let actOnRental = Method<RentalActReference, RentalActDraft, Rental>(
        "listings.actOnRental", .command)
    package static let rentalContact = Method<RentalReference, Nothing, RentalContact>(
        "listings.rentalContact", .query)
    package static let rental = Method<RentalReference, Nothing, Rental>("listings.rental", .query)
    package static let rentals = Method<RentalQuery, Nothing, Page<Rental>>("listings.rentals", .query)
}
