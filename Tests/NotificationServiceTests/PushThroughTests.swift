import DurableMessaging
import Foundation
import Messaging
import Postgres
import TestKit
import Testing
import WebClient
import WireProtocol

@testable import NotificationService

/// The whole way: from what a service says, by the inbox and what is due, to the browser.
@Suite struct PushThroughTests {
    @Test func what_somebody_writes_rings_in_the_browser_and_nothing_does_that_was_read() async throws {
        try await PushServer.run { server in
            try await InboxBench.with(devices: PostgresDeviceStore.devices) { bench in
                let through = try await Through(bench, server)
                _ = try await through.register("ok/a")
                try await bench.write(1)
                #expect(try await through.bring() == 1)
                let text = try #require(try server.received().first?.text)
                let message = try WireJSON.decode(PushMessage.self, from: Array(text.utf8))
                #expect(message.title == "Ben" && message.body == "Eine neue Nachricht zu „By the library“")
                #expect(message.unread == 1 && !text.contains("secret words"))
                #expect(message.link == "/messages/\(InboxBench.room)")
                // A second one takes the place of the first, and says how many there are.
                try await bench.write(2)
                #expect(try await through.bring() == 1)
                let topics = try server.received().map { $0.headers["topic"] }
                #expect(topics.count == 2 && Set(topics).count == 1)
                #expect(try server.received()[1].text.contains("2 neue Nachrichten"))
                try await bench.write(3)
                try await bench.read(3)
                #expect(try await through.bring() == 0)
                #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
            }
        }
    }

    @Test func a_device_that_is_gone_or_signed_out_has_nothing_waiting() async throws {
        try await PushServer.run { server in
            try await InboxBench.with(devices: PostgresDeviceStore.devices) { bench in
                let through = try await Through(bench, server)
                _ = try await through.register("gone/a")
                try await bench.write(1)
                #expect(try await through.bring() == 1)
                #expect(try await through.devices() == 0)
                let session = SessionID.new()
                _ = try await through.register("busy/a", session: session)
                try await bench.write(2)
                #expect(try await through.bring() == 1)
                #expect(try await bench.database.read("SELECT FROM deliveries").count == 1)
                try await bench.database.transaction { transaction in
                    _ = try await PostgresDeviceStore.remove(where: "session = \(session)", from: transaction)
                }
                #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
                #expect(try server.received().isEmpty)
            }
        }
    }

    @Test func a_device_that_failed_rests_also_for_what_is_handed_over_anew() async throws {
        try await PushServer.run { server in
            try await InboxBench.with(devices: PostgresDeviceStore.devices) { bench in
                let through = try await Through(bench, server)
                _ = try await through.register("busy/a")
                try await bench.write(1)
                // It asks to be left alone for 120 seconds.
                #expect(try await through.bring() == 1)
                try await bench.write(2)
                try await bench.ask()
                for _ in 0..<11 { #expect(try await through.bring() == 0) }
                #expect(try await bench.database.read("SELECT FROM deliveries WHERE attempts = 0").count == 2)
                #expect(try await through.bring() == 1)
                #expect(try await through.sender.deliver() == 1)
                #expect(try server.received().count == 2)
                #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
            }
        }
    }

    @Test func an_erasure_counts_the_devices_that_it_ends() async throws {
        try await PushServer.run { server in
            try await InboxBench.with(devices: PostgresDeviceStore.devices) { bench in
                let through = try await Through(bench, server)
                for path in ["ok/a", "ok/b"] { _ = try await through.register(path) }
                try await bench.tell(PersonErased(erasure: .new(), person: InboxBench.maya))
                #expect(try await through.devices() == 0)
                let done = try await bench.published(PersonalDataErased.self).map(\.event)
                #expect(done.first?.records == [ErasedRecords(.devices, 2)])
                await #expect(throws: ServiceError.self) { try await through.register("ok/c") }
            }
        }
    }
}

/// Devices and a sender beside the inbox.
private struct Through: Sendable {
    let bench: InboxBench
    let server: PushServer
    let useCases: DeviceUseCases
    let sender: PushSender

    init(_ bench: InboxBench, _ server: PushServer) async throws {
        (self.bench, self.server) = (bench, server)
        let store = PostgresDeviceStore(
            database: bench.database, seal: DeviceSeal(secret: Array("a secret of this test".utf8)))
        useCases = DeviceUseCases(
            store: store, settings: PushSettings(kinds: [.webPush], applicationServerKey: "BK"), reach: server.reach,
            web: WebClient(name: "look", atOnce: 1), now: bench.clock.read)
        let vapid = VAPID(key: try await store.pushKey(now: bench.clock.now), contact: "mailto:village@example.org")
        sender = PushSender(
            queue: bench.deliveries, devices: store, seal: store.seal, composer: try PushBench.composer(),
            transports: [
                .webPush: WebPushTransport(vapid: vapid, reach: server.reach, web: WebClient(name: "push", atOnce: 2))
            ], policy: PushPolicy(), logger: .quiet, now: bench.clock.read)
    }

    func register(_ path: String, session: SessionID? = nil) async throws -> PushDevice {
        let draft = try server.draft(path)
        return try await useCases.register(
            draft, from: DeviceParameters(device: "Firefox", language: "de"),
            RequestContext(
                id: .version7(), method: "notification.registerDevice", deadline: Date() + 60,
                caller: Caller(person: InboxBench.maya, session: session), peer: .gateway,
                content: Array(try WireJSON.encode(draft))))
    }

    func devices() async throws -> Int {
        try await useCases.devices(for: Caller(person: InboxBench.maya)).items.count
    }

    /// What is due a while later.
    func bring() async throws -> Int {
        bench.wait(10)
        try await bench.rounds.tell()
        try await bench.rounds.push()
        return try await sender.deliver()
    }
}
