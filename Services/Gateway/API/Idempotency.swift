import Crypto
package import HTTPTypes
package import WireProtocol

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Makes of an `Idempotency-Key` the request id that a command travels with, so that a repetition is recognised by the service,
/// whichever replica of the gateway it comes through.
package enum Idempotency {
    package static let header = HTTPField.Name("Idempotency-Key")!
    static let longest = 255

    /// - Throws: `malformed` where the header's value is not 1 to 255 visible ASCII characters.
    package static func requestID(_ headers: HTTPFields, caller: Caller) throws(ServiceError) -> UUID {
        let values = headers[values: header]
        guard let key = values.first else { return .version7() }
        guard values.count == 1, (1...longest).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServiceError(
                .malformed, "The idempotency key cannot be used.",
                errors: [FieldError("Idempotency-Key", "malformed", "1 to 255 visible ASCII characters.")])
        }
        return requestID(key: key, caller: caller)
    }

    /// The id for a key that came otherwise, such as in a form's hidden field.
    package static func requestID(key: String, caller: Caller) -> UUID {
        let owner = caller.person.map(\.description) ?? "anonymous"
        var bytes = Array(SHA256.hash(data: Array("\(owner)\n\(key)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80  // version 8: made by a rule of our own (RFC 9562, 5.8)
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
