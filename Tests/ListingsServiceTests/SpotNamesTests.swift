import DurableMessaging
import Messaging
import People
import Testing
import WireProtocol

@testable import ListingsService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The names on spots")
struct SpotNamesTests {
    private func envelope(_ person: PersonSummary, at position: Int64, of epoch: UUID) throws -> EventEnvelope {
        let header = EventHeader(
            id: .version7(), type: PersonChanged.type, aggregate: "person/\(person.id)", audience: .nobody,
            occurredAt: noon)
        return EventEnvelope(
            publisher: "auth", epoch: epoch, position: position, header: header,
            payload: try WireJSON.encode(PersonChanged(person: person)))
    }

    @Test func aNewNameShowsOnSpotsThatWerePostedBefore() async throws {
        try await Listings.with { listings in
            let consumer = DurableConsumer(database: listings.database)
            listings.people.follow(on: consumer)
            let epoch = UUID()
            try await consumer.consume([try envelope(PersonSummary(id: maya, name: "Maya"), at: 1, of: epoch)])
            let id = try await listings.posted().id
            #expect(try await listings.spots.spot(id, for: .anonymous).postedBy.name == "Maya")
            let photo = String(repeating: "0a", count: 32)
            let renamed = PersonSummary(id: maya, name: "Maya Tan", photo: photo)
            try await consumer.consume([try envelope(renamed, at: 2, of: epoch)])
            #expect(try await listings.spots.spot(id, for: .anonymous).postedBy == renamed)
            #expect(try await listings.found(SpotQuery(near: library)).items.map(\.postedBy) == [renamed])
        }
    }

    @Test func whoIsNotKnownIsAskedFor() async throws {
        try await Listings.with(ask: { PersonSummary(id: $0, name: "Asked") }) { listings in
            let spot = try await listings.posted()
            #expect(spot.postedBy.name == "Asked")
        }
    }

    @Test func authBeingAwayIsNoError() async throws {
        struct Away: Error {}
        try await Listings.with(ask: { _ in throw Away() }) { listings in
            let spot = try await listings.posted()
            #expect(spot.postedBy == PersonSummary(id: maya, name: "Someone"))
            #expect(try await listings.spots.claim(spot.id, .from(tom)).claim?.by.name == "Someone")
        }
    }
}
