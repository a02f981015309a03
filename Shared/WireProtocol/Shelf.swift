// What somebody shares now, for their profile; and what searches find.

/// Asks for one kind of what a person shares, as the caller sees it; the newest first.
package struct ShelfQuery: Codable, Hashable, Sendable {
    package var person: PersonID
    package var kind: SubjectKind
    package var limit: Int?
    package var cursor: String?

    package init(of person: PersonID, _ kind: SubjectKind, limit: Int? = nil, cursor: String? = nil) {
        self.person = person
        self.kind = kind
        self.limit = limit
        self.cursor = cursor
    }
}

/// One of them, in the form of its kind. A vertical more adds its form here.
package struct ShelfItem: Codable, Hashable, Sendable {
    package var spot: Spot?
    package var thing: Thing?
    package var ride: Ride?
    package var deliverer: DelivererFound?

    package init(_ spot: Spot) { self.spot = spot }
    package init(_ thing: Thing) { self.thing = thing }
    package init(_ ride: Ride) { self.ride = ride }
    package init(_ deliverer: DelivererFound) { self.deliverer = deliverer }
}

extension CommonMethods {
    package var shelf: Method<ShelfQuery, Nothing, Page<ShelfItem>> { Method("\(service).shelf", .query) }
}
