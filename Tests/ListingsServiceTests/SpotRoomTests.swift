import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What rooms about a spot are told of it.
@Suite struct SpotRoomTests {
    private func asked(_ id: SpotID, by person: PersonID, on listings: Listings) async throws -> RoomSubjectFacts {
        try await listings.spots.roomSubject(RoomSubjectQuery(subject: Subject(id), viewer: person))
    }

    private func told(on listings: Listings) async throws -> [RoomSubjectFacts] {
        try await listings.told(RoomSubjectChanged.self).map(\.facts)
    }

    @Test func whoever_sees_a_spot_is_told_whose_it_is_and_who_holds_it() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            let free = try await asked(id, by: tom, on: listings)
            #expect(
                free
                    == RoomSubjectFacts(title: "By the library", photo: nil, owner: maya, partners: [], isOpen: true))
            _ = try await listings.spots.claim(id, .from(tom))
            let held = try await asked(id, by: maya, on: listings)
            #expect(held.partners == [tom] && held.isOpen)
            _ = try await listings.spots.observe(id, .there, .from(tom))
            let parked = try await asked(id, by: maya, on: listings)
            #expect(parked.partners.isEmpty && !parked.isOpen)
        }
    }

    @Test func of_what_somebody_does_not_see_they_are_told_nothing() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            func refused(_ subject: Subject, by person: PersonID = tom) async -> SpotError? {
                await spotRefusal {
                    try await listings.spots.roomSubject(RoomSubjectQuery(subject: subject, viewer: person))
                }
            }
            #expect(await refused(Subject(SpotID.new())) == .notFound)
            #expect(await refused(Subject(kind: .person, id: ID(id.uuid))) == .notFound)
            try await listings.part(maya, lin)
            #expect(await refused(Subject(id), by: lin) == .notFound)
            try await listings.hide(id, Hiding(at: noon, reason: "x"))
            #expect(await refused(Subject(id)) == .notFound)
            #expect(try await asked(id, by: maya, on: listings).isOpen == false)
        }
    }

    @Test func a_spot_whose_time_is_over_is_so_before_the_sweep_comes_by() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            listings.clock.advance(by: .seconds(3600))
            #expect(try await asked(id, by: tom, on: listings).isOpen == false)
            #expect(try await told(on: listings).isEmpty)
            _ = try await listings.rounds.expire()
            #expect(try await told(on: listings).map(\.isOpen) == [false])
        }
    }

    @Test func rooms_hear_of_names_pictures_claims_and_of_the_end() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.change(id, to: draft(), .from(maya))
            _ = try await listings.spots.observe(id, .there, .from(lin))
            #expect(try await told(on: listings).isEmpty, "nothing that concerns them")
            let photo = String(repeating: "a", count: 64)
            _ = try await listings.spots.change(id, to: draft("Level 3", photo: photo), .from(maya))
            _ = try await listings.spots.claim(id, .from(tom))
            _ = try await listings.spots.release(id, .from(tom))
            _ = try await listings.spots.remove(id, .from(maya))
            let said = try await told(on: listings)
            #expect(said.map(\.title) == Array(repeating: "Level 3", count: 4) && said[0].photo == photo)
            #expect(said.map(\.partners) == [[], [tom], [], []])
            #expect(said.map(\.isOpen) == [true, true, true, false])
            let headers = try await listings.events(of: RoomSubjectChanged.type)
            #expect(headers.allSatisfy { $0.audience == .nobody && $0.aggregate == "subject/\(id)" })
        }
    }

    @Test func what_moderators_hide_is_not_named_whatever_became_of_it() async throws {
        try await Listings.with { listings in
            let photo = String(repeating: "a", count: 64)
            let id = try await listings.posted(draft("Level 3", photo: photo)).id
            #expect(try await asked(id, by: tom, on: listings).photo == photo)
            _ = try await listings.spots.claim(id, .from(tom))
            try await listings.hide(id, Hiding(at: noon, reason: "x"))
            for person in [maya, tom] {
                let facts = try await asked(id, by: person, on: listings)
                #expect(facts.title == nil && facts.photo == nil)
                #expect(facts.isOpen(to: tom) && !facts.isOpen(to: lin), "who holds it goes on talking to whose it is")
            }
            listings.clock.advance(by: .seconds(3 * 3600))
            _ = try await listings.rounds.settle()
            try await listings.restore(id)
            let said = try await told(on: listings)
            #expect(said.map(\.title) == ["Level 3", nil, nil, "Level 3"])
            #expect(said.map(\.photo) == [photo, nil, nil, photo])
            #expect(said.map(\.isOpen) == [true, true, false, false])
            #expect(said.map(\.isOpenToAll) == [nil, false, nil, nil])
        }
    }

    @Test func what_is_hidden_is_over_once_nobody_holds_it() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(tom))
            try await listings.hide(id, Hiding(at: noon, reason: "x"))
            _ = try await listings.spots.release(id, .from(tom))
            #expect(try await told(on: listings).map { $0.isOpen(to: tom) } == [true, true, false])
        }
    }

    @Test func a_claim_that_time_completed_ends_it_and_hiding_does_so_for_a_while() async throws {
        try await Listings.with { listings in
            let (taken, hidden) = (try await listings.posted().id, try await listings.posted().id)
            _ = try await listings.spots.claim(taken, .from(tom))
            try await listings.hide(hidden, Hiding(at: noon, reason: "x"))
            try await listings.restore(hidden)
            #expect(try await told(on: listings).map(\.isOpen) == [true, false, true])
            #expect(try await told(on: listings).map(\.title) == ["By the library", nil, "By the library"])
            listings.clock.advance(by: .seconds(3 * 3600))
            #expect(try await listings.rounds.settle() == 1)
            let last = try await told(on: listings).last
            #expect(last?.isOpen == false && last?.partners == [])
        }
    }
}
