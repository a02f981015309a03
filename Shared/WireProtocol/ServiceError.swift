/// A refusal that crosses the wire: a stable code for programs, a sentence for people, and what is wrong at which field.
///
/// The HTTP status of a code is chosen in one place, the gateway's `ProblemStatus.swift`.
public struct ServiceError: Error, Codable, Hashable, Sendable {
    public var code: ErrorCode
    public var detail: String
    public var errors: [FieldError]
    /// Seconds after which trying again makes sense.
    public var retryAfter: Int?

    public init(_ code: ErrorCode, _ detail: String, errors: [FieldError] = [], retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.errors = errors
        self.retryAfter = retryAfter
    }

    /// The refusal of input whose form is right and whose content is not.
    public static func invalid(_ errors: [FieldError]) -> ServiceError {
        ServiceError(.invalid, "Some fields need another look.", errors: errors)
    }

    public static func notFound(_ what: String) -> ServiceError {
        ServiceError(.notFound, "There is no such \(what), or it is not visible to you.")
    }

    /// It says something else than what was to be changed: this version holds now.
    package static func changedMeanwhile(_ version: String?) -> ServiceError {
        ServiceError(
            .changedMeanwhile, "This was changed meanwhile.",
            errors: [FieldError("version", version ?? "", "This has changed.")])
    }
}

/// An error of a domain that tells the one who asked what cannot be done, and why.
package protocol Refusal: Error {
    /// As it crosses the wire.
    var serviceError: ServiceError { get }
}

extension ServiceError: Refusal {
    package var serviceError: ServiceError { self }

    /// Whether the request was turned down for good: it shall not be done any more, not even by a copy of it that is still on its way.
    package var isFinal: Bool {
        retryAfter == nil && ![.unavailable, .outcomeUnknown, .internalError, .tooManyRequests].contains(code)
    }
}

/// What is wrong with one field. `field` is its path in the body (`price.amount`), or a query parameter's name.
public struct FieldError: Codable, Hashable, Sendable {
    public var field: String
    public var code: String
    public var message: String

    public init(_ field: String, _ code: String, _ message: String) {
        self.field = field
        self.code = code
        self.message = message
    }
}

/// A stable name for a kind of refusal. Services may add codes; none ever changes its meaning.
public struct ErrorCode: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// The message cannot be read: not JSON, a missing field, a wrong type.
    public static let malformed: ErrorCode = "malformed"
    /// No session, or a dead one.
    public static let unauthenticated: ErrorCode = "unauthenticated"
    public static let wrongCredentials: ErrorCode = "wrong_credentials"
    public static let forbidden: ErrorCode = "forbidden"
    public static let notFound: ErrorCode = "not_found"
    public static let methodNotAllowed: ErrorCode = "method_not_allowed"
    /// The state of the thing does not allow it.
    public static let wrongState: ErrorCode = "wrong_state"
    public static let alreadyClaimed: ErrorCode = "already_claimed"
    /// The person holds as many claims as one may hold at once.
    public static let tooManyClaims: ErrorCode = "too_many_claims"
    /// The person has as many free spots on the map as one may have at once.
    public static let tooManySpots: ErrorCode = "too_many_spots"
    /// Somebody else has the thing in this period, or its owner has blocked it.
    public static let overlaps: ErrorCode = "overlaps"
    /// The person has asked for some of this period already, or has it: their request or agreement stands in the field errors (`rental`).
    public static let alreadyAsked: ErrorCode = "already_asked"
    /// The owner has changed the terms since; what differs stands in the field errors, as codes what it is now.
    public static let termsChanged: ErrorCode = "terms_changed"
    /// Somebody else, or the same person elsewhere, has changed it since it was read; which version it is now stands in the field errors.
    public static let changedMeanwhile: ErrorCode = "changed_meanwhile"
    /// The person shares as many things as one may.
    public static let tooManyThings: ErrorCode = "too_many_things"
    /// The person waits for as many answers as one may.
    public static let tooManyRentals: ErrorCode = "too_many_rentals"
    /// The person has as many friends, with those whom they have asked, as one may have.
    public static let tooManyFriends: ErrorCode = "too_many_friends"
    /// The person has blocked as many people as one may.
    public static let tooManyBlocks: ErrorCode = "too_many_blocks"
    /// The person has reported this already, and it is not decided yet.
    public static let alreadyReported: ErrorCode = "already_reported"
    /// Another moderator was faster.
    public static let alreadyDecided: ErrorCode = "already_decided"
    /// The person is suspended; until when and why stands in the field errors.
    public static let suspended: ErrorCode = "suspended"
    /// There is somebody, of whom nothing is shown now.
    public static let notAvailable: ErrorCode = "not_available"
    public static let usernameTaken: ErrorCode = "username_taken"
    /// The same idempotency key came with another body.
    public static let idempotencyMismatch: ErrorCode = "idempotency_mismatch"
    public static let tooLarge: ErrorCode = "too_large"
    public static let unsupportedMediaType: ErrorCode = "unsupported_media_type"
    /// Field errors.
    public static let invalid: ErrorCode = "invalid"
    public static let tooManyRequests: ErrorCode = "too_many_requests"
    /// The service is away; nothing was done.
    public static let unavailable: ErrorCode = "unavailable"
    /// No answer within the deadline: it may have been done or not. Ask again with the same idempotency key.
    public static let outcomeUnknown: ErrorCode = "outcome_unknown"
    public static let internalError: ErrorCode = "internal_error"
    /// The events before this position are no longer kept, or belong to another epoch.
    public static let eventsGone: ErrorCode = "events_gone"
}

extension ServiceError {
    /// Says where in the document reading failed, without repeating what was sent.
    init(malformed error: DecodingError) {
        let (path, reason): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .typeMismatch(_, let context): (context.codingPath, "has the wrong type")
            case .valueNotFound(_, let context): (context.codingPath, "must not be null")
            case .dataCorrupted(let context): (context.codingPath, context.codingPath.isEmpty ? "" : "cannot be read")
            @unknown default: ([], "")
            }
        let field = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        let detail = field.isEmpty ? "The body is not the JSON that was expected." : "The field \(field) \(reason)."
        self.init(.malformed, detail, errors: field.isEmpty ? [] : [FieldError(field, "malformed", "This \(reason).")])
    }
}
