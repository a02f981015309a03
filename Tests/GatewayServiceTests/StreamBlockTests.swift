import FoundationEssentials
import Messaging
import Testing
import WireProtocol

@testable import GatewayService

/// Who is apart from somebody does not hear of what they do.
@Suite struct StreamBlockTests {
    private let maya = PersonID.new()
    private let ben = PersonID.new()

    private func events(_ door: TestDoor) -> GatewayEvents {
        GatewayEvents(relay: door.relay, tokens: door.tokens, backend: door.backend, logger: TestDoor.logger)
    }

    /// Auth, as it answers and as it tells: one stream of both.
    private struct Auth {
        let door: TestDoor
        let events: GatewayEvents
        let publisher = Mutable(FakePublisher("auth"))

        func tell(_ event: some Event) async throws {
            var told = publisher.mutate { $0.publish(type(of: event).type, to: .nobody) }
            told.payload = try WireJSON.encode(event)
            try await events.consume([told])
        }

        func answers(_ people: [PersonID], campus: String? = nil) {
            door.backend.answer(AuthMethods.apart, ApartPage(items: people, campus: campus))
        }
    }

    private func begin(_ door: TestDoor) async throws -> Auth {
        let auth = Auth(door: door, events: events(door))
        door.backend.answer(AuthMethods.revokedSessions, RevokedSessions(sessions: []))
        door.backend.answer(AuthMethods.signingKeys, SigningKeys(keys: [door.issuer.published]))
        try await auth.events.resynchronise("auth", epoch: auth.publisher.value.epoch, head: 0)
        return auth
    }

    @Test func what_somebody_does_is_not_heard_by_those_who_are_apart_from_them() async throws {
        try await TestDoor.run { door async throws in
            let auth = try await self.begin(door)
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            auth.answers([self.maya])
            let bens = try StreamReader(door, "", [door.bearer(self.ben)])
            _ = try await bens.opened()
            auth.answers([])
            let mayas = try StreamReader(door, "", [door.bearer(self.maya)])
            let strangers = try StreamReader(door)
            for reader in [mayas, strangers] { _ = try await reader.opened() }
            door.relay.relay([
                listings.publish("one", concerning: [self.maya]), listings.publish("two", concerning: [.new()]),
                listings.publish("three", to: .people([self.ben, self.maya]), concerning: [self.maya]),
                listings.publish("four"),
            ])
            #expect(try await bens.next(2).map(\.name) == ["two", "four"])
            #expect(try await mayas.next(4).map(\.name) == ["one", "two", "three", "four"])
            #expect(try await strangers.next(3).map(\.name) == ["one", "two", "four"])
            // Who listens is asked about; strangers are nobody's.
            #expect(door.backend.asked("auth.apart").map(\.caller.person) == [self.ben, self.maya])
            for reader in [bens, mayas, strangers] { reader.close() }
        }
    }

