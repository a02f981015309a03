package import Hummingbird
import NIOCore
import WireProtocol

/// How much the gateway reads. How long it waits for that is the connection's business (`ConnectionTimes`).
package enum BodyLimits {
    /// Bytes of a JSON or form body.
    package static let json = 64 * 1024
    /// Bytes of a picture.
    package static let photo = 12 * 1024 * 1024
    /// Bytes of a form with a picture: the picture and a few fields.
    package static let photoForm = photo + json
    /// Bytes of a form with several pictures.
    package static let photosForm = 40 * 1024 * 1024
    /// Bytes of a form with a picture that somebody sends who has no account yet.
    package static let joinForm = 2 * 1024 * 1024

    /// Reads a body whole.
    /// - Throws: `tooLarge` where the limit is passed, as soon as that is known; `tooSlow`; `malformed` where it breaks off;
    ///   `unavailable` where others' bodies take all the memory that there is for them.
    package static func read(_ request: Request, limit: Int, in context: GatewayContext) async throws -> [UInt8] {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        guard announced ?? 0 <= limit else { throw tooLarge(limit) }
        var bytes: [UInt8] = []
        for try await part in request.body {
            guard bytes.count + part.readableBytes <= limit else { throw tooLarge(limit) }
            try context.bodyLease?.grow(by: part.readableBytes)
            bytes += part.readableBytesView
        }
        // A connection that breaks looks like the end of the body.
        guard announced == nil || announced == bytes.count else {
            throw ServiceError(.malformed, "The body ended before it was complete.")
        }
        return bytes
    }

    static func tooLarge(_ limit: Int) -> ServiceError {
        let size = limit >= 1024 * 1024 ? "\(limit / 1024 / 1024) MB" : "\(limit / 1024) kB"
        return ServiceError(.tooLarge, "That is more than the \(size) that can be taken.")
    }
}
