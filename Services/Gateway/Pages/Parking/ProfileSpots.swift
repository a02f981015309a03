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
    var shelf: ProfileShelf? {
        ProfileShelf(
            kind: .spot, cursor: "cursor", ownHeading: "person.mine", heading: "person.shares", rows: "parking/rows")
    }

    func part(of found: Page<ShelfItem>?, by person: PersonID, in visit: Visit) -> PagePart? {
        let spots = found?.items.compactMap(\.spot).map { SpotCard($0, from: nil, in: visit) } ?? []
        let model = ProfileSpots(
            spots: spots, any: !spots.isEmpty,
            more: found?.next.map { "/people/\(person)?cursor=\(LocalPath.encoded($0))" },
            none: visit.words[found == nil ? "person.away" : "person.none"])
        return PagePart(template: "parking/profile", model: model)
    }
}
