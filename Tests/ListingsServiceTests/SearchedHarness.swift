import TestKit
import WireProtocol

@testable import ListingsService

// What the tests of standing searches do again and again, in place of the service that keeps them.

extension SearchedEndpoint {
    /// Nil where nobody can find it now.
    func searchable(_ subject: Subject) async throws -> Searchable? {
        try await searchables(SearchablesQuery(of: [subject])).items.first
    }
}

extension Listings {
    var searched: SearchedEndpoint { SearchedEndpoint(spots: spots, rentals: rentals) }

    /// What is wrong with a search, and where.
    func wrong(in query: WantedQuery) async throws -> [String] {
        do { _ = try await searched.read(query) } catch let error as ServiceError where error.code == .invalid {
            return error.errors.map { "\($0.field): \($0.code)" }
        }
        return []
    }

    /// Which of these searches find it.
    func judged(_ subject: Subject, _ searches: [SearchJudging.Search]) async throws -> Set<WantedID> {
        Set(try await searched.judge(SearchJudging(of: subject, by: searches)).found)
    }

    func looked(_ query: WantedQuery, by person: PersonID) async throws -> [Subject] {
        try await searched.look(SearchLook(for: person, query)).subjects
    }

    /// What standing searches are told to look at while this is done, in order.
    func looks(during body: () async throws -> some Any) async throws -> [Subject] {
        let before = try await told(SearchableChanged.self).count
        _ = try await body()
        return try await told(SearchableChanged.self).dropFirst(before).map(\.subject)
    }

    /// Whether a search that finds something is found by it: by each anchor alone.
    func share(_ searchable: Searchable, _ read: ReadSearch) -> Bool {
        !read.anchors.isEmpty && read.anchors.allSatisfy { !Set($0).isDisjoint(with: searchable.keys) }
    }
}

extension SearchJudging.Search {
    init(_ query: WantedQuery, by person: PersonID = tom) { self.init(id: .new(), person: person, query: query) }
}
