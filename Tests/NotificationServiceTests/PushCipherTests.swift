import Crypto
import Foundation
import Testing
import WebClient
import WireProtocol

@testable import NotificationService

/// What is said to browsers, by the examples of the RFCs and read again by the same rules.
@Suite struct PushCipherTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    /// RFC 8291, section 5 and appendix A.
    @Test func it_encrypts_as_the_example_of_the_rfc() throws {
        let keys = try #require(
            PushKeys(
                point: try bytes(
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
                secret: try bytes("BTBZMqHH6r4Tts7J_aSIgg")))
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let message = try PushCipher.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: keys, sender: sender,
            salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"), padded: false)
        #expect(
            Base64URL.encode(message)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8"
                + "wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1000, 3992, 3993])
    func lengths_tell_little_and_never_go_beyond_a_record(_ length: Int) throws {
        let browser = P256.KeyAgreement.PrivateKey()
        let keys = try #require(
            PushKeys(point: Array(browser.publicKey.x963Representation), secret: Array(repeating: 7, count: 16)))
        let words = [UInt8](repeating: 0x41, count: length)
        let message = try PushCipher.encrypt(words, for: keys)
        #expect(message.count <= 4096 && message.count == 86 + min((length / 256 + 1) * 256, 3993) + 17)
        let another = try PushCipher.encrypt(words, for: keys)
        #expect(another != message)
    }

    @Test func what_is_too_long_or_for_keys_that_are_none_is_refused() throws {
        let browser = P256.KeyAgreement.PrivateKey()
        let point = Array(browser.publicKey.x963Representation)
        let secret = [UInt8](repeating: 7, count: 16)
        let keys = try #require(PushKeys(point: point, secret: secret))
        #expect(throws: PushCipher.TooLong.self) {
            try PushCipher.encrypt([UInt8](repeating: 0x41, count: 3994), for: keys)
        }
        #expect(PushKeys(point: point, secret: Array(secret.dropLast())) == nil)
        #expect(PushKeys(point: Array(point.dropLast()), secret: secret) == nil)
        // Not on the curve; in the short form.
        #expect(PushKeys(point: [4] + [UInt8](repeating: 1, count: 64), secret: secret) == nil)
        #expect(PushKeys(point: Array(browser.publicKey.compressedRepresentation), secret: secret) == nil)
    }

    @Test func servers_know_us_by_a_token_for_them_alone() throws {
        let vapid = VAPID(key: .init(), contact: "mailto:village@example.org")
        let now = Date(timeIntervalSince1970: 1_795_232_513)
        let address = try #require(WebAddress("https://push.example.net/a/secret-path"))
        let line = try vapid.authorization(for: address, now: now)
        let parts = try #require(line.wholeMatch(of: /Authorization: vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)/))
        #expect(String(parts.4) == vapid.publicKey)
        let claims = try #require(
            try JSONSerialization.jsonObject(with: Data(try bytes(String(parts.2)))) as? NSDictionary)
        let wanted: NSDictionary = [
            "aud": "https://push.example.net", "exp": 1_795_232_513 + 12 * 3600, "sub": "mailto:village@example.org",
        ]
        #expect(claims == wanted)
        let header = String(decoding: try bytes(String(parts.1)), as: UTF8.self)
        #expect(header == #"{"alg":"ES256","typ":"JWT"}"#)
        let key = try P256.Signing.PublicKey(x963Representation: try bytes(vapid.publicKey))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(String(parts.3)))
        #expect(key.isValidSignature(signature, for: Data("\(parts.1).\(parts.2)".utf8)))
    }

    @Test(arguments: [
        ("https://push.example.net/x", "https://push.example.net"),
        ("https://push.example.net:443/x", "https://push.example.net"),
        ("https://push.example.net:8443/x", "https://push.example.net:8443"),
        ("http://127.0.0.1:9000/x", "http://127.0.0.1:9000"), ("http://127.0.0.1:80/x", "http://127.0.0.1"),
    ])
    func an_origin_has_no_port_that_its_scheme_has_anyway(_ address: String, _ origin: String) throws {
        #expect(VAPID.origin(of: try #require(WebAddress(address))) == origin)
    }
}
