import Foundation
import Postgres
import TestKit
import Testing
import WebClient
import WireProtocol

@testable import NotificationService

/// What waits for devices, on a real PostgreSQL and against the server of a browser that answers as it likes.
@Suite struct PushSenderTests {
    @Test func a_browser_is_told_and_reads_what_we_encrypt() async throws {
        try await PushBench.with { bench in
            let device = try await bench.register("ok/a")
            bench.lay(bench.notice(.message, count: 3, title: "Car park at the library"), for: device)
            #expect(try await bench.sender.deliver() == 1)
            let received = try #require(try bench.server.received().first)
            #expect(received.signed && received.path == "/ok/a")
            let message = try WireJSON.decode(PushMessage.self, from: Array(received.text.utf8))
            #expect(message.title == "Ben Ong" && message.body == "3 neue Nachrichten zu „Car park at the library“")
            #expect(message.kind == .message && message.link == "/messages/1" && message.unread == 4)
            #expect(message.tag.hasPrefix("message/room/"))
            #expect(received.headers["ttl"] == "3600" && received.headers["urgency"] == "high")
            #expect(received.headers["content-encoding"] == "aes128gcm")
            #expect(received.headers["topic"]?.wholeMatch(of: /[A-Za-z0-9_-]{32}/) != nil)
            #expect(bench.queue.settled == [.done])
            #expect(try await bench.devices.list(bench.devices.maya)[0].lastUsedAt == bench.devices.clock.now)
        }
    }

    @Test func a_device_that_is_gone_is_forgotten() async throws {
        try await PushBench.with { bench in
            for path in ["gone/a", "missing/a"] {
                bench.lay(bench.notice(), for: try await bench.register(path))
            }
            #expect(try await bench.sender.deliver() == 2)
            #expect(try await bench.devices.list(bench.devices.maya).isEmpty)
            #expect(bench.queue.settled == [.done, .done])
        }
    }

    @Test func one_that_came_back_with_other_keys_meanwhile_stays() async throws {
        try await PushBench.with { bench in
            let device = try await bench.register("gone/a")
            let known = try #require(try await bench.devices.store.reached([device.id])[device.id.uuid])
            _ = try await bench.register("gone/a")
            let push = Push(delivery: bench.delivery(bench.notice(), to: device), device: known)
            try await bench.devices.store.note(.gone(reason: "410"), of: push, now: bench.devices.clock.now)
            #expect(try await bench.devices.list(bench.devices.maya).map(\.id) == [device.id])
        }
    }

    @Test func one_that_is_busy_is_asked_again_when_it_wants_and_not_sooner() async throws {
        try await PushBench.with { bench in
            bench.lay(bench.notice(), for: try await bench.register("busy/a"))
            let now = bench.devices.clock.now
            #expect(try await bench.sender.deliver() == 1)
            #expect(bench.queue.settled == [.again(now + 120)])
            bench.devices.clock.advance(by: .seconds(119))
            #expect(try await bench.sender.deliver() == 0)
            bench.devices.clock.advance(by: .seconds(1))
            #expect(try await bench.sender.deliver() == 1)
            #expect(bench.queue.settled.last == .done)
            #expect(try bench.server.received().count == 1)
        }
    }

    @Test func what_was_too_long_is_said_in_fewer_words_once() async throws {
        try await PushBench.with { bench in
            bench.lay(bench.notice(.message, title: "Car park"), for: try await bench.register("long/a"))
            #expect(try await bench.sender.deliver() == 1)
            #expect(bench.queue.settled == [.again(bench.devices.clock.now)])
            #expect(try await bench.sender.deliver() == 1)
            let text = try #require(try bench.server.received().first?.text)
            let message = try WireJSON.decode(PushMessage.self, from: Array(text.utf8))
            #expect(message.title == "Kent Ridge Village" && message.body == "Eine neue Nachricht")
            bench.lay(bench.notice(), for: try await bench.register("large/a"))
            #expect(try await bench.sender.deliver() == 1)
            #expect(try await bench.sender.deliver() == 1)
            #expect(bench.queue.settled.last == .done)
            #expect(try await bench.dead() == ["127.0.0.1 answers 413."])
        }
    }

    @Test func what_is_refused_for_good_or_leads_elsewhere_is_given_up_for_the_operator_to_see() async throws {
        try await PushBench.with { bench in
            for path in ["refused/a", "redirect/a"] {
                bench.lay(bench.notice(), for: try await bench.register(path))
            }
            #expect(try await bench.sender.deliver() == 2)
            #expect(bench.queue.settled == [.done, .done])
            #expect(try await bench.dead() == ["127.0.0.1 answers 307.", "127.0.0.1 answers 403."])
            // No redirect was followed.
            #expect(try bench.server.received().isEmpty)
            #expect(try await bench.devices.store.tally().dead == 2)
            let later = bench.devices.clock.now + 60
            try await bench.devices.store.sweep(forgotten: later, unseen: .distantPast)
            #expect(try await bench.dead().isEmpty)
        }
    }

