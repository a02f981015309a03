import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Those who wait for somebody at a restaurant: through the gateway, matching, places, notification and the live stream.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct DelivererFoundTests {
        static func at(_ quarter: Quarter, to point: Position? = nil) -> WantedQuery {
            WantedQuery(deliverers: DelivererSearch(restaurant: quarter.canteen, to: point))
        }

        @Test func who_waits_for_somebody_at_a_restaurant_is_told_when_one_begins() async throws {
            let (ada, ben, eve, cem) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve"), try await Community.newcomer("Cem")
            )
            let bens = try await ben.me().id
            let quarter = try await Quarter(on: try await Community.stack)
            let atAda = Listener(ada)
            try await atAda.connect()
            // Where the hall is, as others are told it.
            let query = Self.at(quarter, to: quarter.hall.onGrid)
            #expect(try await ada.estimateWanted(WantedDraft(query: query)).fitting == 0)
            let wanted = try await Searches.look(ada, for: query)
            let around = DelivererSearch(near: quarter.north(300), radius: 500)
            let near = try await Searches.look(eve, for: WantedQuery(deliverers: around))
            // Nobody who goes to the hall would go there.
            _ = try await Searches.look(cem, for: Self.at(quarter, to: quarter.north(3000)))
            // Nobody is told of themselves.
            _ = try await Searches.look(ben, for: Self.at(quarter))

            let way = try await ben.offerDelivery(quarter.way(capacity: 2)).id
            let subject = Subject(way)
            #expect(await eventually { atAda.found(subject) == 1 })
            for client in [ada, eve] { #expect(try await Searches.hears([subject], client)) }
            let notice = try #require(try await Searches.told(ada).first)
            #expect(notice.kind == .delivererFound && notice.title == "The Canteen" && notice.actor?.id == bens)
            #expect(notice.link == "/deliverers/\(way)" && notice.readAt == nil)
            for (client, id) in [(ada, wanted), (eve, near)] {
                #expect(try await client.wanted(id).found == 1)
                #expect(try await Searches.finds(id, of: client) == [subject])
                #expect(try await client.wantedFinders(of: subject).items.map(\.id) == [id])
            }
            let found = try await ada.deliverer(way)
            #expect(found.restaurant.place == quarter.canteen && found.restaurant.name == "The Canteen")
            #expect(found.deliverer.id == way && found.deliverer.person.id == bens && found.deliverer.free == 2)
            #expect(found.deliverer.dropOff.position != quarter.hall, "where they go is theirs")
            for client in [cem, ben] { #expect(try await Searches.told(client).isEmpty) }

            try await goes(way, ben, ada, atAda)
            // Whoever begins again is somebody new to tell of.
            let again = try await ben.offerDelivery(quarter.way()).id
            #expect(again != way)
            #expect(try await Searches.hears([Subject(again), subject], ada))
        }

        /// They are to be found no more, and what was told of them is taken back.
        private func goes(
            _ way: AvailabilityID, _ ben: KampongClient, _ ada: KampongClient, _ atAda: Listener
        ) async throws {
            try await ben.endDelivery()
            #expect(await Result { try await ada.deliverer(way) }.refusal == .notFound)
            #expect(await eventually { atAda.found(Subject(way), isGone: true) == 1 })
            #expect(try await eventually { try await Searches.told(ada, unread: true).isEmpty })
            #expect(atAda.found(Subject(way)) == 1)
        }

        @Test func who_has_no_hand_free_is_gone_and_comes_back_and_nobody_is_told_twice() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let quarter = try await Quarter(on: try await Community.stack)
            let atAda = Listener(ada)
            try await atAda.connect()
            let wanted = try await Searches.look(ada, for: Self.at(quarter))
            let way = try await ben.offerDelivery(quarter.way()).id
            let subject = Subject(way)
            #expect(try await Searches.hears([subject], ada))

            _ = try await eve.placeOrder(quarter.order())
            let match = try await Deliveries.offer(to: ben).id
            #expect(await Result { try await ada.deliverer(way) }.refusal == .notFound)
            #expect(await eventually { atAda.found(subject, isGone: true) == 1 })
            #expect(try await Searches.finds(wanted, of: ada).isEmpty)
            _ = try await ben.act(.decline, on: match)
            #expect(try await eventually { try await Searches.finds(wanted, of: ada) == [subject] })
            #expect(try await ada.deliverer(way).deliverer.free == 1)
            // Whoever is not listed is found by nobody.
            _ = try await ben.offerDelivery(AvailabilityDraft(isListed: false))
            #expect(await Result { try await ada.deliverer(way) }.refusal == .notFound)
            #expect(atAda.found(subject) == 1)
            #expect(try await Searches.told(ada).count == 1)
        }

        @Test func nobody_is_told_of_those_from_whom_they_are_apart() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let bens = try await ben.me().id
            // Matching has heard of it by the time the restaurant is there.
            _ = try await ada.block(bens)
            let quarter = try await Quarter(on: try await Community.stack)
            let eve = try await Community.newcomer("Eve")
            for client in [ada, eve] { _ = try await Searches.look(client, for: Self.at(quarter)) }
            let way = try await ben.offerDelivery(quarter.way(capacity: 2)).id
            #expect(try await Searches.hears([Subject(way)], eve))
            #expect(await Result { try await ada.deliverer(way) }.refusal == .notFound)
            #expect(try await Searches.told(ada).isEmpty)
        }

        @Test func what_is_no_search_for_somebody_who_brings_something_says_why() async throws {
            let ada = try await Community.newcomer("Ada")
            let near = Community.someWhere()
            for search in [
                DelivererSearch(), DelivererSearch(restaurant: .new(), near: near),
                DelivererSearch(restaurant: .new(), radius: 400), DelivererSearch(near: near, radius: 49),
                DelivererSearch(near: near, radius: 5001),
                DelivererSearch(near: near, until: Date(timeIntervalSinceNow: -60)),
                DelivererSearch(near: near, until: Date(timeIntervalSinceNow: 61 * 86_400)),
            ] {
                let draft = WantedDraft(query: WantedQuery(deliverers: search))
                #expect(await Result { try await ada.estimateWanted(draft) }.refusal == .invalid, "\(search)")
            }
        }
    }
}
