import FoundationEssentials
import Messaging
import WireProtocol

/// What is asked of the services that have what is looked for, never while a row is locked. Each throws what the service refuses with;
/// `unavailable` where it does not answer in time.
struct SearchedServices: Sendable {
    /// Asked of who has what the query looks for.
    var read: @Sendable (WantedQuery) async throws -> ReadSearch
    var look: @Sendable (SearchLook) async throws -> SearchLookAnswer
    /// Asked of whose the subjects are, which are of one service: those that somebody can find now. Of several, some may be left out.
    var searchables: @Sendable ([Subject]) async throws -> [Searchable]
    var judge: @Sendable (SearchJudging) async throws -> SearchJudgement
    /// Asked of each whose some of the subjects are.
    var foundItems: @Sendable (FoundQuery) async throws -> FoundItems
}

extension SearchedServices {
    /// Asks over the bus.
    init(asking client: RequestClient) {
        self.init(
            read: { try await client.read($0) }, look: { try await client.look($0) },
            searchables: { try await client.searchables($0) }, judge: { try await client.judge($0) },
            foundItems: { try await client.foundItems($0) })
    }

    /// Nil where nobody can find it now.
    func searchable(_ subject: Subject) async throws -> Searchable? { try await searchables([subject]).first }
}

extension SearchedServices {
    /// The same, but what this service has itself is asked for in the process.
    func beside(_ own: DeliveryUseCases) -> SearchedServices {
        let others = self
        var services = self
        services.read = { query in
            try await query.service == .matching ? own.readSearch(query) : others.read(query)
        }
        services.look = { look in
            try await look.query.service == .matching ? own.look(look) : others.look(look)
        }
        services.searchables = { subjects in
            let isOwn = subjects.first?.isOfMatching ?? true
            return try await isOwn ? own.searchables(subjects) : others.searchables(subjects)
        }
        services.judge = { judging in
            try await judging.subject.isOfMatching ? own.judgeSearches(judging) : others.judge(judging)
        }
        services.foundItems = { query in
            let here = query.subjects.filter(\.isOfMatching)
            let there = query.subjects.filter { !$0.isOfMatching }
            var items = try await own.foundItems(FoundQuery(for: query.person, here)).items
            if !there.isEmpty { items += try await others.foundItems(FoundQuery(for: query.person, there)).items }
            return FoundItems(items: items)
        }
        return services
    }
}

extension Subject {
    fileprivate var isOfMatching: Bool { kind.service == .matching }
}

extension RequestClient {
    private static let patience: TimeInterval = 2

    fileprivate func read(_ query: WantedQuery) async throws -> ReadSearch {
        try await call(query.searched().readSearch, Nothing(), query, deadline: Date() + Self.patience)
    }

    fileprivate func look(_ look: SearchLook) async throws -> SearchLookAnswer {
        try await call(look.query.searched().look, Nothing(), look, deadline: Date() + Self.patience)
    }

    fileprivate func searchables(_ subjects: [Subject]) async throws -> [Searchable] {
        guard let service = subjects.first?.kind.service else { return [] }
        let query = SearchablesQuery(of: subjects)
        return try await call(service.methods.searchables, Nothing(), query, deadline: Date() + Self.patience).items
    }

    fileprivate func judge(_ judging: SearchJudging) async throws -> SearchJudgement {
        try await call(
            judging.subject.kind.service.methods.judgeSearches, Nothing(), judging, deadline: Date() + Self.patience)
    }

    fileprivate func foundItems(_ query: FoundQuery) async throws -> FoundItems {
        let asked = Dictionary(grouping: query.subjects, by: \.kind.service)
        return try await withThrowingTaskGroup(of: FoundItems.self) { group in
            for (service, subjects) in asked {
                group.addTask { try await self.foundItems(FoundQuery(for: query.person, subjects), of: service) }
            }
            var items: [ShelfItem] = []
            for try await found in group { items += found.items }
            return FoundItems(items: items)
        }
    }

    private func foundItems(_ query: FoundQuery, of service: PeerRole) async throws -> FoundItems {
        try await call(service.methods.foundItems, Nothing(), query, deadline: Date() + Self.patience)
    }
}

extension WantedQuery {
    /// The methods of who reads it and judges by it.
    /// - Throws: `WantedError.invalid` where it does not have exactly one form.
    fileprivate func searched() throws -> CommonMethods {
        guard let service else { throw WantedError.notOneForm(forms.count) }
        return service.methods
    }
}
