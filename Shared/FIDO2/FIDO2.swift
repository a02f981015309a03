import CFIDO2

/// What an authenticator says and signs, read and checked by libfido2: the half of a relying party that is cryptography. What the
/// signatures are over (client data, flags, counters) is for the caller to judge.
///
/// Everything here may be called from any thread, and takes less than a millisecond.
package enum FIDO2 {
    /// The signatures that are taken, the most wanted first; the numbers are those of COSE (RFC 9053, RFC 8812).
    package enum Algorithm: Int32, CaseIterable, Sendable {
        case es256 = -7
        case edDSA = -8
        case rs256 = -257
    }

    /// A public key as libfido2 keeps one: x ‖ y of P-256, a key of Ed25519, n ‖ e of RSA with 2048 bits.
    package struct PublicKey: Hashable, Sendable {
        package var algorithm: Algorithm
        package var bytes: [UInt8]

        package init(algorithm: Algorithm, bytes: [UInt8]) {
            self.algorithm = algorithm
            self.bytes = bytes
        }
    }

    /// What an authenticator made.
    package struct NewCredential: Hashable, Sendable {
        package var id: [UInt8]
        package var key: PublicKey
        /// 37 bytes of hash, flags and counter, then what it has made.
        package var authenticatorData: [UInt8]
    }

    /// More than any authenticator sends, and too little to keep anybody busy.
    package static let longest = 8192

    /// Bytes of authenticator data before what is CBOR: hash, flags, counter (WebAuthn Level 3, 6.1).
    private static let fixed = 37

    /// The credential's key and what extensions say, which are CBOR: behind 16 bytes of who made the authenticator, two of the length of
    /// the credential's id, and the id.
    private static func cbor(inNew authenticatorData: [UInt8]) -> ArraySlice<UInt8> {
        let data = authenticatorData.dropFirst(fixed + 16)
        let length = data.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        return data.dropFirst(2 + length)
    }

    /// Reads a credential that was just made, of an attestation object (WebAuthn Level 3, 6.5.4).
    ///
    /// Where no attestation was asked for, there is none, or one by the credential itself, which is checked.
    /// - Parameters:
    ///   - clientData: as the browser sent it; the attestation signs its hash.
    ///   - party: the relying party's id, a host's name.
    package static func credential(attestationObject bytes: [UInt8], clientData: [UInt8], party: String)
        throws(FIDO2Error) -> NewCredential
    {
        _ = isReady
        let object = try AttestationObject(bytes)
        switch object.format {
        case "none":
            guard object.statementIsEmpty else { throw .attestation }
            return try read(object, clientData, party, verifying: false)
        case "packed": return try read(object, clientData, party, verifying: true)
        default: throw .attestation
        }
    }

    /// Checks that whoever holds the key's other half signed this.
    /// - Parameter party: the relying party's id; the authenticator has to have been asked by it, somebody to have been there, and to have
    ///   shown who they are.
    package static func verify(
        signature: [UInt8], over authenticatorData: [UInt8], clientData: [UInt8], party: String, by key: PublicKey
    ) throws(FIDO2Error) {
        _ = isReady
        guard authenticatorData.count <= longest, signature.count <= longest, clientData.count <= longest,
            AnnouncedItems.fit(authenticatorData.dropFirst(fixed))
        else { throw .malformed }
        var handle = fido_assert_new()
        defer { fido_assert_free(&handle) }
        guard let assertion = handle else { throw .outOfMemory }
        guard fido_assert_set_count(assertion, 1) == FIDO_OK, fido_assert_set_rp(assertion, party) == FIDO_OK,
            fido_assert_set_clientdata(assertion, clientData, clientData.count) == FIDO_OK,
            fido_assert_set_up(assertion, FIDO_OPT_TRUE) == FIDO_OK,
            fido_assert_set_uv(assertion, FIDO_OPT_TRUE) == FIDO_OK,
            fido_assert_set_authdata_raw(assertion, 0, authenticatorData, authenticatorData.count) == FIDO_OK,
            fido_assert_set_sig(assertion, 0, signature, signature.count) == FIDO_OK
        else { throw .malformed }
        let result = try withKey(key) { fido_assert_verify(assertion, 0, key.algorithm.rawValue, $0) }
        guard result == FIDO_OK else { throw .init(result) }
    }

    /// Once per process. Nothing is written to the standard error stream, and no token is looked for.
    private static let isReady: Bool = {
        fido_init(0)
        return true
    }()

    // MARK: New credentials

    private static func read(
        _ object: AttestationObject, _ clientData: [UInt8], _ party: String, verifying: Bool
    ) throws(FIDO2Error) -> NewCredential {
        guard AnnouncedItems.fit(cbor(inNew: object.authenticatorData)) else { throw .malformed }
        // libfido2 reads a key of the kind that it is told to expect, and the authenticator says which one it made only in there.
        for algorithm in Algorithm.allCases {
            var handle = fido_cred_new()
            defer { fido_cred_free(&handle) }
            guard let credential = handle else { throw .outOfMemory }
            guard fido_cred_set_type(credential, algorithm.rawValue) == FIDO_OK,
                fido_cred_set_authdata_raw(credential, object.authenticatorData, object.authenticatorData.count)
                    == FIDO_OK
            else { continue }
            if verifying { try verifySelf(credential, object, clientData, party) }
            let new = NewCredential(
                id: bytes(fido_cred_id_ptr(credential), fido_cred_id_len(credential)),
                key: PublicKey(
                    algorithm: algorithm,
                    bytes: bytes(fido_cred_pubkey_ptr(credential), fido_cred_pubkey_len(credential))),
                authenticatorData: object.authenticatorData)
            guard !new.id.isEmpty else { throw .malformed }
            try check(new.key)
            return new
        }
        throw .malformed
    }

    /// What the credential has signed itself: no certificate, so nothing about its maker.
    private static func verifySelf(
        _ credential: OpaquePointer, _ object: AttestationObject, _ clientData: [UInt8], _ party: String
    ) throws(FIDO2Error) {
        guard fido_cred_set_fmt(credential, object.format) == FIDO_OK,
            fido_cred_set_rp(credential, party, nil) == FIDO_OK,
            fido_cred_set_uv(credential, FIDO_OPT_TRUE) == FIDO_OK,
            fido_cred_set_clientdata(credential, clientData, clientData.count) == FIDO_OK,
            fido_cred_set_attstmt(credential, object.statement, object.statement.count) == FIDO_OK,
            fido_cred_x5c_len(credential) == 0
        else { throw .attestation }
        switch fido_cred_verify_self(credential) {
        case FIDO_OK: return
        case FIDO_ERR_INVALID_PARAM: throw .parameters
        default: throw .attestation
        }
    }

    // MARK: Keys

    /// - Throws: `.key` where it is none, a point beside the curve for one.
    private static func check(_ key: PublicKey) throws(FIDO2Error) {
        let isKey =
            try withKey(key) { pointer in
                switch key.algorithm {
                case .es256: kampong_is_key(es256_pk_to_EVP_PKEY(OpaquePointer(pointer)))
                case .edDSA: kampong_is_key(eddsa_pk_to_EVP_PKEY(OpaquePointer(pointer)))
                case .rs256: kampong_is_key(rs256_pk_to_EVP_PKEY(OpaquePointer(pointer)))
                }
            } == 1
        guard isKey else { throw .key }
    }

    private static func withKey(_ key: PublicKey, _ body: (UnsafeRawPointer) -> Int32) throws(FIDO2Error) -> Int32 {
        switch key.algorithm {
        case .es256:
            var handle = es256_pk_new()
            defer { es256_pk_free(&handle) }
            guard let handle else { throw .outOfMemory }
            guard key.bytes.count == 64, es256_pk_from_ptr(handle, key.bytes, key.bytes.count) == FIDO_OK else {
                throw .key
            }
            return body(UnsafeRawPointer(handle))
        case .edDSA:
            var handle = eddsa_pk_new()
            defer { eddsa_pk_free(&handle) }
            guard let handle else { throw .outOfMemory }
            guard key.bytes.count == 32, eddsa_pk_from_ptr(handle, key.bytes, key.bytes.count) == FIDO_OK else {
                throw .key
            }
            return body(UnsafeRawPointer(handle))
        case .rs256:
            var handle = rs256_pk_new()
            defer { rs256_pk_free(&handle) }
            guard let handle else { throw .outOfMemory }
            guard key.bytes.count == 259, rs256_pk_from_ptr(handle, key.bytes, key.bytes.count) == FIDO_OK else {
                throw .key
            }
            return body(UnsafeRawPointer(handle))
        }
    }

    private static func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        pointer.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
    }
}
