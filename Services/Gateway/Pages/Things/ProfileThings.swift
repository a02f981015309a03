import WireProtocol

/// What somebody lets, on their page (`things/profile`).
private struct ProfileThings {
    var things: [ThingCard]
    var more: String?
}

extension ThingsVertical {
    /// Nil where there is nothing, or listings is away.
    func shelf(of person: PersonID, in visit: Visit) async throws -> ProfileShelf? {
        let query = ThingQuery(by: person, limit: 12, cursor: visit.query("things"))
        guard let found = try await visit.askUnlessAway(ListingsMethods.things, query), !found.items.isEmpty else {
            return nil
        }
        let model = ProfileThings(
            things: found.items.map { ThingCard($0, isMixed: true, in: visit) },
            more: found.next.map { "/people/\(person)?things=\(LocalPath.encoded($0))#lets" })
        return ProfileShelf(
            ownHeading: "things.ofMine", heading: "things.of",
            part: PagePart(template: "things/profile", model: model))
    }
}
