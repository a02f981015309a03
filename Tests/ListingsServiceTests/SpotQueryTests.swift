import DurableMessaging
import Testing
import WireProtocol

@testable import ListingsService

@Suite("What a query must be")
struct SpotQueryTests {
    static let box = BoundingBox(west: 24, south: 60, east: 25, north: 61)

    private func page(_ query: SpotQuery, by person: PersonID? = nil) throws -> SpotPage {
        try SpotPage(query, for: Caller(person: person), at: noon, within: limits)
    }

    private func refusal(_ query: SpotQuery) -> Set<String> {
        do { _ = try page(query) } catch { return fields(of: error as? SpotError) }
        return []
    }

    @Test func selections() throws {
        #expect(try page(SpotQuery(bbox: Self.box)) == SpotPage(.within(Self.box), limit: 20))
        #expect(try page(SpotQuery(near: library, limit: 100)) == SpotPage(.near(library, radius: 1000), limit: 100))
        #expect(try page(SpotQuery(of: .posted), by: maya) == SpotPage(.posted(by: maya)))
        #expect(try page(SpotQuery(by: maya)) == SpotPage(.free(by: maya)))
        #expect(try page(SpotQuery(of: .claimed), by: maya) == SpotPage(.claimed(by: maya, since: after(-120))))
    }

    @Test func onesOwnNeedASession() {
        #expect { try page(SpotQuery(of: .posted)) } throws: { ($0 as? ServiceError)?.code == .unauthenticated }
    }

    @Test(arguments: [
        (SpotQuery(), "bbox: one_of"), (SpotQuery(bbox: box, near: library), "bbox: one_of"),
        (SpotQuery(of: .posted, by: maya), "bbox: one_of"),
        (SpotQuery(bbox: box, radius: 5), "radius: not_allowed"),
        (SpotQuery(near: library, radius: 0), "radius: out_of_range"),
        (SpotQuery(near: library, radius: 50_001), "radius: out_of_range"),
        (SpotQuery(near: Position(latitude: 91, longitude: 0)), "near: out_of_range"),
        (SpotQuery(bbox: BoundingBox(west: 0, south: 2, east: 1, north: 1)), "bbox: out_of_range"),
        (SpotQuery(bbox: box, limit: 0), "limit: out_of_range"),
        (SpotQuery(bbox: box, limit: 101), "limit: out_of_range"),
        (SpotQuery(bbox: box, cursor: "next"), "cursor: not_a_cursor"),
        (SpotQuery(bbox: box, cursor: "' OR 1=1"), "cursor: not_a_cursor"),
    ])
    func refusals(query: SpotQuery, error: String) {
        #expect(refusal(query) == [error])
    }

    @Test func cursorsComeBackBitByBit() throws {
        for chord in [nil, 0, 0.1, 1234.567890123, 99_999.999] {
            let cursor = SpotCursor(FoundSpot(spot: spot(), distance: chord.map { .init(chord: $0, ground: $0) }))
            #expect(SpotCursor(cursor.text) == cursor)
        }
        let id = SpotID.new(at: noon)
        #expect(SpotCursor("\(id)~7ff8000000000000") == nil, "not a number")
        #expect(SpotCursor("\(id)~bff0000000000000") == nil, "a distance below zero")
        #expect(SpotCursor("\(id)~") == nil)
        #expect(SpotCursor("\(id)~+4059000000000000") == nil, "a sign")
        #expect(SpotCursor("\(id)~04059000000000000") == nil, "a zero in front")
        #expect(SpotCursor("\(id)~0~0") == nil)
    }

    @Test func aCursorOfAnotherListIsRefused() {
        let byDistance = SpotCursor(FoundSpot(spot: spot(), distance: .init(chord: 5, ground: 5))).text
        let byAge = SpotCursor(FoundSpot(spot: spot())).text
        #expect(refusal(SpotQuery(bbox: Self.box, cursor: byDistance)) == ["cursor: not_a_cursor"])
        #expect(refusal(SpotQuery(near: library, cursor: byAge)) == ["cursor: not_a_cursor"])
    }
}
