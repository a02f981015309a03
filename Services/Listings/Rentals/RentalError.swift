import WireProtocol

/// Why something may not be done to a thing or to an agreement.
enum RentalError: Error, Hashable, Sendable {
    case invalid([FieldError])
    case notFound
    case notYours
    case yourOwn
    /// Somebody else has it then.
    case overlaps
    /// Who asks has asked for some of it already, or has it; nil where it is not known as what.
    case alreadyAsked(RentalID?)
    /// What somebody has, has asked for or has blocked is of its clock, which stays while that is so.
    case zoneInUse
    /// Its terms are no longer those that were expected.
    case termsChanged([FieldError])
    /// It says something else by now: this is its version.
    case changedMeanwhile(String?)
    /// Its state does not allow it; these acts it allows this person now.
    case wrongState([RentalAct])
    /// Who shares it does not let it now.
    case notListed
    /// As many different number plates in a day as one may try.
    case tooManyPlates
    case tooManyThings(limit: Int)
    case tooManyRentals(limit: Int)
    case tooManyAhead(limit: Int)
}
