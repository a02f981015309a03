import Crypto
import FoundationEssentials
import WireProtocol

/// A JSON Web Token in its compact form (RFC 7515), by which we say to servers of others who we are.
enum SignedToken {
    /// - Parameters:
    ///   - header: With the algorithm.
    ///   - sign: Signs what it is given, as the algorithm wants it.
    static func make(
        header: some Encodable, claims: some Encodable, sign: (Data) throws -> some Sequence<UInt8>
    ) throws -> String {
        let signed = Base64URL.encode(try WireJSON.encode(header)) + "." + Base64URL.encode(try WireJSON.encode(claims))
        return signed + "." + Base64URL.encode(try sign(Data(signed.utf8)))
    }

    /// ECDSA with P-256 and SHA-256: both numbers, 32 bytes each.
    static func es256(header: some Encodable, claims: some Encodable, key: P256.Signing.PrivateKey) throws -> String {
        try make(header: header, claims: claims) { try key.signature(for: $0).rawRepresentation }
    }
}
