import Crypto
import Foundation
import ServiceKit
import TestKit
import WireProtocol

@testable import AuthService

/// An authenticator and the browser around it, with one ES256 passkey, as far as a relying party sees them. What is wrong with what it
/// says, a test says.
struct SoftAuthenticator {
    var id = (0..<32).map { _ in UInt8.random(in: 0...255) }
    var key = P256.Signing.PrivateKey()
    var party = "share.example.org"
    var origin = "https://share.example.org"
    /// UP, UV, BE, BS.
    var flags: UInt8 = 0x01 | 0x04 | 0x08 | 0x10
    var counter: UInt32 = 0
    var handle: String?
    var crossOrigin: Bool? = false
    var topOrigin: String?
    var createType = "webauthn.create"
    var getType = "webauthn.get"
    var format = "none"
    /// Of COSE, as the authenticator writes it.
    var algorithm: [UInt8] = [0x26]

    private func clientData(_ type: String, _ challenge: String) throws -> [UInt8] {
        try WireJSON.encode(
            ClientData(
                type: type, challenge: challenge, origin: origin, crossOrigin: crossOrigin, topOrigin: topOrigin))
    }

    private func head(_ flags: UInt8) -> [UInt8] {
        Array(SHA256.hash(data: Array(party.utf8))) + [flags] + withUnsafeBytes(of: counter.bigEndian) { Array($0) }
    }

    /// CBOR (RFC 8949), as much of it as there is in an attestation object.
    private static func text(_ text: String) -> [UInt8] { [0x60 + UInt8(text.utf8.count)] + Array(text.utf8) }
    private static func bytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [0x59, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + Array(bytes)
    }

    func register(_ challenge: String, transports: [String]? = ["internal"]) throws -> PasskeyRegistration {
        let point = key.publicKey.rawRepresentation
        let cose =
            [0xA5, 0x01, 0x02, 0x03] + algorithm + [0x20, 0x01, 0x21] + Self.bytes(point.prefix(32)) + [0x22]
            + Self.bytes(point.suffix(32))
        let made = [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id + cose
        let object =
            [0xA3] + Self.text("fmt") + Self.text(format) + Self.text("attStmt") + [0xA0] + Self.text("authData")
            + Self.bytes(head(flags | 0x40) + made)
        return PasskeyRegistration(
            id: Base64URL.encode(id),
            response: .init(
                clientDataJSON: Base64URL.encode(try clientData(createType, challenge)),
                attestationObject: Base64URL.encode(object), transports: transports))
    }

    func sign(_ challenge: String) throws -> PasskeyAssertion {
        let clientData = try clientData(getType, challenge)
        let data = head(flags)
        let signature = try key.signature(for: Data(data) + Data(SHA256.hash(data: clientData)))
        return PasskeyAssertion(
            id: Base64URL.encode(id),
            response: .init(
                clientDataJSON: Base64URL.encode(clientData), authenticatorData: Base64URL.encode(data),
                signature: Base64URL.encode(Array(signature.derRepresentation)), userHandle: handle))
    }
}

/// Auth with passkeys, and what people do with them.
struct PasskeyBench {
    let auth: AuthBench
    static let password = "quiet river stones"

    static func run(
        _ configure: (inout AuthConfiguration) -> Void = { _ in }, _ test: (PasskeyBench) async throws -> Void
    ) async throws {
        try await AuthBench.run {
            $0.party = .init(publicURL: "https://share.example.org")
            configure(&$0)
        } _: { auth in
            try await test(PasskeyBench(auth: auth))
        }
    }

    func joined(_ name: String) async throws -> Caller {
        let account = try await auth.signUp("\(name.lowercased())@example.org", name: name)
        let claims = try Self.claims(account.session.accessToken)
        return Caller(person: account.person.id, session: claims.sid, address: "203.0.113.7")
    }

    static func claims(_ token: String) throws -> AccessTokenClaims {
        try WireJSON.decode(from: Base64URL.decode(token.split(separator: ".")[1]) ?? [])
    }

    func options(_ caller: Caller, _ password: String? = password) async throws -> PasskeyCreationOptions {
        try await auth.call(AuthMethods.passkeyOptions, Nothing(), PasskeyRequest(password: password), as: caller)
    }

    func add(
        _ device: SoftAuthenticator, _ challenge: String, as caller: Caller, name: String = "Phone",
        id: UUID = .version7()
    ) async throws -> Passkey {
        try await auth.call(
            AuthMethods.addPasskey, Nothing(), PasskeyDraft(name: name, credential: try device.register(challenge)),
            as: caller, id: id)
    }

    /// A device with a passkey that leads into the caller's account.
    func device(of caller: Caller, name: String = "Phone", _ change: (inout SoftAuthenticator) -> Void = { _ in })
        async throws -> (device: SoftAuthenticator, passkey: Passkey)
    {
        var device = SoftAuthenticator()
        change(&device)
        let options = try await options(caller)
        device.handle = options.user.id
        return (device, try await add(device, options.challenge, as: caller, name: name))
    }

    func challenge() async throws -> String {
        try await auth.call(AuthMethods.passkeySignInOptions, Nothing(), Nothing()).challenge
    }

    func signIn(
        _ device: SoftAuthenticator, _ challenge: String? = nil, from address: String = "203.0.113.7",
        id: UUID = .version7()
    ) async throws -> SignedIn {
        var asked = challenge
        if asked == nil { asked = try await self.challenge() }
        return try await signIn(try device.sign(asked ?? ""), from: address, id: id)
    }

    func signIn(
        _ assertion: PasskeyAssertion, from address: String = "203.0.113.7", id: UUID = .version7()
    ) async throws -> SignedIn {
        try await auth.call(
            AuthMethods.signInWithPasskey, DeviceParameters(device: "Firefox", language: "de"),
            PasskeySignIn(credential: assertion), as: Caller(address: address), id: id)
    }

    func list(_ caller: Caller) async throws -> [Passkey] {
        try await auth.call(AuthMethods.passkeys, Nothing(), Nothing(), as: caller).items
    }

    func remove(_ id: PasskeyID, as caller: Caller) async throws {
        let _: Nothing = try await auth.call(
            AuthMethods.removePasskey, PasskeyReference(id: id), Nothing(), as: caller)
    }

    func notices(_ caller: Caller) async throws -> [Notice] {
        try await auth.call(AuthMethods.notices, Nothing(), Nothing(), as: caller).items
    }
}
