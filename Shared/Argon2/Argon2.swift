import CSodium

/// Argon2id (RFC 9106, version 1.3, one lane) by libsodium: slow and memory-hungry on purpose, and deterministic for a
/// given salt.
///
/// Every function blocks its thread for as long as the cost says (about a tenth of a second by default), so call it where
/// blocking is allowed (`Reactor.blocking`). All of it may be called from any thread.
package enum Argon2 {
    /// The salt's length in bytes; libsodium accepts no other.
    package static let saltLength = 16

    /// What one hash costs whoever makes it, and whoever guesses.
    package struct Cost: Hashable, Sendable {
        /// Passes over the memory (`t` of RFC 9106), at least 1.
        package var operations: Int
        /// Bytes of memory (`m` of RFC 9106, which counts KiB), at least 8 KiB; rounded down to whole KiB.
        package var memoryBytes: Int

        package init(operations: Int, memoryBytes: Int) {
            self.operations = operations
            self.memoryBytes = memoryBytes
        }

        /// RFC 9106's second recommended option (64 MiB, 3 passes), with the one lane that libsodium computes.
        package static let recommended = Cost(operations: 3, memoryBytes: 64 << 20)
        /// The least that libsodium accepts. For tests that only need a hash, never for a password of a person.
        package static let cheapest = Cost(operations: 1, memoryBytes: 8 << 10)
    }

    /// Derives `length` bytes from a password and a salt.
    ///
    /// The password's bytes are overwritten before returning. That reaches the caller's own storage only where the caller
    /// gives up its last reference (`consume password`); an array that is still referenced elsewhere is left as it is.
    /// - Parameters:
    ///   - salt: 16 bytes.
    ///   - length: 16 bytes or more; 32 is plenty.
    ///   - operations: See `Cost.operations`.
    ///   - memoryBytes: See `Cost.memoryBytes`.
    /// - Throws: `Argon2Error`; `.outOfMemory` is worth another try later.
    package static func hash(
        password: consuming [UInt8], salt: [UInt8], length: Int = 32,
        operations: Int = Cost.recommended.operations, memoryBytes: Int = Cost.recommended.memoryBytes
    ) throws(Argon2Error) -> [UInt8] {
        defer { wipe(&password) }
        guard sodiumIsReady else { throw .unavailable }
        guard salt.count == saltLength else { throw .saltLength(salt.count) }
        guard (Int(crypto_pwhash_argon2id_bytes_min())...1 << 16).contains(length) else { throw .hashLength(length) }
        guard (1...Int(UInt32.max)).contains(operations) else { throw .operations(operations) }
        guard (crypto_pwhash_argon2id_memlimit_min()...crypto_pwhash_argon2id_memlimit_max()).contains(memoryBytes)
        else { throw .memory(memoryBytes) }
        var output = [UInt8](repeating: 0, count: length)
        // An empty array has no address, and C is declared to want one.
        let result =
            password.isEmpty
            ? crypto_pwhash_argon2id(
                &output, UInt64(length), "", 0, salt, UInt64(operations), memoryBytes, algorithm)
            : password.withUnsafeBytes {
                crypto_pwhash_argon2id(
                    &output, UInt64(length), $0.baseAddress!.assumingMemoryBound(to: CChar.self), UInt64($0.count),
                    salt, UInt64(operations), memoryBytes, algorithm)
            }
        // The limits were checked above; what remains is that the memory could not be had.
        guard result == 0 else { throw .outOfMemory }
        return output
    }

    /// The same with a `Cost`.
    package static func hash(password: consuming [UInt8], salt: [UInt8], length: Int = 32, cost: Cost)
        throws(Argon2Error) -> [UInt8]
    {
        try hash(
            password: password, salt: salt, length: length, operations: cost.operations, memoryBytes: cost.memoryBytes)
    }

    /// Whether both are the same, in a time that does not depend on where they differ (only on their length).
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return left.isEmpty || sodium_memcmp(left, right, left.count) == 0
    }

    /// Overwrites secret bytes in a way that the optimiser does not take out, and empties the array.
    package static func wipe(_ secret: inout [UInt8]) {
        secret.withUnsafeMutableBytes { bytes in
            if let address = bytes.baseAddress { sodium_memzero(address, bytes.count) }
        }
        secret.removeAll()
    }

    private static let algorithm = crypto_pwhash_argon2id_alg_argon2id13()
    /// Once per process; `sodium_init` itself may be called again (libzmq does), and says 1 then.
    private static let sodiumIsReady = sodium_init() >= 0
}

/// Why no hash was made. No case carries anything secret.
package enum Argon2Error: Error, Hashable, CustomStringConvertible {
    case saltLength(Int)
    case hashLength(Int)
    case operations(Int)
    case memory(Int)
    case outOfMemory
    case unavailable

    package var description: String {
        switch self {
        case .saltLength(let count): "A salt has \(Argon2.saltLength) bytes, not \(count)."
        case .hashLength(let count): "A hash of \(count) bytes cannot be made; 16 to 65536 can."
        case .operations(let count): "Argon2id cannot make \(count) passes."
        case .memory(let count): "Argon2id cannot work in \(count) bytes; it needs 8192 at least."
        case .outOfMemory: "There was not enough memory for Argon2id."
        case .unavailable: "libsodium could not be initialised."
        }
    }
}
