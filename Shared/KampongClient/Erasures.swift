import Foundation
public import WireProtocol

// Erasing oneself.

extension KampongClient {
    /// Erases the account that is signed in, for good: every session ends, this one too.
    /// - Parameter password: the account's own.
    /// - Throws: `Problem` with code `inHand` while somebody else has to know who they are, with the agreements in its `errors`.
    /// - Returns: The receipt, as far as it is; `erasure(_:)` tells how it goes on.
    public func eraseMe(password: String, key: String? = nil) async throws -> Erasure {
        try await call(.delete, "v1/me", body: ErasureRequest(password: password), key: key)
    }

    /// The receipt of an erasure. Nobody has to be signed in.
    public func erasure(_ id: ErasureID) async throws -> Erasure { try await call(.get, "v1/erasures/\(id)") }
}
