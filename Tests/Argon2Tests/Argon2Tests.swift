import Argon2
import Testing

@Suite("Argon2id")
struct Argon2Tests {
    /// From libsodium's `test/default/pwhash_argon2id.c`: the encoded hashes there that verify, taken apart
    /// (`m` in KiB, `t`, one lane, salt and 32 bytes of hash).
    @Test(arguments: [
        Vector(
            password: "", memoryKiB: 4882, operations: 2,
            salt: "6c0f356abb225f2b1ddd66d34739843b",
            hash: "366f1004cfbb447d435e8f6bbe9e5cc0a10e38e7c3da0e89bb19578a1a0d7291"),
        Vector(
            password: "^T5H$JYt39n%K*j:W]!1s?vg!:jGi]Ax?..l7[p0v:1jHTpla9;]bUN;?bWyCbtqg ", memoryKiB: 4096,
            operations: 19, salt: "3e412031362d62797465732073616c74",
            hash: "96d07fb9ed643ed04c0467eccac3293e2804ea188d10a67dbecf2f2cd5434060"),
    ])
    func `gives the published hashes`(vector: Vector) throws {
        let hash = try Argon2.hash(
            password: Array(vector.password.utf8), salt: bytes(vector.salt), operations: vector.operations,
            memoryBytes: vector.memoryKiB << 10)
        #expect(hash == bytes(vector.hash))
    }

    /// The seventh vector of the same file: a length of its own, and memory that is no whole number of KiB.
    @Test func `gives the published hash of another length`() throws {
        let hash = try Argon2.hash(
            password: bytes("b540beb016a5366524d4605156493f9874514a5aa58818cd0c6dfffaa9e90205f17b"),
            salt: bytes("44071f6d181561670bda728d43fb79b4"), length: 231, operations: 1, memoryBytes: 1_631_659)
        let expected = """
            7fb72409b0987f8190c3729710e98c3f80c5a8727d425fdcde7f3644d467fe973f5b5fee683bd3fce812cb9ae5e9921a2d06c2f1905e4e\
            839692f2b934b682f11a2fe2b90482ea5dd234863516dba6f52dc0702d324ec77d860c2e181f84472bd7104fedce071ffa93c5309494\
            ad51623d214447a7b2b1462dc7d5d55a1f6fd5b54ce024118d86f0c6489d16545aaa87b6689dad9f2fb47fda9894f8e12b87d978b483\
            ccd4cc5fd9595cdc7a818452f915ce2f7df95ec12b1c72e3788d473441d884f9748eb14703c21b45d82fd667b85f5b2d98c13303b3fe\
            76285531a826b6fc0fe8e3dddecf
            """
        #expect(hash == bytes(expected))
    }

    @Test func `depends on password and salt and on nothing else`() throws {
        let salt = [UInt8](repeating: 7, count: 16)
        let password = Array("correct horse".utf8)
        let first = try Argon2.hash(password: password, salt: salt, cost: .cheapest)
        #expect(first.count == 32)
        #expect(try Argon2.hash(password: password, salt: salt, cost: .cheapest) == first)
        #expect(try Argon2.hash(password: Array("correct hors".utf8), salt: salt, cost: .cheapest) != first)
        let otherSalt = [UInt8](repeating: 8, count: 16)
        #expect(try Argon2.hash(password: password, salt: otherSalt, cost: .cheapest) != first)
        #expect(password == Array("correct horse".utf8), "what the caller still holds stays")
    }

    @Test func `refuses what libsodium cannot do, and says what`() {
        let salt = [UInt8](repeating: 0, count: 16)
        #expect(throws: Argon2Error.saltLength(15)) { try Argon2.hash(password: [1], salt: Array(salt.dropLast())) }
        #expect(throws: Argon2Error.hashLength(15)) { try Argon2.hash(password: [1], salt: salt, length: 15) }
        #expect(throws: Argon2Error.operations(0)) {
            try Argon2.hash(password: [1], salt: salt, operations: 0, memoryBytes: 8192)
        }
        #expect(throws: Argon2Error.memory(8191)) {
            try Argon2.hash(password: [1], salt: salt, operations: 1, memoryBytes: 8191)
        }
    }

    @Test func `compares all bytes`() {
        #expect(Argon2.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(Argon2.areEqual([], []))
        #expect(!Argon2.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Argon2.areEqual([0, 2, 3], [1, 2, 3]))
        #expect(!Argon2.areEqual([1, 2], [1, 2, 3]))
    }

    @Test func `is safe to use from several threads at once`() async throws {
        let salt = [UInt8](repeating: 1, count: 16)
        let hashes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { try Argon2.hash(password: [9], salt: salt, cost: .cheapest) } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(hashes.count == 1)
    }
}

struct Vector: Sendable {
    var password: String
    var memoryKiB: Int
    var operations: Int
    var salt: String
    var hash: String
}

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
    }
}
