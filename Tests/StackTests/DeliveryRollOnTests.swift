import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Who is asked: whichever side comes first, after who can't, by name, and after a change. Nobody twice.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct DeliveryRollOnTests {
        /// Whoever comes first: the order, the deliverer, or both in one moment.
        @Test func both_sides_at_once_find_each_other() async throws {
            let pairs = 6
            let quarter = try await Quarter(on: try await Community.stack)
            let (hungry, going) = (try await Community.newcomers(pairs), try await Community.newcomers(pairs))
            let orders = try await withThrowingTaskGroup(of: (Int, OrderID)?.self) { group in
                for number in 0..<pairs {
                    group.addTask { (number, try await hungry[number].placeOrder(quarter.order("Soup \(number)")).id) }
                    group.addTask {
                        _ = try await going[number].offerDelivery(quarter.way())
                        return nil
                    }
                }
                return try await group.reduce(into: [Int: OrderID]()) { all, one in
                    if let one { all[one.0] = one.1 }
                }
            }
            var matches: Set<MatchID> = []
            for number in 0..<pairs {
                let order = try #require(orders[number])
                matches.insert(try await Deliveries.asked(order, of: hungry[number]).match)
            }
            #expect(matches.count == pairs)
            for client in going {
                let offer = try await Deliveries.offer(to: client)
                #expect(matches.remove(offer.id) != nil)
                #expect(try await client.act(.accept, on: offer.id).state == .accepted)
                #expect(try await client.availability().availability?.taken == 1)
            }
            #expect(matches.isEmpty)
            #expect(try await hungry[0].deliverers(DelivererQuery(restaurant: quarter.canteen)).items.isEmpty)
        }

        @Test func a_decline_asks_the_next_and_nobody_twice() async throws {
            let (ada, ben, cem) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Cem")
            )
            let quarter = try await Quarter(on: try await Community.stack)
            var going: [PersonID: KampongClient] = [:]
            for client in [ben, cem] {
                _ = try await client.offerDelivery(quarter.way())
                going[try await client.me().id] = client
            }
            let order = try await ada.placeOrder(quarter.order()).id
            let first = try await Deliveries.asked(order, of: ada)
            let one = try #require(going[first.person.id])
            #expect(try await one.act(.decline, on: first.match).state == .declined)
            #expect(await Result { try await one.act(.accept, on: first.match) }.refusal == .offerGone)
            let second = try await Deliveries.asked(order, of: ada, but: first.person.id)
            let other = try #require(going[second.person.id])
            #expect(try await Deliveries.told(ada).isEmpty, "there is nothing to do about it")
            #expect(try await other.act(.decline, on: second.match).state == .declined)

            #expect(try await Deliveries.becomes(.waiting, order, of: ada))
            let waiting = try await ada.order(order)
            #expect(waiting.steps.map(\.what) == [.asked, .declined, .asked, .declined])
            #expect(waiting.possibleDeliverers == 0 && waiting.asked == nil && waiting.match == nil)
            // Whoever comes now is asked at once.
            let eve = try await Community.newcomer("Eve")
            _ = try await eve.offerDelivery(quarter.way())
            let third = try await Deliveries.offer(to: eve)
            #expect(third.order == order)
            #expect(try await eve.act(.accept, on: third.id).state == .accepted)
            // And somebody else where they could not go on.
            #expect(try await eve.act(.cancel, on: third.id).state == .cancelled)
            #expect(try await Deliveries.becomes(.waiting, order, of: ada))
            #expect(try await ada.order(order).steps.suffix(3).map(\.what) == [.asked, .accepted, .gaveUp])
            #expect(try await eventually { try await Deliveries.told(ada).first == "matchChanged.cancelled" })
        }

        @Test func who_is_asked_by_name_is_asked_first_and_others_where_the_orderer_says_so() async throws {
            let (ada, ben, cem) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Cem")
            )
            let quarter = try await Quarter(on: try await Community.stack)
            let way = try await ben.offerDelivery(quarter.way()).id
            _ = try await cem.offerDelivery(quarter.way())
            #expect(await Result { try await ben.placeOrder(quarter.order(asking: way)) }.refusal == .forbidden)
            let placed = try await ada.placeOrder(quarter.order(asking: way))
            #expect(placed.state == .offered)
            let offer = try await Deliveries.offer(to: ben)
            #expect(try await ada.order(placed.id).asked?.match == offer.id)
            _ = try await ben.act(.decline, on: offer.id)
            #expect(try await Deliveries.becomes(.asking, placed.id, of: ada))
            #expect(try await Deliveries.hears(["matchAnswered.declined"], ada))
            #expect(try await cem.matches(MatchQuery(role: .deliverer)).items.isEmpty)

            #expect(
                await Result { try await ada.askNext(for: placed.id, OrderAsking(availability: way)) }.refusal
                    == .invalid, "he was asked already")
            _ = try await ada.askNext(for: placed.id)
            let next = try await Deliveries.offer(to: cem)
            _ = try await cem.act(.accept, on: next.id)
            #expect(try await Deliveries.becomes(.matched, placed.id, of: ada))

            // His only hand is free, and hers to whom she asked is not.
            let cems = try #require(try await cem.availability().availability?.id)
            #expect(await Result { try await ada.placeOrder(quarter.order(asking: cems)) }.refusal == .handsFull)
            let passed = try await ada.placeOrder(quarter.order("Tea.", asking: cems, rollsOn: true))
            #expect(try await Deliveries.offer(to: ben).order == passed.id)
            try await ben.endDelivery()
            #expect(try await Deliveries.becomes(.waiting, passed.id, of: ada))
            #expect(await Result { try await ada.askNext(for: passed.id) }.refusal == .wrongState)
        }

        @Test func what_is_taken_back_frees_the_hand_and_says_so() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let quarter = try await Quarter(on: try await Community.stack)
            let atBen = Listener(ben)
            try await atBen.connect()
            _ = try await ben.offerDelivery(quarter.way())
            let first = try await ada.placeOrder(quarter.order()).id
            let offer = try await Deliveries.offer(to: ben).id
            let key = UUID().uuidString
            for _ in 0..<2 { try await ada.cancelOrder(first, key: key) }
            #expect(await eventually { atBen.news(of: offer) == ["newMatch", "withdrawn"] })
            do {
                _ = try await ben.act(.accept, on: offer)
                Issue.record("accepted what was taken back")
            } catch let problem as Problem {
                #expect(problem.code == .offerGone && problem.errors.map(\.code) == ["taken_back"])
            }
            #expect(try await Deliveries.hears([], ben), "it asks nobody any more")
            #expect(try await ada.order(first).state == .cancelled)
            #expect(try await ben.availability().availability?.taken == 0)

            // A change takes the offer back, too, and makes another.
            let second = try await ada.placeOrder(quarter.order()).id
            let before = try await Deliveries.offer(to: ben).id
            _ = try await ada.changeOrder(second, with: OrderDraft(fee: Money(amount: 300, currency: "SGD")))
            #expect(try await eventually { try await ada.order(second).asked.map { $0.match != before } ?? false })
            let after = try await Deliveries.offer(to: ben)
            #expect(after.id != before && after.order == second && after.terms.fee?.amount == 300)
            _ = try await ben.act(.accept, on: after.id)
            #expect(await Result { try await ada.cancelOrder(second) }.refusal == .wrongState)
            #expect(try await ada.act(.cancel, on: after.id).state == .cancelled)
            #expect(try await Deliveries.becomes(.cancelled, second, of: ada))
            #expect(try await Deliveries.hears(["matchChanged.cancelled"], ben))
            #expect(try await ben.availability().availability?.taken == 0)
        }

        @Test func drafts_are_held_to_what_a_community_allows_and_one_has_three_orders() async throws {
            let ada = try await Community.newcomer("Ada")
            let quarter = try await Quarter(on: try await Community.stack)
            func fields(_ body: () async throws -> Void) async -> Set<String> {
                do { try await body() } catch let problem as Problem { return Set(problem.errors.map(\.field)) } catch {
                }
                return []
            }
            #expect(await fields { _ = try await ada.placeOrder(OrderDraft()) }.isSuperset(of: ["limit"]))
            #expect(
                await fields { _ = try await ada.offerDelivery(AvailabilityDraft(capacity: 5, detour: 1, minutes: 1)) }
                    .isSuperset(of: ["restaurant", "capacity", "detour", "minutes"]))
            for _ in 0..<3 { _ = try await ada.placeOrder(quarter.order()) }
            #expect(await Result { try await ada.placeOrder(quarter.order()) }.refusal == .tooManyOrders)
        }
    }
}
