import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

/// What becomes of a search, without a database.
@Suite struct WantedRulesTests {
    private static let day: TimeInterval = 86_400
    private static let limits = WantedLimits()

    private static func prepared(
        _ query: WantedQuery = cars("pram"), until: Date? = nil, isTooWide: Bool = false
    ) -> PreparedSearch {
        PreparedSearch(
            service: .listings, query: query, keys: [SearchKey(rawValue: "word/pram")], until: until,
            estimate: WantedEstimate(perMonth: 3, isTooWide: isTooWide, fitting: 0), fitting: [])
    }

    /// As it is an hour after it was posted, in this state, and settled.
    private static func search(_ state: WantedState) throws -> WantedSearch {
        var search = try WantedSearch.post(
            prepared(), id: WantedID("00000000-0000-4000-8000-0000000000e1")!, by: tom, having: 0, at: noon,
            within: limits)
        search.isSettled = true
        search.digestAt = after(minutes: 90)
        return switch state {
        case .live: search
        case .paused: try search.pause(at: after(minutes: 30))
        case .ended: search.end(at: after(minutes: 30))
        }
    }

    enum Act: CaseIterable { case changeToOther, changeToSame, pause, goOn, renew, end }

    /// What an act makes of a search an hour after noon: its next state, and whether it begins anew. Without a state it has ended, and is renewed first.
    private struct Line {
        let state: WantedState
        let act: Act
        let next: WantedState?
        let begins: Bool

        init(_ state: WantedState, _ act: Act, _ next: WantedState?, begins: Bool = false) {
            (self.state, self.act, self.next, self.begins) = (state, act, next, begins)
        }

        /// As the service's page has it.
        var text: String { next.map { $0.rawValue + (begins ? ", begins" : "") } ?? "`wrong_state`" }
    }

    private static let table = [
        Line(.live, .changeToOther, .live, begins: true), Line(.live, .changeToSame, .live),
        Line(.live, .pause, .paused), Line(.live, .goOn, .live), Line(.live, .renew, .live),
        Line(.live, .end, .ended),
        Line(.paused, .changeToOther, .paused), Line(.paused, .changeToSame, .paused),
        Line(.paused, .pause, .paused), Line(.paused, .goOn, .live, begins: true), Line(.paused, .renew, .paused),
        Line(.paused, .end, .ended),
        Line(.ended, .changeToOther, nil), Line(.ended, .changeToSame, nil), Line(.ended, .pause, nil),
        Line(.ended, .goOn, nil), Line(.ended, .renew, .live, begins: true), Line(.ended, .end, .ended),
    ]

    private static func does(
        _ act: Act, _ search: WantedSearch, _ prepared: PreparedSearch = Self.prepared(), having open: Int = 0
    ) throws(WantedError) -> WantedSearch {
        let now = after(minutes: 60)
        switch act {
        case .changeToOther:
            var other = prepared
            other.query = cars("bike")
            return try search.change(to: other, expecting: nil, at: now, within: limits)
        case .changeToSame: return try search.change(to: prepared, expecting: "another", at: now, within: limits)
        case .pause: return try search.pause(at: now)
        case .goOn: return try search.goOn(prepared, at: now)
        case .renew: return try search.renew(prepared, having: open, at: now, within: limits)
        case .end: return search.end(at: now)
        }
    }

    @Test func the_table_says_what_becomes_of_it() throws {
        #expect(Self.table.count == WantedState.allCases.count * Act.allCases.count)
        for line in Self.table {
            let name: Comment = "\(line.state) \(line.act)"
            let before = try Self.search(line.state)
            guard let next = line.next else {
                #expect(throws: WantedError.ended, name) { try Self.does(line.act, before) }
                continue
            }
            let after = try Self.does(line.act, before)
            #expect(after.state == next && after.isSettled != line.begins, name)
            #expect(next == .ended ? after.remindAt == nil : after.dueAt == after.expiresAt, name)
            #expect(after.digestAt == nil || (next == .live && !line.begins), name)
        }
    }

    @Test func the_page_has_the_same_table() throws {
        let rows = try Readme.rows(under: "A standing search", cells: 7)
        let acts: [Act] = [.changeToOther, .pause, .goOn, .renew]
        for state in WantedState.allCases {
            let row = try #require(rows.first { $0[0] == state.rawValue })
            let lines = acts.compactMap { act in Self.table.first { $0.state == state && $0.act == act } }
            #expect(Array(row[2..<6]) == lines.map(\.text))
        }
    }

    @Test func what_is_the_same_again_changes_nothing() throws {
        for (state, act) in [(WantedState.live, Act.changeToSame), (.live, .goOn), (.paused, .pause), (.ended, .end)] {
            let before = try Self.search(state)
            #expect(try Self.does(act, before) == before, "\(state) \(act)")
        }
    }

