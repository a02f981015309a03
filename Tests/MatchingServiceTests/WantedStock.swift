import FoundationEssentials
import Synchronization
import WireProtocol

@testable import MatchingService

/// The services that have what is looked for, as standing searches ask them: a table of things, and of queries those of a kind, some words, a circle, or a way.
final class Stock: Sendable {
    struct Item: Hashable, Sendable {
        var subject: Subject
        var owner: PersonID
        var title: String
        /// Of a spot; of a ride, where it begins.
        var position: Position?
        /// Of something to rent.
        var thing: ThingKind?

        var keys: [SearchKey] {
            guard let thing else { return [SearchKey(rawValue: subject.kind.rawValue)] }
            return [SearchKey(rawValue: "kind/\(thing.rawValue)")]
                + Stock.words(of: title).map { SearchKey(rawValue: "word/\($0)") }
        }

        var searchable: Searchable {
            Searchable(
                subject, of: owner, title: title, keys: keys, at: position, isForOne: subject.kind == .spot,
                thing: thing)
        }
    }

    enum Question: Hashable, Sendable { case read, look, searchables, judge, foundItems, seeking, fits }

    struct State: Sendable {
        var items: [Item] = []
        var apart: Set<Set<PersonID>> = []
        /// In which regions ways begin and end, as Places knows it.
        var regions: (from: String?, to: String?) = ("Uusimaa", "Kainuu")
        var isAway = false
        var asked: [Question: Int] = [:]
        var largest = 0
    }

    private let state = Mutex(State())

    // MARK: What is there

    /// The newest last; what was there under the same id is replaced.
    func put(_ item: Item) {
        state.withLock {
            $0.items.removeAll { $0.subject == item.subject }
            $0.items.append(item)
        }
    }

    func take(_ subject: Subject) { state.withLock { $0.items.removeAll { $0.subject == subject } } }

    func item(_ subject: Subject) -> Item? { state.withLock { $0.items.first { $0.subject == subject } } }

    /// The one does not find what is of the other.
    func part(_ one: PersonID, _ other: PersonID) { state.withLock { _ = $0.apart.insert([one, other]) } }

    /// They find again what is of the other.
    func join(_ one: PersonID, _ other: PersonID) { state.withLock { _ = $0.apart.remove([one, other]) } }

    /// Whether the services do not answer.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    func setRegions(_ from: String?, _ to: String?) { state.withLock { $0.regions = (from, to) } }

    /// How often something was asked.
    func asked(_ question: Question) -> Int { state.withLock { $0.asked[question] ?? 0 } }

    /// How many searches were judged at once, at most.
    var largestJudging: Int { state.withLock { $0.largest } }

    // MARK: What is answered

    var services: SearchedServices {
        SearchedServices(
            read: { try self.read($0) }, look: { try self.look($0) }, searchables: { try self.searchables($0) },
            judge: { try self.judge($0) }, foundItems: { try self.foundItems($0) })
    }

    func answer<Answer: Sendable>(_ question: Question, _ body: (inout State) throws -> Answer) throws -> Answer {
        try state.withLock {
            $0.asked[question, default: 0] += 1
            guard !$0.isAway else { throw ServiceError(.unavailable, "It does not answer.", retryAfter: 2) }
            return try body(&$0)
        }
    }

    /// Words in lower case. `until` is a time of RFC 3339.
    private func read(_ query: WantedQuery) throws -> ReadSearch {
        try answer(.read) { _ in
            if let spots = query.spots {
                guard let near = spots.near else {
                    throw ServiceError.invalid([FieldError("spots.near", "required", "Where?")])
                }
                let circle = ReadSearch.Circle(middle: near, radius: spots.radius ?? 1000)
                return ReadSearch(query: query, anchors: [[SearchKey(rawValue: "spot")]], around: circle)
            }
            if let rides = query.rides {
                return ReadSearch(query: query, anchors: [[SearchKey(rawValue: "ride")]], until: rides.before)
            }
            guard var things = query.things, let kind = things.kind else {
                throw ServiceError.invalid([FieldError("things.kind", "required", "What?")])
            }
            let words = Self.words(of: things.q ?? "")
            things.q = words.isEmpty ? nil : words.joined(separator: " ")
            let anchors = ["kind/\(kind.rawValue)"] + words.map { "word/\($0)" }
            return ReadSearch(
                query: WantedQuery(things: things), anchors: anchors.map { [SearchKey(rawValue: $0)] },
                until: things.until.flatMap { WireJSON.date(from: $0) })
        }
    }

