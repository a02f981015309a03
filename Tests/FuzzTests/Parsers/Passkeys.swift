import FIDO2

extension Parser {
    /// What a browser says that an authenticator made; the signatures are libfido2's to check.
    static let passkeys = [
        Parser(name: "attestation") { bytes in
            guard
                let made = try? FIDO2.credential(
                    attestationObject: bytes, clientData: Array("{}".utf8), party: "share.example.org")
            else { return }
            try promise("no key", !made.id.isEmpty && !made.key.bytes.isEmpty)
            try promise("no data", made.authenticatorData.count >= 37)
            try promise("longer than what was sent", made.authenticatorData.count <= bytes.count)
        }
    ]
}