    @Test func it_lasts_sixty_days_and_its_person_is_asked_three_days_before() throws {
        let search = try Self.search(.live)
        #expect(search.expiresAt == noon + 60 * Self.day && search.remindAt == noon + 57 * Self.day)
        let renewed = try Self.does(.renew, search)
        #expect(renewed.expiresAt == after(minutes: 60) + 60 * Self.day)
        #expect(renewed.remindAt == after(minutes: 60) + 57 * Self.day)
        #expect(try Self.does(.changeToOther, search).expiresAt == renewed.expiresAt)
        #expect(try Self.does(.goOn, Self.search(.paused)).expiresAt == search.expiresAt, "a pause wins nothing")
    }

    @Test func what_ends_by_its_own_words_is_not_asked_for() throws {
        let soon = Self.prepared(until: noon + 10 * Self.day)
        let search = try WantedSearch.post(
            soon, id: .new(), by: tom, having: 0, at: noon, within: Self.limits)
        #expect(search.expiresAt == noon + 10 * Self.day && search.remindAt == nil)
        #expect(throws: WantedError.over) {
            try search.renew(Self.prepared(until: noon), having: 0, at: noon, within: Self.limits)
        }
        let short = WantedLimits(days: 2)
        let brief = try WantedSearch.post(Self.prepared(), id: .new(), by: tom, having: 0, at: noon, within: short)
        #expect(brief.expiresAt == noon + 2 * Self.day && brief.remindAt == nil)
    }

    @Test func time_ends_it_whether_or_not_a_round_came_by() throws {
        let search = try Self.search(.live)
        #expect(search.asItIs(at: search.expiresAt - 1) == search)
        let ended = search.asItIs(at: search.expiresAt + 5)
        #expect(ended.state == .ended && ended.dueAt == search.expiresAt + 30 * Self.day)
        #expect(ended.asItIs(at: ended.dueAt + 1) == ended)
        #expect(Wanted(search, at: search.expiresAt).state == .ended)
        #expect(Wanted(search, at: search.expiresAt).expiresAt == search.expiresAt)
    }

    @Test func what_is_too_wide_does_not_begin() throws {
        let wide = Self.prepared(isTooWide: true)
        #expect(throws: WantedError.tooWide) {
            try WantedSearch.post(wide, id: .new(), by: tom, having: 0, at: noon, within: Self.limits)
        }
        for (state, act) in [
            (WantedState.live, Act.changeToOther), (.paused, .changeToOther), (.paused, .goOn), (.ended, .renew),
        ] {
            let before = try Self.search(state)
            #expect(throws: WantedError.tooWide, "\(state) \(act)") { try Self.does(act, before, wide) }
        }
        let live = try Self.search(.live)
        #expect(try Self.does(.renew, live, wide).state == .live, "what looks already goes on")
        #expect(try Self.does(.changeToSame, live, wide) == live)
    }

    @Test func nobody_has_more_than_twenty() throws {
        #expect(throws: WantedError.tooMany(limit: 20)) {
            try WantedSearch.post(Self.prepared(), id: .new(), by: tom, having: 20, at: noon, within: Self.limits)
        }
        let ended = try Self.search(.ended)
        #expect(throws: WantedError.tooMany(limit: 20)) { try Self.does(.renew, ended, having: 20) }
        let paused = try Self.search(.paused)
        #expect(try Self.does(.renew, paused, having: 20).state == .paused)
    }

    @Test func a_change_is_made_from_what_it_looks_for_now() throws {
        let search = try Self.search(.live)
        let other = Self.prepared(cars("bike"))
        #expect(throws: WantedError.changedMeanwhile(search.version)) {
            try search.change(to: other, expecting: "another", at: noon, within: Self.limits)
        }
        let changed = try search.change(to: other, expecting: search.version, at: noon, within: Self.limits)
        #expect(changed.version != search.version && changed.query == cars("bike"))
    }

    @Test func each_form_has_its_service() {
        #expect(cars().service == .listings && spots(within: 100).service == .listings)
        var both = cars()
        both.spots = spots(within: 100).spots
        #expect(both.service == nil && both.forms == [.spot, .thing])
    }

    @Test(arguments: [
        (WantedError.notFound, ErrorCode.notFound), (.invalid([]), .invalid), (.tooWide, .invalid),
        (.tooMany(limit: 20), .tooManyWanted), (.changedMeanwhile("a"), .changedMeanwhile), (.ended, .wrongState),
        (.notOneForm(0), .invalid), (.notOneForm(2), .invalid), (.tooLong, .invalid), (.over, .invalid),
    ])
    func each_refusal_has_its_code(_ error: WantedError, _ code: ErrorCode) {
        #expect(error.serviceError.code == code && !error.serviceError.detail.isEmpty)
    }

    @Test func fields_say_what_is_wrong() {
        let said = [WantedError.tooWide, .notOneForm(0), .notOneForm(2), .tooLong, .over].flatMap(\.serviceError.errors)
        #expect(said.allSatisfy { $0.field == "query" && !$0.message.isEmpty })
        #expect(said.map(\.code) == ["too_wide", "required", "not_allowed", "too_long", "over"])
        #expect(WantedError.ended.serviceError.errors.map(\.code) == ["renew"])
        #expect(WantedError.changedMeanwhile("a").serviceError.errors.map(\.code) == ["a"])
    }
}
