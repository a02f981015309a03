import Foundation
import TestKit
import WireProtocol

/// What searches have found and what people were told, held against a plain count. Each search has found all that fits and is there, and nothing else. Each person
/// was told once, unless it would have been too much. Pure.
struct WantedHistory {
    struct Search: Decodable {
        var id: WantedID
        var person: PersonID
        var query: WantedQuery
        var state: WantedState
        /// Whether it is known what was there when it began.
        var isSettled: Bool
    }

    struct Key: Decodable, Hashable, CustomStringConvertible {
        var kind: SubjectKind
        var subject: UUID
        var description: String { "\(kind.rawValue)/\(ID<Key>(subject))" }
    }

    struct Find: Decodable {
        var wanted: WantedID
        var kind: SubjectKind
        var subject: UUID
        var key: Key { Key(kind: kind, subject: subject) }
    }

    struct Hit: Decodable {
        enum State: String, Decodable { case waiting, late, told, gone }
        var kind: SubjectKind
        var subject: UUID
        var person: PersonID
        /// By which they are told; nil where that is gone.
        var wanted: WantedID?
        var state: State
        /// In seconds, where they were told of it by itself.
        var toldAt: Double?
        var key: Key { Key(kind: kind, subject: subject) }
    }

    struct Thing: Decodable {
        var kind: SubjectKind
        var subject: UUID
        var owner: PersonID
        /// By which it is known what it is: of who brings something the restaurant.
        var words: String
        var isThere: Bool
        var key: Key { Key(kind: kind, subject: subject) }
    }

    struct Notice: Decodable {
        var person: PersonID
        var kind: SubjectKind
        var subject: UUID
        var isRead: Bool
        var key: Key { Key(kind: kind, subject: subject) }
    }

    /// Somebody and something that may concern them.
    struct Concern: Hashable, CustomStringConvertible {
        var person: PersonID
        var key: Key
        var description: String { "\(key) for \(person)" }
    }

    let searches: [Search]
    let finds: [Find]
    let hits: [Hit]
    /// What is not looked at yet.
    let looks: Set<Key>
    let things: [Thing]
    let notices: [Notice]
    /// What matching has said.
    let events: [PublishedEvent]
    let ledger: [LedgerEntry]
    let restaurants: [PlaceID]

    func findings() -> [Finding] {
        let times = WantedTimeline(ledger)
        let known = Dictionary(things.map { ($0.key, $0) }) { one, _ in one }
        return found() + hits.compactMap { unwanted($0, known[$0.key], times) } + missing(times) + said() + tooMuch()
    }

    // MARK: What it is

    private func sought(_ thing: Thing) -> Sought? {
        switch thing.kind {
        case .thing: Sought(.space, words: thing.words)
        case .spot: Sought(.spot, words: thing.words)
        case .ride: Sought(.ride, words: thing.words)
        case .availability:
            restaurants.firstIndex { PlaceID(thing.words) == $0 }.map { Sought(.deliverer, $0) }
        default: nil
        }
    }

    /// What is there for sure: nothing is known to have happened to it since it was looked at.
    private var there: [Thing] { things.filter { $0.isThere && !looks.contains($0.key) } }

    /// Those that look now and have begun.
    private var looking: [Search] { searches.filter { $0.state == .live && $0.isSettled } }

    // MARK: What is found

    private func found() -> [Finding] {
        let there = Dictionary(there.map { ($0.key, $0) }) { one, _ in one }
        let finds = Dictionary(grouping: finds, by: \.wanted).mapValues { Set($0.map(\.key)) }
        return looking.flatMap { search -> [Finding] in
            guard let wish = Sought(search.query, among: restaurants) else { return [] }
            let due = Set(there.values.filter { $0.owner != search.person && sought($0) == wish }.map(\.key))
            let found = finds[search.id, default: []].filter { there[$0] != nil }
            return due.subtracting(found).map { Finding(.lost, "wanted/\(search.id) has not found \($0)") }
                + Set(found).subtracting(due).map {
                    Finding(.doubled, "wanted/\(search.id) has found \($0), and looks for \(wish)")
                }
        }
    }

    /// Nobody is told of their own things, of things that do not fit, or of things that were there first.
    private func unwanted(_ hit: Hit, _ thing: Thing?, _ times: WantedTimeline) -> Finding? {
        let who = "\(hit.person) is told of \(hit.key)"
        guard let thing else {
            return Finding(.doubled, "\(who), which nobody has shared")
        }
        if thing.owner == hit.person { return Finding(.doubled, "\(who), which is their own") }
        guard let wish = sought(thing), let first = times.firstLook[.init(person: hit.person, sought: wish)] else {
            return Finding(.doubled, "\(who), and never looked for it")
        }
        guard let last = times.shared[hit.key]?.last, last < first else { return nil }
        return Finding(.doubled, "\(who), which was there before they looked for it")
    }

