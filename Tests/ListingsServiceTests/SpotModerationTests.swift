import DurableMessaging
import FoundationEssentials
import Messaging
import People
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Spots that moderators have hidden: Maya's, whom Tom and a stranger look for, and Lin, who keeps order.
@Suite struct SpotModerationTests {
    private let everywhere = SpotQuery(bbox: BoundingBox(west: -180, south: -90, east: 180, north: 90))
    private let hiding = Hiding(at: noon, reason: "This is a bus stop.")

    @Test func it_leaves_every_list_of_others_and_its_owner_sees_why() async throws {
        try await Listings.with { listings in
            let (id, other) = (try await listings.posted().id, try await listings.posted(by: lin).id)
            try await listings.hide(id, hiding)
            let near = SpotQuery(near: draft().position, radius: 5_000)
            for query in [everywhere, near, SpotQuery(by: maya)] {
                for person in [tom, lin, nil] {
                    #expect(!(try await listings.found(query, by: person).items.map(\.id).contains(id)))
                }
            }
            #expect(try await listings.found(everywhere, by: tom).items.map(\.id) == [other])
            for query in [SpotQuery(of: .posted), SpotQuery(by: maya)] {
                let own = try await listings.found(query, by: maya).items
                #expect(own.map(\.id) == [id] && own[0].hidden == hiding && own[0].state == .free)
            }
            #expect(try await listings.spots.spot(id, for: Caller(person: maya)).hidden == hiding)
            let moderator = Caller(person: lin, roles: [.moderator])
            #expect(try await listings.spots.spot(id, for: moderator).hidden == hiding)
            for caller in [Caller(person: tom), .anonymous, Caller(roles: [.moderator])] {
                #expect(await spotRefusal { try await listings.spots.spot(id, for: caller) } == .notFound)
            }
            let tries: [SpotError?] = [
                await spotRefusal { try await listings.spots.claim(id, .from(tom)) },
                await spotRefusal { try await listings.spots.observe(id, .gone, .from(tom)) },
                await spotRefusal { try await listings.spots.change(id, to: draft(), .from(tom)) },
                await spotRefusal { try await listings.spots.remove(id, .from(tom)) },
            ]
            #expect(tries == Array(repeating: .notFound, count: 4))
            // Its owner may mend it or take it back; neither brings it back to the map.
            #expect(try await listings.spots.change(id, to: draft("Mended"), .from(maya)).hidden == hiding)
            #expect(try await listings.found(everywhere, by: tom).items.map(\.id) == [other])
            try await listings.restore(id)
            #expect(try await listings.found(everywhere, by: tom).items.map(\.name).contains("Mended"))
            #expect(try await listings.spots.spot(id, for: Caller(person: maya)).hidden == nil)
        }
    }

