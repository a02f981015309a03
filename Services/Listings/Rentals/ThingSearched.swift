import DurableMessaging
import FoundationEssentials
import People
import PlainText
import Postgres
import WireProtocol

// What standing searches ask of things: the search of things answers them, of one thing or of the newest.

/// A standing search for things of one kind.
struct ThingSearch: Hashable, Sendable {
    let kind: ThingKind
    /// As the search itself reads it. Which moments its days are is asked each time.
    var page: ThingPage
    /// What is kept of it.
    let query: ThingQuery

    /// - Throws: `invalid`, with all that is wrong.
    init(_ query: ThingQuery) throws {
        var errors = FieldError.notSearched([
            ("sort", query.sort != nil), ("near", query.near != nil), ("by", query.by != nil),
            ("mine", query.mine != nil), ("state", query.state != nil), ("limit", query.limit != nil),
            ("cursor", query.cursor != nil),
        ])
        var asked = ThingQuery(
            kind: query.kind, q: query.q, region: query.region, brand: query.brand, model: query.model,
            highestPrice: query.highestPrice, from: query.from, until: query.until)
        var read: ThingPage?
        do { read = try ThingPage(asked, for: .anonymous) } catch RentalError.invalid(let wrong) { errors += wrong }
        errors += Self.errors(in: asked, read)
        guard errors.isEmpty, let page = read, let kind = page.kind else { throw RentalError.invalid(errors) }
        asked.q = page.words.isEmpty ? nil : page.words
        (asked.region, asked.brand, asked.model) = (page.region, page.brand, page.model)
        (self.kind, self.page, self.query) = (kind, page, asked)
    }

    /// What is wrong with it besides what the search itself refuses.
    private static func errors(in query: ThingQuery, _ page: ThingPage?) -> [FieldError] {
        var errors: [FieldError] = []
        if query.kind == nil { errors.append(FieldError("kind", "required", "A car, a space or a place to park?")) }
        if let kind = query.kind, kind != .car, query.brand != nil {
            errors.append(FieldError("brand", "not_allowed", "Only cars have a brand."))
        }
        guard let page else { return errors }
        if page.model != nil, page.brand == nil {
            errors.append(FieldError("model", "not_allowed", "A model needs its brand."))
        }
        // They are kept, and shown again.
        _ = TextRule.line(ThingPage.longestWords).read(page.words, at: "q", &errors)
        return errors
    }

    // MARK: SQL

    /// A row where it finds this thing for somebody, by the thing's own key.
    func finding(_ id: ThingID, for person: PersonID, _ campuses: CampusSeparation) -> SQLQuery {
        "SELECT FROM (SELECT * FROM things WHERE id = \(id) OFFSET 0) AS things WHERE \(condition(for: person, campuses))"
    }

    /// The newest that it finds for somebody.
    func newest(for person: PersonID, _ campuses: CampusSeparation) -> SQLQuery {
        var things: SQLQuery = "things WHERE \(condition(for: person, campuses))"
        if let isFree = page.isFree {
            // Whether one is free is asked when its turn comes: of some ten thousand it would take longer than all else.
            things = """
                (
                    SELECT id, newness, kind, zone, longest, available_from, available_until FROM things
                    WHERE owner <> \(person) AND \(page.conditionAtAnyTime(for: person, campuses))
                    ORDER BY newness DESC, id DESC OFFSET 0
                ) AS things
                WHERE \(isFree)
                """
        }
        let newest: SQLQuery = """
            SELECT id FROM \(things) ORDER BY newness DESC, id DESC LIMIT \(unescaped: "\(SearchLook.most)")
            """
        return newest.plannedAnew
    }

    /// That of the search itself. Nobody looks for their own.
    private func condition(for person: PersonID, _ campuses: CampusSeparation) -> SQLQuery {
        "owner <> \(person) AND \(page.condition(for: person, campuses))"
    }
}

extension RentalUseCases {
    /// - Throws: `invalid`, with all that is wrong.
    func readSearch(_ query: ThingQuery) async throws -> ReadSearch {
        let (wanted, wrong) = try await self.wanted(query, at: clock())
        let search: ThingSearch
        do {
            search = try ThingSearch(query)
        } catch RentalError.invalid(let errors) {
            throw RentalError.invalid(errors + wrong)
        }
        guard wrong.isEmpty else { throw RentalError.invalid(wrong) }
        let words = try await store.words(in: search.page.words)
        guard search.page.words.isEmpty || !words.isEmpty else {
            throw RentalError.invalid([FieldError("q", "not_allowed", "Words: letters and digits.")])
        }
        // By the clock by which it is longest not over.
        let until = wanted.compactMap { one in
            Zone.named(one.clock.zone).map { one.period.firstEnds(by: one.clock.kind.unit, in: $0) }
        }.max()
        return ReadSearch(
            query: WantedQuery(things: search.query), anchors: search.anchors(words).map { [$0] }, until: until)
    }