    private func look(_ look: SearchLook) throws -> SearchLookAnswer {
        try answer(.look) { state in
            let apart = state.apart
            var found = state.items.reversed().filter { Self.finds($0, look.query, for: look.person, apart) }
            if let rides = look.query.rides { found.sort { $0.extra(on: rides) < $1.extra(on: rides) } }
            return SearchLookAnswer(subjects: found.prefix(SearchLook.most).map(\.subject))
        }
    }

    private func searchables(_ subjects: [Subject]) throws -> [Searchable] {
        try answer(.searchables) { state in
            subjects.compactMap { subject in state.items.first { $0.subject == subject }?.searchable }
        }
    }

    private func judge(_ judging: SearchJudging) throws -> SearchJudgement {
        try answer(.judge) { state in
            state.largest = max(state.largest, judging.searches.count)
            guard let item = state.items.first(where: { $0.subject == judging.subject }) else {
                return SearchJudgement(found: [])
            }
            let apart = state.apart
            let found = judging.searches.filter { search in
                (try? search.query.read()).map { Self.finds(item, $0, for: search.person, apart) } ?? false
            }
            return SearchJudgement(found: found.map(\.id))
        }
    }

    private func foundItems(_ query: FoundQuery) throws -> FoundItems {
        try answer(.foundItems) { state in
            let apart = state.apart
            return FoundItems(
                items: state.items.filter {
                    $0.subject.kind != .ride && query.subjects.contains($0.subject)
                        && !apart.contains([$0.owner, query.person])
                }.map(Self.shown))
        }
    }

    // MARK: What a search finds

    fileprivate static func words(of text: String) -> [String] {
        text.lowercased().split(separator: " ").map(String.init)
    }

    static func finds(
        _ item: Item, _ query: WantedQuery, for person: PersonID, _ apart: Set<Set<PersonID>>
    ) -> Bool {
        guard item.owner != person, !apart.contains([item.owner, person]) else { return false }
        if let spots = query.spots, let near = spots.near, let position = item.position {
            return item.subject.kind == .spot && near.metres(to: position) <= Double(spots.radius ?? 1000)
        }
        if let rides = query.rides {
            return item.subject.kind == .ride && item.extra(on: rides) <= rides.mostExtra ?? 5000
        }
        guard let things = query.things, item.thing == things.kind else { return false }
        return Set(words(of: things.q ?? "")).isSubset(of: words(of: item.title))
    }

    private static func shown(_ item: Item) -> ShelfItem {
        let owner = PersonSummary(id: item.owner, name: "Somebody")
        if let kind = item.thing {
            return ShelfItem(
                Thing(
                    id: ThingID(item.subject.id.uuid), kind: kind, state: .listed, title: item.title,
                    terms: RentalTerms(unit: kind.unit, cancellation: .flexible, zone: "UTC"), owner: owner,
                    postedAt: noon, mine: false, action: .rent))
        }
        return ShelfItem(
            Spot(
                id: SpotID(item.subject.id.uuid), name: item.title, position: item.position ?? position(0),
                kind: .street, state: .free, photo: nil, price: nil, postedBy: owner, postedAt: noon,
                expiresAt: after(minutes: 60), age: 0, distance: nil, directions: "geo:0,0",
                observations: ObservationCount(there: 0, gone: 0), likelyGone: false, mine: false, claim: nil))
    }
}
