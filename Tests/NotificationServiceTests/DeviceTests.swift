import Crypto
import DurableMessaging
import Foundation
import Messaging
import People
import Postgres
import Synchronization
import TestKit
import Testing
import WebClient
import WireProtocol

@testable import NotificationService

/// Devices on a real PostgreSQL.
@Suite struct DeviceTests {
    @Test func a_device_is_registered_once_listed_and_removed() async throws {
        try await DeviceBench.with { bench in
            let id = UUID.version7()
            let first = try await bench.register("https://1.1.1.1/a", as: bench.maya, request: id)
            #expect(first.kind == .webPush && first.label == "Firefox" && first.current && first.lastUsedAt == nil)
            #expect(try await bench.register("https://1.1.1.1/a", as: bench.maya, request: id) == first)
            bench.clock.advance(by: .seconds(60))
            let again = try await bench.register("https://1.1.1.1/a", as: bench.maya)
            #expect(again == first)
            let other = try await bench.register("https://1.1.1.1/b", as: bench.maya)
            #expect(try await bench.list(bench.maya).map(\.id) == [other.id, first.id])
            #expect(try await bench.list(bench.ben).isEmpty)
            // Not this one's.
            let stranger = await #expect(throws: ServiceError.self) { try await bench.remove(first.id, as: bench.ben) }
            #expect(stranger?.code == .notFound)
            try await bench.remove(first.id, as: bench.maya)
            #expect(try await bench.list(bench.maya).map(\.id) == [other.id])
            let anonymous = await #expect(throws: ServiceError.self) { try await bench.list(.anonymous) }
            #expect(anonymous?.code == .unauthenticated)
        }
    }

    @Test func the_same_device_moves_to_who_signs_in_there_and_what_waits_stays_behind() async throws {
        try await DeviceBench.with { bench in
            let old = try await bench.register("https://1.1.1.1/a", as: bench.maya)
            try await bench.wait(for: old.id, person: bench.maya)
            let new = try await bench.register("https://1.1.1.1/a", as: bench.ben)
            #expect(new.id != old.id)
            #expect(try await bench.list(bench.maya).isEmpty)
            #expect(try await bench.list(bench.ben).map(\.id) == [new.id])
            #expect(try await bench.count("deliveries") == 0)
        }
    }

    @Test func an_eleventh_takes_the_place_of_the_one_that_was_not_used_for_longest() async throws {
        try await DeviceBench.with { bench in
            var devices: [PushDeviceID] = []
            for number in 0..<10 {
                devices.append(try await bench.register("https://1.1.1.1/\(number)", as: bench.maya).id)
                bench.clock.advance(by: .seconds(1))
            }
            // The first is used, so the second is it.
            let used = bench.clock.now
            _ = try await bench.pool.query("UPDATE devices SET last_used_at = \(used) WHERE id = \(devices[0])")
            let last = try await bench.register("https://1.1.1.1/more", as: bench.maya)
            let kept = Set(try await bench.list(bench.maya).map(\.id))
            #expect(kept == Set(devices).subtracting([devices[1]]).union([last.id]))
        }
    }

    @Test func nothing_of_where_it_is_reached_stands_in_the_database() async throws {
        try await DeviceBench.with { bench in
            _ = try await bench.register("https://1.1.1.1/secret-path", as: bench.maya)
            var dump = ""
            for table in ["devices", "requests", "push_key"] {
                dump += try await bench.pool.query("SELECT t::text AS row FROM \(unescaped: table) t").map {
                    try $0.get("row", as: String.self)
                }.joined()
            }
            let hex = "secret-path".utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
            #expect(dump.contains("Firefox") && !dump.contains("secret-path") && !dump.contains(hex))
        }
    }

