import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// People who want to have nothing to do with each other any more, may not take part, or go; and a dispute.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct DeliveryTroubleTests {
        private static let password = "eight or more"

        @Test func nobody_goes_with_something_in_hand() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let bens = try await ben.me().id
            let quarter = try await Quarter(on: try await Community.stack)
            _ = try await ben.offerDelivery(quarter.way())
            let order = try await ada.placeOrder(quarter.order()).id
            let match = try await Deliveries.offer(to: ben).id
            _ = try await ben.act(.accept, on: match)
            for act in [MatchAct.pickUp, .complete] {
                for client in [ada, ben] {
                    do {
                        _ = try await client.eraseMe(password: Self.password)
                        Issue.record("gone with it")
                    } catch let problem as Problem {
                        #expect(problem.code == .inHand && problem.errors.map(\.code) == [match.description])
                    }
                    _ = try await client.me()
                }
                _ = try await ben.act(act, on: match, act == .pickUp ? Deliveries.spent(700) : MatchActDraft())
            }
            _ = try await ada.act(.complete, on: match)
            let erasure = try await ben.eraseMe(password: Self.password)
            #expect(erasure.parts.map(\.service).contains("matching"))
            #expect(await eventually { (try? await ada.match(match).deliverer.id) != bens })
            #expect(try await ada.match(match).state == .completed)
            #expect(try await ada.order(order).state == .completed)
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(
                try await eventually {
                    try await stranger.erasure(erasure.id).parts.first { $0.service == "matching" }?.doneAt != nil
                })
        }

        @Test func what_somebody_offers_or_wants_goes_with_them() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let quarter = try await Quarter(on: try await Community.stack)
            _ = try await ben.offerDelivery(quarter.way())
            let order = try await ada.placeOrder(quarter.order()).id
            _ = try await Deliveries.offer(to: ben)
            // An offer is not in hand.
            _ = try await ben.eraseMe(password: Self.password)
            #expect(try await Deliveries.becomes(.waiting, order, of: ada))
            #expect(try await ada.deliverers(DelivererQuery(restaurant: quarter.canteen)).items.isEmpty)
        }

        @Test func a_block_withdraws_what_is_offered_and_lets_run_what_is_accepted() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let bens = try await ben.me().id
            let quarter = try await Quarter(on: try await Community.stack)
            let way = try await ben.offerDelivery(quarter.way(capacity: 2)).id
            let first = try await ada.placeOrder(quarter.order()).id
            let accepted = try await Deliveries.offer(to: ben).id
            _ = try await ben.act(.accept, on: accepted)
            let second = try await ada.placeOrder(quarter.order("Tea.")).id
            let offered = try await Deliveries.offer(to: ben)
            #expect(offered.order == second)

            _ = try await ada.block(bens)
            #expect(try await Deliveries.becomes(.waiting, second, of: ada))
            #expect(await Result { try await ben.act(.accept, on: offered.id) }.refusal == .offerGone)
            #expect(try await ada.deliverers(DelivererQuery(restaurant: quarter.canteen)).items.isEmpty)
            let query = DeliveryRestaurantQuery(near: quarter.annex)
            #expect(try await ada.deliveryRestaurants(query).items.first?.restaurant.place != quarter.canteen)
            #expect(await Result { try await ada.placeOrder(quarter.order(asking: way)) }.refusal == .notThere)
            #expect(try await ada.order(second).possibleDeliverers == 0)
            // Neither is told by whom.
            #expect(try await ben.match(offered.id).changedBy == nil)

            // What was agreed is brought, by somebody without a name.
            #expect(try await ben.match(accepted).orderer.name != "Ada")
            _ = try await ben.act(.pickUp, on: accepted, Deliveries.spent(500))
            _ = try await ben.act(.complete, on: accepted)
            #expect(try await ada.act(.complete, on: accepted).state == .completed)
            #expect(try await Deliveries.becomes(.completed, first, of: ada))

            try await ada.unblock(bens)
            #expect(
                try await eventually {
                    try await !ada.deliverers(DelivererQuery(restaurant: quarter.canteen)).items.isEmpty
                })
        }

        @Test func who_is_suspended_is_asked_no_more_and_brings_what_they_have() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let mod = try await ModerationTests.moderator()
            let quarter = try await Quarter(on: try await Community.stack)
            _ = try await ben.offerDelivery(quarter.way(capacity: 3))
            var matches: [MatchID] = []
            for items in ["Soup.", "Tea."] {
                _ = try await ada.placeOrder(quarter.order(items))
                let offer = try await Deliveries.offer(to: ben).id
                _ = try await ben.act(.accept, on: offer)
                matches.append(offer)
            }
            _ = try await ben.act(.pickUp, on: matches[0], Deliveries.spent(500))
            let subject = Subject(kind: .person, id: ID(try await ben.me().id.uuid))
            _ = try await eve.report(ReportDraft(subject: subject, reason: .harassment))
            let one = try #require(try await ModerationTests.find(subject, by: mod))
            _ = try await mod.act(ActDraft(act: .suspend, reason: "Threats.", days: 7, version: 0), on: one.id)
            #expect(try await eventually { try await ada.match(matches[1]).state == .cancelled })
            #expect(try await ada.match(matches[0]).state == .pickedUp)
            #expect(try await ada.deliverers(DelivererQuery(restaurant: quarter.canteen)).items.isEmpty)
            #expect(try await eventually { try await Deliveries.told(ada).contains("matchChanged.ended") })
        }

        @Test func who_never_got_it_says_so_and_a_moderator_settles_it() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let mod = try await ModerationTests.moderator()
            // The token says it from the next one on.
            try await mod.refresh()
            let quarter = try await Quarter(on: try await Community.stack)
            _ = try await ben.offerDelivery(quarter.way())
            let order = try await ada.placeOrder(quarter.order()).id
            let match = try await Deliveries.offer(to: ben).id
            _ = try await ben.act(.accept, on: match)
            _ = try await ben.act(.pickUp, on: match, Deliveries.spent(1000))
            _ = try await ben.act(.complete, on: match)
            #expect(await Result { try await mod.match(match) }.refusal == .notFound)
            #expect(await Result { try await ada.act(.dispute, on: match) }.refusal == .invalid)
            #expect(await Result { try await ada.act(.reportNoShow, on: match) }.refusal == .wrongState)
            let words = MatchActDraft(reason: "Nothing was at the door.")
            #expect(try await ada.act(.dispute, on: match, words).state == .disputed)
            func waiting() async throws -> [InboxNotice] {
                try await mod.notifications(unread: true).items.filter { $0.subject.id == ID(match.uuid) }
            }
            #expect(try await eventually { try await waiting().map(\.kind) == [.matchDisputed] })
            let seen = try await mod.match(match)
            #expect(seen.door == nil && seen.code == nil && seen.statements.map(\.text) == ["Nothing was at the door."])
            _ = try await ben.act(.explain, on: match, MatchActDraft(reason: "I left it with the porter."))
            let settlement = MatchActDraft(reason: "The porter has it.", share: 50)
            for client in [ada, ben] {
                #expect(await Result { try await client.act(.settle, on: match, settlement) }.refusal == .wrongState)
            }
            #expect(try await mod.act(.settle, on: match, settlement).state == .settled)
            #expect(try await ada.match(match).owed?.amount == 600)
            #expect(try await Deliveries.becomes(.completed, order, of: ada))
            #expect(try await eventually { try await waiting().isEmpty })
            for client in [ada, ben] {
                #expect(try await eventually { try await Deliveries.told(client).first == "matchChanged.settled" })
            }
        }
    }
}
