import Foundation
import Testing
import WireProtocol

/// What all lists have in common that people read a page at a time.
@Suite struct PagingTests {
    private let id = UUID(uuidString: "019aa3f0-0000-7a66-8f70-8192a3b4c5d6")!
    private let moment = Date(timeIntervalSince1970: 1_795_232_513.123456)

    @Test func cursors_are_read_as_they_are_written_and_nothing_else_is() throws {
        let cursor = MomentCursor(moment, id)
        #expect(MomentCursor(cursor.text) == cursor)
        let far = DistanceCursor(1234.567890123, id)
        #expect(DistanceCursor(far.text) == far)
        let bits = try #require(cursor.text.split(separator: "~").last)
        let spoilt: [String] = [
            "", "~", "\(id)", "x~\(bits)", "\(id.text)", "\(id.text)~", "\(id.text)~+\(bits)", "\(id.text)~0\(bits)",
            "\(id.text)~\(bits.uppercased())", "\(id.text)~\(bits)~0", "\(id.text)~-1", "\(id.text)~7ff0000000000000",
            "\(id.text)~7ff8000000000000", "\(id.text)~bff0000000000000", "\(id.text)~ffffffffffffffff",
            "\(id.text)~00a", "\(id.text)~A", "x~1", cursor.text.uppercased(), "\(id.text)~\(bits)000000000000",
        ]
        for text in spoilt {
            #expect(MomentCursor(text) == nil, "\(text)")
            #expect(DistanceCursor(text) == nil, "\(text)")
        }
    }

    /// People hold these: all that a service ever wrote is read.
    @Test func cursors_of_before_lead_to_the_same_place() throws {
        let inMilliseconds = "\(id.text)~\(String(Int64(1_795_232_513_123), radix: 16))"
        let cursor = try #require(MomentCursor(inMilliseconds))
        #expect(cursor.id == id && abs(cursor.time.timeIntervalSince1970 - 1_795_232_513.123) < 0.000_1)
        let exact = String(moment.timeIntervalSinceReferenceDate.bitPattern, radix: 16)
        #expect(MomentCursor("\(id.text)~\(exact)") == MomentCursor(moment, id))
        let distance = String(Double(12.5).bitPattern, radix: 16)
        #expect(DistanceCursor("\(id.text)~\(distance)") == DistanceCursor(12.5, id))
    }

    @Test func one_more_than_a_page_shows_that_another_follows() {
        #expect(FoundPage([1, 2, 3], of: 2).shown == [1, 2] && FoundPage([1, 2, 3], of: 2).last == 2)
        #expect(FoundPage([1, 2], of: 2).shown == [1, 2] && FoundPage([1, 2], of: 2).last == nil)
        #expect(FoundPage([Int](), of: 2).last == nil)
        let page = Page(["a", "b"], of: 1) { _ in MomentCursor(moment, id) }
        #expect(page.items == ["a"] && page.next == MomentCursor(moment, id).text)
        #expect(Page(["a"], of: 1) { _ in MomentCursor(moment, id) }.next == nil)
    }

    @Test func what_is_wrong_is_said_at_its_field() {
        func read(_ query: SpotQuery) -> [FieldError] {
            var errors: [FieldError] = []
            let limit = query.readLimit(&errors)
            #expect(limit == query.limit ?? 20)
            _ = query.readCursor(&errors) { DistanceCursor($0) }
            return errors
        }
        #expect(read(SpotQuery()).isEmpty)
        #expect(read(SpotQuery(limit: 100, cursor: DistanceCursor(1, id).text)).isEmpty)
        let wrong = [
            FieldError("limit", "out_of_range", "Between 1 and 100."),
            FieldError("cursor", "not_a_cursor", "This is not a cursor of this list."),
        ]
        #expect(read(SpotQuery(limit: 101, cursor: "x")) == wrong)
        #expect(read(SpotQuery(limit: 0)) == [wrong[0]])
    }

    @Test func fields_of_many_drafts_and_queries_have_one_rule() {
        let (here, nowhere) = (Position(latitude: 1, longitude: 2), Position(latitude: 91, longitude: .nan))
        #expect(FieldRules.errors(inPoint: nil, at: "near").isEmpty)
        #expect(FieldRules.errors(inPoint: here, at: "near").isEmpty)
        #expect(
            FieldRules.errors(inPoint: nowhere, at: "near")
                == [FieldError("near", "out_of_range", "Latitude and longitude in degrees.")])
        #expect(FieldRules.errors(in: here).isEmpty)
        #expect(FieldRules.errors(in: nowhere).map(\.field) == ["position.latitude", "position.longitude"])
        #expect(FieldRules.errors(inRadius: nil).isEmpty && FieldRules.errors(inRadius: 50_000).isEmpty)
        #expect(
            FieldRules.errors(inRadius: 50_001)
                == [FieldError("radius", "out_of_range", "Between 1 and 50000 metres.")])
        let photo = String(repeating: "0a", count: 32)
        #expect(FieldRules.errors(inPhoto: nil).isEmpty && FieldRules.errors(inPhoto: photo).isEmpty)
        #expect(FieldRules.errors(inPhoto: photo.uppercased(), at: "photos").map(\.code) == ["not_a_photo"])
    }
}

extension UUID {
    /// As ids are written.
    fileprivate var text: String { ID<Self>(self).description }
}
