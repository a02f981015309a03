import WireProtocol

/// How what somebody types becomes places: the readings of it one after the other, from what it says to what may have been meant.
struct PlaceFinding: Sendable {
    let store: PlaceStore
    /// Where so many begin as was typed, it was typed as it was meant; of more letters, where any does: another name seldom is one letter away.
    private static func enough(of letters: Int) -> Int { letters < 6 ? 3 : 1 }
    /// What is typed letter by letter is not looked for in every way that a text may be read.
    private static let mostReadings = 10
    private static let mostStreets = 4

    /// What may not be a part of the name, the longest names first.
    var cuts: [Cut] = []

    /// A name and what stands beside it, as keys; and that as it was written.
    struct Cut: Sendable {
        var name: String
        var rest: String
        var written: String
    }

    struct Answer: Sendable {
        var found: [FoundPlace] = []
        /// What of the question is known nowhere.
        var leftOut: [String] = []
    }

    /// The best that are in all that stands behind the commas. What is known nowhere is left out of the question, and said.
    func answer(_ search: PlaceSearch) async throws -> Answer {
        let answer = try await withoutUnknown(search, find)
        if !answer.found.isEmpty { return answer }
        // A postcode that nobody knows is left out, and said, before it counts as a slip.
        let shorter = try await cut(search)
        if shorter.found.contains(where: { $0.place.match == .name }) { return shorter }
        let others = try await withoutUnknown(search, alike)
        return others.found.isEmpty ? shorter : others
    }

    private func withoutUnknown(
        _ search: PlaceSearch, _ find: (PlaceSearch) async throws -> Answer
    ) async throws -> Answer {
        var (search, leftOut) = (search, [String]())
        while true {
            var answer = try await find(search)
            answer.leftOut += leftOut
            if !answer.found.isEmpty { return answer }
            guard let index = PlaceContext.leastKnown(of: search.contexts) else { return Answer() }
            leftOut.insert(search.contexts.remove(at: index).text, at: 0)
        }
    }

    private func find(_ search: PlaceSearch) async throws -> Answer {
        var found = try await beginning(search)
        // They are what was meant; what is alike elsewhere is not.
        if !found.contains(where: \.isMeant) {
            let others = try await readOtherwise(search)
            if others.contains(where: \.isMeant) { return Answer(found: inOrder(others + found, search)) }
            // A house that is there goes before what is like all of it.
            let shorter = try await cut(search, toHouses: true)
            if shorter.found.contains(where: { $0.place.match == .name }) { return shorter }
        }
        if search.canSlip, found.count < Self.enough(of: search.key.unicodeScalars.count) {
            found = (found + alike(try await store.slipped(search), search)).best(search.limit)
        }
        if !found.contains(where: \.isMeant) {
            let others = try await besides(search)
            // Those beside it are nearer than those that are only spelt like it.
            let readings = search.readings
            let begun = found.filter { one in readings.contains { one.key.hasPrefix($0) } }
            found = others.isEmpty ? found : others + begun
        }
        return Answer(found: inOrder(found, search))
    }

    /// Those with a name that has much in common with what was typed.
    private func alike(_ search: PlaceSearch) async throws -> Answer {
        guard search.canSlip else { return Answer() }
        return Answer(found: inOrder(alike(try await store.alike(search), search), search))
    }

    /// A street without the number that was asked for is no more than its street.
    private func alike(_ found: [FoundPlace], _ search: PlaceSearch) -> [FoundPlace] {
        let asksForHouse = !HouseQuestion.all(in: search.key).isEmpty
        return judged(found, search).map { one in
            var one = one
            if asksForHouse, one.place.kind == .street { one.place.match = .street }
            return one
        }
    }

    /// With what may not be a part of the name: taken for where it is, else left out.
    /// - Parameter toHouses: only as far as there is a house left.
    private func cut(_ search: PlaceSearch, toHouses: Bool = false) async throws -> Answer {
        for cut in cuts where cut.name.unicodeScalars.count >= 2 {
            guard !toHouses || !HouseQuestion.all(in: cut.name).isEmpty else { continue }
            var other = search.with(cut.name)
            // A number alone is the code of many a state.
            let isWord = cut.rest.unicodeScalars.contains { $0.properties.isAlphabetic }
            if isWord, let key = PlaceContext.key(cut.rest) {
                other.contexts.append(try await store.understood(key, written: cut.written))
            }
            var answer = try await withoutUnknown(other) { Answer(found: try await beginning($0)) }
            if !isWord { answer.leftOut.append(cut.written) }
            if answer.found.contains(where: \.isMeant) || !toHouses && !answer.found.isEmpty { return answer }
        }
        return Answer()
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
        if let pattern = search.pattern {
            let found = try await store.matching(pattern, search).map { $0.judged([], besides: search.readings) }
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

    /// For a house that is not found so: where only the beginning of its street was typed, the house itself; else those beside it. And its street.
    private func besides(_ search: PlaceSearch) async throws -> [FoundPlace] {
        let questions = HouseQuestion.all(in: search.key)
        guard let asked = questions.first else { return [] }
        var (streets, question): ([FoundPlace], HouseQuestion) = ([], asked)
        for each in questions where streets.isEmpty && each.street.unicodeScalars.count >= 2 {
            var street = search.with(each.street)
            street.kind = .street
            (streets, question) = (try await beginning(street), each)
        }
        if streets.isEmpty {
            question = asked
            var street = search.with(asked.street)
            street.kind = .street
            streets = try await store.slipped(street)
        }
        var keys = Abbreviation.readings(of: question.street, most: Self.mostStreets)
        for street in streets.prefix(Self.mostStreets) where !keys.contains(street.key) { keys.append(street.key) }
        let houses = keys.map { HouseQuestion(street: $0, house: question.house) }
        let exact = houses.flatMap { $0.keys(of: question.house) }
        var found = judged(try await store.called(exact, search), search)
        if found.isEmpty {
            let others = question.house.neighbours.flatMap { other in houses.flatMap { $0.keys(of: other) } }
            found = try await store.called(others, search).map { one in
                var one = one
                one.place.match = .otherNumber
                // As they were asked for: the nearest number first.
                one.score -= Double(others.firstIndex(of: one.key) ?? others.count) / Double(others.count)
                return one
            }
        }
        guard search.kind == nil || search.kind == .street else { return found }
        return found
            + streets.map { street in
                var street = street
                street.place.match = .street
                return street
            }
    }
}

extension PlaceSearch {
    /// Of fewer letters, everything is much like something.
    var canSlip: Bool { key.unicodeScalars.count >= 4 }

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
        let cuts = keys.dropFirst(1 + text.contexts.count)
        let finding = PlaceFinding(
            store: store,
            cuts: text.cuts.enumerated().map { number, cut in
                let first = cuts.startIndex + 2 * number
                return PlaceFinding.Cut(name: cuts[first], rest: cuts[first + 1], written: cut.rest)
            })
        var search = PlaceSearch(
            key: keys[0], near: query.near, kind: query.kind, limit: query.limit ?? PlaceSearch.usual,
            language: query.language,
            pattern: PlaceSearch.Pattern(keys.suffix(text.pieces.count).filter { !$0.isEmpty }))
        for (written, key) in zip(text.contexts, keys.dropFirst()) {
            guard let key = PlaceContext.key(key) else { continue }
            search.contexts.append(try await store.understood(key, written: written.oneLine))
        }
        let answer = try await finding.answer(search)
        return PlaceSuggestions(
            items: answer.found.map(\.place), leftOut: answer.leftOut.isEmpty ? nil : answer.leftOut)
    }
}
