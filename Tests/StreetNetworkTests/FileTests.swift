import Crypto
import FoundationEssentials
import Testing
import WireProtocol

@testable import StreetNetwork

@Suite("The network's file")
struct FileTests {
    private let town: Town = {
        var town = Town()
        for id in 1...12 { town.node(Int64(id), Double(id % 4) * 80, Double(id / 4) * 60) }
        for id in 1..<12 { town.way(Int64(id), Int64(id) + 1) }
        town.way(1, 9, tags: "highway=primary,oneway=yes")
        return town
    }()

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "streets-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func what_is_written_is_what_is_read() throws {
        try withFolder { folder in
            let network = try town.network()
            try network.write(to: folder + "/town")
            let loaded = try StreetNetwork.load(from: folder + "/town")
            #expect(loaded.bytes == network.bytes && loaded.source == Array(SHA256.hash(data: Array(town.text.utf8))))
            for profile in TravelProfile.allCases {
                for origin in 1...12 {
                    let targets = (1...12).map { town[$0] }
                    #expect(
                        loaded.distances(from: town[Int64(origin)], to: targets, by: profile)
                            == network.distances(from: town[Int64(origin)], to: targets, by: profile))
                }
            }
            // Over the old one, and nothing else is left.
            try network.write(to: folder + "/town")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["town"])
        }
    }

    @Test func the_same_streets_make_the_same_bytes() throws {
        let (first, second) = try (town.network(), town.network())
        #expect(first.bytes == second.bytes)
        var other = town
        other.way(2, 9)
        #expect(try other.network().bytes != first.bytes)
    }

    @Test func a_shorter_or_longer_file_is_refused() throws {
        let bytes = try town.network().bytes
        for length in 0..<bytes.count {
            #expect(throws: StreetNetworkError.self) { try StreetNetwork(contents: Array(bytes.prefix(length))) }
        }
        #expect(throws: StreetNetworkError.truncated(expected: UInt64(bytes.count), found: UInt64(bytes.count - 1))) {
            try StreetNetwork(contents: bytes.dropLast())
        }
        #expect(throws: StreetNetworkError.self) { try StreetNetwork(contents: bytes + [0]) }
    }

    @Test func another_byte_anywhere_is_noticed() throws {
        let bytes = try town.network().bytes
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1 << (place % 8)
            #expect(throws: StreetNetworkError.self, "byte \(place)") { try StreetNetwork(contents: changed) }
        }
    }

    @Test func files_of_others_and_of_other_versions_say_so() throws {
        var bytes = try town.network().bytes
        #expect(throws: StreetNetworkError.foreign) {
            try StreetNetwork(contents: Array("<osm version=\"0.6\"/>".utf8))
        }
        #expect(throws: StreetNetworkError.foreign) { try StreetNetwork(contents: []) }
        bytes[8] = 9
        #expect(throws: StreetNetworkError.version(9)) { try StreetNetwork(contents: bytes) }
    }

    /// What a right checksum does not tell: such a file is refused, or answers something, and leads nobody out of its arrays.
    @Test(arguments: 1...4) func numbers_that_lead_nowhere_do_no_harm(seed: Int) throws {
        let bytes = try town.network().bytes
        let places = (1...12).map { town[$0] }
        var chance = Chance(state: UInt64(seed))
        var refused = 0
        for _ in 0..<400 {
            var changed = bytes.dropLast(32)
            for _ in 0...Int.random(in: 0...2, using: &chance) {
                let place = Int.random(in: 56..<changed.count, using: &chance) / 4 * 4
                let value = [0, 1, .max, .random(in: 0...40, using: &chance), chance.next()].randomElement(
                    using: &chance)!
                for byte in 0..<4 { changed[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
            }
            let sealed = Array(changed) + Array(SHA256.hash(data: Array(changed)))
            do {
                let network = try StreetNetwork(contents: sealed)
                for profile in TravelProfile.allCases {
                    _ = network.distances(from: places[0], to: places, by: profile)
                    for place in places { _ = network.way(from: places[0], to: place, by: profile) }
                }
            } catch { refused += 1 }
        }
        #expect(refused > 100)
    }

    @Test func where_nothing_can_be_read_or_written_it_says_so() throws {
        try withFolder { folder in
            let network = try town.network()
            #expect {
                try network.write(to: folder + "/none/town")
            } throws: {
                guard case .inputOutput = $0 as? StreetNetworkError else { return false }
                return true
            }
            // A folder stands where the file should: what was begun is gone again.
            try FileManager.default.createDirectory(atPath: folder + "/town", withIntermediateDirectories: true)
            #expect(throws: StreetNetworkError.self) { try network.write(to: folder + "/town") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["town"])
            #expect(throws: StreetNetworkError.self) { try StreetNetwork.load(from: folder + "/town") }
            #expect(throws: StreetNetworkError.self) { try StreetNetwork.load(from: folder + "/missing") }
        }
    }
}
