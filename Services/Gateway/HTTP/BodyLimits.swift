package import Hummingbird
import NIOCore
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How much and how long the gateway reads.
package enum BodyLimits {
    /// Bytes of a JSON or form body.
    package static let json = 64 * 1024
    /// Bytes of a picture.
    package static let photo = 12 * 1024 * 1024
    /// Bytes of a form with a picture: the picture and a few fields.
    package static let photoForm = photo + json

    /// What is read on and thrown away of a body that is too long, so that its sender hears why before the line is closed.
    static let lingering = 32 * 1024 * 1024

    /// Reads a body whole.
    /// - Throws: `tooLarge` where the limit is passed, or `malformed` where the sender takes longer than `time`.
    package static func read(
        _ request: Request, limit: Int, within time: Duration = .seconds(30)
    ) async throws -> [UInt8] {
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard announced <= limit + lingering else { throw tooLarge(limit) }
        let clock = ContinuousClock()
        let end = clock.now + time
        var bytes: [UInt8] = []
        var length = 0
        for try await var part in request.body {
            length += part.readableBytes
            if announced <= limit, length <= limit {
                bytes += part.readBytes(length: part.readableBytes) ?? []
            } else {
                bytes = []
                guard length <= limit + lingering else { break }
            }
            guard clock.now < end else {
                throw ServiceError(.malformed, "The body took too long to arrive.")
            }
        }
        guard max(length, announced) <= limit else { throw tooLarge(limit) }
        return bytes
    }

    static func tooLarge(_ limit: Int) -> ServiceError {
        let size = limit >= 1024 * 1024 ? "\(limit / 1024 / 1024) MB" : "\(limit / 1024) kB"
        return ServiceError(.tooLarge, "That is more than the \(size) that can be taken.")
    }
}
