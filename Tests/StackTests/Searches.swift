import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

/// What the tests of standing searches do again and again.
enum Searches {
    /// Words that no other test has in a title.
    static func word() -> String { "heron\(UUID().uuidString.lowercased().prefix(8))" }

    /// Cars of a make with a word in their title.
    static func cars(_ word: String, brand: String? = "Honda") -> WantedQuery {
        WantedQuery(things: ThingQuery(kind: .car, q: word, brand: brand))
    }

    static func spaces(_ word: String) -> WantedQuery { WantedQuery(things: ThingQuery(kind: .space, q: word)) }

    static func spots(near point: Position, radius: Int = 500) -> WantedQuery {
        WantedQuery(spots: SpotQuery(near: point, radius: radius))
    }

    /// Somebody looks for it from now on.
    static func look(_ client: KampongClient, for query: WantedQuery) async throws -> WantedID {
        try await client.postWanted(WantedDraft(query: query)).id
    }

    /// A space with these words, where nobody needs a plate.
    static func shareSpace(_ title: String, by owner: KampongClient, key: String? = nil) async throws -> Thing {
        let region = try await owner.about().regions.first
        return try await owner.postThing(
            ThingDraft(title: title, size: 12, region: region, place: "Joo Chiat Road", address: "No. 12"), as: .space,
            key: key)
    }

    /// What somebody was told of what they look for, the newest first.
    static func told(_ client: KampongClient, unread: Bool? = nil) async throws -> [InboxNotice] {
        try await client.notifications(unread: unread, limit: 100).items.filter {
            [.spotFound, .thingFound, .rideFound, .delivererFound, .wantedDue].contains($0.kind)
        }
    }

    /// What one of their searches has found, the latest first.
    static func finds(_ id: WantedID, of client: KampongClient) async throws -> [Subject] {
        try await client.wantedFinds(WantedFindQuery(id: id)).items.compactMap {
            $0.spot.map { Subject($0.id) } ?? $0.thing.map { Subject($0.id) } ?? $0.ride.map { Subject($0.id) }
                ?? $0.deliverer.map { Subject($0.deliverer.id) }
        }
    }

    /// Waits until somebody is told of these things; whether they were told of nothing else, and of each once.
    static func hears(_ subjects: [Subject], _ client: KampongClient) async throws -> Bool {
        let all = Set(subjects)
        _ = try await eventually { try await Set(told(client).map(\.subject)).isSuperset(of: all) }
        let heard = try await told(client).map(\.subject)
        return Set(heard) == all && heard.count == subjects.count
    }
}

/// What the tests of those who seek a ride do again and again.
enum Seekers {
    /// Somebody seeks a ride along a trip, so that others see it.
    static func seek(_ trip: Trip, _ client: KampongClient, key: String? = nil) async throws -> WantedID {
        try await client.postWanted(WantedDraft(query: WantedQuery(rides: trip.search), isVisible: true), key: key).id
    }

    /// What somebody sees of who seeks this, among all who seek a ride.
    static func seen(_ id: WantedID, by client: KampongClient) async throws -> Seeker? {
        var cursor: String?
        repeat {
            let page = try await client.seekers(SeekingQuery(limit: 100, cursor: cursor))
            if let found = page.items.first(where: { $0.id == id }) { return found }
            cursor = page.next
        } while cursor != nil
        return nil
    }

    /// Who of them its driver sees along a ride.
    static func along(_ ride: RideID, of driver: KampongClient) async throws -> [WantedID] {
        try await driver.seekers(along: RideSeekersQuery(ride: ride)).items.map(\.seeker.id)
    }

    /// What somebody was told of seeking, as `kind/id` of the subject, the newest first.
    static func told(_ client: KampongClient) async throws -> [String] {
        try await client.notifications(limit: 100).items.filter { [.rideInvited, .seekerFound].contains($0.kind) }.map {
            "\($0.kind.rawValue)/\($0.subject.id)"
        }
    }

    static func hears(_ told: [String], _ client: KampongClient) async throws -> Bool {
        try await eventually { try await Self.told(client) == told }
    }
}

extension Listener {
    /// How often it was said that somebody's searches have found this, or that it is gone.
    func found(_ subject: Subject, isGone: Bool = false) -> Int {
        events.count { event in
            event.name == WantedFound.type
                && (try? WireJSON.decode(WantedFound.self, from: Array(event.data.utf8)))
                    == WantedFound(subject, isGone: isGone)
        }
    }

    /// Whether anything was said of anybody's searches.
    var heardOfSearches: Bool { events.contains { $0.name.hasPrefix("wanted") } }
}
