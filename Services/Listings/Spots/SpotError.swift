import WireProtocol

/// Why something may not be done to a spot.
enum SpotError: Error, Hashable, Sendable {
    case invalid([FieldError])
    case notFound
    /// Only the one who posted it may.
    case notYours
    /// The one who posted it may not.
    case yourOwn
    /// Someone else holds it.
    case alreadyClaimed
    /// It costs something else than was expected: this, in minor units.
    case priceChanged(Int)
    /// It says something else by now: this is its version.
    case changedMeanwhile(String?)
    /// It is claimed, and what was asked needs it free.
    case claimed
    /// It is claimed by someone else, who alone may give it back.
    case notYourClaim
    /// Nobody holds it.
    case notClaimed
    case expired
    case removed
    case tooManyClaims(limit: Int)
    case tooManySpots(limit: Int)
}