    @Test func watchers_see_it_leave_and_come_back_and_hear_nothing_in_between() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            try await listings.hide(id, hiding)
            try await listings.hide(id, hiding)
            _ = try await listings.spots.change(id, to: draft("Mended"), .from(maya))
            let moved = Position(latitude: 60.18, longitude: 24.95)
            _ = try await listings.spots.change(id, to: draft("Moved", at: moved), .from(maya))
            try await listings.restore(id)
            try await listings.restore(id)
            #expect(try await listings.events().map(\.type) == ["spotAdded", "spotRemoved", "spotAdded"])
            #expect(try await listings.events().last?.location == moved)
            // Once its time is over there is nothing to tell, in either direction.
            try await listings.hide(id, hiding)
            listings.clock.advance(by: .seconds(30 * 86_400))
            #expect(try await listings.rounds.expire() == 1)
            try await listings.restore(id)
            #expect(try await listings.events().count == 4)
            #expect(try await listings.stored(id)?.state == .expired)
        }
    }

    @Test func who_holds_it_goes_on_holding_it_and_gives_it_back_unseen() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            _ = try await listings.spots.claim(id, .from(tom))
            try await listings.hide(id, hiding)
            let held = try await listings.spots.spot(id, for: Caller(person: tom))
            #expect(held.claim?.mine == true && held.hidden == nil)
            #expect(try await listings.found(SpotQuery(of: .claimed), by: tom).items.map(\.id) == [id])
            _ = try await listings.spots.release(id, .from(tom))
            #expect(await spotRefusal { try await listings.spots.spot(id, for: Caller(person: tom)) } == .notFound)
            #expect(try await listings.events().map(\.type) == ["spotAdded", "spotClaimed"])
            try await listings.restore(id)
            #expect(try await listings.events().last?.type == "spotAdded")
            _ = try await listings.spots.claim(id, .from(tom))
            try await listings.hide(id, hiding)
            _ = try await listings.spots.observe(id, .there, .from(tom))
            #expect(try await listings.events().last?.type == "encounterCompleted")
        }
    }

    @Test func of_a_claim_and_a_moderator_at_once_one_comes_first() async throws {
        try await Listings.with { listings in
            for person in crowd(20) {
                let id = try await listings.posted(by: person).id
                async let claim = spotRefusal { try await listings.spots.claim(id, .from(crowd(1)[0])) }
                async let hide: Void = listings.hide(id, hiding)
                let (error, _) = (await claim, try await hide)
                let spot = try #require(try await listings.stored(id))
                #expect(spot.hidden == hiding && (spot.claimer == nil) == (error == .notFound))
            }
        }
    }

    @Test func moderators_are_told_what_it_says_and_reporters_what_they_see() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted(draft("By the library")).id
            let subject = Subject(id)
            func told(_ viewer: PersonID?) async throws -> SubjectSnapshot {
                try await listings.spots.subject(SubjectQuery(subject: subject, viewer: viewer))
            }
            #expect(try await told(tom) == SubjectSnapshot(owner: maya, title: "By the library"))
            try await listings.hide(id, hiding)
            #expect(await spotRefusal { try await told(tom) } == .notFound)
            #expect(try await told(nil).title == "By the library")
            for other in [
                Subject(kind: .person, id: subject.id), Subject(kind: .spot, id: .new()),
                Subject(kind: .thing, id: subject.id),
            ] {
                let query = SubjectQuery(subject: other, viewer: nil)
                #expect(await spotRefusal { try await listings.spots.subject(query) } == .notFound)
            }
            // Cases from before kinds were told apart call it a post.
            let post = Subject(kind: .post, id: subject.id)
            try await listings.apply(SubjectRestored(subject: post))
            #expect(try await told(tom).title == "By the library")
            try await listings.apply(SubjectHidden(subject: post, hiding: hiding))
            #expect(await spotRefusal { try await told(tom) } == .notFound)
            // What is reported of a person or a review is nothing for listings.
            try await listings.apply(
                SubjectHidden(subject: Subject(kind: .review, id: subject.id), hiding: hiding))
            try await listings.hide(.new(), hiding)
        }
    }
}

extension Listings {
    /// As auth's events tell it.
    func apply(_ event: some Event) async throws {
        let consumer = DurableConsumer(database: database)
        let community = Community(
            people: people, blocks: blocks, suspensions: SuspensionProjection(database: database))
        ListingsHandlers(spots: store, rentals: rentals.store, limits: limits).follow(community, on: consumer)
        let epoch = UUID(uuidString: "019AA3F0-0000-7A66-8F70-8192A3B4C5D6")!
        let position = try await consumer.offset(of: "auth").map { $0.position + 1 } ?? 1
        try await consumer.hear(event, at: position, of: epoch, on: clock.now)
    }

    func hide(_ id: SpotID, _ hiding: Hiding) async throws {
        try await apply(SubjectHidden(subject: Subject(id), hiding: hiding))
    }

    func restore(_ id: SpotID) async throws {
        try await apply(SubjectRestored(subject: Subject(id)))
    }
}
