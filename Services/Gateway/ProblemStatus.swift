package import HTTPTypes
package import WireProtocol

/// The one place where a refusal's code becomes an HTTP status and a title.
package enum ProblemStatus {
    package static func status(of code: ErrorCode) -> HTTPResponse.Status {
        known[code]?.0 ?? .conflict  // Codes that services add say what the state of a thing does not allow.
    }

    package static func title(of code: ErrorCode) -> String {
        known[code]?.1 ?? "The state of things does not allow it"
    }

    package static let known: [ErrorCode: (HTTPResponse.Status, String)] = [
        .malformed: (.badRequest, "The request cannot be read"),
        .unauthenticated: (.unauthorized, "Sign in first"),
        .wrongCredentials: (.unauthorized, "The email address or the password is wrong"),
        .stalePage: (.forbidden, "This page is out of date"),
        .forbidden: (.forbidden, "This is not yours to do"),
        .notFound: (.notFound, "Not found"),
        .methodNotAllowed: (.methodNotAllowed, "This cannot be done here"),
        .wrongState: (.conflict, "The state of things does not allow it"),
        .alreadyClaimed: (.conflict, "Somebody else was faster"),
        .tooManyClaims: (.conflict, "You hold as many claims as one may"),
        .tooManySpots: (.conflict, "You have as many spots on the map as one may"),
        .overlaps: (.conflict, "Something else is at this time"),
        .alreadyAsked: (.conflict, "You have asked for this already"),
        .tooManyThings: (.conflict, "You share as many things as one may"),
        .tooManyRentals: (.conflict, "You have asked for as much as one may"),
        .soldOut: (.conflict, "There is no seat left on this part of the way"),
        .duplicate: (.conflict, "You drive such a ride already"),
        .inUse: (.conflict, "Somebody counts on it as it is"),
        .seatsTaken: (.conflict, "More seats are taken than would be left"),
        .tooManyRides: (.conflict, "You have as many open rides as one may"),
        .tooManyRequestsOpen: (.conflict, "You have asked for as many seats as one may"),
        .handsFull: (.conflict, "They have no hand free"),
        .notThere: (.conflict, "They are not there any more"),
        .offerGone: (.conflict, "This offer is over"),
        .tooManyOrders: (.conflict, "You have as many open orders as one may"),
        .tooManyWanted: (.conflict, "You have as many searches as one may"),
        .tooManyInvitations: (.conflict, "You have invited as many people today as one may"),
        .termsChanged: (.conflict, "The terms have changed"),
        .changedMeanwhile: (.conflict, "This was changed meanwhile"),
        .inHand: (.conflict, "Something has to be over first"),
        .tooManyFriends: (.conflict, "You have as many friends as one may"),
        .tooManyBlocks: (.conflict, "You have blocked as many people as one may"),
        .identityDenied: (.forbidden, "You did not agree"),
        .identityStale: (.conflict, "This sign-in is over"),
        .identityAway: (.serviceUnavailable, "The identity provider does not answer; nothing was done"),
        .identityRefused: (.badGateway, "The identity provider's answer cannot be trusted"),
        .identityTaken: (.conflict, "This identity is linked already"),
        .lastWayIn: (.conflict, "This is the only way in"),
        .proofNeeded: (.forbidden, "Show first that it is you"),
        .passkeyStale: (.conflict, "This took too long, or was done before"),
        .passkeyRefused: (.unauthorized, "This passkey does not lead in"),
        .passkeyTaken: (.conflict, "This passkey leads into an account already"),
        .tooManyPasskeys: (.conflict, "You have as many passkeys as one may"),
        .alreadyReported: (.conflict, "You have reported this already"),
        .alreadyDecided: (.conflict, "Another moderator was faster"),
        .suspended: (.forbidden, "The account is suspended"),
        .notAvailable: (.notFound, "This profile is not available"),
        .usernameTaken: (.conflict, "The username is taken"),
        .idempotencyMismatch: (.conflict, "The idempotency key was used for something else"),
        .eventsGone: (.gone, "These events are no longer kept"),
        .tooLarge: (.contentTooLarge, "Too large"),
        .tooSlow: (.requestTimeout, "This took too long to arrive"),
        .headersTooLarge: (.requestHeaderFieldsTooLarge, "The head of the request is too large"),
        .versionNotSupported: (.httpVersionNotSupported, "This version of HTTP is not spoken here"),
        .expectationFailed: (.expectationFailed, "This expectation cannot be met"),
        .tooManyConnections: (.serviceUnavailable, "Too many connections at once"),
        .unsupportedMediaType: (.unsupportedMediaType, "This kind of content is not taken here"),
        .invalid: (.unprocessableContent, "Some fields need another look"),
        .tooManyRequests: (.tooManyRequests, "Too many requests"),
        .unavailable: (.serviceUnavailable, "A part of the service is away; nothing was done"),
        .outcomeUnknown: (.serviceUnavailable, "No answer in time; it may have been done or not"),
        .internalError: (.internalServerError, "Something went wrong on our side"),
    ]

    /// Seconds to wait, for the statuses that promise a `Retry-After`.
    package static func retryAfter(_ error: ServiceError) -> Int? {
        switch status(of: error.code) {
        case .tooManyRequests, .serviceUnavailable: max(1, error.retryAfter ?? 1)
        default: error.retryAfter
        }
    }

    package static func problem(_ error: ServiceError) -> Problem {
        Problem(
            type: "urn:kampong:problem:\(error.code.rawValue)", title: title(of: error.code),
            status: status(of: error.code).code, code: error.code, detail: error.detail, errors: error.errors)
    }
}

/// Refusals that are the gateway's own; services know nothing of them.
extension ErrorCode {
    /// A form came without the session's token: the page was made for another session.
    package static let stalePage: ErrorCode = "stale_page"
    /// What was announced did not come in time.
    package static let tooSlow: ErrorCode = "too_slow"
    package static let headersTooLarge: ErrorCode = "headers_too_large"
    package static let versionNotSupported: ErrorCode = "version_not_supported"
    package static let expectationFailed: ErrorCode = "expectation_failed"
    package static let tooManyConnections: ErrorCode = "too_many_connections"
}
