import DurableMessaging
import FoundationEssentials
import Messaging
import People
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("The names on spots")
struct SpotNamesTests {
    @Test func aNewNameShowsOnSpotsThatWerePostedBefore() async throws {
        try await Listings.with { listings in
            let consumer = DurableConsumer(database: listings.database)
            listings.people.follow(on: consumer)
            let epoch = UUID()
            try await consumer.hear(PersonChanged(person: PersonSummary(id: maya, name: "Maya")), at: 1, of: epoch)
            let id = try await listings.posted().id
            #expect(try await listings.spots.spot(id, for: .anonymous).postedBy.name == "Maya")
            let photo = String(repeating: "0a", count: 32)
            let renamed = PersonSummary(id: maya, name: "Maya Tan", photo: photo)
            try await consumer.hear(PersonChanged(person: renamed), at: 2, of: epoch)
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
