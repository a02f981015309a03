import WireProtocol

/// How what somebody types becomes places: the readings of it one after the other, from what it says to what may have been meant.
struct PlaceFinding<Store: PlaceStore>: Sendable {
    let store: Store
    /// Where so many begin as was typed, it was typed as it was meant; of more letters, where any does: another name seldom is one letter away.
    private static func enough(of letters: Int) -> Int { letters < 6 ? 3 : 1 }
    /// What is typed letter by letter is not looked for in every way that a text may be read.
    private static var mostReadings: Int { 10 }
    private static var neighbourStep: Double { 0.01 }

    /// The best that are in all that stands behind the commas. What is known nowhere is left out of the question, and said.
    /// - Parameter atOnce: without what may have been meant: for one of many questions.
    func answer(
        _ search: PlaceSearch, atOnce: Bool = false
    ) async throws -> (found: [FoundPlace], leftOut: [String]) {
        var (search, leftOut) = (search, [String]())
        while true {
            let found = atOnce ? try await beginning(search) : try await find(search)
            if !found.isEmpty { return (found, leftOut) }
            guard let index = PlaceContext.leastKnown(of: search.contexts) else { return ([], leftOut) }
            leftOut.insert(search.contexts.remove(at: index).text, at: 0)
        }
    }

    private func find(_ search: PlaceSearch) async throws -> [FoundPlace] {
        var found = try await beginning(search)
        // They are what was meant; what is alike elsewhere is not.
        if !found.contains(where: \.isMeant) {
            let others = try await readOtherwise(search)
            if others.contains(where: \.isMeant) { return inOrder(others + found, search) }
        }
        let letters = search.key.unicodeScalars.count
        if letters >= 4, found.count < Self.enough(of: letters) {
            var others = try await store.slipped(search)
            if found.isEmpty, others.isEmpty { others = try await store.alike(search) }
            found = (found + judged(others, search)).best(search.limit)
        }
        if !found.contains(where: \.isMeant) { found += try await besides(search) }
        return inOrder(found, search)
    }

    private func inOrder(_ found: [FoundPlace], _ search: PlaceSearch) -> [FoundPlace] {
        let best = found.best(search.limit)
        return search.near == nil ? best.fromTheMiddle : best
    }

    /// Those that begin as it may be read.
    private func beginning(_ search: PlaceSearch) async throws -> [FoundPlace] {
        var found: [FoundPlace] = []
        for reading in search.readings.prefix(Self.mostReadings) {
            found += judged(try await store.beginning(search.with(reading)), search)
        }
        return found.best(search.limit)
    }

    private func judged(_ found: [FoundPlace], _ search: PlaceSearch) -> [FoundPlace] {
        let readings = search.readings
        return found.map { $0.judged(readings) }
    }

    /// Its words in another order, or for something else than a name.
    private func readOtherwise(_ search: PlaceSearch) async throws -> [FoundPlace] {
        for other in [search.withoutJoiner, search.withFirstWordLast].compactMap(\.self) {
            let found = judged(try await store.beginning(other), other)
            if found.contains(where: \.isMeant) { return found }
        }
        for (other, context) in search.postcodes {
            guard !(try await store.beginning(other)).isEmpty else { continue }
            let found = try await beginning(other.within([try await store.understood(context, written: context)]))
            if !found.isEmpty { return found }
        }
        for count in 1...2 {
            guard let (other, context) = search.withLastWordsAsContext(count) else { continue }
            let found = try await beginning(other.within([try await store.understood(context, written: context)]))
            // The last words may be what says that it is another house.
            if !found.isEmpty { return found.map { $0.judged(other.readings, besides: search.readings) } }
        }
        return []
    }

