import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Things are found by words")
struct ThingWordsTests {
    @Test func filtersAndWordsFind() async throws {
        try await Listings.with { listings in
            let jazz = try await listings.posted(carDraft()).id
            // Of the same millisecond, which of them is newer is chance.
            listings.clock.advance(by: .seconds(1))
            let space = try await listings.posted(spaceDraft("100% dry_room")).id
            #expect(try await listings.found(ThingQuery(kind: .car)) == [jazz])
            #expect(try await listings.found(ThingQuery(region: "East")) == [space])
            #expect(try await listings.found(ThingQuery(brand: "Honda", model: "Jazz")) == [jazz])
            #expect(try await listings.found(ThingQuery(brand: "Kia")).isEmpty)
            #expect(try await listings.found(ThingQuery(highestPrice: 300)) == [space])
            #expect(try await listings.found(ThingQuery(by: maya)) == [space, jazz])
            #expect(try await listings.found(ThingQuery(q: "  ")) == [space, jazz])
        }
    }

    @Test func wordsAreFoundAndTheLastByItsBeginning() async throws {
        try await Listings.with { listings in
            let jazz = try await listings.posted(carDraft()).id
            listings.clock.advance(by: .seconds(1))
            let space = try await listings.posted(spaceDraft("100% dry_room 😀Straße, l’île 物置スペース")).id
            for words in ["JAZZ", "jazz pram", "ja", "PRAM weekend", "j", "a p", "jazz p", "jazz. pr!"] {
                #expect(try await listings.found(ThingQuery(q: words)) == [jazz], "\(words)")
                #expect(try await listings.found(ThingQuery(kind: .car, q: words)) == [jazz], "\(words)")
                #expect(try await listings.found(ThingQuery(kind: .space, q: words)).isEmpty, "\(words)")
            }
            for words in ["100%", "dry_r", "straße", "STRA", "île", "l'î", "物置", "スペ"] {
                #expect(try await listings.found(ThingQuery(q: words)) == [space], "\(words)")
            }
            for words in ["a%z", "' OR 1=1 --", "azz", "jazz q", "ja pram", "%", "😀", "jazz':* | 'dry"] {
                #expect(try await listings.found(ThingQuery(q: words)).isEmpty, "\(words)")
            }
            var long = spaceDraft()
            long.description = String(repeating: "x", count: 3000)
            let id = try await listings.posted(long).id
            #expect(try await listings.found(ThingQuery(q: String(repeating: "X", count: 399))) == [id])
        }
    }

    @Test func wordsAreFoundHoweverTheirAccentsAreTyped() async throws {
        try await Listings.with { listings in
            let cellar = try await listings.posted(spaceDraft("Café Zürich: vélo électrique, Łódź, Ærø, Ёлка")).id
            listings.clock.advance(by: .seconds(1))
            let plain = try await listings.posted(spaceDraft("Cafe Zuerich, velo, 서울 ガレージ, مُحَمَّد ﬁeld")).id
            for words in ["cafe", "CAFÉ", "cafe\u{301}", "vélo", "VELO", "vel", "café v", "é velo"] {
                let found = try await listings.found(ThingQuery(q: words))
                #expect(found == (words == "é velo" ? [] : [plain, cellar]), "\(words)")
                #expect(try await listings.found(ThingQuery(kind: .space, q: words)) == found, "\(words)")
            }
            for words in ["zurich", "ZÜRICH", "electrique", "lodz", "Łódź", "aero", "ærø", "елка", "Ё", "velo é"] {
                #expect(try await listings.found(ThingQuery(q: words)) == [cellar], "\(words)")
            }
            for words in ["서울", "서", "ガ", "ｶﾞﾚｰｼﾞ", "محمد", "field", "ﬁel", "zuer"] {
                #expect(try await listings.found(ThingQuery(q: words)) == [plain], "\(words)")
            }
            // A sign that makes it another letter is no accent.
            #expect(try await listings.found(ThingQuery(q: "カ")).isEmpty)
        }
    }

    @Test(arguments: [
        "Dry half of a garage with light, near the old harbour gate", String(repeating: "z ", count: 59) + "y",
        (0..<40).map { "w\($0 % 10)" }.joined(separator: " "), String(repeating: "物置スペース", count: 20),
        String(repeating: "e\u{301}", count: 120), "l\u{2019}e\u{301}toile de l'E\u{301}glise a\u{AD}bc \u{FF26}iat",
    ])
    func aTitleTypedWholeFindsItsThing(_ title: String) async throws {
        try await Listings.with { listings in
            let space = try await listings.posted(spaceDraft(title)).id
            listings.clock.advance(by: .seconds(1))
            _ = try await listings.posted(spaceDraft())
            for typed in [title, title.uppercased(), title + " "] {
                #expect(try await listings.found(ThingQuery(q: typed)) == [space], "\(typed)")
                #expect(try await listings.found(ThingQuery(kind: .space, q: typed)) == [space], "\(typed)")
            }
        }
    }

    @Test func noMoreWordsAreLookedForThanATitleHolds() throws {
        for (words, isRefused) in [
            (String(repeating: "a ", count: 60), false), (String(repeating: "a ", count: 61), true),
            (String(repeating: "物", count: 480), false), (String(repeating: "物", count: 481), true),
        ] {
            let query = ThingQuery(q: words)
            if isRefused {
                #expect(throws: RentalError.self) { try ThingPage(query, for: Caller()) }
            } else {
                #expect(throws: Never.self) { try ThingPage(query, for: Caller()) }
            }
        }
    }

    /// A constant when it is planned, by which an index can be searched and of which the planner knows how many things it finds.
    @Test func whatIsTypedIsFoldedBeforeTheIndexIsAsked() async throws {
        try await Listings.with { listings in
            _ = try await listings.posted(spaceDraft("Café"))
            let plan = try await listings.database.query(
                "EXPLAIN SELECT FROM things WHERE words @@ thing_search(ARRAY['car', 'space'], 'CAFÉ', false)"
            ).map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("''car:cafe'':* | ''space:cafe'':*"), "\(plan)")
        }
    }
}
