import Foundation
import Testing
import WireProtocol

@Suite struct IdentityAndTimeTests {
    let moment = Date(timeIntervalSince1970: 1_795_232_513.123)

    @Test func versionSevenHasItsShape() throws {
        let id = PersonID.new(at: moment)
        let text = id.description
        #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        let milliseconds = try #require(Int64(text.replacing("-", with: "").prefix(12), radix: 16))
        #expect(milliseconds == 1_795_232_513_123)
        #expect(PersonID(text) == id)
        #expect(PersonID(text.uppercased()) == id)
        #expect(PersonID("not an id") == nil)
    }

    /// Foundation reads all of these.
    @Test(arguments: [
        "+1+2+3+4-+5+6-+7+8-+1+2-+1+2+3+4+5+6", " 1 2 3 4- 5 6-0123-4567-456789abcdef",
        "01234567-89ab-cdef-0123-456789abcdef\0xx",
    ])
    func anIdHasOneText(_ text: String) {
        #expect(UUID(uuidString: text) != nil)
        #expect(SpotID(text) == nil && UUID(canonical: text) == nil)
    }

    /// Foundation reads most of these.
    @Test(arguments: [
        "2026-11-21T03:41:53Zxx", "2026-02-29T00:00:00Z", "2026-1-1T0:0:0Z", "2026-11-21T24:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-11-21T03:41:53+0800", "2026-11-21T03:41:53+24:00", "2026-11-21T03:41:53.Z", "2026-11-21T03:41:53",
        "2026-11-21 03:41:53Z", "2026-00-21T03:41:53Z", "2026-11-00T03:41:53Z", "",
    ])
    func whatIsNoTimeIsNotRead(_ text: String) { #expect(WireJSON.date(from: text) == nil) }

    @Test(arguments: ["2024-02-29T23:59:59.999Z", "2000-02-29T00:00:00-00:00", "2026-11-21T03:41:53.123456+23:59"])
    func anyTimeOfTheStandardIsRead(_ text: String) { #expect(WireJSON.date(from: text) != nil) }

    @Test func laterIdsSortLater() {
        let ids = (0..<200).map { SpotID.new(at: moment.addingTimeInterval(Double($0) / 500)).description }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 200)
        #expect(Set((0..<1000).map { _ in UUID.version7(at: moment) }).count == 1000)
    }

    /// Services lock two people in one order, and PostgreSQL sorts by bytes.
    @Test func ids_sort_as_their_texts_do() {
        let ids = (0..<500).map { _ in PersonID(UUID()) }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }

    @Test func randomBitsComeFromTheGenerator() {
        struct Zero: RandomNumberGenerator { mutating func next() -> UInt64 { 0 } }
        var zero = Zero()
        let id = UUID.version7(at: Date(timeIntervalSince1970: 0), using: &zero)
        #expect(id.uuidString == "00000000-0000-7000-8000-000000000000")
    }

    /// No millisecond is lost or gained on the way, in either representation.
    @Test func everyMillisecondSurvives() throws {
        for millisecond in 0..<1000 {
            let text = "2026-11-21T03:41:53.\(String(millisecond + 1000).dropFirst())Z"
            let date = try #require(WireJSON.date(from: text))
            #expect(WireJSON.text(of: date) == text)
            let framed = try #require(Frame.time(Frame.time(date)))
            #expect(WireJSON.text(of: framed) == text)
        }
    }

    /// Leap days, centuries and the ends of years, as Foundation writes them.
    @Test func writesEveryDayOfTheCalendar() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: -719_162, to: 2_932_896, by: 97) {  // 0001-01-01 to 9999-12-31
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 86_399.5)
            #expect(WireJSON.text(of: date) == date.formatted(style))
        }
    }

    @Test func readsOtherSpellingsOfATime() {
        let whole = Date(timeIntervalSince1970: 1_795_232_513)
        #expect(WireJSON.date(from: "2026-11-21T03:41:53Z") == whole)
        #expect(WireJSON.date(from: "2026-11-21T11:41:53+08:00") == whole)
        #expect(WireJSON.date(from: "2026-11-21T03:41:53.000Z") == whole)
        // No place is so far from Greenwich, and RFC 3339 does not mind.
        #expect(WireJSON.date(from: "2026-11-22T03:40:53+23:59") == whole)
        #expect(WireJSON.date(from: "2026-11-20T03:42:53.000-23:59") == whole)
        #expect(WireJSON.date(from: "2026-11-22T03:40:53+24:00") == nil)
        #expect(WireJSON.date(from: "2026-11-22T03:40:53+23:60") == nil)
        #expect(WireJSON.date(from: "2026-11-22T03:40:53++1:-1") == nil)
        #expect(WireJSON.date(from: "yesterday") == nil)
        #expect(WireJSON.date(from: "") == nil)
    }
}
