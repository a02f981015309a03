import WireProtocol

/// The rides that somebody drives, on their page (`rides/profile`).
private struct ProfileRides {
    var cards: [RideCard]
    var more: String?
}

extension RidesVertical {
    var shelf: ProfileShelf? {
        ProfileShelf(kind: .ride, limit: 6, cursor: "rides", ownHeading: "rides.ofMine", heading: "rides.of")
    }

    /// Nil where there is nothing, or rides is away.
    func part(of found: Page<ShelfItem>?, by person: PersonID, in visit: Visit) -> PagePart? {
        guard let found, !found.items.isEmpty else { return nil }
        let model = ProfileRides(
            cards: found.items.compactMap(\.ride).map { RideCard($0, in: visit) },
            more: found.next.map { "/people/\(person)?rides=\(LocalPath.encoded($0))#drives" })
        return PagePart(template: "rides/profile", model: model)
    }
}
