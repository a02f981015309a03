import FoundationEssentials
import WireProtocol

// What is asked before a search is kept, while nothing is locked: what it means, how much it would find, and what is there.

extension WantedUseCases {
    /// How much a search would find, for whoever makes it.
    func estimate(_ draft: WantedDraft, for caller: Caller) async throws -> WantedEstimate {
        try await prepare(draft.query, for: try caller.requirePerson()).estimate
    }

    /// What is wrong with it is thrown where it is used: whoever asks for the same again gets the answer that there was, whatever it would find by now.
    func prepared(_ query: WantedQuery?, for person: PersonID?) async -> Result<PreparedSearch, any Error> {
        guard let query, let person else { return .failure(WantedError.notFound) }
        do { return .success(try await prepare(query, for: person)) } catch { return .failure(error) }
    }

    private func prepare(_ query: WantedQuery, for person: PersonID) async throws -> PreparedSearch {
        guard let service = query.service else { throw WantedError.notOneForm(query.forms.count) }
        try limit(query)
        async let heardOf = store.heard(of: service)
        let read = try await services.read(query)
        try limit(read.query)
        // Before it is asked what fits.
        let heard = try await heardOf
        async let looked = services.look(SearchLook(for: person, read.query)).subjects
        let anchor = try await rarest(of: read, for: person)
        let fitting = try await looked
        let estimate = WantedEstimate(
            perMonth: anchor.count, isTooWide: anchor.count > limits.widest,
            fitting: min(fitting.count, WantedEstimate.mostFitting))
        let others = read.anchors.filter { $0.count == 1 && $0 != anchor.keys }
        return PreparedSearch(
            service: service, query: read.query, keys: anchor.keys, required: Set(others.joined()).sorted(),
            around: read.around, until: read.until, estimate: estimate, fitting: fitting, heard: heard)
    }

    private func limit(_ query: WantedQuery) throws {
        guard try WireJSON.encode(query).count <= WantedLimits.longestQuery else { throw WantedError.tooLong }
    }

    /// The anchor whose keys the fewest had that appeared lately, and how many these are. More than are allowed are not counted.
    private func rarest(of read: ReadSearch, for person: PersonID) async throws -> (keys: [SearchKey], count: Int) {
        var rarest: (keys: [SearchKey], count: Int) = ([], limits.widest + 1)
        let now = clock()
        for keys in read.anchors where !keys.isEmpty {
            // Of one that is no rarer it is enough to know that.
            let count = try await store.appeared(
                with: keys, around: read.around, besidesOf: person, upTo: max(1, rarest.count), at: now)
            if rarest.keys.isEmpty || count < rarest.count { rarest = (keys, count) }
        }
        return rarest
    }
}
