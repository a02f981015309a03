import DurableMessaging
import Messaging
import WireProtocol

/// What standing searches ask: of one vertical, by what is looked for.
struct SearchedEndpoint: Sendable {
    let spots: SpotUseCases
    let rentals: RentalUseCases

    func answer(on router: inout RequestRouter) {
        let methods = ListingsEvents.stream.methods
        router.on(methods.readSearch) { _, query, _ in try await read(query) }
        router.on(methods.searchables) { _, query, _ in try await searchables(query) }
        router.on(methods.judgeSearches) { _, judging, _ in try await judge(judging) }
        router.on(methods.look) { _, look, _ in try await self.look(look) }
        router.on(methods.foundItems) { _, query, _ in try await found(query) }
    }

    /// - Throws: `invalid`, whose fields are those of the query as a whole (`spots.near`).
    func read(_ query: WantedQuery) async throws -> ReadSearch {
        let isOthers = query.rides != nil || query.deliverers != nil
        do {
            switch (query.spots, query.things) {
            case (let asked?, nil) where !isOthers: return try SpotSearch(asked).read
            case (nil, let asked?) where !isOthers: return try await rentals.readSearch(asked)
            case (nil, nil):
                throw ServiceError.invalid([FieldError("query", "required", "Say what you look for.")])
            default:
                throw ServiceError.invalid([FieldError("query", "not_allowed", "One kind of thing at a time.")])
            }
        } catch let refusal as SpotError {
            throw refusal.serviceError.within("spots")
        } catch let refusal as RentalError {
            throw refusal.serviceError.within("things")
        }
    }

    func searchables(_ query: SearchablesQuery) async throws -> Searchables {
        guard query.subjects.count <= SearchablesQuery.largest else {
            throw ServiceError.tooMany("subjects", atMost: SearchablesQuery.largest)
        }
        let spots = try await self.spots.searchables(query.subjects.compactMap { $0.id(of: Spot.self) })
        let things = try await rentals.searchables(query.subjects.compactMap { $0.id(of: Thing.self) })
        return Searchables(spots + things)
    }

    func judge(_ judging: SearchJudging) async throws -> SearchJudgement {
        guard judging.searches.count <= SearchJudging.largest else {
            throw ServiceError.tooMany("searches", atMost: SearchJudging.largest)
        }
        if let id = judging.subject.id(of: Spot.self) {
            return SearchJudgement(found: try await spots.judge(id, by: judging.searches))
        }
        if let id = judging.subject.id(of: Thing.self) {
            return SearchJudgement(found: try await rentals.judge(id, by: judging.searches))
        }
        return SearchJudgement(found: [])
    }

    func look(_ look: SearchLook) async throws -> SearchLookAnswer {
        let spots = try await self.spots.look(look)
        let things = try await rentals.look(look)
        return SearchLookAnswer(subjects: Array((spots + things).prefix(SearchLook.most)))
    }

    func found(_ query: FoundQuery) async throws -> FoundItems {
        guard query.subjects.count <= FoundQuery.largest else {
            throw ServiceError.tooMany("subjects", atMost: FoundQuery.largest)
        }
        let spots = try await self.spots.found(query.subjects.compactMap { $0.id(of: Spot.self) }, for: query.person)
        let things = try await rentals.found(query.subjects.compactMap { $0.id(of: Thing.self) }, for: query.person)
        return FoundItems(items: spots.map { ShelfItem($0) } + things.map { ShelfItem($0) })
    }
}

extension ServiceError {
    /// The same, of fields that are a part of something.
    fileprivate func within(_ whole: String) -> ServiceError {
        var error = self
        error.errors = errors.map { FieldError("\(whole).\($0.field)", $0.code, $0.message) }
        return error
    }

    fileprivate static func tooMany(_ field: String, atMost limit: Int) -> ServiceError {
        .invalid([FieldError(field, "too_many", "At most \(limit) at a time.")])
    }
}

extension FieldError {
    /// What pages of a list are asked for by, and a standing search is not.
    static func notSearched(_ fields: [(name: String, isGiven: Bool)]) -> [FieldError] {
        fields.filter { $0.isGiven }.map { FieldError($0.name, "not_allowed", "A standing search does not say this.") }
    }
}
