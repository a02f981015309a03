import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// What can be asked of standing searches: ask who has what is looked for, then load, decide, save.
struct WantedUseCases: Sendable {
    let store: WantedStore
    let limits: WantedLimits
    let services: SearchedServices
    let seeking: SeekingServices
    let clock: @Sendable () -> Date
}

// MARK: What a person does

extension WantedUseCases {
    func post(_ draft: WantedDraft, _ request: RequestContext) async throws -> Wanted {
        let person = try request.caller.requirePerson()
        let prepared = await prepared(draft.query, for: person)
        let shown = draft.isVisible != true ? nil : await sought(prepared.map(\.query))
        return try await store.command(request) { wanted, person in
            let ready = try prepared.get()
            let search = try WantedSearch.post(
                ready, id: .new(at: wanted.now), by: person, having: try await wanted.open(of: person),
                at: wanted.now, within: limits
            ).show(shown?.get(), at: wanted.now)
            try await wanted.add(search)
            try await wanted.begin(search, ready)
            return Wanted(search, at: wanted.now)
        }
    }

    func change(_ id: WantedID, _ change: WantedChange, _ request: RequestContext) async throws -> Wanted {
        let seen = try await own(id, request)
        let goesOn = change.isPaused == false
        let prepared = await prepared(change.query ?? (goesOn ? seen?.query : nil), for: seen?.person)
        let sought = await sought(change, prepared, of: seen)
        return try await store.command(request) { wanted, person in
            let before = try await wanted.own(id, of: person)
            var after = before
            if change.query != nil {
                after = try after.change(
                    to: prepared.get(), expecting: change.version, at: wanted.now, within: limits)
            } else {
                let asked = goesOn || sought != nil ? seen?.version : nil
                guard ContentVersion.allows(change.version ?? asked, before.version) else {
                    throw WantedError.changedMeanwhile(before.version)
                }
            }
            switch change.isPaused {
            case true?: after = try after.pause(at: wanted.now)
            case false? where after.state == .paused: after = try after.goOn(prepared.get(), at: wanted.now)
            case false? where after.state == .ended: throw WantedError.ended
            default: break
            }
            after = try after.show(
                after.shown(since: before, isVisible: change.isVisible, sought), at: wanted.now)
            if after == before { return Wanted(before, at: wanted.now) }
            if after.query != before.query || after.state == .paused { try await wanted.dropWaiting(of: [id]) }
            // What did not fit any more would be no news if it fitted again.
            if after.query != before.query { try await wanted.forgetWhatWasThere(for: id) }
            let isAnew = !after.isSettled && (after.query != before.query || after.state != before.state)
            return try await wanted.answer(after, isAnew: isAnew, prepared)
        }
    }

    func renew(_ id: WantedID, _ request: RequestContext) async throws -> Wanted {
        let seen = try await own(id, request)
        let prepared = await prepared(seen?.query, for: seen?.person)
        return try await store.command(request) { wanted, person in
            let before = try await wanted.own(id, of: person)
            guard before.query == seen?.query else { throw WantedError.changedMeanwhile(before.version) }
            let after = try before.renew(
                prepared.get(), having: try await wanted.open(of: person), at: wanted.now, within: limits)
            wanted.settle(id, of: person)
            // No round may have ended it yet.
            if before.state == .ended { try await wanted.dropWaiting(of: [id]) }
            return try await wanted.answer(after, isAnew: before.state == .ended, prepared)
        }
    }

    func remove(_ id: WantedID, _ request: RequestContext) async throws {
        _ = try await store.command(request) { wanted, person in
            try await wanted.lockOwn(id, of: person)
            try await wanted.remove(id)
            wanted.settle(id, of: person)
            return Nothing()
        }
    }

    /// Nil for others, and where it is gone: what was done before by the same request is still answered.
    private func own(_ id: WantedID, _ request: RequestContext) async throws -> WantedSearch? {
        let person = try request.caller.requirePerson()
        guard let search = try await store.search(id), search.person == person else { return nil }
        return search
    }
}

extension WantedTransaction {
    /// Keeps what became of a search that is locked, and answers it.
    /// - Parameter isAnew: whether it begins now: what fits is there already.
    fileprivate func answer(
        _ search: WantedSearch, isAnew: Bool, _ prepared: Result<PreparedSearch, any Error>
    ) async throws -> Wanted {
        try await keep(search)
        if isAnew {
            try await begin(search, prepared.get())
        } else if search.isVisible {
            try await showWhatWasThere(for: search.id)
        }
        return Wanted(try await own(search.id, of: search.person), at: now)
    }

    /// What their inbox says of it is seen to.
    fileprivate func settle(_ id: WantedID, of person: PersonID) {
        transaction.publish(
            NoticeSettled([.wanted(id)], for: .people([person])), about: "wanted/\(id)", to: .nobody)
    }
}

// MARK: What is read

extension WantedUseCases {
    func wanted(_ id: WantedID, for caller: Caller) async throws -> Wanted {
        Wanted(try await own(id, for: caller), at: clock())
    }

    func all(_ query: WantedListQuery, for caller: Caller) async throws -> Page<Wanted> {
        let page = try WantedPage(query, for: caller)
        let found = FoundPage(try await listed(page.statement), of: page.limit)
        let now = clock()
        return Page(
            items: found.shown.compactMap(\.search).map { Wanted($0, at: now) }, next: found.last?.id.description)
    }

    /// As each of them is now. What its service does not answer for is gone; where the service itself does not answer, nothing is.
    func finds(_ query: WantedFindQuery, for caller: Caller) async throws -> Page<WantedFind> {
        let page = try FindPage(query)
        let search = try await own(query.id, for: caller)
        let found = FoundPage(try await store.database.read(page.statement).map(StoredFind.init), of: page.limit)
        if found.shown.isEmpty { return Page(items: []) }
        let asked = FoundQuery(for: search.person, found.shown.map(\.subject))
        let items = Dictionary(
            try await services.foundItems(asked).items.compactMap { item in item.subject.map { ($0, item) } }
        ) { one, _ in one }
        return Page(
            items: found.shown.map { WantedFind(at: $0.foundAt, items[$0.subject]) }, next: found.last?.cursor.text)
    }

    /// Those of one's own that have found something.
    func finders(_ asked: WantedFinders, for caller: Caller) async throws -> Page<Wanted> {
        let person = try caller.requirePerson()
        let now = clock()
        let found = try await listed(
            """
            SELECT \(WantedSearch.columns) FROM wanted
            WHERE person = \(person) AND EXISTS (
                SELECT FROM all_finds
                WHERE all_finds.wanted = wanted.id AND \(asked.subject.isHere("all_finds")) OFFSET 0)
            ORDER BY id DESC LIMIT \(unescaped: "\(PageSize.largest)")
            """)
        return Page(items: found.compactMap(\.search).map { Wanted($0, at: now) })
    }

    func listed(_ statement: SQLQuery) async throws -> [ListedSearch] {
        let logger = store.database.logger
        return try await store.database.read(statement).map { try ListedSearch($0, logger: logger) }
    }

    /// - Throws: `WantedError.notFound`.
    private func own(_ id: WantedID, for caller: Caller) async throws -> WantedSearch {
        let person = try caller.requirePerson()
        guard let search = try await store.search(id), search.person == person else { throw WantedError.notFound }
        return search
    }
}

extension ShelfItem {
    /// What it is named by.
    fileprivate var subject: Subject? {
        if let spot { return Subject(spot.id) }
        if let thing { return Subject(thing.id) }
        if let ride { return Subject(ride.id) }
        return deliverer.map { Subject($0.deliverer.id) }
    }
}
