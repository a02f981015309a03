import Testing
import WireProtocol

/// What a service passes on without reading it.
@Suite struct PassedOnTests {
    private let id = WantedID("00000000-0000-4000-8000-000000000001")!
    private let person = PersonID("00000000-0000-4000-8000-000000000002")!

    /// As PostgreSQL writes it: with blanks, and keys in an order of its own.
    private let kept = #"{"spots": {"near": {"latitude": 1.5, "longitude": 24}, "radius": 300}}"#

    private func search(_ json: String) -> SearchJudging.Search {
        SearchJudging.Search(id: id, person: person, query: PassedOn(json: json))
    }

    @Test func it_is_read_as_it_was_kept() throws {
        let bytes = try WireJSON.encode(SearchJudging(of: Subject(SpotID.new()), by: [search(kept)]))
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""query":\#(kept)}"#))
        let read = try WireJSON.decode(SearchJudging.self, from: bytes).searches[0]
        let query = WantedQuery(spots: SpotQuery(near: Position(latitude: 1.5, longitude: 24), radius: 300))
        #expect(read == SearchJudging.Search(id: id, person: person, query: query))
        #expect(try read.query.read() == query)
        #expect(try read.query.size == WireJSON.encode(query).count && search(kept).query.size == kept.utf8.count)
    }

    @Test func what_is_something_else_keeps_nothing_beside_it_from_being_read() throws {
        let searches = ["5", #"{"spots": 5}"#, kept, "null"].map(search)
        let bytes = try WireJSON.encode(SearchJudging(of: Subject(SpotID.new()), by: searches))
        let read = try WireJSON.decode(SearchJudging.self, from: bytes).searches
        #expect(read.map { (try? $0.query.read()) != nil } == [false, false, true, false])
        #expect(throws: ServiceError.self) { try read[0].query.read() }
    }
}
