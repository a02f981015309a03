import FoundationEssentials
import Testing

@testable import WireProtocol

/// That the writer makes the bytes that Foundation makes, and leaves to it what it does not know.
@Suite struct JSONWriterTests {
    /// As a document of any shape; its objects have whatever keys come.
    indirect enum Tree: Encodable {
        case null, flag(Bool), whole(Int), number(Double), text(String), time(Date), list([Tree]), object(
            [(String, Tree)])

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .object(let members):
                var container = encoder.container(keyedBy: Key.self)
                for (key, value) in members { try container.encode(value, forKey: Key(stringValue: key)) }
            case .list(let elements):
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(element) }
            default:
                var container = encoder.singleValueContainer()
                switch self {
                case .flag(let value): try container.encode(value)
                case .whole(let value): try container.encode(value)
                case .number(let value): try container.encode(value)
                case .text(let value): try container.encode(value)
                case .time(let value): try container.encode(value)
                default: try container.encodeNil()
                }
            }
        }

        static let texts = [
            "", "a", "/", "\\", "\"", "name", "nameOfOwner", "nameOfOther", "postedBy", "ünï", "汉字", "👩‍👩‍👧", "\u{0}",
            "\u{1F}", "\n\r\t\u{8}\u{C}",
            "\u{7F}", "\u{2028}", "</script>", "longer than fits into the sixteen bytes of a short one",
        ]

        static func any(_ depth: Int, _ random: inout SeededGenerator) -> Tree {
            switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
            case 0: .null
            case 1: .flag(.random(using: &random))
            case 2: .whole([0, -1, 7, 1_234_567, .min, .max].randomElement(using: &random)!)
            case 3:
                .number(
                    [0, -0.0, 0.1, 100, 1e16, 1e-7, .leastNonzeroMagnitude, -60.123456].randomElement(using: &random)!)
            case 4: .text(texts.randomElement(using: &random)!)
            case 5: .time(Date(timeIntervalSince1970: .random(in: -1e11...1e11, using: &random)))
            case 6: .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in any(depth - 1, &random) })
            default:
                .object(
                    (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                        (texts.randomElement(using: &random)!, any(depth - 1, &random))
                    })
            }
        }
    }

    struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    @Test func documents_of_any_shape_have_foundations_bytes() throws {
        var random = SeededGenerator(state: 20_261_125)
        var written = 0
        for _ in 0..<3000 {
            let tree = Tree.any(4, &random)
            let expected = try WireJSON.encodeByFoundation(tree)
            guard let bytes = try JSONWriter.bytes(of: tree) else { continue }
            written += 1
            #expect(bytes == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
        // What has keys beyond ASCII, or one twice, is left to Foundation; most are not that.
        #expect(written > 1500)
    }

    /// Containers within containers, gone back to before they are done.
    struct Interleaved: Encodable {
        enum Key: String, CodingKey { case zone, first, second, after }

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Key.self)
            try outer.encode(1, forKey: .zone)
            var second = outer.nestedContainer(keyedBy: Key.self, forKey: .second)
            try second.encode("b", forKey: .zone)
            try second.encode("a", forKey: .after)
            var first = outer.nestedUnkeyedContainer(forKey: .first)
            try first.encode(1)
            try first.encodeNil()
            var again = encoder.container(keyedBy: Key.self)
            try again.encode([Int](), forKey: .after)
        }
    }

    /// Goes on in a container after its parent has gone on: as a stream of bytes that cannot be written.
    struct Late: Encodable {
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Interleaved.Key.self)
            var inner = outer.nestedContainer(keyedBy: Interleaved.Key.self, forKey: .first)
            try outer.encode(1, forKey: .zone)
            try inner.encode(2, forKey: .after)
        }
    }

    struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }

    @Test func containers_within_containers() throws {
        #expect(try JSONWriter.bytes(of: Interleaved()) == WireJSON.encodeByFoundation(Interleaved()))
        #expect(try JSONWriter.bytes(of: Late()) == nil)
        #expect(try WireJSON.encode(Late()) == WireJSON.encodeByFoundation(Late()))
    }

    @Test func what_it_does_not_know_is_left_to_foundation() throws {
        #expect(try JSONWriter.bytes(of: ["photo": Data([1, 2, 3])]) == nil)
        #expect(try WireJSON.encode(["photo": Data([1, 2, 3])]) == Array(#"{"photo":"AQID"}"#.utf8))
        #expect(try JSONWriter.bytes(of: ["ü": 1]) == nil)
        #expect(throws: EncodingError.self) { try WireJSON.encode([Double.nan]) }
        #expect(throws: EncodingError.self) { try WireJSON.encode(Silent()) }
        #expect(try WireJSON.encode([UInt64.max]) == Array("[18446744073709551615]".utf8))
    }
}