    @Test func it_goes_with_its_session_and_with_its_person() async throws {
        try await DeviceBench.with { bench in
            let device = try await bench.register("https://1.1.1.1/a", as: bench.maya)
            bench.clock.advance(by: .seconds(1))
            let other = try await bench.register("https://1.1.1.1/b", as: bench.mayaElsewhere)
            try await bench.wait(for: device.id, person: bench.maya)
            #expect(try await bench.list(bench.mayaElsewhere).map(\.current) == [true, false])
            let session = try #require(bench.maya.session)
            let ended = RevokedSessions.Revoked(id: session, until: bench.clock.now + 300)
            for _ in 1...2 {
                try await bench.database.transaction { transaction in
                    try await PostgresDeviceStore.end([ended], in: transaction)
                }
            }
            #expect(try await bench.list(bench.maya).map(\.id) == [other.id])
            #expect(try await bench.count("deliveries") == 0)
            // What had been asked for before comes after it.
            let after = await #expect(throws: ServiceError.self) {
                try await bench.register("https://1.1.1.1/a", as: bench.maya)
            }
            #expect(after?.code == .unauthenticated)
            let person = try #require(bench.maya.person)
            let own = try await PersonalSections([bench.store.ownRecords]).page(PersonalDataQuery(person: person)).items
            #expect(own.map(\.kind) == ["devices"])
            #expect(own.map(\.json).joined().contains("Firefox") && !own.map(\.json).joined().contains("1.1.1.1"))
            let erased = try await bench.database.transaction { transaction in
                try await PostgresDeviceStore.erase(person, in: transaction)
            }
            #expect(erased == ErasedRecords(.devices, 1))
            _ = try await bench.pool.query("INSERT INTO people_erased (id) VALUES (\(person))")
            let late = await #expect(throws: ServiceError.self) {
                try await bench.register("https://1.1.1.1/c", as: bench.maya)
            }
            #expect(late?.code == .unauthenticated)
        }
    }

    @Test func drafts_that_are_none_are_refused_at_their_field() async throws {
        try await DeviceBench.with { bench in
            let keys = bench.keys
            func field(_ draft: PushDeviceDraft) async -> String? {
                do {
                    _ = try await bench.useCases.register(draft, from: DeviceParameters(), bench.context(bench.maya))
                    return nil
                } catch { return (error as? ServiceError)?.errors.first?.field }
            }
            var draft = PushDeviceDraft(endpoint: "https://1.1.1.1/a", keys: keys)
            draft.endpoint = nil
            #expect(await field(draft) == "endpoint")
            draft = PushDeviceDraft(endpoint: "https://1.1.1.1/a", keys: keys)
            draft.keys = nil
            #expect(await field(draft) == "keys")
            draft.keys = .init(p256dh: keys.auth, auth: keys.auth)
            #expect(await field(draft) == "keys")
            draft.keys = .init(p256dh: keys.p256dh, auth: "?")
            #expect(await field(draft) == "keys")
            #expect(await field(PushDeviceDraft(endpoint: "https://127.0.0.1/a", keys: keys)) == "endpoint")
            #expect(await field(PushDeviceDraft(.fcm, token: String(repeating: "a", count: 30))) == "kind")
            // With padding, as some libraries write it.
            let padded = PushDeviceDraft.Keys(p256dh: keys.p256dh + "=", auth: keys.auth + "==")
            #expect(await field(PushDeviceDraft(endpoint: "https://1.1.1.1/a", keys: padded)) == nil)
            #expect(throws: ServiceError.self) { try PushTarget(PushDeviceDraft(.apns, token: "no hexadecimal")) }
        }
    }

    @Test func one_address_of_a_person_is_looked_at_at_a_time_and_few_of_all() async throws {
        let (looks, endless) = (OngoingLooks(), AsyncStream<Void>.makeStream())
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let people = (0..<16).map { _ in PersonID.new() }
        func isRefused(_ person: PersonID) async -> Bool {
            let error = await #expect(throws: ServiceError.self) { try await looks.one(of: person) {} }
            return error?.code == .tooManyRequests
        }
        try await withThrowingTaskGroup { group in
            for person in people {
                group.addTask {
                    try await looks.one(of: person) {
                        beginning.yield()
                        for await _ in endless.stream {}
                    }
                }
                var next = begun.makeAsyncIterator()
                await next.next()
                #expect(await isRefused(person))
            }
            #expect(await isRefused(.new()))
            group.cancelAll()
            try await group.waitForAll()
        }
        try await looks.one(of: people[0]) {}
    }

    @Test func our_key_is_made_once_and_anew_where_it_cannot_be_opened() async throws {
        try await DeviceBench.with { bench in
            let now = bench.clock.now
            let key = try await bench.store.pushKey(now: now)
            let again = try await bench.store.pushKey(now: now)
            #expect(key.rawRepresentation == again.rawRepresentation)
            _ = try await bench.register("https://1.1.1.1/a", as: bench.maya)
            let elsewhere = PostgresDeviceStore(
                database: bench.database, seal: DeviceSeal(secret: Array("another secret here".utf8)))
            let other = try await elsewhere.pushKey(now: now)
            #expect(key.rawRepresentation != other.rawRepresentation)
            // Who subscribed by the old one cannot be reached any more.
            #expect(try await bench.list(bench.maya).isEmpty)
        }
    }

    @Test func what_nobody_has_seen_for_long_is_forgotten() async throws {
        try await DeviceBench.with { bench in
            _ = try await bench.register("https://1.1.1.1/a", as: bench.maya)
            bench.clock.advance(by: .seconds(60))
            let fresh = try await bench.register("https://1.1.1.1/b", as: bench.maya)
            let now = bench.clock.now
            try await bench.store.sweep(forgotten: now, unseen: now)
            #expect(try await bench.list(bench.maya).map(\.id) == [fresh.id])
            #expect(try await bench.store.tally() == PushTally(waiting: 0, dead: 0, devices: 1))
        }
    }
}

