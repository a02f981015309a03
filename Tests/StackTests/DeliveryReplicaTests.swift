import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Two replicas of matching, offers that run out, and campuses that are kept apart: stacks of their own.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct DeliveryReplicaTests {
        private static func with(
            _ configure: (inout Stack.Options) -> Void, _ body: (Stack) async throws -> Void
        ) async throws {
            var options = Community.options
            configure(&options)
            let stack = try await Stack.start(options)
            do { try await body(stack) } catch {
                await stack.stop()
                throw error
            }
            await stack.stop()
        }

        private static func newcomer(_ name: String, on stack: Stack) async throws -> KampongClient {
            let client = KampongClient(baseURL: URL(string: stack.baseURL)!)
            _ = try await client.signUp(SignUp(email: Community.someEmail(), password: "eight or more", name: name))
            return client
        }

        @Test func two_replicas_share_the_work_and_what_one_leaves_the_other_goes_on_with() async throws {
            try await Self.with({ $0.replicas = [.matching: 2] }) { stack in
                let quarter = try await Quarter(on: stack)
                var (hungry, going): ([KampongClient], [KampongClient]) = ([], [])
                for number in 0..<8 {
                    hungry.append(try await Self.newcomer("Ada \(number)", on: stack))
                    going.append(try await Self.newcomer("Ben \(number)", on: stack))
                }
                let (orderers, deliverers) = (hungry, going)
                let orders = try await withThrowingTaskGroup(of: (Int, OrderID)?.self) { group in
                    for number in 0..<orderers.count {
                        group.addTask {
                            (number, try await orderers[number].placeOrder(quarter.order("Soup \(number)")).id)
                        }
                        group.addTask {
                            _ = try await deliverers[number].offerDelivery(quarter.way())
                            return nil
                        }
                    }
                    group.addTask {
                        try await stack.kill(StackMember(.matching, 1))
                        return nil
                    }
                    return try await group.reduce(into: [Int: OrderID]()) { all, one in
                        if let one { all[one.0] = one.1 }
                    }
                }
                var offered: Set<MatchID> = []
                for client in deliverers {
                    let offer = try await Deliveries.offer(to: client)
                    #expect(offered.insert(offer.id).inserted)
                    #expect(try await client.act(.accept, on: offer.id).state == .accepted)
                }
                try await stack.start(StackMember(.matching, 1))
                var matched: Set<MatchID> = []
                for (number, order) in orders {
                    #expect(try await Deliveries.becomes(.matched, order, of: orderers[number]))
                    matched.insert(try #require(try await orderers[number].order(order).match))
                }
                #expect(matched == offered && matched.count == orderers.count)
                try await brought(matched, from: orderers, by: deliverers, on: stack)
            }
        }

        /// Each is brought while the other replica is away.
        private func brought(
            _ matches: Set<MatchID>, from orderers: [KampongClient], by deliverers: [KampongClient], on stack: Stack
        ) async throws {
            try await stack.kill(StackMember(.matching, 0))
            for client in deliverers {
                let match = try #require(try await client.matches(MatchQuery(isOver: false)).items.first)
                #expect(matches.contains(match.id))
                _ = try await client.act(.pickUp, on: match.id, Deliveries.spent(500))
                #expect(try await client.act(.complete, on: match.id).state == .delivered)
            }
            try await stack.start(StackMember(.matching, 0))
            for client in orderers {
                let match = try #require(try await client.matches(MatchQuery(isOver: false)).items.first).id
                #expect(try await client.act(.complete, on: match).state == .completed)
            }
        }

        @Test func who_says_nothing_is_passed_over_also_while_matching_is_away_and_is_asked_in_the_end() async throws {
            let settings = { (options: inout Stack.Options) in options.settings["KAMPONG_DELIVERIES_OFFER"] = "4" }
            try await Self.with(settings) { stack in
                let quarter = try await Quarter(on: stack)
                let ada = try await Self.newcomer("Ada", on: stack)
                let (ben, cem) = (try await Self.newcomer("Ben", on: stack), try await Self.newcomer("Cem", on: stack))
                _ = try await ben.offerDelivery(quarter.way())
                var orders: [OrderID] = []
                for items in ["Soup.", "Tea.", "Bread."] {
                    orders.append(try await ada.placeOrder(quarter.order(items)).id)
                }
                // The first runs out while nobody is there to see it.
                let first = try await Deliveries.offer(to: ben)
                try await stack.kill(.matching)
                try await Task.sleep(for: .seconds(5))
                try await stack.start(.matching)
                #expect(try await eventually { try await ben.match(first.id).state == .expired })
                #expect(await Result { try await ben.act(.accept, on: first.id) }.refusal == .offerGone)
                // He is asked for each of them once, says nothing, and is asked whether he is there.
                #expect(try await eventually { try await ben.availability().availability?.state == .paused })
                #expect(try await eventually { try await Deliveries.told(ben).contains("availabilityDue.paused") })
                for order in orders {
                    #expect(try await Deliveries.becomes(.waiting, order, of: ada))
                    #expect(try await ada.order(order).steps.map(\.what) == [.asked, .expired])
                }

                _ = try await cem.offerDelivery(quarter.way(capacity: 3))
                var accepted: Set<OrderID> = []
                #expect(
                    try await eventually {
                        for match in try await cem.matches(MatchQuery(role: .deliverer, isOver: false)).items
                        where match.state == .offered {
                            if let taken = try? await cem.act(.accept, on: match.id) { accepted.insert(taken.order) }
                        }
                        return !accepted.isEmpty
                    })
                #expect(accepted.isSubset(of: orders))
                #expect(try await ben.resumeDelivery().state == .available)
                #expect(try await eventually { try await !Deliveries.told(ben).contains("availabilityDue.paused") })
            }
        }

        @Test func nobody_of_another_campus_is_ever_asked() async throws {
            let settings = { (options: inout Stack.Options) in
                options.settings["KAMPONG_COMMUNITY_CAMPUSES_APART"] = "true"
            }
            try await Self.with(settings) { stack in
                let quarter = try await Quarter(on: stack)
                var clients: [KampongClient] = []
                let people: [(String, String?)] = [("Ada", "hill"), ("Ben", "cs.bay"), ("Eve", nil), ("Amy", "hill")]
                for (name, campus) in people {
                    let client = try await Self.newcomer(name, on: stack)
                    if let campus { try await Self.verify(client, at: "\(campus).example.org", on: stack) }
                    clients.append(client)
                }
                let (ada, ben, eve, amy) = (clients[0], clients[1], clients[2], clients[3])
                let bens = try await ben.offerDelivery(quarter.way()).id
                _ = try await eve.offerDelivery(quarter.way())
                let query = DelivererQuery(restaurant: quarter.canteen)
                // Until matching has heard to whom they belong.
                #expect(try await eventually { try await ada.deliverers(query).items.isEmpty })
                #expect(try await eventually { try await ben.deliverers(query).items.isEmpty })
                let order = try await ada.placeOrder(quarter.order()).id
                #expect(await Result { try await ada.placeOrder(quarter.order(asking: bens)) }.refusal == .notThere)
                let near = DeliveryRestaurantQuery(near: quarter.annex)
                #expect(try await ada.deliveryRestaurants(near).items.isEmpty)
                let atBen = Listener(ben)
                try await atBen.connect()
                try await Task.sleep(for: .seconds(3))
                #expect(try await ada.order(order).steps.isEmpty)
                #expect(try await ada.order(order).possibleDeliverers == 0)

                _ = try await amy.offerDelivery(quarter.way())
                #expect(try await Deliveries.offer(to: amy).order == order)
                #expect(try await ada.deliverers(query).items.isEmpty, "her hand is full")
                for client in [ben, eve] { #expect(try await client.matches().items.isEmpty) }
                #expect(!atBen.events.contains { $0.name == "newMatch" || $0.data.contains("\(order)") })
            }
        }

        private static func verify(_ client: KampongClient, at domain: String, on stack: Stack) async throws {
            let email = "\(UUID().uuidString.lowercased())@\(domain)"
            try await client.requestEmailVerification(email: email)
            func mail() async throws -> String? { try await stack.mails().first { $0.contains("To: <\(email)>") } }
            #expect(try await eventually(within: .seconds(90)) { try await mail() != nil })
            let code = try #require(try await mail()?.firstMatch(of: /\r\n([0-9]{6})\r\n/))
            _ = try await client.verifyEmail(code: String(code.1))
        }
    }
}
