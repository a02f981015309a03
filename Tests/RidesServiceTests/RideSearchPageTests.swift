import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("What may be searched for")
struct RideSearchPageTests {
    @Test func saysWhatIsWrong() async throws {
        func wrong(_ change: (inout RideSearchQuery) -> Void) -> [String] {
            var query = RideSearchQuery(from: salinas, to: city)
            change(&query)
            return RidesServiceTests.wrong { () throws(RideError) in _ = try RideSearchPage(query, at: noon) }
        }
        #expect(wrong { _ in } == [])
        #expect(wrong { $0.from.latitude = 91 } == ["from: out_of_range"])
        #expect(wrong { $0.to.longitude = .nan } == ["to: out_of_range"])
        #expect(
            wrong { $0.to = Position(latitude: salinas.latitude + 0.0089, longitude: salinas.longitude) } == [
                "to: too_close"
            ])
        #expect(wrong { $0.to = Position(latitude: salinas.latitude + 0.0091, longitude: salinas.longitude) } == [])
        #expect(wrong { $0.at = after(hours: -24) } == [])
        #expect(wrong { $0.at = after(hours: -24) - 1 } == ["at: in_past"])
        #expect(wrong { ($0.at, $0.after) = (noon, noon) } == ["at: not_allowed"])
        #expect(wrong { $0.after = after(hours: -49) } == ["after: in_past"])
        #expect(wrong { $0.before = after(hours: -25) } == ["before: in_past"])
        #expect(wrong { ($0.after, $0.before) = (after(hours: 2), after(hours: 1)) } == ["before: out_of_order"])
        #expect(wrong { ($0.after, $0.before) = (noon, after(hours: 168)) } == [])
        #expect(wrong { ($0.after, $0.before) = (noon, after(hours: 168) + 1) } == ["before: too_long"])
        #expect(wrong { $0.mostExtra = 3_000_000 } == [] && wrong { $0.mostExtra = 0 } == [])
        for most in [-1, 3_000_001] { #expect(wrong { $0.mostExtra = most } == ["mostExtra: out_of_range"]) }
        #expect(wrong { $0.seats = 0 } == ["seats: out_of_range"])
        #expect(
            wrong { ($0.seats, $0.limit, $0.cursor) = (9, 101, "no") }
                == ["seats: out_of_range", "limit: out_of_range", "cursor: not_a_cursor"])
        let window = try RideSearchPage(RideSearchQuery(from: salinas, to: city, before: noon), at: noon)
        #expect(window.wish.times == after(hours: -24)...noon && window.moment == nil)
    }

    @Test func cursorsHaveOneText() {
        let key = FoundKey(extra: 1234, departsAt: noon + 0.123456, id: .new())
        #expect(FoundKey(key.text) == key)
        for text in [
            "", "1~2", "-1~0~\(key.id)", "01~0~\(key.id)", "1~zz~\(key.id)", "1~7ff0000000000000~\(key.id)",
            key.text + "~",
        ] {
            #expect(FoundKey(text) == nil, "\(text)")
        }
    }

    /// A ride that leaves between two times may be on time; else the nearer of them counts.
    @Test func howMuchLaterItIs() throws {
        let page = try RideSearchPage(RideSearchQuery(from: salinas, to: city, at: after(hours: 5)), at: noon)
        #expect(page.difference(after(hours: 6), after(hours: 7), after: 0) == 3600)
        #expect(page.difference(after(hours: 3), after(hours: 4), after: 0) == -3600)
        #expect(page.difference(after(hours: 4), after(hours: 6), after: 0) == 0)
        #expect(page.difference(after(hours: 4), after(hours: 4), after: 10_000) == -2400)
    }
}
