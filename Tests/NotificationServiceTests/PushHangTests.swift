import Foundation
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// A server that hangs beside one that answers. All of it in memory, on a clock that stands until it is moved.
@Suite struct PushHangTests {
    @Test func while_some_hang_all_others_ring() async throws {
        let bench = try HangBench()
        for number in 0..<3 { bench.lay(1, for: "https://\(number).silent.example/a") }
        for number in 0..<5 { bench.lay(4, for: "https://answers.example/\(number)") }
        try await bench.run {
            // Nobody waits for those that hang: they do so until they are let go.
            try await eventually("all others are told") { bench.servers.told.count == 20 }
            #expect(bench.servers.hanging == 3)
            bench.servers.letGo()
        }
        #expect(bench.records.rests.withLock { $0.count } == 3)
    }

    @Test func a_server_that_hangs_is_tried_by_one_of_its_devices_and_its_others_wait() async throws {
        let bench = try HangBench()
        bench.servers.letGo()
        for number in 0..<12 { bench.lay(1, for: "https://silent.example/\(number)") }
        bench.lay(10, for: "https://answers.example/a")
        try await bench.run {
            try await eventually("the other one is told") { bench.servers.told.count == 10 }
            // As many as can be at the same time may have begun before it was known of one that it says nothing.
            let first = bench.servers.silent
            #expect(first <= HangBench.atOnce)
            for more in 1...2 {
                bench.clock.advance(by: .seconds(20))
                try await eventually("it is tried again") { bench.servers.silent == first + more }
                try await bench.someRounds()
                #expect(bench.servers.silent == first + more)
            }
            // It is back: what waited comes.
            bench.servers.isBack.withLock { $0 = true }
            try await eventually("all are told") {
                bench.clock.advance(by: .seconds(20))
                return bench.servers.told.count == 22
            }
        }
    }

    @Test func a_device_is_told_one_thing_after_the_other() async throws {
        let bench = try HangBench()
        bench.lay(10, for: "https://answers.example/a")
        try await bench.run {
            try await eventually("it is told") { bench.servers.told.count == 10 }
        }
        #expect(bench.servers.mostAtOnce == 1)
    }

    @Test func one_that_is_slow_now_and_then_is_not_one_that_hangs() {
        let servers = PushServers()
        let start = Date(timeIntervalSince1970: 1_795_232_513)
        #expect(servers.begin("a", at: start) == nil && servers.begin("a", at: start) == nil)
        servers.end("a", began: start, isSilent: false, at: start + 1)
        servers.end("a", began: start, isSilent: true, at: start + 5)
        #expect(servers.begin("a", at: start + 5) == nil)
        servers.end("a", began: start + 5, isSilent: true, at: start + 10)
        #expect(servers.begin("a", at: start + 10) == start + 15 && servers.begin("b", at: start + 10) == nil)
        // One looks whether it is back.
        #expect(servers.begin("a", at: start + 15) == nil && servers.begin("a", at: start + 15) == start + 20)
        servers.end("a", began: start + 15, isSilent: true, at: start + 20)
        #expect(servers.begin("a", at: start + 29) == start + 30)
        #expect(servers.begin("a", at: start + 30) == nil)
        servers.end("a", began: start + 30, isSilent: false, at: start + 31)
        #expect(servers.begin("a", at: start + 31) == nil && servers.begin("a", at: start + 31) == nil)
    }
}

/// A sender, with devices and servers as a test wants them.
private struct HangBench: Sendable {
    static let atOnce = 4

    let clock = FixedClock()
    let queue = FakeDeliveries()
    let records = FakeRecords()
    let servers = FakeServers()
    private let seal = DeviceSeal(secret: Array("a secret of this test".utf8))
    private let person = PersonID.new()
    private let sender: PushSender

    init() throws {
        var policy = PushPolicy()
        policy.atOnce = Self.atOnce
        var sender = PushSender(
            queue: queue, devices: records, seal: seal, composer: try PushBench.composer(),
            transports: [.webPush: servers], policy: policy, logger: .quiet, now: clock.read)
        sender.pause = .milliseconds(10)
        self.sender = sender
    }

    /// So many things for one device.
    func lay(_ count: Int, for endpoint: String) {
        let target = PushTarget.webPush(endpoint: endpoint, keys: FakeServers.keys)
        guard let sealed = try? seal.seal(target) else { return }
        let device = ReachedDevice(
            id: .new(), person: person, language: "en", sealed: sealed, address: seal.digest(target.address),
            takesLittle: false)
        records.devices.withLock { $0[device.id.uuid] = device }
        for _ in 0..<count {
            queue.add(
                PushDelivery(
                    id: .version7(), device: device.id.uuid, person: person, notice: PushBench.notice(.message),
                    unread: 1, attempts: 1, expiresAt: clock.now + 86_400))
        }
    }

    func run(_ body: () async throws -> Void) async throws {
        let running = Task { [sender] in try await sender.run() }
        defer { running.cancel() }
        try await body()
        running.cancel()
        servers.letGo()
        try await running.value
    }

    func someRounds() async throws { try await Task.sleep(for: .milliseconds(100)) }
}

/// Answers, or hangs where the address says so.
private final class FakeServers: PushTransport {
    static let keys = PushKeys(
        point: [UInt8](Data(base64Encoded: point) ?? Data()), secret: [UInt8](repeating: 7, count: 16))!
    /// The generator of P-256.
    private static let point =
        "BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU="

    private struct State {
        var (told, hanging, silent, underWay, mostAtOnce) = ([String](), 0, 0, 0, 0)
        var isLetGo = false
    }

    let isBack = Mutex(false)
    private let state = Mutex(State())

    var told: [String] { state.withLock { $0.told } }
    /// Those that hang now; those that ended with nothing.
    var hanging: Int { state.withLock { $0.hanging } }
    var silent: Int { state.withLock { $0.silent } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func letGo() { state.withLock { $0.isLetGo = true } }

    func deliver(_ letter: PushLetter, to target: PushTarget) async throws {
        let isSilent = target.server.contains("silent") && !isBack.withLock { $0 }
        state.withLock { state in
            state.underWay += 1
            state.mostAtOnce = max(state.mostAtOnce, state.underWay)
            if isSilent { state.hanging += 1 }
        }
        // As long as a connection takes, so that many are under way at the same time.
        repeat {
            try? await Task.sleep(for: .milliseconds(5))
            await Task.yield()
        } while isSilent && !Task.isCancelled && !state.withLock { $0.isLetGo }
        try state.withLock { state in
            state.underWay -= 1
            guard isSilent else { return state.told.append(target.address) }
            state.hanging -= 1
            state.silent += 1
            throw PushFailure(kind: .silent, reason: "It says nothing.")
        }
    }
}

private final class FakeRecords: DeviceRecords {
    let devices = Mutex<[UUID: ReachedDevice]>([:])
    let rests = Mutex<[PushDeviceID: Date]>([:])

    func reached(_ ids: [PushDeviceID]) async throws -> [UUID: ReachedDevice] { devices.withLock { $0 } }
    func note(_ verdict: PushVerdict, of push: Push, now: Date) async throws {}
    func sweep(forgotten: Date, unseen: Date) async throws {}
    func tally() async throws -> PushTally { PushTally() }

    func rest(_ device: ReachedDevice, until: Date) async throws {
        rests.withLock { $0[device.id] = until }
        devices.withLock { $0[device.id.uuid]?.restsUntil = until }
    }
}
