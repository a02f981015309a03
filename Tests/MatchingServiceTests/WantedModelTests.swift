import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Random things that people do, beside somebody who looks at everything each time.
@Suite(.serialized) struct WantedModelTests {
    /// 60 steps each.
    private static let worlds =
        ProcessInfo.processInfo.environment["KAMPONG_WANTED_WORLDS"].flatMap { Int($0) } ?? 4

    @Test(.timeLimit(.minutes(30))) func searches_find_and_tell_as_a_plain_count_says() async throws {
        for world in 0..<Self.worlds {
            try await Searches.with(limits: WantedLimits(perPerson: 1000)) { searches in
                var dice = SeededGenerator(seed: UInt64(world) + 1)
                var count = PlainSearches()
                if world % 2 == 1 { try await searches.listen() }
                for _ in 0..<60 {
                    // So long that nothing is too much to be told at once.
                    searches.clock.advance(by: .seconds(3 * 3600))
                    try await step(searches, &count, using: &dice)
                    // In half of the worlds all that nobody looks for is done together.
                    try await searches.run(together: world % 4 < 2 ? nil : 1)
                    try await searches.pass()
                    #expect(try await searches.told().sortedByText == count.told.sortedByText)
                    #expect(try await searches.deliveries.told(WantedFound.self).count { $0.isGone } == count.losses)
                    for search in count.searches {
                        #expect(try await searches.newFinds(search.id) == search.new)
                        #expect(try await searches.seen(search.id, by: search.person).found == search.found)
                    }
                    #expect(try await searches.count("hits WHERE state IN ('waiting', 'late')") == 0)
                    #expect(try await searches.count("looks") == 0)
                }
                #expect(!count.told.isEmpty && count.losses > 0, "else it shows little")
            }
        }
    }

    private func step(
        _ searches: Searches, _ count: inout PlainSearches, using dice: inout SeededGenerator
    ) async throws {
        let person = [tom, kim, lin, maya].randomElement(using: &dice) ?? tom
        let number = count.searches.isEmpty ? nil : Int.random(in: 0..<count.searches.count, using: &dice)
        switch Int.random(in: 0..<14, using: &dice) {
        case 0..<3:
            let words = Self.words(0...2, using: &dice)
            let id = try await searches.post(cars(words), by: person).id
            count.begin(PlainSearches.Search(id: id, person: person, words: words))
        case 3:
            guard let number else { return }
            let (search, words) = (count.searches[number], Self.words(1...2, using: &dice))
            try await searches.change(search.id, WantedChange(query: cars(words)), by: search.person)
            count.change(number, to: words)
        case 4:
            guard let number else { return }
            let search = count.searches[number]
            try await searches.change(search.id, WantedChange(isPaused: search.isLive), by: search.person)
            count.turn(number)
        case 5:
            guard let number else { return }
            let search = count.searches.remove(at: number)
            try await searches.useCases.remove(search.id, .from(search.person))
        case 6..<9:
            let title = Self.words(1...3, using: &dice)
            count.put(searches.car(title, of: person), title, of: person)
            if let subject = count.items.last?.subject { try await searches.say(subject) }
        case 9..<12:
            guard let item = count.items.randomElement(using: &dice) else { return }
            let title = Self.words(1...3, using: &dice)
            searches.stock.put(Stock.Item(subject: item.subject, owner: item.owner, title: title, thing: .car))
            count.put(item.subject, title, of: item.owner)
            try await searches.say(item.subject)
        default:
            guard let item = count.items.filter(\.isThere).randomElement(using: &dice) else { return }
            searches.stock.take(item.subject)
            count.take(item.subject)
            try await searches.say(item.subject)
        }
    }

    private static func words(_ number: ClosedRange<Int>, using dice: inout SeededGenerator) -> String {
        ["red", "old", "pram", "bike"].shuffled(using: &dice).prefix(Int.random(in: number, using: &dice))
            .joined(separator: " ")
    }
}

/// What every search has found, and who was told of what, by looking at all.
private struct PlainSearches {
    struct Search {
        let id: WantedID
        let person: PersonID
        var words: String
        var isLive = true
        /// What was there when it began, or went on.
        var old: Set<Subject> = []
        var new: Set<Subject> = []
        var found = 0
    }

    struct Item {
        let subject: Subject
        var title: String
        let owner: PersonID
        var isThere = true
    }

    var searches: [Search] = []
    private(set) var items: [Item] = []
    private(set) var told: [ToldFind] = []
    /// Of things that went, each one of which people had been told since it was there.
    private(set) var losses = 0
    /// Who was told that it is gone.
    private var lost: Set<ToldFind> = []

    private func fits(_ item: Item, _ search: Search) -> Bool {
        let words = Set(search.words.split(separator: " "))
        return item.isThere && item.owner != search.person && words.isSubset(of: item.title.split(separator: " "))
    }

    mutating func begin(_ search: Search) {
        searches.append(search)
        look(from: searches.count - 1)
    }

    /// What was there for what it looked for before is news again.
    mutating func change(_ number: Int, to words: String) {
        if searches[number].words == words { return }
        searches[number].words = words
        searches[number].old = []
        if searches[number].isLive { look(from: number) }
    }

    mutating func turn(_ number: Int) {
        searches[number].isLive.toggle()
        if searches[number].isLive { look(from: number) }
    }

    private mutating func look(from number: Int) {
        for item in items where fits(item, searches[number]) && !searches[number].new.contains(item.subject) {
            searches[number].old.insert(item.subject)
        }
    }

    mutating func put(_ subject: Subject, _ title: String, of owner: PersonID) {
        let item = Item(subject: subject, title: title, owner: owner)
        items.removeAll { $0.subject == subject }
        items.append(item)
        for number in searches.indices where searches[number].isLive && fits(item, searches[number]) {
            guard !searches[number].old.contains(subject) else { continue }
            guard searches[number].new.insert(subject).inserted else { continue }
            searches[number].found += 1
            let find = ToldFind(person: searches[number].person, subject: subject)
            if !told.contains(find) { told.append(find) }
        }
    }

    mutating func take(_ subject: Subject) {
        guard let number = items.firstIndex(where: { $0.subject == subject }) else { return }
        items[number].isThere = false
        let hearing = Set(told.filter { $0.subject == subject }).subtracting(lost)
        if !hearing.isEmpty { losses += 1 }
        lost.formUnion(hearing)
    }
}

extension [ToldFind] {
    /// Those of one moment are told in any order.
    fileprivate var sortedByText: [String] { map { "\($0.subject.id) \($0.person)" }.sorted() }
}