    /// Those of some things that somebody can find now.
    func searchables(_ ids: [ThingID]) async throws -> [Searchable] {
        try await store.listed(ids).map { thing, words in
            Searchable(
                Subject(thing.id), of: thing.owner, title: thing.details.title, keys: thing.keys(words),
                at: thing.details.position?.onGrid, isForOne: false, thing: thing.kind)
        }
    }

    /// Those of the searches that find it now. One that can't be read finds nothing.
    func judge(_ id: ThingID, by searches: [SearchJudging.Search]) async throws -> [WantedID] {
        let read = searches.compactMap { search in
            (try? search.query.read().things).flatMap { try? ThingSearch($0) }.map { (search, $0) }
        }
        let timed = try await self.timed(read.map { $0.1 }, at: clock())
        let asked = zip(read, timed).map { read, search in
            (read.0.id, search.finding(id, for: read.0.person, people.campuses))
        }
        let areFound = try await store.database.areFound(by: asked.map { $0.1 })
        return zip(asked, areFound).filter { $0.1 }.map { $0.0.0 }
    }

    /// The newest that it finds; none where it looks for something else, or can't be read.
    func look(_ look: SearchLook) async throws -> [Subject] {
        guard let read = look.query.things.flatMap({ try? ThingSearch($0) }),
            let search = try await timed([read], at: clock()).first
        else { return [] }
        let statement = search.newest(for: look.person, people.campuses)
        let rows =
            try await search.page.words.isEmpty ? store.database.read(statement) : store.withBitmaps(statement)
        return try rows.map { Subject(try $0.get("id", as: ThingID.self)) }
    }

    /// Those of some things that somebody can find now, or rents.
    func found(_ ids: [ThingID], for person: PersonID) async throws -> [Thing] {
        if ids.isEmpty { return [] }
        let now = clock()
        let seen = try await store.things(ids, for: person, at: now)
        // Of those that one rents, the owner may be apart from oneself.
        let names = try await people.summaries(of: Set(seen.map(\.thing.owner)), for: person)
        return seen.map { Thing($0, for: person, among: names) }
    }

    /// With the moments of the days that they look for. Where nobody could ask for them any more, there are none, and nothing is found.
    func timed(_ searches: [ThingSearch], at now: Date) async throws -> [ThingSearch] {
        let kinds = Set(searches.filter { $0.page.free != nil }.map(\.kind))
        if kinds.isEmpty { return searches }
        let clocks = try await self.clocks(of: Array(kinds))
        return try searches.map { search in
            var search = search
            if let free = search.page.free {
                search.page.wanted = try wanted(free, on: clocks.filter { $0.kind == search.kind }, at: now).periods
            }
            return search
        }
    }
}

extension RentalStore {
    /// The words of what was typed, as the search cuts it.
    fileprivate func words(in typed: String) async throws -> [TypedWord] {
        if typed.isEmpty { return [] }
        return try await database.read(
            "SELECT term, place = max(place) OVER () AS is_last FROM thing_terms(\(typed)) ORDER BY place"
        ).map { TypedWord(text: try $0.get("term"), isLast: try $0.get("is_last")) }
    }

    /// A thing that others find, and its words; nil where they don't.
    fileprivate func listed(_ ids: [ThingID]) async throws -> [(thing: RentableThing, words: [String])] {
        if ids.isEmpty { return [] }
        let rows = try await database.read(
            """
            SELECT \(RentableThing.columns),
                ARRAY(SELECT split_part(lexeme, ':', 2) FROM unnest(tsvector_to_array(words)) AS lexeme) AS terms
            FROM things WHERE id = ANY(\(ids)) AND listed
            """)
        return try rows.map { (try RentableThing($0, seal), try $0.get("terms")) }
    }

    /// Those of some things of others that somebody finds, or rents.
    fileprivate func things(_ ids: [ThingID], for person: PersonID, at now: Date) async throws -> [SeenThing] {
        let which: SQLQuery = "page.id = ANY(\(ids)) AND page.owner <> \(person)"
        return try await database.read(ThingViewer(person: person).things(which, at: now, people.campuses)).map {
            try SeenThing($0, seal, at: now)
        }
    }
}

extension RentalTransaction {
    /// Tells those who keep standing searches that a thing can be found, says something else, or can be found no more.
    /// - Parameter before: as it was; nil where it is new.
    func tellSearches(of thing: RentableThing, after before: RentableThing?) {
        guard thing.isLet || before?.isLet == true, thing != before else { return }
        tellSearches(of: thing.id)
    }

    /// The same of all that somebody lets who belongs to another campus by what this transaction has written: a trigger has moved their things.
    func tellSearchesOfMoved(_ owner: PersonID) async throws {
        let moved = try await transaction.query(
            "SELECT id FROM things WHERE owner = \(owner) AND listed AND xmin = pg_current_xact_id()::xid ORDER BY id")
        for row in moved { tellSearches(of: try row.get("id", as: ThingID.self)) }
    }

    /// The same, where some of its days become somebody's, or free.
    func tellSearches(of thing: ThingID) {
        transaction.publish(SearchableChanged(subject: Subject(thing)), about: "thing/\(thing)", to: .nobody)
    }
}
