import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What people look for while services are killed, and when they go themselves or take it along.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct WantedTroubleTests {
        /// At once a search tells of so many in an hour: no more are shared here.
        private static let most = 3

        @Test func whoever_is_killed_in_between_each_is_told_exactly_once() async throws {
            let stack = try await Community.stack
            let ben = try await Community.newcomer("Ben")
            var seekers: [(client: KampongClient, listener: Listener)] = []
            let word = Searches.word()
            for number in 0..<4 {
                let client = try await Community.newcomer("Ada \(number)")
                _ = try await Searches.look(client, for: Searches.spaces(word))
                // Of two searches that fit, one tells.
                if number.isMultiple(of: 2) {
                    _ = try await Searches.look(client, for: Searches.spaces("cellar \(word)"))
                }
                let listener = Listener(client)
                try await listener.connect()
                seekers.append((client, listener))
            }
            var shared: [Subject] = []
            let victims: [PeerRole] = [.matching, .listings, .notification]
            for (number, victim) in victims.enumerated() {
                let (title, key) = ("No. \(number), cellar \(word)", UUID().uuidString)
                // As soon as it is answered, or before anybody has asked.
                let isBefore = victim == .notification
                if isBefore { try await stack.kill(victim) }
                shared.append(Subject(try await Searches.shareSpace(title, by: ben, key: key).id))
                if !isBefore { try await stack.kill(victim) }
                try await stack.start(victim)
                // Once more, where the answer was lost on the way: that is the same thing.
                #expect(
                    await eventually {
                        let again = try? await Searches.shareSpace(title, by: ben, key: key).id
                        return again.map { Subject($0) } == shared.last
                    })
            }
            #expect(shared.count == Self.most)
            for (client, listener) in seekers { try await isToldOnce(of: shared, client, listener) }
        }

        /// In the midst of it: both services whose turn it is go while many things come at once, more than once.
        @Test func who_looks_hears_of_all_that_comes_while_matching_and_listings_come_and_go() async throws {
            let stack = try await Community.stack
            let ben = try await Community.newcomer("Ben")
            let words = (0..<6).map { _ in Searches.word() }
            var seekers: [(client: KampongClient, listener: Listener)] = []
            // Each search for itself: so each may tell of three.
            for _ in 0..<3 {
                let client = try await Community.newcomer("Ada")
                for word in words { _ = try await Searches.look(client, for: Searches.spaces(word)) }
                let listener = Listener(client)
                try await listener.connect()
                seekers.append((client, listener))
            }
            let shared = try await withThrowingTaskGroup(of: [Subject].self) { group in
                for word in words {
                    group.addTask {
                        var made: [Subject] = []
                        for number in 0..<2 {
                            let (title, key) = ("Loft \(number) \(word)", UUID().uuidString)
                            var thing: Thing?
                            #expect(
                                await eventually {
                                    thing = try? await Searches.shareSpace(title, by: ben, key: key)
                                    return thing != nil
                                })
                            made.append(Subject(try #require(thing).id))
                        }
                        return made
                    }
                }
                group.addTask {
                    for victim in [PeerRole.matching, .listings, .matching] {
                        try await stack.kill(victim)
                        try await stack.start(victim)
                    }
                    return []
                }
                return try await group.reduce(into: [Subject]()) { $0 += $1 }
            }
            #expect(Set(shared).count == 12)
            for (client, listener) in seekers { try await isToldOnce(of: shared, client, listener) }
        }

        private func isToldOnce(of shared: [Subject], _ client: KampongClient, _ listener: Listener) async throws {
            #expect(try await Searches.hears(shared, client))
            #expect(await eventually { shared.allSatisfy { listener.found($0) > 0 } })
            for subject in shared { #expect(listener.found(subject) == 1, "\(subject)") }
            for wanted in try await client.allWanted().items {
                let found = try await Searches.finds(wanted.id, of: client)
                #expect(wanted.found == found.count && Set(found).count == found.count)
                #expect(Set(found).isSubset(of: shared))
            }
        }

        @Test func who_goes_takes_what_they_look_for_along_and_an_archive_has_it() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let word = Searches.word()
            let wanted = try await Searches.look(ada, for: Searches.spaces(word))
            let nearby = try await Searches.look(ada, for: Searches.spots(near: Community.someWhere()))
            let bens = try await Searches.look(ben, for: Searches.spaces(word))
            let adas = try await Searches.shareSpace("Cellar \(word)", by: ada).id
            let space = Subject(try await Searches.shareSpace("Attic \(word)", by: ben).id)
            #expect(try await Searches.hears([space], ada))
            #expect(try await Searches.hears([Subject(adas)], ben))
            _ = try await ada.requestExport()
            #expect(try await eventually { try await ada.export().readyAt != nil })
            let listed = try Archive(try await ada.exportArchive()).read("matching/wanted.json")
            #expect(Set(listed.compactMap { $0["id"] as? String }) == ["\(wanted)", "\(nearby)"])
            #expect("\(listed)".contains(word))

            let erasure = try await ada.eraseMe(password: "eight or more")
            let stranger = KampongClient(baseURL: try await Community.address)
            let part = { try await stranger.erasure(erasure.id).parts.first { $0.service == "matching" } }
            #expect(try await eventually { try await part()?.doneAt != nil })
            #expect(try await part()?.records.contains(ErasedRecords(.wanted, 2)) == true)
            // What she had shared is gone for who had found it, and what comes later is told to nobody who is gone.
            #expect(try await eventually { try await Searches.finds(bens, of: ben).isEmpty })
            #expect(try await eventually { try await Searches.told(ben, unread: true).isEmpty })
            let cem = try await Community.newcomer("Cem")
            let later = Subject(try await Searches.shareSpace("Barn \(word)", by: cem).id)
            #expect(try await eventually { try await Searches.finds(bens, of: ben).first == later })
        }
    }
}

/// What somebody took along. Python's zipfile unpacks it, which is not ours.
struct Archive {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ data: Data) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appendingPathComponent("a.zip"))
        let unpack = Process()
        unpack.executableURL = URL(filePath: "/usr/bin/env")
        unpack.arguments = ["python3", "-m", "zipfile", "-e", folder.path + "/a.zip", folder.path]
        try unpack.run()
        unpack.waitUntilExit()
        #expect(unpack.terminationStatus == 0)
    }

    func read(_ name: String) throws -> [[String: Any]] {
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }
}
