import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What the two of a match may write to each other about, and what one of them reports.
@Suite struct DeliveryRoomTests {
    private func room(
        _ id: MatchID, for person: PersonID, in deliveries: Deliveries
    ) async throws -> RoomSubjectFacts {
        try await deliveries.useCases.roomSubject(RoomSubjectQuery(subject: Subject(id), viewer: person))
    }

    private func told(_ deliveries: Deliveries) async throws -> [Bool] {
        try await deliveries.told(RoomSubjectChanged.self).map(\.facts.isOpen)
    }

    @Test func it_is_theirs_from_the_acceptance_until_both_have_completed() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            try await deliveries.ordering()
            try await deliveries.decide()
            let id = try #require(try await deliveries.asked(maya))
            #expect(try await !room(id, for: tom, in: deliveries).isOpen)
            try await deliveries.act(.accept, on: id, by: maya)
            let facts = try await room(id, for: tom, in: deliveries)
            #expect(facts.isOpen(to: tom) && !facts.isOpen(to: kim))
            #expect(facts.owner == maya && facts.partners == [tom] && facts.title == "Unicafe → Exactum")
            #expect(await deliveryRefusal { try await room(id, for: kim, in: deliveries) } == .matchNotFound)
            try await deliveries.act(.pickUp, on: id, by: maya, MatchActDraft(spent: euros(1000)))
            try await deliveries.act(.complete, on: id, by: maya)
            #expect(try await room(id, for: maya, in: deliveries).isOpen)
            try await deliveries.act(.complete, on: id, by: tom)
            #expect(try await !room(id, for: maya, in: deliveries).isOpen)
            #expect(try await told(deliveries) == [true, false])
            let header = try #require(try await deliveries.headers(of: RoomSubjectChanged.self).first)
            #expect(header.aggregate == "subject/\(id)" && header.audience == .nobody)
        }
    }

    @Test func what_was_cancelled_is_talked_about_for_an_hour() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            try await deliveries.act(.cancel, on: id, by: tom)
            deliveries.advance(minutes: 59)
            try await deliveries.pass()
            #expect(try await room(id, for: tom, in: deliveries).isOpen)
            #expect(try await told(deliveries) == [true])
            deliveries.advance(minutes: 1)
            #expect(try await !room(id, for: tom, in: deliveries).isOpen, "whether or not the rounds came by")
            try await deliveries.pass()
            try await deliveries.pass()
            #expect(try await told(deliveries) == [true, false])
        }
    }

    @Test func whoever_reports_a_match_reports_the_other_one() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            try await deliveries.act(.giveUp, on: id, by: maya, MatchActDraft(reason: "It fell down."))
            func said(to viewer: PersonID?) async throws -> SubjectSnapshot {
                try await deliveries.useCases.subject(SubjectQuery(subject: Subject(id), viewer: viewer))
            }
            let toTom = try await said(to: tom)
            #expect(toTom.owner == maya && toTom.title == "Unicafe → Exactum" && toTom.text == "It fell down.")
            let toMaya = try await said(to: maya)
            #expect(toMaya.owner == tom && toMaya.text == "Soup" && toMaya.photo == nil)
            #expect(try await said(to: nil).text == "Soup\nIt fell down.")
            #expect(await deliveryRefusal { try await said(to: kim) } == .matchNotFound)
            try await deliveries.erase(maya)
            #expect(await deliveryRefusal { try await said(to: tom) } == .matchNotFound, "there is nobody to judge")
        }
    }
}
