import FoundationEssentials
import GatewayService
import NIOCore
import Testing
import WireProtocol

@Suite struct StreamTests {
    @Test func everybody_hears_public_events_and_only_their_own_others() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let (maya, ben) = (PersonID.new(), PersonID.new())
            let readers = try [
                StreamReader(door), StreamReader(door, "", [door.bearer(maya)]),
                StreamReader(door, "?bbox=0,0,10,10", [door.bearer(ben)]),
            ]
            for reader in readers { _ = try await reader.opened() }
            door.relay.relay([
                listings.publish("one"), listings.publish("two", to: .people([maya])),
                listings.publish("three", to: .people([ben])), listings.publish("four", to: .nobody),
                listings.publish("five", at: Position(latitude: 50, longitude: 50)),
                listings.publish("six", at: Position(latitude: 5, longitude: 5)),
            ])
            #expect(try await readers[0].next(3).map(\.name) == ["one", "five", "six"])
            #expect(try await readers[1].next(4).map(\.name) == ["one", "two", "five", "six"])
            let last = try await readers[2].next(3)
            #expect(last.map(\.name) == ["one", "three", "six"])
            #expect(last.last?.data == "{\"n\":6}")
            #expect(Self.positions(last.last?.id)?["listings"]?.position == 6)
            readers.forEach { $0.close() }
        }
    }

    @Test func a_stream_that_is_cut_and_resumed_misses_nothing_and_repeats_nothing() async throws {
        var options = TestDoor.Options()
        options.logCapacity = 8
        try await TestDoor.run(options) { door async throws in
            let all = Mutable(FakePublisher("listings"))
            door.relay.restart("listings", epoch: all.value.epoch, head: 0)
            Self.answerEventsSince(door, all)
            var last: String?
            var seen: [String] = []
            for round in 0..<6 {
                // From few events (out of memory) to many (out of the service).
                let reader = try StreamReader(door, "", last.map { [("Last-Event-ID", $0)] } ?? [])
                if round == 0 { _ = try await reader.opened() }
                for _ in 0..<3 { door.relay.relay([all.mutate { $0.publish() }]) }
                let expected = Int(all.value.head) - seen.count
                let events = try await reader.next(expected)
                seen += events.map(\.data)
                last = events.last?.id
                reader.close()
                for _ in 0..<round * 9 { door.relay.relay([all.mutate { $0.publish() }]) }
            }
            #expect(seen == (1...seen.count).map { "{\"n\":\($0)}" })
            #expect(seen.count > 100)
            #expect(!door.backend.asked("listings.eventsSince").isEmpty)
        }
    }

    /// An id as a gateway gives it out, `age` seconds ago.
    static func id(_ places: [String: StreamPositions.Place], age: Int = 0) -> String {
        TestDoor.ids.text(StreamPositions(places), since: TestDoor.ids.now - age)
    }

    static func positions(_ id: String?) -> StreamPositions? {
        guard case .resume(let positions, _) = TestDoor.ids.read(id ?? "") else { return nil }
        return positions
    }

    /// Answers pulls from what the publisher has published, a few at a time.
    static func answerEventsSince(_ door: TestDoor, _ publisher: Mutable<FakePublisher>) {
        door.backend.on("listings.eventsSince") { asked in
            let since = try WireJSON.decode(EventsSince.self, from: asked.parameters)
            let events = publisher.value.events.filter { $0.position > since.position }.prefix(min(since.limit, 7))
            return ServiceReply(
                body: try WireJSON.encode(
                    EventBatch(
                        epoch: publisher.value.epoch, head: publisher.value.head,
                        events: events.map {
                            StoredEvent(
                                position: $0.position, header: $0.header,
                                payload: String(decoding: $0.payload, as: UTF8.self))
                        })))
        }
    }

    @Test func the_query_resumes_too() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let start = Self.id(["listings": listings.place])
            door.relay.relay([listings.publish(), listings.publish()])
            let reader = try StreamReader(door, "?lastEventId=\(start)")
            #expect(try await reader.next(2).map(\.data) == ["{\"n\":1}", "{\"n\":2}"])
            reader.close()
        }
    }

    @Test func what_cannot_be_given_again_is_said() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 5)
            door.backend.refuse(CommonMethods(service: "listings").eventsSince, ServiceError(.eventsGone, "Gone."))
            let other = Self.id(["listings": .init(epoch: UUID(), position: 3)])
            let gone = Self.id(["listings": .init(epoch: listings.epoch, position: 1)])
            for last in [other, gone, "rubbish"] {
                let reader = try StreamReader(door, "", [("Last-Event-ID", last)])
                let event = try #require(try await reader.next(1).first)
                #expect(event.name == "resync")
                #expect(Self.positions(event.id)?["listings"]?.position == 5)
                reader.close()
            }
            // Also of a publisher that this gateway meets only afterwards.
            let early = try StreamReader(door, "", [("Last-Event-ID", "rubbish")])
            #expect(try await early.next(1).map(\.name) == ["resync"])
            door.relay.restart("auth", epoch: UUID(), head: 0)
            #expect(try await early.next(1).map(\.data) == ["{\"publisher\":\"auth\"}"])
            early.close()
            // While someone listens, the publisher is restored from a backup.
            let reader = try StreamReader(door)
            _ = try await reader.opened()
            listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            door.relay.relay([listings.publish("after")])
            #expect(try await reader.next(2).map(\.name) == ["resync", "after"])
            reader.close()
        }
    }

    @Test func a_service_that_cannot_say_what_was_missed_ends_the_stream_unresumed() async throws {
        try await TestDoor.run { door async throws in
            let listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 5)
            let start = Self.id(["listings": listings.place])
            let reader = try StreamReader(door, "", [("Last-Event-ID", start)])
            let events = try await reader.next(2)
            #expect(events.map(\.name) == ["end"])
            #expect(events[0].id == start)
        }
    }

    @Test func one_who_is_ahead_of_this_replica_hears_nothing_twice() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            door.relay.relay([listings.publish()])
            let ahead = Self.id(["listings": .init(epoch: listings.epoch, position: 3)])
            let reader = try StreamReader(door, "", [("Last-Event-ID", ahead)])
            #expect(try await reader.opened() == ahead)
            door.relay.relay([listings.publish(), listings.publish(), listings.publish()])
            let event = try #require(try await reader.next(1).first)
            #expect(event.data == "{\"n\":4}")
            #expect(Self.positions(event.id)?["listings"]?.position == 4)
            reader.close()
        }
    }

    @Test func sessions_that_end_end_their_streams() async throws {
        try await TestDoor.run { door async throws in
            let (listings, session) = (FakePublisher("listings"), SessionID.new())
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let revoked = try StreamReader(door, "", [door.bearer(session: session)])
            let expired = try StreamReader(
                door, "", [("Authorization", "Bearer \(door.issuer.token(for: .new(), lifetime: 30))")])
            let anonymous = try StreamReader(door)
            for reader in [revoked, expired, anonymous] { _ = try await reader.opened() }
            door.relay.end(sessions: [session])
            #expect(try await revoked.next(2).map(\.data) == ["{\"reason\":\"revoked\"}"])
            door.relay.expire(at: Int(Date().timeIntervalSince1970) + 31)
            #expect(try await expired.next(2).map(\.data) == ["{\"reason\":\"expired\"}"])
            door.relay.stop()
            #expect(try await anonymous.next(2).map(\.name) == ["bye"])
            #expect(try await door.get("/v1/stream").status == 503)
        }
    }

    @Test func there_is_a_limit_to_streams_and_a_closed_one_does_not_count() async throws {
        var options = TestDoor.Options()
        options.streams = .init(perPerson: 2, perAddress: 3)
        try await TestDoor.run(options) { door async throws in
            let maya = door.bearer()
            var readers = try [StreamReader(door, "", [maya]), StreamReader(door, "", [maya])]
            for reader in readers { _ = try await reader.opened() }
            #expect(try await door.get("/v1/stream", [maya]).status == 429)
            readers.append(try StreamReader(door))
            _ = try await readers[2].opened()
            #expect(try await door.get("/v1/stream").status == 429)
            // Asking for the header alone takes no place: nothing will ever be written to it.
            #expect(try await door.send("HEAD", "/v1/stream", [door.bearer()]).status == 429)
            readers[0].close()
            for _ in 0..<100 where door.relay.listenerCount > 2 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(door.relay.listenerCount == 2)
            #expect(try await door.send("HEAD", "/v1/stream").status == 200)
            for _ in 0..<100 where door.relay.listenerCount > 2 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(door.relay.listenerCount == 2)
            let again = try StreamReader(door, "", [maya])
            _ = try await again.opened()
            (readers + [again]).forEach { $0.close() }
        }
    }

    @Test func a_reader_who_does_not_read_is_cut() async throws {
        var options = TestDoor.Options()
        options.streams = .init(backlog: 32)
        try await TestDoor.run(options) { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let reader = try StreamReader(door)
            _ = try await reader.opened()
            let name = String(repeating: "long", count: 10_000)
            for _ in 0..<2000 where door.relay.listenerCount > 0 {
                door.relay.relay([listings.publish(name)])
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(door.relay.listenerCount == 0)
            // And the connection is closed: reading comes to an end.
            _ = try await reader.next(.max)
        }
    }

    @Test func a_heartbeat_moves_the_listener_past_what_was_not_for_them() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let reader = try StreamReader(door)
            _ = try await reader.opened()
            door.relay.relay([listings.publish("private", to: .people([.new()]))])
            door.relay.beat()
            door.relay.relay([listings.publish("public")])
            let event = try #require(try await reader.next(1).first)
            #expect(event.name == "public")
            reader.close()
        }
    }

    /// Of a comment a browser says nothing, and of an event without a `data:` neither.
    @Test func scripts_of_a_page_hear_the_heart() {
        #expect(String(buffer: StreamText.beat("a.1")) == "event: beat\ndata:\nid: a.1\n\n")
        #expect(String(buffer: StreamText.beat("")) == "event: beat\ndata:\n\n")
    }
}
