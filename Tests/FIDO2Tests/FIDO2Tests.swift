import Foundation
import Testing

@testable import FIDO2

/// What libfido2 says of what another implementation made (Vectors/vectors.json, by make_vectors.py), and of what is cut off or changed.
@Suite struct FIDO2Tests {
    struct Created: Decodable, Sendable {
        var clientData: String
        var attestationObject: String
    }
    struct Asserted: Decodable, Sendable {
        var clientData: String
        var authenticatorData: String
        var signature: String
    }
    struct Vector: Decodable, Sendable {
        var credential: String?
        var created: Created
        var asserted: Asserted?
    }

    static let party = "share.example.org"
    static let vectors: [String: Vector] = {
        let file = Bundle.module.url(forResource: "Vectors/vectors", withExtension: "json")!
        return try! JSONDecoder().decode([String: Vector].self, from: Data(contentsOf: file))
    }()

    static func bytes(_ text: String) -> [UInt8] {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        return Array(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))!)
    }

    private func credential(_ name: String) throws -> FIDO2.NewCredential {
        let created = try #require(Self.vectors[name]).created
        return try FIDO2.credential(
            attestationObject: Self.bytes(created.attestationObject), clientData: Self.bytes(created.clientData),
            party: Self.party)
    }

    @Test(arguments: [
        ("es256", FIDO2.Algorithm.es256, 64), ("eddsa", .edDSA, 32), ("rs256", .rs256, 259), ("packed", .es256, 64),
    ])
    func what_another_implementation_made_is_read_and_believed(
        _ name: String, _ algorithm: FIDO2.Algorithm, _ length: Int
    ) throws {
        let new = try credential(name)
        let vector = try #require(Self.vectors[name])
        #expect(new.id == Self.bytes(try #require(vector.credential)))
        #expect(new.key.algorithm == algorithm && new.key.bytes.count == length)
        let asserted = try #require(vector.asserted)
        let (data, signature) = (Self.bytes(asserted.authenticatorData), Self.bytes(asserted.signature))
        try FIDO2.verify(
            signature: signature, over: data, clientData: Self.bytes(asserted.clientData), party: Self.party,
            by: new.key)
    }

    @Test(arguments: ["es256", "eddsa", "rs256"])
    func whatever_is_changed_is_not_believed(_ name: String) throws {
        let new = try credential(name)
        let asserted = try #require(Self.vectors[name]?.asserted)
        let right = (
            data: Self.bytes(asserted.authenticatorData), client: Self.bytes(asserted.clientData),
            signature: Self.bytes(asserted.signature)
        )
        func refusal(
            data: [UInt8]? = nil, client: [UInt8]? = nil, signature: [UInt8]? = nil, party: String = Self.party,
            key: FIDO2.PublicKey? = nil
        ) -> FIDO2Error? {
            do throws(FIDO2Error) {
                try FIDO2.verify(
                    signature: signature ?? right.signature, over: data ?? right.data,
                    clientData: client ?? right.client, party: party, by: key ?? new.key)
                return nil
            } catch { return error }
        }
        #expect(refusal() == nil)
        var other = right.client
        other[5] ^= 1
        #expect(refusal(client: other) == .signature)
        other = right.data
        other[36] ^= 1
        #expect(refusal(data: other) == .signature, "the counter is signed")
        #expect(refusal(party: "other.example.org") == .parameters)
        for flag: UInt8 in [0x01, 0x04] {
            other = right.data
            other[32] &= ~flag
            #expect(refusal(data: other) == .parameters, "flag \(flag)")
        }
        other = right.signature
        other[other.count - 1] ^= 1
        #expect(refusal(signature: other) == .signature)
        let another = try credential("packed").key
        #expect(refusal(key: another) == .signature)
        #expect(refusal(key: .init(algorithm: new.key.algorithm, bytes: Array(new.key.bytes.dropLast()))) == .key)
        for wrong in FIDO2.Algorithm.allCases where wrong != new.key.algorithm {
            #expect(refusal(key: .init(algorithm: wrong, bytes: new.key.bytes)) == .key)
        }
    }

    @Test func an_algorithm_that_is_not_taken_is_not_read() {
        #expect(throws: FIDO2Error.malformed) { try credential("es384") }
    }

    @Test func a_point_beside_the_curve_is_no_key() {
        #expect(throws: FIDO2Error.key) { try credential("offCurve") }
    }

    @Test func an_attestation_by_itself_has_to_be_over_this_client_data() {
        #expect(throws: FIDO2Error.attestation) { try credential("forged") }
    }

    /// Each length but the whole one, and each byte changed: refused or read, never a crash.
    @Test func what_is_cut_off_or_garbled_never_does_harm() throws {
        for name in ["es256", "rs256", "packed"] {
            let vector = try #require(Self.vectors[name])
            let object = Self.bytes(vector.created.attestationObject)
            let client = Self.bytes(vector.created.clientData)
            for count in 0..<object.count {
                #expect(throws: FIDO2Error.self) {
                    try FIDO2.credential(
                        attestationObject: Array(object.prefix(count)), clientData: client, party: Self.party)
                }
            }
            for index in object.indices {
                for change: UInt8 in [0x01, 0x80, 0xFF] {
                    var garbled = object
                    garbled[index] ^= change
                    _ = try? FIDO2.credential(attestationObject: garbled, clientData: client, party: Self.party)
                }
            }
            #expect(throws: FIDO2Error.malformed) {
                try FIDO2.credential(attestationObject: object + [0], clientData: client, party: Self.party)
            }
            let new = try credential(name)
            let asserted = try #require(vector.asserted)
            let (data, signature) = (Self.bytes(asserted.authenticatorData), Self.bytes(asserted.signature))
            for count in 0..<data.count {
                #expect(throws: FIDO2Error.self) {
                    try FIDO2.verify(
                        signature: signature, over: Array(data.prefix(count)), clientData: client, party: Self.party,
                        by: new.key)
                }
            }
            for count in 0..<signature.count {
                #expect(throws: FIDO2Error.self) {
                    try FIDO2.verify(
                        signature: Array(signature.prefix(count)), over: data,
                        clientData: Self.bytes(asserted.clientData), party: Self.party, by: new.key)
                }
            }
        }
    }

    @Test func what_is_deep_or_long_is_refused() {
        let deep = [UInt8](repeating: 0x81, count: FIDO2.longest)
        let empty: [UInt8] = []
        let long = [UInt8](repeating: 0, count: FIDO2.longest + 1)
        let promising: [UInt8] = [0xBB, 0, 0, 0, 0x10, 0, 0, 0, 0]
        for bytes in [deep, empty, long, promising, [0xA0], [0xBF], [0xBF, 0xFF]] {
            #expect(throws: FIDO2Error.malformed) {
                try FIDO2.credential(attestationObject: bytes, clientData: [], party: Self.party)
            }
        }
    }

    /// Five bytes can announce four thousand millions of items, for which libcbor would make room.
    @Test(
        arguments: [
            ([0x9A, 0x9A, 0x9A, 0x9A, 0x9A], false), ([0x9B] + [UInt8](repeating: 0xFF, count: 8), false),
            ([0xBA, 0x80, 0, 0, 0], false), ([0xBB, 0x80] + [UInt8](repeating: 0, count: 7), false),
            // Each of them fits by itself: together they announce more than there is.
            ([0x84, 0x84, 0x84, 0x84, 0x84], false), ([0x5A, 0xFF, 0xFF, 0xFF, 0xFF, 0], false), ([0x42, 0], false),
            ([0x9C, 0], false), ([0x19, 1], false),
            ([], true), ([0x80], true), ([0x82, 1, 0xA1, 1, 2], true), ([0xA1, 0x61, 0x78, 0x42, 0x9A, 0x9A], true),
            ([0x9F, 1, 0xFF], true), ([0x5F, 0x41, 0, 0xFF], true), ([0xFB, 0, 0, 0, 0, 0, 0, 0, 0], true),
        ] as [([UInt8], Bool)]) func what_is_announced_has_to_fit(_ bytes: [UInt8], _ fits: Bool)
    {
        #expect(AnnouncedItems.fit(bytes[...]) == fits)
    }

    @Test func what_announces_more_than_is_there_is_refused_in_all_that_is_read() throws {
        let vector = try #require(Self.vectors["es256"])
        let huge: [UInt8] = [0x9A, 0x9A, 0x9A, 0x9A, 0x9A]
        #expect(throws: FIDO2Error.malformed) {
            try FIDO2.credential(attestationObject: huge + [0], clientData: [], party: Self.party)
        }
        let new = try credential("es256")
        let asserted = try #require(vector.asserted)
        #expect(throws: FIDO2Error.malformed) {
            try FIDO2.verify(
                signature: Self.bytes(asserted.signature), over: Self.bytes(asserted.authenticatorData) + huge,
                clientData: Self.bytes(asserted.clientData), party: Self.party, by: new.key)
        }
    }
}
