import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The form of an order that is changed, or ordered again.
@Suite struct PageOrderChangeTests {
    @Test func an_order_is_changed_as_a_whole_and_ordered_again() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let order = orders.add(.offered) { order in
                order.asked = AskedDeliverer(
                    person: PersonSummary(id: .new(), name: "Ben"), match: .new(), until: Date() + 40)
                order.from[0].restaurant.name = "Cafe"
            }
            let path = "\(order.path)/change"
            let form = try await maya.get(path)
            for text in [
                "Ben is asked just now.", "value=\"12\"", "Two soups &lt;b&gt;", "As before", "Room &lt;b&gt;",
            ] {
                #expect(form.text.contains(text), "\(text)")
            }
            let changes = [
                "restaurant1": "Cafe", "restaurant1.at": "60.172,24.951 Cafe", "minutes": "", "limit": "15",
            ]
            #expect(
                try await PageOrderFormTests.submit(maya, changes, at: path)["Location"]
                    == "\(order.path)?done=order.change")
            let draft = try #require(try door.services.asked(MatchingMethods.changeOrder).last?.content)
            #expect(draft.limit?.amount == 1500 && draft.minutes == nil && draft.rollsOn == nil)
            #expect(draft.from?.map(\.restaurant) == [DeliveryPlace.ursula.place])
            // What stays as it is keeps its code, which nobody is told again.
            orders.change(order.id) { $0.terms = OrderTerms(paidBy: .cash, isPrepaid: true) }
            let kept = changes.merging(["goods": "prepaid", "limit": "", "code": ""]) { $1 }
            #expect(try await PageOrderFormTests.submit(maya, kept, at: path).status == 303)
            let same = try #require(try door.services.asked(MatchingMethods.changeOrder).last?.content)
            #expect(same.limit == nil && same.pickUpCode == nil)
            door.services.refuse(MatchingMethods.changeOrder, ServiceError(.wrongState, "Accepted."))
            let match = MatchID.new()
            orders.change(order.id) { ($0.state, $0.match, $0.possible) = (.matched, match, []) }
            #expect(
                try await PageOrderFormTests.submit(maya, kept, at: path)["Location"]
                    == "/matches/\(match)?done=order.tooLate")
            let again = try await maya.get("/orders/new?again=\(order.id)")
            #expect(again.text.contains("Two soups &lt;b&gt;") && again.text.contains("value=\"Exactum\""))
        }
    }
}
