// What keeps somebody from leaving the community: what auth asks before it erases an account, and the page that says so beforehand.

/// An agreement of somebody that is not over as far as the other one knows.
package struct RentalInHand: Codable, Hashable, Sendable {
    package var id: RentalID
    /// What the thing was called when it was asked for.
    package var title: String

    package init(id: RentalID, title: String) {
        self.id = id
        self.title = title
    }
}

extension ListingsMethods {
    /// Of one person, to those services that look on their behalf.
    package static let rentalsInHand = Method<PersonReference, Nothing, Page<RentalInHand>>(
        "listings.rentalsInHand", .query, peers: [.auth, .gateway], isForSuspended: true)
}

extension ErrorCode {
    /// Something of the person's is in another one's hands, or the other way round: until that is over they don't go. The agreements stand in the field
    /// errors: field `rental`, as code the id, as message what the thing is called.
    public static let inHand: ErrorCode = "in_hand"
}
