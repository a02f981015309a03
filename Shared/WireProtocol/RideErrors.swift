// Why a ride is not posted or changed, and a seat not given, beside what other services answer too. What is wrong stands in the field errors.

extension ErrorCode {
    /// There is no room on that part of the way.
    public static let soldOut: ErrorCode = "sold_out"
    /// The person drives such a ride already: its id stands in the field errors (`ride`), as code.
    public static let duplicate: ErrorCode = "duplicate"
    /// Somebody has asked for a seat or has one, so the way stays as it is.
    public static let inUse: ErrorCode = "in_use"
    /// More seats are given on some part of the way than would be left.
    public static let seatsTaken: ErrorCode = "seats_taken"
    /// The person has as many open rides as one may have.
    public static let tooManyRides: ErrorCode = "too_many_rides"
    /// The person has asked for as many seats that wait for an answer as one may.
    public static let tooManyRequestsOpen: ErrorCode = "too_many_requests_open"
}
