import Crypto
import FIDO2
import Foundation
import ServiceKit
import Testing
import WireProtocol

@testable import AuthService

/// What is checked of a passkey without a database.
@Suite struct PasskeyRulesTests {
    private static let challenge = "AZqj8XwAejuMHS4_QFFic3d1YXRlcmJvdHRsZXBlbmNpbHBhcGVyc2hvZXMx"
    private let ceremonies = PasskeyCeremonies(party: RelyingParty(publicURL: "https://share.example.org")!)

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let refusal: PasskeyRefusal
        let change: @Sendable (inout SoftAuthenticator) -> Void
        var testDescription: String { name }
    }

    static let common: [Case] = [
        Case(name: "another origin", refusal: .otherOrigin) { $0.origin = "https://share.example.org.evil.example" },
        Case(name: "without TLS", refusal: .otherOrigin) { $0.origin = "http://share.example.org" },
        Case(name: "another port", refusal: .otherOrigin) { $0.origin = "https://share.example.org:8443" },
        Case(name: "in a frame", refusal: .framed) { $0.crossOrigin = true },
        Case(name: "in somebody's page", refusal: .framed) { $0.topOrigin = "https://evil.example" },
        Case(name: "another party", refusal: .otherParty) { $0.party = "evil.example" },
        Case(name: "nobody there", refusal: .nobodyThere) { $0.flags &= ~0x01 },
        Case(name: "not verified", refusal: .notVerified) { $0.flags &= ~0x04 },
        Case(name: "backed up and not eligible", refusal: .contradiction) { $0.flags &= ~0x08 },
        Case(name: "no id", refusal: .unreadable) { $0.id = [] },
    ]
    static let adding =
        common + [
            Case(name: "made to sign in", refusal: .otherCeremony) { $0.createType = "webauthn.get" },
            Case(name: "an attestation", refusal: .attestation) { $0.format = "android-key" },
            Case(name: "self attestation without one", refusal: .attestation) { $0.format = "packed" },
            Case(name: "another algorithm", refusal: .unreadable) { $0.algorithm = [0x38, 0x22] },
            Case(name: "an id that is too long", refusal: .badID) { $0.id = Array(repeating: 1, count: 1024) },
        ]
    static let entering =
        common + [Case(name: "made to be added", refusal: .otherCeremony) { $0.getType = "webauthn.create" }]

    private func made(_ device: SoftAuthenticator) throws -> PasskeyCeremonies.Made {
        try ceremonies.made(device.register(Self.challenge))
    }

    @Test func what_is_as_it_should_be_is_taken() throws {
        var device = SoftAuthenticator()
        for flags: UInt8 in [0x05, 0x0D, 0x1D] {
            device.flags = flags
            let made = try made(device)
            #expect(made.challenge == Self.challenge && made.credential.id == device.id)
            #expect(made.credential.key.bytes == Array(device.key.publicKey.rawRepresentation))
            let claim = try ceremonies.claim(device.sign(Self.challenge))
            #expect(claim.challenge == Self.challenge && claim.credential == device.id)
            try ceremonies.verify(claim, by: made.credential.key)
        }
        device.crossOrigin = nil
        _ = try made(device)
        var app = SoftAuthenticator()
        app.origin = "android:apk-key-hash:abc"
        let withApp = PasskeyCeremonies(
            party: RelyingParty(publicURL: "https://share.example.org", apps: [app.origin])!)
        _ = try withApp.made(app.register(Self.challenge))
        #expect(throws: PasskeyRefusal.otherOrigin) { try made(app) }
    }

    @Test(arguments: adding)
    func what_is_wrong_is_not_added(_ wrong: Case) throws {
        var device = SoftAuthenticator()
        wrong.change(&device)
        #expect(throws: wrong.refusal) { try made(device) }
    }

    @Test(arguments: entering)
    func what_is_wrong_does_not_lead_in(_ wrong: Case) throws {
        var device = SoftAuthenticator()
        wrong.change(&device)
        #expect(throws: wrong.refusal) { try ceremonies.claim(device.sign(Self.challenge)) }
    }

    @Test func a_signature_by_another_key_is_no_signature() throws {
        let (device, other) = (SoftAuthenticator(), SoftAuthenticator())
        let claim = try ceremonies.claim(device.sign(Self.challenge))
        let key = try made(other).credential.key
        #expect(throws: PasskeyRefusal.unknown) { try ceremonies.verify(claim, by: key) }
    }

    /// Each text of what a browser sends, cut off at each place and replaced by nonsense.
    @Test func what_is_cut_off_is_refused_and_does_no_harm() throws {
        let device = SoftAuthenticator()
        let made = try device.register(Self.challenge)
        let signed = try device.sign(Self.challenge)
        let key = try self.made(device).credential.key
        func refused(_ body: () throws -> Void) { #expect(throws: PasskeyRefusal.self, performing: body) }
        for count in 0..<made.response.attestationObject.count {
            var cut = made
            cut.response.attestationObject = String(made.response.attestationObject.prefix(count))
            refused { _ = try ceremonies.made(cut) }
        }
        for count in 0..<made.response.clientDataJSON.count {
            var cut = made
            cut.response.clientDataJSON = String(made.response.clientDataJSON.prefix(count))
            refused { _ = try ceremonies.made(cut) }
        }
        for count in 0..<signed.response.clientDataJSON.count {
            var claim = signed
            claim.response.clientDataJSON = String(signed.response.clientDataJSON.prefix(count))
            refused { _ = try ceremonies.claim(claim) }
        }
        for count in 0..<signed.response.authenticatorData.count {
            var cut = signed
            cut.response.authenticatorData = String(signed.response.authenticatorData.prefix(count))
            refused { try ceremonies.verify(ceremonies.claim(cut), by: key) }
        }
        for count in 0..<signed.response.signature.count {
            var cut = signed
            cut.response.signature = String(signed.response.signature.prefix(count))
            refused { try ceremonies.verify(ceremonies.claim(cut), by: key) }
        }
        for nonsense in ["*", "é", "AAAA", "bnVsbA", "e30", String(repeating: "A", count: 100_000)] {
            var wrong = made
            wrong.response.clientDataJSON = nonsense
            refused { _ = try ceremonies.made(wrong) }
            wrong = made
            wrong.response.attestationObject = nonsense
            refused { _ = try ceremonies.made(wrong) }
            wrong = made
            wrong.id = nonsense
            refused { _ = try ceremonies.made(wrong) }
            var claim = signed
            claim.response.userHandle = "*"
            refused { _ = try ceremonies.claim(claim) }
        }
    }

    // MARK: Counters

    @Test(
        arguments: [(0, 0, true), (0, 1, true), (1, 2, true), (1, 1, false), (2, 1, false), (5, 0, false)]
            as [(UInt32, UInt32, Bool)])
    func a_counter_goes_on_or_there_is_a_copy(_ kept: UInt32, _ said: UInt32, _ good: Bool) throws {
        var passkey = Self.passkey(counter: kept)
        let data = try AuthenticatorData(Self.head(flags: 0x0D, counter: said))
        guard good else {
            #expect(throws: PasskeyRefusal.copied) { try passkey.use(data, at: Date()) }
            #expect(passkey == Self.passkey(counter: kept))
            return
        }
        try passkey.use(data, at: Date(timeIntervalSince1970: 5))
        #expect(passkey.counter == said && passkey.lastUsedAt == Date(timeIntervalSince1970: 5))
    }

    @Test func whether_it_may_be_elsewhere_stays_and_whether_it_is_may_change() throws {
        var passkey = Self.passkey()
        try passkey.use(AuthenticatorData(Self.head(flags: 0x1D)), at: Date())
        #expect(passkey.isBackedUp && passkey.shown(at: nil).synced)
        #expect(throws: PasskeyRefusal.contradiction) {
            try passkey.use(AuthenticatorData(Self.head(flags: 0x05)), at: Date())
        }
    }

    private static let person = PersonID.new()
    private static let passkeyID = PasskeyID.new()
    private static func passkey(counter: UInt32 = 0) -> KeptPasskey {
        KeptPasskey(
            id: passkeyID, person: person, host: nil, credential: [1], key: .init(algorithm: .es256, bytes: []),
            transports: [],
            name: "Phone", counter: counter, isEligible: true, isBackedUp: false,
            addedAt: Date(timeIntervalSince1970: 1))
    }
    private static func head(flags: UInt8, counter: UInt32 = 0) -> [UInt8] {
        [UInt8](repeating: 0, count: 32) + [flags] + withUnsafeBytes(of: counter.bigEndian) { Array($0) }
    }

    // MARK: Challenges

    @Test func a_challenge_is_for_one_purpose_one_person_and_ten_minutes() throws {
        let (secrets, now) = (AuthSecrets(master: Array(0..<32)), Date(timeIntervalSince1970: 1_795_232_513))
        let bound = Array("somebody".utf8)
        let made = PasskeyChallenge(.add, bound: bound, at: now, secrets)
        func read(
            _ text: String, _ purpose: PasskeyChallenge.Purpose = .add, bound given: [UInt8]? = nil,
            after seconds: TimeInterval = 0, with other: AuthSecrets? = nil
        ) -> PasskeyChallenge? {
            PasskeyChallenge(text, purpose, bound: given ?? bound, now: now + seconds, other ?? secrets)
        }
        #expect(read(made.text) == made && read(made.text, after: 599) == made && read(made.text, after: -59) == made)
        #expect(read(made.text, after: 600) == nil && read(made.text, after: -61) == nil)
        #expect(read(made.text, .signIn) == nil && read(made.text, bound: []) == nil)
        #expect(read(made.text, with: AuthSecrets(master: Array(1...32))) == nil)
        #expect(made.forgottenAt > now + 600)
        for forged in [
            "", "x", String(made.text.dropLast()), made.text + "A", Base64URL.encode(Array(repeating: 1, count: 48)),
        ] {
            #expect(read(forged) == nil, "\(forged)")
        }
        #expect(Set((0..<100).map { _ in PasskeyChallenge(.signIn, at: now, secrets).text }).count == 100)
    }

    // MARK: Names

    @Test func names_are_one_visible_line() throws {
        #expect(try KeptPasskey.name("  Åsas Telefon ") == "Åsas Telefon")
        for (bad, code) in [
            ("", "required"), (" \n ", "required"), ("\u{200D}", "not_allowed"), ("a\nb", "not_allowed"),
            (String(repeating: "x", count: 61), "too_long"),
        ] {
            let error = #expect(throws: ServiceError.self) { try KeptPasskey.name(bad) }
            #expect(error?.errors.map(\.code) == [code])
        }
        #expect(KeptPasskey.transports(["usb", "Usb", "", "hybrid", "hybrid", "<b>"]) == ["hybrid", "usb"])
        #expect(KeptPasskey.transports(nil).isEmpty)
    }
}
