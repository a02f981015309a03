package import WireProtocol

extension ErrorCode {
    /// The service has no such method: the two sides are of different versions.
    package static let unknownMethod: ErrorCode = "unknown_method"
    /// The answer does not fit into a message; ask for less.
    package static let replyTooLarge: ErrorCode = "reply_too_large"
}

extension ServiceError {
    static let internalFailure = ServiceError(.internalError, "Something went wrong on our side.")
    static let noAnswer = ServiceError(
        .outcomeUnknown, "No answer came in time: it may have been done or not. Asking again with the same key is safe."
    )

    static func unavailable(_ service: String) -> ServiceError {
        ServiceError(.unavailable, "The service \(service) cannot be reached just now.", retryAfter: 2)
    }
}
