import WireProtocol

/// The spots that somebody shares, on their page (`parking/profile`).
private struct ProfileSpots {
    var spots: [SpotCard]
    var any: Bool
    var more: String?
    /// What stands in place of spots: that there are none, or that they can't be had now.
    var none: String
}

extension SpotsVertical {
    func shelf(of person: PersonID, in visit: Visit) async throws -> ProfileShelf? {
        let query = SpotQuery(by: person, cursor: visit.query("cursor"))
        let found = try await visit.askUnlessAway(ListingsMethods.spots, query)
        let spots = found?.items.map { SpotCard($0, from: nil, in: visit) } ?? []
        let model = ProfileSpots(
            spots: spots, any: !spots.isEmpty,
            more: found?.next.map { "/people/\(person)?cursor=\(LocalPath.encoded($0))" },
            none: visit.words[found == nil ? "person.away" : "person.none"])
        return ProfileShelf(
            ownHeading: "person.mine", heading: "person.shares",
            part: PagePart(template: "parking/profile", model: model), rows: "parking/rows")
    }
}
