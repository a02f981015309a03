import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

@Suite struct StreamIDTests {
    private let epoch = UUID()
    private var positions: StreamPositions {
        StreamPositions(["listings": .init(epoch: epoch, position: 2044), "auth": .init(epoch: epoch, position: 17)])
    }

    @Test func what_one_replica_gives_out_another_reads() {
        let since = TestDoor.ids.now - 60
        let id = TestDoor.ids.text(positions, since: since)
        let other = StreamIDs(secret: TestDoor.csrfKey, publishers: ["auth", "listings"])
        #expect(other.read(id) == .resume(positions, since: since))
        #expect(id.utf8.count <= 70)
        // It travels in a query and in a header as it is.
        #expect(id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~,".contains($0)) })
    }

    @Test func nobody_makes_or_changes_one() {
        let id = TestDoor.ids.text(positions, since: TestDoor.ids.now)
        let foreign = StreamIDs(secret: Array("another secret".utf8), publishers: ["auth", "listings"])
        #expect(TestDoor.ids.read(foreign.text(positions, since: foreign.now)) == .refuse)
        #expect(TestDoor.ids.read(positions.text) == .refuse)
        for index in id.indices {
            var changed = id
            changed.replaceSubrange(index...index, with: id[index] == "1" ? "2" : "1")
            #expect(TestDoor.ids.read(changed) == .refuse, "\(changed)")
        }
        for length in 0..<id.count { #expect(TestDoor.ids.read(String(id.prefix(length))) == .refuse) }
        for text in ["", "~", ".", "~.", "a~b.c", "~1.", String(repeating: "a", count: 10_000)] {
            #expect(TestDoor.ids.read(text) == .refuse)
        }
    }

    @Test func it_is_good_for_a_quarter_of_an_hour() {
        let now = TestDoor.ids.now
        for (age, isGood) in [(0, true), (14 * 60, true), (16 * 60, false), (86_400, false)] {
            let id = TestDoor.ids.text(positions, since: now - age)
            #expect(TestDoor.ids.read(id) == (isGood ? .resume(positions, since: now - age) : .refuse))
        }
    }

    @Test func a_publisher_that_is_not_relayed_any_more_is_passed_over() {
        let ids = StreamIDs(secret: TestDoor.csrfKey, publishers: ["listings"])
        let id = TestDoor.ids.text(positions, since: ids.now)
        #expect(ids.read(id) == .resume(StreamPositions(["listings": positions["listings"]!]), since: ids.now))
    }
}

@Suite struct StreamPrivacyTests {
    @Test func nobody_reads_what_happened_before_they_came() async throws {
        try await TestDoor.run { door async throws in
            let all = Mutable(FakePublisher("listings"))
            for _ in 0..<40 { _ = all.mutate { $0.publish() } }
            door.relay.restart("listings", epoch: all.value.epoch, head: all.value.head)
            StreamTests.answerEventsSince(door, all)
            let epoch = StreamPositions.Place.short(all.value.epoch)
            let given = try StreamReader(door)
            let id = try await given.opened()
            given.close()
            // The epoch and the head are there to be read; another position is not to be had with them.
            for forged in [
                "listings.\(epoch).0", id.replacing(".40~", with: ".0~"), id.replacing(".40~", with: ".39~"),
            ] {
                #expect(forged != id)
                for reader in try [
                    StreamReader(door, "", [("Last-Event-ID", forged)]), StreamReader(door, "?lastEventId=\(forged)"),
                ] {
                    #expect(try await reader.next(1).map(\.name) == ["resync"])
                    reader.close()
                }
            }
            // Nor with an old one.
            let old = StreamTests.id(["listings": .init(epoch: all.value.epoch, position: 3)], age: 16 * 60)
            let reader = try StreamReader(door, "", [("Last-Event-ID", old)])
            #expect(try await reader.next(1).map(\.name) == ["resync"])
            reader.close()
            #expect(door.backend.asked("listings.eventsSince").isEmpty)
        }
    }

    /// Else one id would be kept young for ever by coming back for one event at a time.
    @Test func what_was_missed_is_given_with_the_time_at_which_one_left() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let left = StreamTests.id(["listings": listings.place], age: 600)
            door.relay.relay([listings.publish(), listings.publish()])
            let reader = try StreamReader(door, "", [("Last-Event-ID", left)])
            for event in try await reader.next(2) {
                guard case .resume(_, let since) = TestDoor.ids.read(event.id) else {
                    Issue.record("not an id: \(event.id)")
                    continue
                }
                #expect((600...610).contains(TestDoor.ids.now - since))
            }
            // Who has it all stands here, now.
            door.relay.relay([listings.publish()])
            let live = try #require(try await reader.next(1).first)
            guard case .resume(let positions, let since) = TestDoor.ids.read(live.id) else {
                Issue.record("not an id: \(live.id)")
                return
            }
            #expect(positions == StreamPositions(["listings": listings.place]))
            #expect(TestDoor.ids.now - since <= 10)
            reader.close()
        }
    }

    @Test func no_line_of_the_stream_is_made_by_who_asks_for_it() async throws {
        try await TestDoor.run { door async throws in
            let listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 5)
            let reader = try StreamReader(door, "?lastEventId=a%0Aevent:evil%0Adata:x%0A%0A.12345678.1")
            let opening = try await reader.opened()
            #expect(StreamTests.positions(opening)?["listings"]?.position == 5)
            #expect(try await reader.next(1).map(\.name) == ["resync"])
            reader.close()
        }
    }
}
