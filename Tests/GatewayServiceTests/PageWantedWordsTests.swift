import Testing
import WireProtocol

@testable import GatewayService

/// What is looked for, and how much of it there is, in words.
@Suite struct PageWantedWordsTests {
    private static let point = Position(latitude: 60.17, longitude: 24.95)

    private static func things(_ kind: ThingKind?, _ change: (inout ThingQuery) -> Void = { _ in }) -> WantedQuery {
        var query = ThingQuery(kind: kind)
        change(&query)
        return WantedQuery(things: query)
    }

    static let sentences: [(WantedQuery, String?, String, String)] = [
        (
            WantedQuery(spots: SpotQuery(near: point, radius: 500)), "Fabianinkatu 33, Testholm",
            "A free parking spot within 500 m of Fabianinkatu 33, Testholm",
            "Ein freier Parkplatz höchstens 500 m von Fabianinkatu 33, Testholm"
        ),
        // Where nobody knows what the point is called, and where no distance was said.
        (
            WantedQuery(spots: SpotQuery(near: point)), nil, "A free parking spot within 1 km of 60.17, 24.95",
            "Ein freier Parkplatz höchstens 1 km von 60.17, 24.95"
        ),
        (things(.car), nil, "A car", "Ein Auto"),
        (things(.space), nil, "A space", "Ein Lagerraum"),
        (things(.parking), nil, "Private parking", "Ein privater Stellplatz"),
        (things(nil), nil, "Something to rent", "Etwas zu mieten"),
        (
            things(.car) {
                ($0.brand, $0.model, $0.q, $0.region) = ("Toyota", "Yaris", "roof box", "North")
                ($0.highestPrice, $0.from, $0.until) = (3050, "2026-12-01", "2026-12-04")
            }, nil,
            "A car, Toyota Yaris, with “roof box” in its text, in North, up to €30.50 a day, available 1 – 4 December 2026",
            "Ein Auto, Toyota Yaris, mit „roof box“ im Text, in North, bis 30,50\u{A0}€ pro Tag, verfügbar 1. – 4. Dezember 2026"
        ),
        (
            things(.car) { ($0.brand, $0.highestPrice) = ("Honda", 0) }, nil, "A car, Honda, at no charge",
            "Ein Auto, Honda, kostenlos"
        ),
        (
            things(.parking) {
                $0.highestPrice = 200
                ($0.from, $0.until) = ("2026-12-01T14:00", "2026-12-01T18:00")
            }, nil, "Private parking, up to €2 an hour, available 1 December 2026, 14:00 – 18:00",
            "Ein privater Stellplatz, bis 2\u{A0}€ pro Stunde, verfügbar 1. Dezember 2026, 14:00 – 18:00"
        ),
        // Words of people are words, whatever they look like; nothing is nothing.
        (
            things(.space) { ($0.q, $0.region) = ("{region} [a|b] {price}", "") }, nil,
            "A space, with “{region} [a|b] {price}” in its text",
            "Ein Lagerraum, mit „{region} [a|b] {price}“ im Text"
        ),
    ]

    @Test func what_is_looked_for_is_one_sentence() {
        for (query, around, english, german) in Self.sentences {
            func said(_ words: Words) -> String {
                WantedSentence.text(query, around: around, currency: "EUR", in: words)
            }
            #expect(said(PageRenderingTests.english) == english)
            #expect(said(PageRenderingTests.german) == german)
        }
    }

    @Test func what_this_page_does_not_know_yet_is_said_to_be_that() {
        var query = Self.things(.car)
        query.things = nil
        let words = PageRenderingTests.english
        #expect(WantedSentence.text(query, currency: "EUR", in: words) == "Something that this page does not know yet")
        #expect(query.pairs(currency: "EUR").isEmpty && query.list(currency: "EUR") == nil)
    }

    @Test(
        arguments: [
            (0, 0, "Nothing like it yet", "So etwas gab es noch nicht"),
            (0, 2, "Less than one a month", "Seltener als einmal im Monat"),
            (1, 0, "About one a month", "Etwa einmal im Monat"),
            (3, 0, "About three a month", "Etwa dreimal im Monat"),
            (4, 0, "About one a week", "Etwa einmal in der Woche"),
            (13, 0, "About three a week", "Etwa dreimal in der Woche"),
            (24, 0, "About six a week", "Etwa sechsmal in der Woche"),
            (25, 0, "About one a day", "Etwa einmal am Tag"),
            (360, 0, "About twelve a day", "Etwa zwölfmal am Tag"),
            (600, 0, "About 20 a day", "Etwa 20-mal am Tag"),
        ] as [(Int, Int, String, String)])
    func how_often_it_would_be(_ month: Int, _ fitting: Int, _ english: String, _ german: String) {
        let estimate = WantedEstimate(perMonth: month, isTooWide: false, fitting: fitting)
        #expect(WantedOften.text(estimate, in: PageRenderingTests.english) == english)
        #expect(WantedOften.text(estimate, in: PageRenderingTests.german) == german)
    }

    @Test(
        arguments: [
            (0, "Nothing fits now", "Jetzt passt nichts"), (1, "1 fits now", "1 passt jetzt"),
            (99, "99 fit now", "99 passen jetzt"), (100, "100 or more fit now", "100 oder mehr passen jetzt"),
        ] as [(Int, String, String)])
    func how_much_fits_now(_ number: Int, _ english: String, _ german: String) {
        let estimate = WantedEstimate(perMonth: 0, isTooWide: false, fitting: number)
        #expect(WantedOften.fitting(estimate, in: PageRenderingTests.english) == english)
        #expect(WantedOften.fitting(estimate, in: PageRenderingTests.german) == german)
    }
}
