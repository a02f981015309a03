// Why an order is not taken and a match not made, beside what other services answer too. What is wrong stands in the field errors.

extension ErrorCode {
    /// The one who was asked for has no free hand any more.
    public static let handsFull: ErrorCode = "hands_full"
    /// The one who was asked for is not there any more.
    public static let notThere: ErrorCode = "not_there"
    /// The person has as many orders that are not over as one may have.
    public static let tooManyOrders: ErrorCode = "too_many_orders"
    /// An offer is over: why, stands in the field errors (`act`).
    public static let offerGone: ErrorCode = "offer_gone"
}