/// Devices without a bus, on a schema of their own.
struct DeviceBench: Sendable {
    let database: Database
    let store: PostgresDeviceStore
    let useCases: DeviceUseCases
    let clock: FixedClock
    let maya = Caller(person: .new(), session: .new())
    let ben = Caller(person: .new(), session: .new())
    let keys: PushDeviceDraft.Keys

    var mayaElsewhere: Caller { Caller(person: maya.person, session: Self.elsewhere) }
    private static let elsewhere = SessionID.new()
    var pool: PostgresPool { database.pool }

    static func with(
        reach: PushReach = PushReach(), isolation: isolated (any Actor)? = #isolation,
        _ body: (DeviceBench) async throws -> Void
    ) async throws {
        try await TestDatabase.with { test in
            let clock = FixedClock(Date(timeIntervalSince1970: 1_795_232_513))
            let secret = Array("a secret of this test".utf8)
            let database = Database(
                pool: test.pool, service: "notification", digestKey: secret, clock: clock.read, logger: .quiet)
            try await database.migrate(NotificationSchema.migrations)
            let store = PostgresDeviceStore(database: database, seal: DeviceSeal(secret: secret))
            let browser = P256.KeyAgreement.PrivateKey()
            try await body(
                DeviceBench(
                    database: database, store: store,
                    useCases: DeviceUseCases(
                        store: store, settings: PushSettings(kinds: [.webPush], applicationServerKey: "BK"),
                        reach: reach, web: WebClient(name: "look", atOnce: 2), now: clock.read),
                    clock: clock,
                    keys: .init(
                        p256dh: Base64URL.encode(browser.publicKey.x963Representation),
                        auth: Base64URL.encode([UInt8](repeating: 7, count: 16)))))
        }
    }

    func context(_ caller: Caller, _ id: UUID = .version7(), _ content: [UInt8] = []) -> RequestContext {
        RequestContext(
            id: id, method: "notification.registerDevice", deadline: Date() + 60, caller: caller, peer: .gateway,
            content: content)
    }

    func register(_ endpoint: String, as caller: Caller, request: UUID = .version7()) async throws -> PushDevice {
        try await register(PushDeviceDraft(endpoint: endpoint, keys: keys), as: caller, request: request)
    }

    func register(_ draft: PushDeviceDraft, as caller: Caller, request: UUID = .version7()) async throws -> PushDevice {
        try await useCases.register(
            draft, from: DeviceParameters(device: "Firefox", language: "de"),
            context(caller, request, Array(try WireJSON.encode(draft))))
    }

    func remove(_ id: PushDeviceID, as caller: Caller) async throws { try await useCases.remove(id, context(caller)) }
    func list(_ caller: Caller) async throws -> [PushDevice] { try await useCases.devices(for: caller).items }

    func count(_ table: String) async throws -> Int {
        try await pool.query("SELECT count(*) AS count FROM \(unescaped: table)")[0].get("count")
    }

    /// Lays down something that waits for a device, as the inbox does.
    func wait(for device: PushDeviceID, person: Caller) async throws {
        let (notice, now) = (UUID.version7(), clock.now)
        _ = try await pool.query(
            """
            INSERT INTO notices (id, person, kind, key, subject_kind, subject_id, count, latest, happened_at, shown_at, told)
            VALUES (\(notice), \(person.person), 'message', \("room/\(notice)"), 'room', \(notice), 1, 1, \(now), \(now),
                true)
            """)
        _ = try await pool.query(
            """
            INSERT INTO deliveries (notice, device, due_at, expires_at)
            VALUES (\(notice), \(device), \(now), \(now.addingTimeInterval(3600)))
            """)
    }
}
