import WireProtocol

/// What somebody lets, on their page (`things/profile`).
private struct ProfileThings {
    var things: [ThingCard]
    var more: String?
}

extension ThingsVertical {
    var shelf: ProfileShelf? {
        ProfileShelf(kind: .thing, limit: 12, cursor: "things", ownHeading: "things.ofMine", heading: "things.of")
    }

    /// Nil where there is nothing, or listings is away.
    func part(of found: Page<ShelfItem>?, by person: PersonID, in visit: Visit) -> PagePart? {
        guard let found, !found.items.isEmpty else { return nil }
        let model = ProfileThings(
            things: found.items.compactMap(\.thing).map { ThingCard($0, isMixed: true, in: visit) },
            more: found.next.map { "/people/\(person)?things=\(LocalPath.encoded($0))#lets" })
        return PagePart(template: "things/profile", model: model)
    }
}