    /// For a house that is not known: those beside it, and its street.
    private func besides(_ search: PlaceSearch) async throws -> [FoundPlace] {
        guard let asked = HouseQuestion.all(in: search.key).first else { return [] }
        let neighbours = asked.house.neighbours
        var found: [FoundPlace] = []
        for reading in Abbreviation.readings(of: asked.street, most: 4) {
            let keys = neighbours.flatMap { HouseQuestion(street: reading, house: asked.house).keys(of: $0) }
            for var one in judged(try await store.called(keys, search), search) {
                one.place.match = .otherNumber
                let steps = keys.firstIndex(of: one.key) ?? keys.count
                one.score -= Double(steps) * Self.neighbourStep
                found.append(one)
            }
        }
        guard search.kind == nil || search.kind == .street else { return found }
        for question in HouseQuestion.all(in: search.key) {
            var street = search.with(question.street)
            street.kind = .street
            guard street.key.unicodeScalars.count >= 2 else { continue }
            let streets = try await beginning(street)
            found += streets.map { street in
                var street = street
                street.place.match = .street
                return street
            }
            if !streets.isEmpty { break }
        }
        return found
    }
}

extension PlaceSearch {
    /// In these places too.
    func within(_ more: [PlaceContext]) -> PlaceSearch {
        var other = self
        other.contexts += more
        return other
    }
}

extension PlaceUseCases {
    /// The best that begin as is typed; where these are few, those that are much alike. What of it is not known is left out, and said.
    func search(_ query: PlaceQuery) async throws -> PlaceSuggestions {
        try PlaceSearch.check(query)
        let text = PlaceText(query.q.oneLine)
        let keys = try await store.keys(of: text.all)
        // Before the comma there may be less than there is in all.
        guard keys[0].unicodeScalars.count >= 2 else {
            throw PlaceError.invalid([FieldError("q", "too_short", "At least two letters or digits.")])
        }
        let finding = PlaceFinding(store: store)
        var search = PlaceSearch(
            key: keys[0], near: query.near, kind: query.kind, limit: query.limit ?? PlaceSearch.usual,
            language: query.language)
        for (written, key) in zip(text.contexts, keys.dropFirst()) {
            guard let key = PlaceContext.key(key) else { continue }
            search.contexts.append(try await store.understood(key, written: written.oneLine))
        }
        var (found, leftOut) = try await finding.answer(search)
        if found.isEmpty { (found, leftOut) = try await cut(search, text, keys) }
        return PlaceSuggestions(items: found.map(\.place), leftOut: leftOut.isEmpty ? nil : leftOut)
    }

    /// With what may not be a part of the name: taken for where it is, else left out.
    private func cut(_ search: PlaceSearch, _ text: PlaceText, _ keys: [String]) async throws -> (
        [FoundPlace], [String]
    ) {
        let finding = PlaceFinding(store: store)
        if let found = try await abbreviated(search, text, keys) { return (found, []) }
        let cuts = keys.dropFirst(1 + text.contexts.count)
        for (number, cut) in text.cuts.enumerated() {
            let (name, rest) = (cuts[cuts.startIndex + 2 * number], cuts[cuts.startIndex + 2 * number + 1])
            guard name.unicodeScalars.count >= 2 else { continue }
            var other = search.with(name)
            if let key = PlaceContext.key(rest) {
                other.contexts.append(try await store.understood(key, written: cut.rest))
            }
            let (found, leftOut) = try await finding.answer(other, atOnce: true)
            if !found.isEmpty { return (found, leftOut) }
        }
        return ([], [])
    }

    /// Where a full stop stands for the rest of a word: `Fabianink. 33`.
    private func abbreviated(_ search: PlaceSearch, _ text: PlaceText, _ keys: [String]) async throws -> [FoundPlace]? {
        let pieces = keys.suffix(text.pieces.count).filter { !$0.isEmpty }
        // With fewer letters half a country's names are looked at.
        guard pieces.count > 1, let first = pieces.first, first.unicodeScalars.count >= 4 else { return nil }
        let pattern = "^" + pieces.joined(separator: "[^ ]* ")
        let found = try await store.matching(first, pattern, search).map { $0.judged([], besides: search.readings) }
        return found.isEmpty ? nil : found.best(search.limit)
    }
}
