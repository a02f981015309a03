import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import TestKit
import WireProtocol

@testable import MatchingService

// What the tests of the rounds of standing searches ask besides.

extension Searches {
    func looks(at kind: SubjectKind = .thing, asking services: SearchedServices? = nil) -> WantedLooks {
        WantedLooks(
            kind: kind, store: store, services: services ?? self.services, telling: RoundBell(), logger: .quiet,
            clock: clock.read)
    }

    func catchUp(asking services: SearchedServices? = nil) -> WantedCatchUp {
        WantedCatchUp(
            store: store, services: services ?? self.services, telling: RoundBell(), logger: .quiet,
            clock: clock.read)
    }

    var telling: WantedTelling { WantedTelling(store: store, logger: .quiet, clock: clock.read) }
    var times: WantedTimes { WantedTimes(store: store, logger: .quiet) }

    /// Their service says that some things can be found, say something else, or are gone.
    func say(_ subjects: Subject...) async throws {
        try await store.transaction { wanted in
            try await wanted.look(at: subjects)
            try await wanted.hear(of: subjects)
        }
    }

    /// From now on it is known how far this service has heard of others.
    func listen() async throws {
        for service in [PeerRole.listings, .rides] {
            _ = try await database.query(
                "INSERT INTO offsets (publisher, epoch, position) VALUES (\(service.rawValue), \(UUID.version7()), 0)")
        }
    }

    /// Everything that is to be looked at by now.
    /// - Parameter many: from how many on those are done together that nobody looks for; where nil, as ever.
    func look(asking services: SearchedServices? = nil, together many: Int? = nil) async throws {
        for kind in SubjectKind.searched {
            var looks = looks(at: kind, asking: services)
            if let many { looks.many = many }
            while try await looks.round() {}
        }
    }

    /// Everybody who is to be told by now.
    func tell() async throws {
        let telling = telling
        while try await telling.round() {}
    }

    /// Everything that the rounds do by now, but for what time does.
    func run(together many: Int? = nil) async throws {
        try await look(together: many)
        _ = try await catchUp().round()
        // What the searches that began have asked for.
        try await look(together: many)
        try await tell()
    }

    func pass() async throws {
        let times = times
        while try await times.round() {}
    }

    // MARK: Who is there

    /// So many people look for the same, each by a search of their own, and it is known what was there.
    func looking(_ count: Int, for query: WantedQuery) async throws -> [PersonID] {
        let read = try await stock.services.read(query)
        let keys = read.anchors.last ?? []
        let (people, ids) = (crowd(count), (0..<count).map { _ in WantedID.new() })
        let (now, until) = (clock.now, clock.now + 60 * 86_400)
        _ = try await database.query(
            """
            INSERT INTO wanted (id, person, service, query, keys, state, created_at, changed_at, expires_at, due_at,
                is_settled)
            SELECT id, person, 'listings', \(JSON(read.query)), \(keys.map(\.rawValue))::text[], 'live', \(now), \(now),
                \(until), \(until), true
            FROM unnest(\(ids), \(people)) AS someone (id, person)
            """)
        return people
    }

    // MARK: What was told

    /// Who was told of what, one by one, in order.
    func told() async throws -> [ToldFind] {
        try await deliveries.told(NoticeRaised.self).flatMap { notice -> [ToldFind] in
            let kinds: [InboxNoticeKind] = [.spotFound, .thingFound, .delivererFound]
            guard kinds.contains(notice.kind), case .people(let people) = notice.to else { return [] }
            return people.map { ToldFind(person: $0, subject: notice.subject) }
        }
    }

    /// Whose notice of something was taken back.
    func takenBack(_ subject: Subject) async throws -> [PersonID] {
        try await deliveries.told(NoticeSettled.self).flatMap { notice -> [PersonID] in
            guard notice.keys == [.found(subject)], case .people(let people) = notice.to else { return [] }
            return people
        }
    }

    func reminders() async throws -> [WantedReminder] { try await deliveries.told(WantedReminder.self) }

    /// What a search has found since it began.
    func newFinds(_ id: WantedID) async throws -> Set<Subject> {
        Set(
            try await database.query("SELECT kind, subject FROM finds WHERE wanted = \(id) AND is_new").map {
                try Subject($0)
            })
    }
}

extension WantedTransaction {
    /// As whoever consumes events writes it down, where that is known.
    func hear(of subjects: [Subject]) async throws {
        for service in Set(subjects.map(\.kind.service.rawValue)) {
            try await transaction.query("UPDATE offsets SET position = position + 1 WHERE publisher = \(service)")
        }
    }
}

struct ToldFind: Hashable, Sendable {
    let person: PersonID
    let subject: Subject
}

/// Where somebody waits until they are let through.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var isReached = false

    func pass() async {
        isReached = true
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }
}
