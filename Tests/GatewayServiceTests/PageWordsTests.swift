import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Prices, distances, times, plural forms and addresses, as people write them.
@Suite struct PageWordsTests {
    let english = PageRenderingTests.english
    let german = PageRenderingTests.german

    @Test(
        arguments: [
            ("2", 200), ("2.5", 250), ("2,50", 250), ("0", 0), ("0.05", 5), ("2.505", nil), ("-1", nil), ("", nil),
            ("1e3", nil), ("1.2.3", nil), ("٣", nil), (".5", nil), ("99999999999", nil),
        ] as [(String, Int?)])
    func typed_prices(_ typed: String, _ amount: Int?) {
        #expect(Price.amount(typed, currency: "EUR") == amount)
    }

    @Test func prices_are_read_as_they_are_written_here() {
        #expect(Price.text(Money(amount: 250, currency: "SGD"), in: english) == "$2.50")
        #expect(Price.text(Money(amount: 200, currency: "EUR"), in: english) == "€2")
        #expect(Price.text(Money(amount: 205, currency: "EUR"), in: german) == "2,05\u{A0}€")
        #expect(Price.text(Money(amount: 300, currency: "JPY"), in: english) == "¥300")
        #expect(Price.text(Money(amount: 150, currency: "CHF"), in: english) == "CHF\u{A0}1.50")
        #expect(Price.amount("300", currency: "JPY") == 300)
        #expect(Price.amount("3.5", currency: "JPY") == nil)
    }

    @Test(arguments: [
        (3, "10 m away"), (144, "140 m away"), (999, "1000 m away"), (1000, "1.0 km away"), (1249, "1.2 km away"),
        (9960, "10 km away"), (12_600, "13 km away"),
    ])
    func distances(_ metres: Int, _ text: String) {
        #expect(Distance.text(metres, in: english) == text)
    }

    /// The figures are what PostgreSQL's earth_distance(ll_to_earth(…), ll_to_earth(…)) says.
    @Test(
        arguments: [
            ((60.1708, 24.9440), (60.1712, 24.9501), 341), ((60.17, 24.95), (60.22, 24.95), 5566),
            ((60.17, 24.94), (59.437, 24.7536), 82_262), ((-17, 179.99), (-17, -179.99), 2129),
            ((1.3521, 103.8198), (1.3521, 103.8198), 0),
        ] as [((Double, Double), (Double, Double), Int)])
    func distances_are_those_of_the_database(_ a: (Double, Double), _ b: (Double, Double), _ metres: Int) {
        let a = Position(latitude: a.0, longitude: a.1)
        #expect(Distance.between(a, Position(latitude: b.0, longitude: b.1)) == metres)
    }

    @Test func distances_on_the_earth() {
        let a = Position(latitude: 60.17, longitude: 24.95)
        #expect((5500...5620).contains(Distance.between(a, Position(latitude: 60.22, longitude: 24.95))))
        let fiji = (Position(latitude: -17, longitude: 179.99), Position(latitude: -17, longitude: -179.99))
        #expect((2000...2300).contains(Distance.between(fiji.0, fiji.1)))
    }

    @Test func times_are_relative_while_near() throws {
        let now = try #require(WireJSON.date(from: "2026-11-21T12:00:00Z"))
        func ago(_ seconds: Double, _ words: Words) -> String {
            Moment(now.addingTimeInterval(-seconds), .ago, in: words, now: now).text
        }
        #expect(ago(5, english) == "just now")
        #expect(ago(360, english) == "6 min ago" && ago(360, german) == "vor 6 Min.")
        #expect(ago(7200, english) == "2 h ago")
        #expect(ago(200_000, english) == "19 November, 04:26 UTC" && ago(200_000, german) == "19. November, 04:26 UTC")
        #expect(Moment(now.addingTimeInterval(1380), .until, in: english, now: now).text == "in 23 min")
        #expect(Moment(now.addingTimeInterval(-1), .until, in: english, now: now).text == "over")
        #expect(Moment(now, .date, in: german, now: now).text == "21. November 2026")
        #expect(Moment(now, .ago, in: english, now: now).full == "21 November 2026, 12:00 UTC")
    }

    @Test func plural_forms() {
        #expect(english["count.near", count: 0] == "No free spots near you")
        #expect(english["count.near", count: 1] == "1 free spot near you")
        #expect(english["count.near", ["n": "100+"], count: 100] == "100+ free spots near you")
        #expect(german["spot.seenGone", count: 2] == "2 Nachbarn sagen, er ist weg.")
        #expect(english["no.such.key"] == "no.such.key")
        #expect(english["taken.claimed.text", ["name": "{n} {name}"]].contains("“{n} {name}”"))
    }

    @Test func no_charge_and_available_are_two_words() {
        for words in [english, german] {
            #expect(words["parking.noCharge"] != words["state.free"], "\(words.code)")
            // What costs nothing is in no sentence called what can be had.
            var keys = ["parking.noCharge", "rentals.nothing", "things.cancellation.free"]
            for policy in [
                "flexible.day", "flexible.hour", "moderate.day", "moderate.hour", "strict.day", "strict.hour",
            ] {
                keys += ["things.cancellation.\(policy)", "sharing.policy.\(policy)"]
            }
            for key in keys {
                let said = words[key].lowercased().split { !$0.isLetter }
                #expect(!said.contains("free") && !said.contains("frei") && said.count > 0, "\(words.code) \(key)")
            }
            #expect(words["things.act.rent"] != words["things.act.ask"])
        }
    }

    @Test func no_distance_is_too_long_to_be_said() {
        for words in [PageRenderingTests.english, PageRenderingTests.german] {
            for metres in [Int.max, Int.max / 1000 * 1000, Int.min] {
                #expect(!Distance.reach(metres, in: words).isEmpty && !Distance.text(metres, in: words).isEmpty)
            }
        }
    }

    @Test func addresses_to_come_back_to() {
        #expect(LocalPath.from("/parking?near=1,2") == "/parking?near=1,2")
        for wrong in [
            "", "parking", "//a", "/\\a", "/\t/a", "https://a", "/v1/spots", "/sign-in", "/sign-out?x", "/a b",
            "/a\r\nb",
        ] {
            #expect(LocalPath.from(wrong) == nil, "\(wrong)")
        }
        #expect(LocalPath.from("/sign-in", door: true) == "/sign-in")
        #expect(LocalPath.from("/joinery") == "/joinery")
        // As many letters as a search may have, each of nine bytes as an address.
        let long = "/wanted/new?of=cars&q=" + String(repeating: "%E8%BD%A6", count: 480)
        #expect(LocalPath.from(long) == long && LocalPath.from("/" + String(repeating: "a", count: 8_000)) == nil)
        #expect(LocalPath.of(address: "http://a.example/me?x=1#y") == "/me?x=1")
        #expect(LocalPath.of(address: "http://a.example") == nil)
    }

    @Test func devices_have_names_that_people_know() {
        let phone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit Version/18.0 Mobile Safari/604.1"
        #expect(Device.name(phone, in: english) == "Safari on iPhone")
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit Chrome/130.0 Safari/537.36 Edg/130.0"
        #expect(Device.name(edge, in: german) == "Edge auf Windows")
        #expect(Device.name("curl/8.1", in: english) == "curl")
        #expect(Device.name("", in: english) == "Unknown device")
    }
}
