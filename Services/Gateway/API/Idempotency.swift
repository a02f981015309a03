import Crypto
package import FoundationEssentials
package import HTTPTypes
package import WireProtocol

/// Makes of an `Idempotency-Key`, or of the key in a form, the request id that a command travels with, so that a repetition is
/// recognised by the service, whichever replica of the gateway it comes through.
package enum Idempotency {
    package static let header = HTTPField.Name("Idempotency-Key")!
    static let longest = 255

    /// A key that is shorter than a UUID without hyphens is one that somebody else may think of too.
    private static let unguessable = 32

    /// - Throws: `malformed` where the header's value is not 1 to 255 visible ASCII characters.
    package static func requestID(_ headers: HTTPFields, caller: Caller) throws(ServiceError) -> UUID {
        let values = headers[values: header]
        guard let key = values.first else { return .version7() }
        guard values.count == 1, let id = requestID(key: key, caller: caller) else {
            throw ServiceError(
                .malformed, unusable,
                errors: [FieldError("Idempotency-Key", "malformed", "1 to 255 visible ASCII characters.")])
        }
        return id
    }

    /// Nil where the key cannot be used.
    package static func requestID(key: String, caller: Caller) -> UUID? {
        isUsable(key) ? id(of: "\(owner(of: key, caller))\n\(key)") : nil
    }

    /// - Parameters:
    ///   - key: what a form carries in its hidden field; empty where it carries none.
    ///   - act: which of the things that the form can do is done: pressing another button is another request.
    /// - Throws: `malformed`, by the same rule as for the header.
    package static func requestID(form key: String, doing act: String, caller: Caller) throws(ServiceError) -> UUID {
        if key.isEmpty { return .version7() }
        guard isUsable(key) else { throw ServiceError(.malformed, unusable) }
        return id(of: "\(owner(of: key, caller))\n\(key)\n\(act)")
    }

    private static let unusable = "The idempotency key cannot be used."

    private static func isUsable(_ key: String) -> Bool {
        (1...longest).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whose key it is. Those who are not signed in share their keys, or a repetition from another network (the telephone has
    /// left the house) would not be recognised; but not keys such as `1`, which are each network's own.
    private static func owner(of key: String, _ caller: Caller) -> String {
        if let person = caller.person { return person.description }
        return key.utf8.count < unguessable ? "anonymous at \(caller.address ?? "")" : "anonymous"
    }

    private static func id(of text: String) -> UUID {
        var bytes = Array(SHA256.hash(data: Array(text.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80  // version 8: made by a rule of our own (RFC 9562, 5.8)
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
