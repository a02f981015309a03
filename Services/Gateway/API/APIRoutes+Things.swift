import HTTPTypes
import WireProtocol

extension APIRoute {
    /// What people share for rent: the same calls for each kind, at addresses of its own.
    static let things: [APIRoute] =
        thingRoutes(of: .car, at: "/v1/cars", named: "Car", all: "Cars")
        + thingRoutes(of: .space, at: "/v1/spaces", named: "Space", all: "Spaces")
        + thingRoutes(of: .parking, at: "/v1/private-parking", named: "PrivateParking", all: "PrivateParking") + [
            .service(.get, "/v1/things", "listThings", ListingsMethods.things, session: .optional) { read, _ in
                read.exactlyOne(of: ["mine", "by"])
                return ThingQuery(
                    by: read.reference("by"), mine: read.flag("mine"),
                    state: read.choice("state", of: ThingState.allCases), limit: read.integer("limit", in: 1...100),
                    cursor: read.text("cursor"))
            },
            .service(.get, "/v1/car-models", "listCarModels", ListingsMethods.carModels, session: .optional),
            .service(.delete, "/v1/date-blocks/{id}", "unblockDates", ListingsMethods.unblockDates) { read, _ in
                DateBlockReference(id: read.id())
            },
        ]

    /// - Parameters:
    ///   - name: in the names of calls: `getCar`.
    ///   - plural: of the list: `listCars`.
    private static func thingRoutes(
        of kind: ThingKind, at path: String, named name: String, all plural: String
    ) -> [APIRoute] {
        let one = "\(path)/{id}"
        let reference: @Sendable (inout ParameterReader, APICall) -> ThingReference = { read, _ in
            ThingReference(id: read.id(), kind: kind)
        }
        return [
            .service(.get, path, "list\(plural)", ListingsMethods.things, session: .optional) { read, _ in
                thingQuery(&read, of: kind)
            },
            .service(.post, path, "post\(name)", ListingsMethods.postThing, success: .created) { _, _ in
                ThingKindParameters(kind: kind)
            },
            .service(.get, one, "get\(name)", ListingsMethods.thing, session: .optional, read: reference),
            .service(.put, one, "change\(name)", ListingsMethods.changeThing, read: reference),
            .service(.patch, one, "amend\(name)", ListingsMethods.amendThing, read: reference),
            .service(.delete, one, "withdraw\(name)", ListingsMethods.withdrawThing, read: reference),
            .service(.post, "\(one)/publish", "publish\(name)", ListingsMethods.publishThing, read: reference),
            .service(
                .get, "\(one)/calendar", "get\(name)Calendar", ListingsMethods.calendar, session: .optional
            ) { read, _ in
                CalendarQuery(id: read.id(), kind: kind, from: read.text("from"), until: read.text("until"))
            },
            .service(
                .get, "\(one)/quote", "quote\(name)", ListingsMethods.quoteRental, session: .optional
            ) { read, _ in
                read.exactlyOne(of: ["from"])
                read.exactlyOne(of: ["until"])
                return RentalQuoteQuery(
                    id: read.id(), kind: kind, from: read.text("from") ?? "", until: read.text("until") ?? "")
            },
            .service(
                .post, "\(one)/date-blocks", "block\(name)Dates", ListingsMethods.blockDates, success: .created,
                read: reference),
            .service(
                .post, "\(one)/rentals", "rent\(name)", ListingsMethods.askRental, success: .created, read: reference),
        ]
    }

    /// What a list of things can be asked, in pages as well.
    static func thingQuery(_ read: inout ParameterReader, of kind: ThingKind?) -> ThingQuery {
        ThingQuery(
            kind: kind, q: read.text("q"), region: read.text("region"), brand: read.text("brand"),
            model: read.text("model"), highestPrice: read.integer("highestPrice", in: 0...1_000_000_000),
            from: read.text("from"), until: read.text("until"), sort: read.choice("sort", of: ThingOrder.allCases),
            near: read.position("near"), by: read.reference("by"), mine: read.flag("mine"),
            state: read.choice("state", of: ThingState.allCases), limit: read.integer("limit", in: 1...100),
            cursor: read.text("cursor"))
    }
}
