import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Standing searches look again whenever a spot comes, goes, or says something else.
@Suite struct SpotLookTests {
    @Test func whateverItsPosterAndOthersDo() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted(draft(kind: .private)).id
            let look = [Subject(id)]
            #expect(try await listings.told(SearchableChanged.self).map(\.subject) == look)
            func looks(_ body: () async throws -> some Any) async throws -> [Subject] {
                try await listings.looks(during: body)
            }
            let named = draft("Level 3", kind: .private)
            let moved = draft("Level 3", at: Position(latitude: 60.18, longitude: 24.95), kind: .private)
            #expect(try await looks { try await listings.spots.change(id, to: named, .from(maya)) } == look)
            #expect(try await looks { try await listings.spots.change(id, to: moved, .from(maya)) } == look)
            #expect(try await looks { try await listings.spots.change(id, to: moved, .from(maya)) }.isEmpty)
            #expect(try await looks { try await listings.spots.observe(id, .there, .from(lin)) }.isEmpty)
            #expect(try await looks { try await listings.spots.claim(id, .from(tom)) } == look)
            #expect(try await looks { try await listings.spots.claim(id, .from(tom)) }.isEmpty)
            #expect(try await looks { try await listings.spots.release(id, .from(tom)) } == look)
            #expect(try await looks { try await listings.spots.claim(id, .from(tom)) } == look)
            #expect(try await looks { try await listings.spots.observe(id, .there, .from(tom)) }.isEmpty)
            #expect(try await looks { try await listings.spots.release(id, .from(tom)) } == look)
            #expect(try await looks { try await listings.spots.remove(id, .from(maya)) } == look)
            let headers = try await listings.events(of: SearchableChanged.type)
            #expect(headers.count == 8)
            #expect(headers.allSatisfy { $0.audience == .nobody && $0.aggregate == "spot/\(id)" })
        }
    }

    @Test func whatPassersByFindGoneAndWhatTimeEnds() async throws {
        try await Listings.with { listings in
            let (gone, over) = (try await listings.posted().id, try await listings.posted().id)
            func looks(_ body: () async throws -> some Any) async throws -> [Subject] {
                try await listings.looks(during: body)
            }
            #expect(try await looks { try await listings.spots.observe(gone, .gone, .from(lin)) }.isEmpty)
            #expect(try await looks { try await listings.spots.observe(gone, .gone, .from(tom)) } == [Subject(gone)])
            listings.clock.advance(by: .seconds(1800))
            #expect(try await looks { try await listings.rounds.expire() } == [Subject(over)])
            #expect(try await looks { try await listings.rounds.expire() }.isEmpty)
        }
    }

    @Test func whatModeratorsHideAndRestore() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            let (look, hiding) = ([Subject(id)], Hiding(at: noon, reason: "x"))
            #expect(try await listings.looks { try await listings.hide(id, hiding) } == look)
            #expect(try await listings.looks { try await listings.hide(id, hiding) }.isEmpty)
            let change = try await listings.looks {
                try await listings.spots.change(id, to: draft("Mended"), .from(maya))
            }
            #expect(change.isEmpty, "nobody finds it")
            #expect(try await listings.looks { try await listings.restore(id) } == look)
        }
    }

    @Test func whatIsOfWhoIsSuspendedOrErased() async throws {
        try await Listings.with { listings in
            let (free, held) = (try await listings.posted().id, try await listings.posted().id)
            _ = try await listings.spots.claim(held, .from(tom))
            let toms = try await listings.posted(by: tom).id
            _ = try await listings.spots.claim(toms, .from(maya))
            // What she holds is free again.
            let away = try await listings.looks { try await listings.suspend(maya, until: nil) }
            #expect(Set(away) == [Subject(free), Subject(toms)] && away.count == 2)
            let back = try await listings.looks { try await listings.apply(PersonReinstated(person: maya)) }
            #expect(back == [Subject(free)])
            let erased = try await listings.looks {
                try await listings.apply(PersonErased(erasure: .new(), person: maya))
            }
            #expect(erased == [Subject(free)])
        }
    }
}