    @Test func one_that_never_answers_holds_up_no_other_for_long() async throws {
        try await PushBench.with { bench in
            bench.lay(bench.notice(), for: try await bench.register("silent/a"))
            bench.lay(bench.notice(), for: try await bench.register("ok/a"))
            let now = bench.devices.clock.now
            #expect(try await bench.sender.deliver() == 2)
            #expect(Set(bench.queue.settled) == [.done, .again(now + 5)])
            #expect(try bench.server.received().count == 1)
        }
    }

    @Test func failures_at_the_same_time_are_one_and_a_success_ends_them() async throws {
        try await PushBench.with { bench in
            let (store, now) = (bench.devices.store, bench.devices.clock.now)
            let id = try await bench.register("ok/a").id
            func known() async throws -> ReachedDevice { try #require(try await store.reached([id])[id.uuid]) }
            var device = try await known()
            for seconds in [20.0, 10] { try await store.rest(device, until: now + seconds) }
            device = try await known()
            #expect(device.failures == 1 && device.restsUntil == now + 20)
            // What was handed over in that moment is not tried.
            bench.lay(bench.notice(), for: try #require(try await bench.devices.list(bench.devices.maya).first))
            #expect(try await bench.sender.deliver() == 1)
            #expect(try bench.server.received().isEmpty && bench.queue.settled.isEmpty)
            bench.devices.clock.advance(by: .seconds(20))
            #expect(try await bench.sender.deliver() == 1)
            #expect(try bench.server.received().count == 1)
            device = try await known()
            #expect(device.failures == 0 && device.restsUntil == nil)
        }
    }

    @Test func what_waits_for_somebody_else_or_for_nobody_is_not_brought() async throws {
        try await PushBench.with { bench in
            let device = try await bench.register("ok/a")
            bench.lay(bench.notice(), for: device, person: .new())
            var gone = device
            gone.id = .new()
            bench.lay(bench.notice(), for: gone)
            #expect(try await bench.sender.deliver() == 2)
            #expect(bench.queue.settled == [.done, .done])
            #expect(try bench.server.received().isEmpty)
        }
    }

    @Test func waits_grow_and_end_with_the_time_of_what_is_said() {
        let now = Date(timeIntervalSince1970: 1_795_232_513)
        func verdict(
            _ kind: PushFailure.Kind, attempts: Int = 1, littleIsTaken: Bool = false, failures: Int = 0
        ) -> PushVerdict {
            let notice = PushBench.notice(.message)
            let delivery = PushDelivery(
                id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 1, attempts: attempts,
                expiresAt: now + 3600)
            let device = ReachedDevice(
                id: .new(), person: .new(), language: "en", sealed: [], address: [], takesLittle: littleIsTaken,
                failures: failures)
            return Push(delivery: delivery, device: device).verdict(
                on: PushFailure(kind: kind, reason: "r"), now: now, policy: PushPolicy())
        }
        for (attempts, wait) in [(1, 5), (2, 10), (3, 20), (9, 900), (50, 900)] {
            #expect(verdict(.later(nil), attempts: attempts) == .again(at: now + Double(wait), reason: "r"))
        }
        #expect(verdict(.later(3)) == .again(at: now + 5, reason: "r"))
        #expect(verdict(.silent, attempts: 3) == .again(at: now + 20, reason: "r"))
        // What is new where nothing was taken for long waits as long as what is old there.
        #expect(verdict(.silent, failures: 4) == .again(at: now + 80, reason: "r"))
        #expect(verdict(.later(3000)) == .again(at: now + 3000, reason: "r"))
        #expect(verdict(.later(3600)) == .dead(reason: "r"))
        #expect(verdict(.tooLong) == .shortened(reason: "r"))
        #expect(verdict(.tooLong, littleIsTaken: true) == .dead(reason: "r"))
        #expect(verdict(.gone) == .gone(reason: "r") && verdict(.final) == .dead(reason: "r"))
    }

    @Test func answers_mean_the_same_of_all_servers() {
        func kind(_ status: Int, _ retryAfter: Int? = nil) -> PushFailure.Kind? {
            WebPushTransport.failure(
                WebAnswer(status: status, type: "", bytes: [], retryAfter: retryAfter), of: "push.example.net")?.kind
        }
        for status in [200, 201, 202, 204] { #expect(kind(status) == nil) }
        for status in [404, 410] { #expect(kind(status) == .gone) }
        for status in [400, 401, 403, 405, 301, 307] { #expect(kind(status) == .final) }
        for status in [429, 500, 502, 503, 504, 408] { #expect(kind(status, 7) == .later(7)) }
        #expect(kind(413) == .tooLong)
    }

    @Test(arguments: ["en", "de", "fr", "de-at"]) func every_kind_has_its_words(_ language: String) throws {
        let composer = try PushBench.composer()
        var bodies: Set<String> = []
        for kind in InboxNoticeKind.allCases {
            for notice in [PushBench.notice(kind, title: "A “place” <here>"), PushBench.notice(kind, actor: nil)] {
                let delivery = PushDelivery(
                    id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 1, attempts: 1,
                    expiresAt: Date())
                let whole = composer.message(for: delivery, in: language, isBrief: false)
                #expect(!whole.body.isEmpty && !whole.body.contains("{") && !whole.body.contains("&"))
                #expect(whole.title == notice.actor?.name ?? "Kent Ridge Village")
                let brief = composer.message(for: delivery, in: language, isBrief: true)
                #expect(brief.title == "Kent Ridge Village" && !brief.body.isEmpty && !brief.body.contains("place"))
                bodies.insert(brief.body)
            }
        }
        #expect(bodies.count == InboxNoticeKind.allCases.count)
    }

    @Test(arguments: [
        ("en", 1, "A new message", "A new message"), ("en", 21, "21 new messages", "New messages"),
        ("de", 1, "Eine neue Nachricht", "Eine neue Nachricht"), ("de", 2, "2 neue Nachrichten", "Neue Nachrichten"),
    ])
    func several_are_not_told_as_one(_ language: String, _ count: Int, _ whole: String, _ brief: String) throws {
        let delivery = PushDelivery(
            id: UUID(), device: UUID(), person: .new(), notice: PushBench.notice(.message, count: count), unread: 1,
            attempts: 1, expiresAt: Date())
        let composer = try PushBench.composer()
        #expect(composer.message(for: delivery, in: language, isBrief: false).body == whole)
        #expect(composer.message(for: delivery, in: language, isBrief: true).body == brief)
    }
}

/// A sender between a queue that lies in memory, devices in PostgreSQL, and a server.
struct PushBench: Sendable {
    let devices: DeviceBench
    let server: PushServer
    let queue: FakeDeliveries
    let sender: PushSender

    static func with(isolation: isolated (any Actor)? = #isolation, _ body: (PushBench) async throws -> Void)
        async throws
    {
        try await PushServer.run { server in
            try await DeviceBench.with(reach: server.reach) { devices in
                var policy = PushPolicy()
                policy.atOnce = 4
                let queue = FakeDeliveries()
                let vapid = VAPID(
                    key: try await devices.store.pushKey(now: devices.clock.now), contact: "mailto:village@example.org")
                let transport = WebPushTransport(
                    vapid: vapid, reach: server.reach, web: WebClient(name: "push", atOnce: 4))
                let sender = PushSender(
                    queue: queue, devices: devices.store, seal: devices.store.seal, composer: try composer(),
                    transports: [.webPush: transport], policy: policy, logger: .quiet, now: devices.clock.read)
                try await body(PushBench(devices: devices, server: server, queue: queue, sender: sender))
            }
        }
    }

    static func composer() throws -> PushComposer {
        PushComposer(community: "Kent Ridge Village", notices: try ServiceResourcesFolder.notices())
    }

    func register(_ path: String) async throws -> PushDevice {
        try await devices.register(try server.draft(path), as: devices.maya)
    }

    static func notice(
        _ kind: InboxNoticeKind, count: Int = 1, actor: String? = "Ben Ong", title: String? = nil
    ) -> InboxNotice {
        InboxNotice(
            id: .new(), kind: kind, subject: Subject(kind: .room, id: .new()),
            actor: actor.map { PersonSummary(id: .new(), name: $0) }, count: count, title: title, link: "/messages/1",
            at: Date(timeIntervalSince1970: 1_795_232_513))
    }

    func notice(_ kind: InboxNoticeKind = .message, count: Int = 1, title: String? = nil) -> InboxNotice {
        Self.notice(kind, count: count, title: title)
    }

    func delivery(_ notice: InboxNotice, to device: PushDevice, person: PersonID? = nil) -> PushDelivery {
        PushDelivery(
            id: .version7(), device: device.id.uuid, person: person ?? devices.maya.person ?? .nobody, notice: notice,
            unread: 4, attempts: 1, expiresAt: devices.clock.now + 3600)
    }

    /// As the inbox does.
    func lay(_ notice: InboxNotice, for device: PushDevice, person: PersonID? = nil) {
        queue.add(delivery(notice, to: device, person: person))
    }

    func dead() async throws -> [String] {
        try await devices.pool.query("SELECT reason FROM dead_pushes ORDER BY reason").map { try $0.get("reason") }
    }
}
