import WireProtocol

// What moderators have to do with things.

extension SubjectSnapshot {
    /// What there is to judge of a thing.
    init(_ thing: RentableThing) {
        self.init(
            owner: thing.owner, title: thing.details.title, text: thing.details.description,
            photo: thing.details.photos.first)
    }
}
