// Why a standing search is not kept, beside what other services answer too.

extension ErrorCode {
    /// The person has as many searches that have not ended as one may have.
    public static let tooManyWanted: ErrorCode = "too_many_wanted"
}
