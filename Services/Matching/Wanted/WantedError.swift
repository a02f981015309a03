import FoundationEssentials
import WireProtocol

/// Why something about a standing search is refused.
enum WantedError: Error, Hashable, Sendable {
    case invalid([FieldError])
    case notFound
    /// It would find more than anybody wants to be told of.
    case tooWide
    case tooMany(limit: Int)
    /// It looks for something else by now: this is its version.
    case changedMeanwhile(String?)
    /// It can only be renewed, or removed.
    case ended
    /// Nothing that the caller drives.
    case rideNotFound
    case tooManyInvitations(limit: Int)
}

extension WantedError {
    /// - Parameter count: how many forms were given, where it should be one.
    static func notOneForm(_ count: Int) -> WantedError {
        count == 0
            ? .invalid([FieldError("query", "required", "Say what you look for.")])
            : .invalid([FieldError("query", "not_allowed", "One kind of thing at a time.")])
    }

    static let tooLong = WantedError.invalid([FieldError("query", "too_long", "Say less.")])

    /// By its own words it can find nothing any more.
    static let over = WantedError.invalid([FieldError("query", "over", "This time is over.")])
}

extension WantedError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .notFound: .notFound("search")
        case .tooWide:
            .invalid([
                FieldError(
                    "query", "too_wide", "This finds more than anybody wants to be told of. Say more: where, or what.")
            ])
        case .tooMany(let limit):
            ServiceError(.tooManyWanted, "You have \(limit) searches already. Remove one first.")
        case .changedMeanwhile(let version): .changedMeanwhile(version)
        case .ended:
            ServiceError(
                .wrongState, "This search has ended.", errors: [FieldError("act", "renew", "This is possible.")])
        case .rideNotFound: .notFound("ride")
        case .tooManyInvitations(let limit):
            ServiceError(.tooManyInvitations, "You have invited \(limit) people today. Invite others tomorrow.")
        }
    }
}
