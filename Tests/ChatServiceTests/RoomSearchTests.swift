import DurableMessaging
import FoundationEssentials
import People
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ChatService

/// Rooms are found by whom one talks to, by what it is about, and by what was written.
@Suite struct RoomSearchTests {
    @Test func rooms_are_found_by_name_title_and_words_and_only_ones_own() async throws {
        try await Chat.with { chat in
            let about = try await chat.opened().id
            let two = try await chat.opened(by: lin, with: tom, about: person(tom)).id
            try await chat.write("100 % sure, under_score \\ and Straße", by: lin, in: two)
            try await chat.write("See you at the gate", in: about)
            func found(_ q: String, by who: PersonID = tom, shelf: RoomShelf? = nil) async throws -> [RoomID] {
                try await chat.rooms(of: who, RoomQuery(shelf: shelf, q: q)).map(\.id)
            }
            #expect(try await found("LIBRARY") == [about])
            #expect(try await found("öberg") == [two])
            #expect(try await found("the gate") == [about])
            for q in ["0 % s", "r_s", "\\ and"] { #expect(try await found(q) == [two], "\(q)") }
            for q in ["0 _ s", "under%score"] { #expect(try await found(q).isEmpty, "\(q)") }
            #expect(try await found("gate", by: lin).isEmpty)
            #expect(try await found("gate", by: maya) == [about])
            try await chat.chat.archive(true, about, .from(tom))
            #expect(try await found("gate") == [about], "wherever it is")
            #expect(try await found("gate", shelf: .inbox).isEmpty)
        }
    }

    @Test func words_are_found_in_whatever_form_they_are_typed() async throws {
        try await Chat.with { chat in
            let room = try await chat.opened().id
            let two = try await chat.opened(by: lin, with: tom, about: person(tom)).id
            try await chat.write("Hi!", by: lin, in: two)
            try await chat.tell(facts("Grande Place, Liège"))
            func finds(_ typed: String) async throws -> Bool {
                try await chat.rooms(of: tom, RoomQuery(q: typed)).map(\.id) == [room]
            }
            for (written, typed) in [
                ("caf\u{E9} au lait", ["cafe\u{301}", "CAFE", "caf\u{E9} AU", "Cafe\u{301} au"]),
                ("Hauptstraße 5", ["strasse", "STRASSE", "straße", "HAUPTSTRA\u{1E9E}E"]),
                ("Łódź i smørrebrød", ["lodz", "LODZ I", "smorrebrod", "SMØRREBRØD"]),
                ("ΟΔΟΣ Αθηνάς", ["οδος", "οδοσ", "αθηνασ"]), ("ﬁeld ｶﾞﾚｰｼﾞ 1０0％", ["field", "ガレージ", "100%"]),
                ("l\u{2019}île", ["l'ile", "l’Île"]), ("مُحَمَّد", ["محمد"]),
                ("so\u{AD}ft zero\u{200B}width", ["soft", "zerowidth"]),
                ("서울", ["서울"]), ("Hej på dig", ["pa d", "på"]),
            ] {
                try await chat.write(written, in: room)
                for typed in typed { #expect(try await finds(typed), "\(typed) in \(written)") }
            }
            // The other's name, and the title.
            #expect(try await chat.rooms(of: tom, RoomQuery(q: "OBERG")).map(\.id) == [two])
            #expect(try await finds("liege"))
            // What nothing is left of is nowhere, and does not stand for everything; signs of patterns in another width are signs.
            for typed in ["\u{AD}\u{AD}", "\u{301} \u{301}", "％％", "＿＿", "ガレーシ"] {
                #expect(try await chat.rooms(of: tom, RoomQuery(q: typed)).isEmpty, "\(typed)")
            }
        }
    }

    /// Two letters are looked for in two hundred messages of each room: so none of those may be folded then.
    @Test func messages_are_folded_when_they_are_written_and_not_when_they_are_looked_at() async throws {
        try await Chat.with { chat in
            let viewer = RoomViewer(person: tom, now: noon, campuses: .off)
            let statement = viewer.rooms(try RoomPage(RoomQuery(q: "zz")))
            let plan = try await chat.database.query("EXPLAIN (VERBOSE) " + statement)
                .map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains(".letters ~~ '%zz%'"), "\(plan)")
            // Titles and names are, of which each room has one.
            #expect(!plan.contains(".text)"), "\(plan)")
        }
    }

    /// A constant when it is planned, by which the index can be searched.
    @Test func what_is_typed_is_folded_before_the_index_is_asked() async throws {
        try await Chat.with { chat in
            let plan = try await chat.database.query(
                """
                EXPLAIN SELECT FROM messages WHERE room = '00000000-0000-4000-8000-0000000000aa'
                    AND letters LIKE search_pattern('ＣＡＦÉ_') AND (length(search_letters('ＣＡＦÉ_')) >= 3 OR number > 7)
                """
            ).map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains(#"'%cafe\_%'"#) && !plan.contains("number"), "\(plan)")
            let index = try await chat.database.query(
                "SELECT indexdef FROM pg_indexes WHERE indexname = 'messages_words' AND schemaname = current_schema()"
            ).map { try $0.get("indexdef", as: String.self) }.first
            #expect(index?.contains("room, letters gin_trgm_ops") == true, "\(index ?? "")")
        }
    }
}