    /// Whoever looked for it before it was there, and looks still, is told, at once or later.
    private func missing(_ times: WantedTimeline) -> [Finding] {
        let told = Set(hits.map { Concern(person: $0.person, key: $0.key) })
        let searches = looking.compactMap { search in
            Sought(search.query, among: restaurants).map { (search: search, wish: $0) }
        }
        return there.flatMap { thing -> [Finding] in
            guard let shared = times.shared[thing.key], !times.isUnsure(of: thing) else { return [] }
            let wish = sought(thing)
            return searches.compactMap { search, looksFor in
                guard looksFor == wish, search.person != thing.owner, let begun = times.begun[search.id],
                    begun < shared.first, !told.contains(Concern(person: search.person, key: thing.key))
                else { return nil }
                return Finding(.lost, "nobody tells \(search.person) of \(thing.key), which wanted/\(search.id) finds")
            }
        }
    }

    // MARK: What is said

    /// Of each thing that somebody is told of by itself they hear once, and it stands in their inbox once; it is taken back where the thing is gone.
    private func said() -> [Finding] {
        var heard: [Concern: Int] = [:]
        for event in events where event.type == WantedFound.type {
            guard let found = event.decoded(as: WantedFound.self), !found.isGone,
                case .people(let people) = event.header.audience
            else { continue }
            let key = Key(kind: found.subject.kind, subject: found.subject.id.uuid)
            for person in people { heard[Concern(person: person, key: key), default: 0] += 1 }
        }
        let noted = Dictionary(grouping: notices) { Concern(person: $0.person, key: $0.key) }
        let told = Dictionary(hits.filter { $0.toldAt != nil }.map { (Concern(person: $0.person, key: $0.key), $0) }) {
            one, _ in one
        }
        var findings: [Finding] = []
        for concern in Set(heard.keys).union(noted.keys).union(told.keys) {
            let (due, times) = (told[concern] == nil ? 0 : 1, heard[concern, default: 0])
            let rows = noted[concern, default: []]
            if times != due || rows.count != due {
                let rule: Finding.Rule = min(times, rows.count) < due ? .lost : .doubled
                findings.append(
                    Finding(rule, "\(concern) was said \(times) times, and is noted \(rows.count) times, not \(due)"))
            } else if let hit = told[concern], rows.first?.isRead != (hit.state == .gone) {
                findings.append(Finding(.rowsDiffer, "\(concern) is \(hit.state), and read: \(hit.state != .gone)"))
            }
        }
        return findings
    }

    // MARK: How much

    private static let (perHour, perDay, perPersonsDay) = (3, 10, 20)

    /// Nobody is told of more one by one than they bear; and what waits for a digest waits because of that.
    private func tooMuch() -> [Finding] {
        let bySearch = Dictionary(grouping: hits.filter { $0.toldAt != nil && $0.wanted != nil }, by: { $0.wanted! })
            .mapValues { $0.compactMap(\.toldAt) }
        let byPerson = Dictionary(grouping: hits.filter { $0.toldAt != nil }, by: \.person)
            .mapValues { $0.compactMap(\.toldAt) }
        var findings: [Finding] = []
        for (search, moments) in bySearch {
            let (hour, day) = (most(of: moments, within: 3600), most(of: moments, within: 86_400))
            if hour > Self.perHour || day > Self.perDay {
                findings.append(Finding(.doubled, "wanted/\(search) told \(hour) things in an hour, \(day) in a day"))
            }
        }
        for (person, moments) in byPerson {
            let day = most(of: moments, within: 86_400)
            if day > Self.perPersonsDay {
                findings.append(Finding(.doubled, "\(person) was told of \(day) things in a day"))
            }
        }
        for hit in hits where hit.state == .late {
            let told = (hit.wanted.flatMap { bySearch[$0] }?.count ?? 0, byPerson[hit.person]?.count ?? 0)
            if told.0 < Self.perHour && told.1 < Self.perPersonsDay {
                findings.append(Finding(.stuck, "\(hit.key) waits for a digest of \(hit.person), and need not"))
            }
        }
        return findings
    }

    private func most(of moments: [Double], within seconds: Double) -> Int {
        moments.map { last in moments.count { $0 > last - seconds && $0 <= last } }.max() ?? 0
    }
}
