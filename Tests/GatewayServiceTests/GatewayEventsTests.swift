import FoundationEssentials
import GatewayService
import Messaging
import Testing
import WireProtocol

@Suite struct GatewayEventsTests {
    private func events(_ door: TestDoor) -> GatewayEvents {
        GatewayEvents(relay: door.relay, tokens: door.tokens, backend: door.backend, logger: TestDoor.logger)
    }

    private func wait(_ isSo: () -> Bool) async throws {
        for _ in 0..<500 where !isSo() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isSo())
    }

    @Test func an_event_that_cannot_be_read_is_passed_by_and_auth_is_asked_instead() async throws {
        try await TestDoor.run { door async throws in
            let (backend, events, auth) = (door.backend, self.events(door), Mutable(FakePublisher("auth")))
            let (missed, next) = (SessionID.new(), SessionID.new())
            backend.answer(AuthMethods.revokedSessions, RevokedSessions(sessions: []))
            backend.answer(AuthMethods.signingKeys, SigningKeys(keys: [door.issuer.published]))
            backend.answer(AuthMethods.sessions, Page(items: []))
            try await events.resynchronise("auth", epoch: auth.value.epoch, head: 0)
            let life = Task { try await door.tokens.run() }
            defer { life.cancel() }
            try await self.wait { !backend.asked("auth.signingKeys").isEmpty }

            let reader = try StreamReader(door, "", [door.bearer(session: missed)])
            _ = try await reader.opened()
            let until = Date(timeIntervalSinceNow: 300)
            backend.answer(AuthMethods.revokedSessions, RevokedSessions(sessions: [.init(id: missed, until: until)]))
            var readable = auth.mutate { $0.publish(SessionsRevoked.type, to: .nobody) }
            let unreadable = readable
            readable = auth.mutate { $0.publish(SessionsRevoked.type, to: .nobody) }
            readable.payload = try WireJSON.encode(SessionsRevoked(sessions: [.init(id: next, until: until)]))
            try await events.consume([unreadable, readable])

            // What the unreadable one said is known all the same, and ends streams as well; what came after it is heard.
            #expect(try await reader.next(2).map(\.data).last == "{\"reason\":\"revoked\"}")
            for session in [missed, next] {
                #expect(try await door.get("/v1/sessions", [door.bearer(session: session)]).status == 401)
            }
            #expect(try await events.offset(of: "auth")?.position == 2)
        }
    }

    /// Both come in one batch, from one transaction: the news first, then the end of the session.
    @Test func who_is_suspended_is_told_before_their_stream_ends() async throws {
        try await TestDoor.run { door async throws in
            let (backend, events, auth) = (door.backend, self.events(door), Mutable(FakePublisher("auth")))
            let (person, session) = (PersonID.new(), SessionID.new())
            backend.answer(AuthMethods.revokedSessions, RevokedSessions(sessions: []))
            backend.answer(AuthMethods.signingKeys, SigningKeys(keys: [door.issuer.published]))
            try await events.resynchronise("auth", epoch: auth.value.epoch, head: 0)
            let life = Task { try await door.tokens.run() }
            defer { life.cancel() }
            try await self.wait { !backend.asked("auth.signingKeys").isEmpty }
            let reader = try StreamReader(door, "", [door.bearer(person, session: session)])
            _ = try await reader.opened()
            let news = auth.mutate { $0.publish(PersonSuspended.type, to: .people([person])) }
            var end = auth.mutate { $0.publish(SessionsRevoked.type, to: .nobody) }
            end.payload = try WireJSON.encode(
                SessionsRevoked(sessions: [.init(id: session, until: Date(timeIntervalSinceNow: 300))]))
            try await events.consume([news, end])
            #expect(try await reader.next(2).map(\.name) == ["personSuspended", "end"])
        }
    }

    @Test func after_a_restart_the_latest_events_are_fetched_once_for_everybody() async throws {
        var options = TestDoor.Options()
        options.logCapacity = 30
        try await TestDoor.run(options) { door async throws in
            let all = Mutable(FakePublisher("listings"))
            for _ in 0..<40 { _ = all.mutate { $0.publish() } }
            StreamTests.answerEventsSince(door, all)
            try await self.events(door).resynchronise("listings", epoch: all.value.epoch, head: 40)
            let asked = door.backend.asked("listings.eventsSince").count
            let left = StreamTests.id(["listings": .init(epoch: all.value.epoch, position: 10)])
            for _ in 0..<20 {
                let reader = try StreamReader(door, "", [("Last-Event-ID", left)])
                #expect(try await reader.next(30).map(\.data) == (11...40).map { "{\"n\":\($0)}" })
                reader.close()
            }
            #expect(door.backend.asked("listings.eventsSince").count == asked)
            // What comes next follows.
            door.relay.relay([all.mutate { $0.publish() }])
            #expect(try await self.events(door).offset(of: "listings")?.position == 41)
        }
    }

    @Test func a_publisher_that_does_not_give_its_latest_events_is_heard_all_the_same() async throws {
        try await TestDoor.run { door async throws in
            var listings = FakePublisher("listings")
            try await self.events(door).resynchronise("listings", epoch: listings.epoch, head: 0)
            #expect(door.backend.asked("listings.eventsSince").isEmpty)
            for _ in 0..<3 { _ = listings.publish() }
            try await self.events(door).resynchronise("listings", epoch: listings.epoch, head: 3)
            #expect(door.backend.asked("listings.eventsSince").count == 1)
            #expect(try await self.events(door).offset(of: "listings")?.position == 3)
        }
    }
}
