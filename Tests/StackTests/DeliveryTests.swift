import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Orders and who brings them: through the gateway, matching, places, auth, chat, notification and the live stream.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct DeliveryTests {
        @Test func an_order_finds_who_goes_there_is_brought_paid_and_reviewed() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            _ = try await ben.changeProfile(ProfileChange(phone: "+65 9123 4567"))
            let quarter = try await Quarter(on: try await Community.stack)
            let (atAda, atBen, atEve) = (Listener(ada), Listener(ben), Listener(eve))
            for listener in [atAda, atBen, atEve] { try await listener.connect() }

            let way = try await offers(to: ben, of: bens, in: quarter, atEve)
            try await finds(way.id, of: bens, by: ada, in: quarter)

            let (draft, key) = (quarter.order(), UUID().uuidString)
            let placed = try await ada.placeOrder(draft, key: key)
            #expect(try await ada.placeOrder(draft, key: key) == placed)
            #expect(placed.door == "Behind the blue door" && placed.possible.contains(.cancel) && !placed.rollsOn)
            let offer = try await Deliveries.offer(to: ben)
            #expect(offer.order == placed.id && offer.role == .deliverer && offer.items == "A soup.")
            #expect(offer.door == nil && offer.code == nil && offer.terms.fee?.amount == 200 && offer.detour <= 150)
            #expect(await eventually { atBen.news(of: offer.id) == ["newMatch"] })
            #expect(try await Deliveries.hears(["matchOffered.offered"], ben))
            let asked = try await Deliveries.asked(placed.id, of: ada)
            #expect(asked.person.id == bens && asked.match == offer.id && asked.until > Date())
            #expect(await Result { try await eve.order(placed.id) }.refusal == .notFound)
            #expect(await Result { try await eve.match(offer.id) }.refusal == .notFound)
            #expect(await Result { try await ada.act(.accept, on: offer.id) }.refusal == .wrongState)
            #expect(await Result { try await ada.matchContact(offer.id) }.refusal == .wrongState)

            try await accepts(offer.id, by: ben, for: ada, atAda)
            try await brings(offer.id, by: ben, to: ada, atAda, unseenBy: eve)
            #expect(try await ada.order(placed.id).state == .completed)
            #expect(try await ada.orders(OrderQuery(isOver: true)).items.map(\.id) == [placed.id])
            #expect(try await ben.availability().availability?.taken == 0)

            try await review(offer.id, ada, adas, ben, bens)
            let tip = MatchActDraft(amount: Money(amount: 100, currency: "SGD"))
            #expect(try await ada.act(.tip, on: offer.id, tip).owed?.amount == 850 + 200 + 100)
            #expect(await Result { try await ada.act(.tip, on: offer.id, tip) }.refusal == .wrongState)
            #expect(try await eventually { try await Deliveries.told(ben).first == "matchChanged.tipped" })
            try await ben.endDelivery()
            #expect(try await ben.availability().availability == nil)
            #expect(try await ada.deliverers(DelivererQuery(restaurant: quarter.canteen)).items.isEmpty)
            let heard = (atAda.events + atBen.events + atEve.events).map(\.data)
            #expect(!heard.contains { $0.contains("blue door") })
            #expect(!atEve.events.contains { $0.name.hasPrefix("match") || $0.name == "newMatch" })
        }

        private func offers(
            to ben: KampongClient, of bens: PersonID, in quarter: Quarter, _ atEve: Listener
        ) async throws -> Availability {
            let key = UUID().uuidString
            let way = try await ben.offerDelivery(quarter.way(capacity: 2), key: key)
            #expect(try await ben.offerDelivery(quarter.way(capacity: 2), key: key) == way)
            #expect(way.state == .available && way.capacity == 2 && way.taken == 0 && way.isListed)
            #expect(way.restaurant.name == "The Canteen" && way.dropOff.name == "The Hall" && way.detour == 150)
            #expect(try await ben.availability().availability == way)
            let id = "\(quarter.canteen)"
            #expect(
                await eventually {
                    atEve.events.contains { $0.name == "restaurantsChanged" && $0.data.contains(id) }
                })
            #expect(!atEve.events.contains { $0.data.contains("\(bens)") }, "nobody is named")
            return way
        }

        /// Those who look for somebody find them, and nobody finds themselves.
        private func finds(
            _ way: AvailabilityID, of bens: PersonID, by ada: KampongClient, in quarter: Quarter
        ) async throws {
            let query = DeliveryRestaurantQuery(near: quarter.annex)
            let open = try await ada.deliveryRestaurants(query).items.first
            #expect(open?.restaurant.place == quarter.canteen && open?.deliverers == 1)
            #expect(open?.dropOffs == ["The Hall"])
            #expect(open?.distance.map { (420...440).contains($0) } == true)
            let there = try await ada.deliverers(DelivererQuery(restaurant: quarter.canteen, to: quarter.annex)).items
            #expect(there.map(\.id) == [way] && there.map(\.person.id) == [bens] && there.map(\.free) == [2])
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(await Result { try await stranger.deliveryRestaurants(query) }.refusal == .unauthenticated)
        }

        private func accepts(
            _ match: MatchID, by ben: KampongClient, for ada: KampongClient, _ atAda: Listener
        ) async throws {
            let other = MatchActDraft(expected: MatchExpectation(fee: 300))
            #expect(await Result { try await ben.act(.accept, on: match, other) }.refusal == .termsChanged)
            let terms = MatchActDraft(minutes: 5, expected: MatchExpectation(state: .offered, fee: 200, limit: 1500))
            let mine = try await ben.act(.accept, on: match, terms)
            #expect(mine.state == .accepted && mine.door == "Behind the blue door" && mine.code == nil)
            #expect(mine.expectedAt.map { $0 > Date() + 4 * 60 } == true)
            #expect(try await ben.act(.accept, on: match).state == .accepted, "twice is once")
            #expect(await eventually { atAda.news(of: match).last == "accepted" })
            #expect(try await Deliveries.hears(["matchAnswered.accepted"], ada))
            #expect(try await Deliveries.hears([], ben), "he has answered")
            let hers = try await ada.match(match)
            #expect(hers.role == .orderer && hers.code?.count == 4)
            #expect(try await ada.order(hers.order).match == match)
            #expect(try await ada.order(hers.order).state == .matched)
            #expect(try await ada.matchContact(match).phone == "+6591234567")
            #expect(try await ben.matchContact(match).phone == nil)
            let subject = Subject(kind: .match, id: ID(match.uuid))
            let room = try await ada.openRoom(about: subject, with: mine.deliverer.id).id
            _ = try await ada.send(MessageDraft(id: .new(), text: "With bread, please."), to: room)
            #expect(try await ben.messages(in: room).items.map(\.text) == ["With bread, please."])
        }

        private func brings(
            _ match: MatchID, by ben: KampongClient, to ada: KampongClient, _ atAda: Listener,
            unseenBy eve: KampongClient
        ) async throws {
            let here = MatchPositionDraft(position: Position(latitude: 1.3, longitude: 103.851234), accuracy: 10)
            #expect(await Result { try await ben.movePosition(of: match, to: here) }.refusal == .wrongState)
            #expect(await Result { try await ben.act(.pickUp, on: match, Deliveries.spent(1501)) }.refusal == .invalid)
            let picked = try await ben.act(.pickUp, on: match, Deliveries.spent(850))
            #expect(picked.state == .pickedUp && picked.owed?.amount == 850 + 200)
            #expect(await Result { try await ada.act(.cancel, on: match) }.refusal == .wrongState)
            #expect(try await eventually { try await Deliveries.told(ada).first == "matchChanged.pickedUp" })

            try await ben.movePosition(of: match, to: here)
            #expect(await eventually { atAda.events.contains { $0.name == "matchMoved" } })
            #expect(!atAda.events.contains { $0.data.contains("103.851234") }, "where, is asked for")
            #expect(try await ada.position(of: match).position == here.position)
            #expect(await Result { try await eve.position(of: match) }.refusal == .notFound)
            #expect(try await ada.match(match).isShared)

            #expect(try await ben.act(.complete, on: match).state == .delivered)
            #expect(try await eventually { try await Deliveries.told(ada).first == "matchChanged.delivered" })
            #expect(try await ada.act(.complete, on: match).state == .completed)
            #expect(await Result { try await ada.position(of: match) }.refusal != nil, "it goes with the delivery")
            #expect(await Result { try await ada.matchContact(match) }.refusal == .wrongState)
        }

        private func review(
            _ match: MatchID, _ ada: KampongClient, _ adas: PersonID, _ ben: KampongClient, _ bens: PersonID
        ) async throws {
            let subject = Subject(kind: .match, id: ID(match.uuid))
            for (one, other) in [(ada, bens), (ben, adas)] {
                #expect(
                    try await eventually { try await one.encounters(with: other).items.map(\.subject) == [subject] })
                _ = try await one.writeReview(ReviewDraft(subject: subject, rating: 5, text: "Warm."), about: other)
            }
        }

        @Test func the_orderers_digits_complete_it_for_both() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let quarter = try await Quarter(on: try await Community.stack)
            _ = try await ben.offerDelivery(quarter.way())
            var draft = quarter.order()
            (draft.limit, draft.pickUpCode) = (nil, "Table 12")
            let order = try await ada.placeOrder(draft).id
            let match = try await Deliveries.offer(to: ben).id
            #expect(try await ben.match(match).pickUpCode == nil)
            #expect(try await ben.act(.accept, on: match).pickUpCode == "Table 12")
            #expect(await Result { try await ben.act(.pickUp, on: match, Deliveries.spent(1)) }.refusal == .invalid)
            #expect(try await ben.act(.pickUp, on: match).owed?.amount == 200, "it is paid for but the fee")
            let code = try #require(try await ada.match(match).code)
            let wrong = MatchActDraft(code: code == "0000" ? "0001" : "0000")
            #expect(await Result { try await ben.act(.complete, on: match, wrong) }.refusal == .invalid)
            #expect(try await ben.act(.complete, on: match, MatchActDraft(code: code)).state == .completed)
            #expect(try await Deliveries.becomes(.completed, order, of: ada))
        }
    }
}