    /// Where a community keeps its campuses apart: each hears of its own, strangers of what belongs to none, and who moves of the new one.
    @Test func a_campus_hears_of_its_own_and_who_moves_of_the_new_one() async throws {
        try await TestDoor.run { door async throws in
            let auth = try await self.begin(door)
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            auth.answers([], campus: "hill")
            let bens = try StreamReader(door, "", [door.bearer(self.ben)])
            _ = try await bens.opened()
            auth.answers([])
            let mayas = try StreamReader(door, "", [door.bearer(self.maya)])
            let strangers = try StreamReader(door)
            for reader in [mayas, strangers] { _ = try await reader.opened() }
            func all(_ time: String) {
                door.relay.relay([
                    listings.publish("\(time) hill", within: "hill"), listings.publish("\(time) bay", within: "bay"),
                    listings.publish("\(time) none", within: ""), listings.publish("\(time) all"),
                ])
            }
            all("first")
            try await auth.tell(
                PersonChanged(person: PersonSummary(id: self.ben, name: "Ben", campus: "bay")))
            all("second")
            #expect(
                try await bens.next(4).map(\.name) == ["first hill", "first all", "second bay", "second all"])
            for reader in [mayas, strangers] {
                #expect(
                    try await reader.next(4).map(\.name) == ["first none", "first all", "second none", "second all"])
            }
            for reader in [bens, mayas, strangers] { reader.close() }
        }
    }

    @Test func a_block_is_heeded_at_once_in_both_directions_and_so_is_its_end() async throws {
        try await TestDoor.run { door async throws in
            let auth = try await self.begin(door)
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let (bens, mayas) = (
                try StreamReader(door, "", [door.bearer(self.ben)]),
                try StreamReader(door, "", [door.bearer(self.maya)])
            )
            for reader in [bens, mayas] { _ = try await reader.opened() }
            func both(_ name: String) {
                door.relay.relay([
                    listings.publish("\(name) of maya", concerning: [self.maya]),
                    listings.publish("\(name) of ben", concerning: [self.ben]),
                ])
            }
            both("before")
            try await auth.tell(PeopleBlocked(pair: BlockedPair(self.ben, self.maya)))
            both("during")
            try await auth.tell(PeopleUnblocked(pair: BlockedPair(self.ben, self.maya)))
            both("after")
            #expect(
                try await bens.next(5).map(\.name) == [
                    "before of maya", "before of ben", "during of ben", "after of maya", "after of ben",
                ])
            #expect(
                try await mayas.next(5).map(\.name) == [
                    "before of maya", "before of ben", "during of maya", "after of maya", "after of ben",
                ])
            for reader in [bens, mayas] { reader.close() }
        }
    }

    @Test func what_was_missed_is_given_again_without_those_who_are_apart_by_now() async throws {
        try await TestDoor.run { door async throws in
            let auth = try await self.begin(door)
            let all = Mutable(FakePublisher("listings"))
            door.relay.restart("listings", epoch: all.value.epoch, head: 0)
            StreamTests.answerEventsSince(door, all)
            let start = StreamTests.id(["listings": all.value.place])
            let early = all.mutate { [$0.publish("early", concerning: [self.maya]), $0.publish("early of all")] }
            door.relay.relay(early)
            auth.answers([self.maya])
            let fromMemory = try StreamReader(door, "", [door.bearer(self.ben), ("Last-Event-ID", start)])
            #expect(try await fromMemory.next(1).map(\.name) == ["early of all"])
            // And as another gateway gives it, which has to ask for it.
            door.relay.restart("listings", epoch: all.value.epoch, head: 2)
            let fromService = try StreamReader(door, "", [door.bearer(self.ben), ("Last-Event-ID", start)])
            #expect(try await fromService.next(1).map(\.name) == ["early of all"])
            for reader in [fromMemory, fromService] { reader.close() }
        }
    }

    /// Nobody is told what they may not hear because auth is away for a moment.
    @Test func a_stream_does_not_begin_where_it_is_not_known_who_is_apart() async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(AuthMethods.apart, ServiceError(.unavailable, "Away.", retryAfter: 1))
            let refused = try await door.get("/v1/stream", [door.bearer(self.ben)])
            #expect(refused.status == 503 && refused["Retry-After"] != nil)
            #expect(door.relay.listenerCount == 0 && door.relay.blocks.count == 0)
            let stranger = try StreamReader(door)
            _ = try await stranger.opened()
            stranger.close()
        }
    }

    @Test func events_that_come_while_auth_is_asked_are_not_lost() async throws {
        try await TestDoor.run { door async throws in
            let auth = try await self.begin(door)
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let (lin, tom) = (PersonID.new(), PersonID.new())
            let pairs = [self.maya, lin, tom].map { BlockedPair(self.ben, $0) }
            door.backend.on("auth.apart") { asked in
                // Maya's was lifted and Lin's made after this answer; Tom's was made before, and is told late.
                try await auth.tell(PeopleUnblocked(pair: pairs[0]))
                try await auth.tell(PeopleBlocked(pair: pairs[1]))
                try await auth.tell(PeopleBlocked(pair: pairs[2]))
                return ServiceReply(body: try WireJSON.encode(Page(items: [self.maya, tom])))
            }
            let reader = try StreamReader(door, "", [door.bearer(self.ben)])
            _ = try await reader.opened()
            door.relay.relay([
                listings.publish("lin's", concerning: [lin]), listings.publish("tom's", concerning: [tom]),
                listings.publish("maya's", concerning: [self.maya]),
            ])
            #expect(try await reader.next(1).map(\.name) == ["maya's"])
            reader.close()
        }
    }

    @Test func the_answer_may_come_in_pages() async throws {
        try await TestDoor.run { door async throws in
            _ = try await self.begin(door)
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let people = (0..<5).map { _ in PersonID.new() }
            door.backend.on("auth.apart") { asked in
                let after = try WireJSON.decode(ApartQuery.self, from: asked.parameters).after
                let rest = after.map { after in Array(people.drop { $0 != after }.dropFirst()) } ?? people
                return ServiceReply(
                    body: try WireJSON.encode(
                        Page(items: Array(rest.prefix(2)), next: rest.count > 2 ? "\(rest[1])" : nil)))
            }
            let reader = try StreamReader(door, "", [door.bearer(self.ben)])
            _ = try await reader.opened()
            door.relay.relay(people.map { listings.publish("hidden", concerning: [$0]) } + [listings.publish("last")])
            #expect(try await reader.next(1).map(\.name) == ["last"])
            #expect(door.backend.asked("auth.apart").count == 3)
            reader.close()
        }
    }

    /// After a gap in auth's events, or one that cannot be read: who is signed in comes back, and is asked for anew.
    @Test(arguments: [false, true]) func where_events_of_auth_were_missed_it_is_asked_for_again(unreadable: Bool)
        async throws
    {
        try await TestDoor.run { door async throws in
            let auth = try await self.begin(door)
            let (bens, strangers) = (try StreamReader(door, "", [door.bearer(self.ben)]), try StreamReader(door))
            for reader in [bens, strangers] { _ = try await reader.opened() }
            #expect(door.relay.blocks.count == 1)
            if unreadable {
                try await auth.events.consume([auth.publisher.mutate { $0.publish(PeopleBlocked.type, to: .nobody) }])
            } else {
                try await auth.events.resynchronise("auth", epoch: UUID(), head: 0)
            }
            let names = try await bens.next(2).map(\.name)
            #expect(names.last == "end", "\(names)")
            #expect(door.relay.listenerCount == 1)
            for reader in [bens, strangers] { reader.close() }
            try await self.wait { door.relay.blocks.count == 0 }
        }
    }

    /// Nothing is kept of those who are gone.
    @Test func who_leaves_is_forgotten() async throws {
        try await TestDoor.run { door async throws in
            _ = try await self.begin(door)
            let readers = try (0..<4).map { _ in try StreamReader(door, "", [door.bearer(self.ben)]) }
            for reader in readers { _ = try await reader.opened() }
            #expect(door.relay.blocks.count == 1)
            readers.forEach { $0.close() }
            try await self.wait { door.relay.blocks.count == 0 }
        }
    }

    private func wait(_ isSo: () -> Bool) async throws {
        for _ in 0..<500 where !isSo() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isSo())
    }
}
