import Testing

@testable import PlacesService

/// How names are compared: what people leave out when they type, and what looks the same, is the same.
@Suite struct NameKeyTests {
    private static let same: [(String, String)] = [
        ("HELSINKI", "helsinki"), ("Zürich", "zurich"), ("Straße", "strasse"), ("STRASSE", "strasse"),
        ("Ærø", "aero"), ("Ålesund", "alesund"), ("Łódź", "lodz"), ("Þórshöfn", "thorshofn"), ("Đà Nẵng", "da nang"),
        ("Saint-Étienne", "saint etienne"), ("L'Aquila", "laquila"), ("L’Aquila", "laquila"),
        ("  Fabianinkatu   33 ", "fabianinkatu 33"), ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full width"), ("ﬁeld", "field"),
        ("İstanbul", "istanbul"), ("e\u{301}tude", "etude"), ("étude", "etude"),
        ("МОСКВА", "москва"), ("Ёлка", "елка"), ("Йошкар", "иошкар"), ("Ελσίνκι", "ελσινκι"),
        ("مُحَمَّد", "محمد"), ("هـــل", "هل"), ("יְרוּשָׁלַיִם", "ירושלים"), ("東京都", "東京都"), ("서울", "서울"),
        ("ﾍﾙｼﾝｷ", "ヘルシンキ"), ("हेल्सिंकी", "हेल्सिंकी"), ("St. John's (old)", "st johns old"), ("--", ""), ("♥", ""),
        ("Marks & Spencer", "marks spencer"), ("Marks and Spencer", "marks spencer"), ("C und A", "c a"),
        ("Liberté et égalité", "liberte egalite"), ("Bröd och bad", "brod bad"), ("Kala ja kivi", "kala kivi"),
        ("a and and b", "a b"), ("And So", "and so"), ("Stoke et", "stoke et"), ("Sandy Etna", "sandy etna"),
    ]

    @Test func names_that_are_the_same_to_people_have_one_key() async throws {
        try await Gazetteer.with { gazetteer in
            let keys = try await gazetteer.places.store.keys(of: Self.same.map(\.0))
            #expect(keys.count == Self.same.count)
            for ((name, wanted), key) in zip(Self.same, keys) { #expect(key == wanted, "\(name)") }
            // A key is its own key.
            #expect(try await gazetteer.places.store.keys(of: keys) == keys)
        }
    }

    @Test func names_are_one_line_wherever_they_are_shown() {
        #expect(" a\u{0}b\r\n\tc\u{2028}d ".oneLine == "a b c d")
        #expect("\u{7}\n".oneLine == "")
    }
}
