import Foundation
import KampongClient
import Synchronization
import TestKit
import WireProtocol

/// Somebody's second device: it hears what happens, is cut off at random, and comes back to where it was; meanwhile it looks at the inbox.
final class Phone: Sendable {
    struct Memory: Sendable {
        var heard: ChatterHistory.Heard
        var pages: [ChatterHistory.Page] = []
        var glances: [GlanceHistory.Glance] = []
        /// The last number that was heard of a room.
        var last: [RoomID: Int] = [:]
        /// After what to go on; nil before the stream has said so first.
        var position: String?
        /// How often it was cut off on purpose.
        var cuts = 0
        /// Whether it stays where it hears everything.
        var isHome = false
    }

    let person: LedgerPerson
    private let id: PersonID
    private let memory: Mutex<Memory>
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private static let pageSize = 100

    init(of id: PersonID, number: Int, client: KampongClient) {
        self.id = id
        person = LedgerPerson(number: number, id: id, client: client)
        memory = Mutex(Memory(heard: ChatterHistory.Heard(listener: id)))
    }

    var now: Memory { memory.withLock { $0 } }

    func last(of room: RoomID) -> Int? { memory.withLock { $0.last[room] } }

    var hasBegun: Bool { memory.withLock { $0.position != nil } }
    var eventCount: Int { memory.withLock { $0.heard.messages.count + $0.heard.marks.count } }

    /// - Parameter ledger: whose time it is that things are seen at.
    func begin(beside ledger: Ledger, seed: UInt64) {
        let listening = Task { await live(using: SeededGenerator(seed: seed)) }
        let looking = Task { await look(at: ledger, using: SeededGenerator(seed: seed &+ 1)) }
        tasks.withLock { $0 = [listening, looking] }
    }

    /// From now on it is not cut off any more, by us.
    func goHome() { memory.withLock { $0.isHome = true } }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    // MARK: The stream

    /// One line after the other, each after the last event of the one before.
    private func live(using random: SeededGenerator) async {
        var random = random
        while !Task.isCancelled {
            let stay = Duration.milliseconds(Int.random(in: 200...6000, using: &random))
            let line = Task { try await listen() }
            let tunnel = Task {
                try await Task.sleep(for: stay)
                cut(line)
            }
            let end = await withTaskCancellationHandler {
                await line.result
            } onCancel: {
                line.cancel()
            }
            tunnel.cancel()
            if case .failure(let problem as Problem) = end, problem.status == 401 {
                try? await person.client.refresh()
            }
            // Mostly a tunnel, sometimes a journey.
            let isLong = Int.random(in: 0..<6, using: &random) == 0
            let away = isLong && !now.isHome ? 1500...5000 : 20...400
            try? await Task.sleep(for: .milliseconds(Int.random(in: away, using: &random)))
        }
    }

    private func cut(_ line: Task<Void, any Error>) {
        let isCut = memory.withLock { memory in
            if !memory.isHome, memory.position != nil { memory.cuts += 1 }
            return !memory.isHome && memory.position != nil
        }
        if isCut { line.cancel() }
    }

    private func listen() async throws {
        let position = memory.withLock { $0.position }
        for try await message in person.client.connection(after: position) {
            memory.withLock { $0.note(message) }
        }
    }

    // MARK: Pages

    /// The inbox says of many rooms at once how far each of the two is.
    private func look(at ledger: Ledger, using random: SeededGenerator) async {
        var random = random
        while !Task.isCancelled {
            let askedAt = ledger.now
            // Who gets no answer has seen nothing.
            if let rooms = try? await person.client.rooms(on: .inbox, limit: 50).items {
                let answeredAt = ledger.now
                let seen = rooms.flatMap { room in
                    [
                        GlanceHistory.Glance(
                            room: room.id, of: id, read: room.read, askedAt: askedAt, answeredAt: answeredAt),
                        GlanceHistory.Glance(
                            room: room.id, of: room.with.id, read: room.theirs.read, delivered: room.theirs.delivered,
                            askedAt: askedAt, answeredAt: answeredAt),
                    ]
                }
                memory.withLock { $0.glances += seen }
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 500...2500, using: &random)))
        }
    }

    /// Reads these rooms from their first message to their last.
    func read(_ rooms: [RoomID]) async throws {
        for room in rooms {
            var page = ChatterHistory.Page(reader: id, room: room, messages: [])
            var isMore = true
            while isMore {
                let found = try await person.client.messages(
                    in: room, after: page.messages.last?.number ?? 0, limit: Self.pageSize
                )
                page.messages += found.items.map { RoomHistory.Message($0) }
                isMore = found.after != nil
            }
            let whole = page
            memory.withLock { $0.pages.append(whole) }
        }
    }
}

extension Phone.Memory {
    mutating func note(_ message: StreamMessage) {
        switch message {
        case .position(let place): if !place.isEmpty { position = place }
        case .event(let event):
            if !event.id.isEmpty { position = event.id }
            hear(event)
        }
    }

    private mutating func hear(_ event: StreamEvent) {
        let payload = Array(event.data.utf8)
        switch event.name {
        case MessageSent.type:
            guard let sent = try? WireJSON.decode(MessageSent.self, from: payload) else { return puzzle(over: event) }
            heard.messages.append(RoomHistory.Message(sent.message))
            last[sent.message.room] = max(last[sent.message.room] ?? 0, sent.message.number)
        case MessagesRead.type:
            guard let read = try? WireJSON.decode(MessagesRead.self, from: payload) else { return puzzle(over: event) }
            heard.marks.append(read)
        case "resync": heard.troubles.append("told that events are gone: \(event.data)")
        default: break
        }
    }

    private mutating func puzzle(over event: StreamEvent) {
        heard.troubles.append("cannot read \(event.name): \(event.data)")
    }
}
