import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// An order until somebody brings it, and the list of one's orders.
@Suite struct PageOrderTests {
    private static let ana = PersonSummary(id: .new(), name: "Ana <b>")
    private static let ben = PersonSummary(id: .new(), name: "Ben")

    @Test func a_pending_order_says_whom_it_asks_and_what_they_said() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let order = orders.add(.offered) { order in
                order.steps = [
                    OrderStep(what: .asked, person: Self.ana, at: Date() - 90),
                    OrderStep(what: .declined, person: Self.ana, at: Date() - 60),
                    OrderStep(what: .asked, at: Date() - 50), OrderStep(what: .gone, at: Date() - 40),
                    OrderStep(what: .asked, person: Self.ben, at: Date() - 13),
                ]
                order.asked = AskedDeliverer(person: Self.ben, match: .new(), until: Date() + 47)
            }
            let page = try await maya.get(order.path).text
            for text in [
                "data-order=\"\(order.id)\" data-state=\"offered\" data-waits", "We ask Ben. Time to answer:",
                "You ordered", "Ana &lt;b&gt; was asked", "Ana &lt;b&gt; can&#39;t",
                "Somebody could not be asked any more",
                "data-until=\"", "Two soups &lt;b&gt;", "Room &lt;b&gt;123", "€2", "€12", "In cash",
                "href=\"\(order.path)/change\"", "href=\"\(order.path)/cancel\"", "/js/order.js",
                "<noscript><meta http-equiv=\"refresh\" content=\"5; url=\(order.path)\"></noscript>",
            ] { #expect(page.contains(text), "\(text)") }
            // Who is asked now is said once.
            #expect(!page.contains("Ben was asked"))
            #expect(try door.services.asked(NotificationMethods.markRead).last?.content.about == Subject(order.id))
            #expect(try await maya.get("/orders/\(OrderID.new())").status == 404)
        }
    }

    @Test func it_says_how_many_could_bring_it_or_that_it_waits_for_somebody() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let order = orders.add()
            let nobody = try await maya.get(order.path).text
            #expect(nobody.contains("Nobody who could bring it is there just now."))
            #expect(nobody.contains("We wait for somebody to come"))
            orders.change(order.id) { $0.possibleDeliverers = 3 }
            #expect(try await maya.get(order.path).text.contains("3 more could bring it"))
        }
    }

    @Test func once_somebody_brings_it_it_leads_to_the_delivery() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let match = MatchID.new()
            let order = orders.add(.matched) { $0.match = match }
            #expect(try await maya.get(order.path)["Location"] == "/matches/\(match)")
            // Too late to take it back: the delivery says how to cancel that.
            let late = try await maya.post("\(order.path)/cancel", ["key": "one"])
            #expect(late["Location"] == "/matches/\(match)?done=order.tooLate")
            #expect(try await maya.get("\(order.path)/change")["Location"] == order.path)
            orders.change(order.id) { $0.state = .completed }
            let done = try await maya.get(order.path).text
            #expect(done.contains("It was brought.") && done.contains("href=\"/matches/\(match)\""))
            #expect(!done.contains("http-equiv=\"refresh\" content=\"5") && !done.contains("data-waits"))
        }
    }

    @Test func who_is_asked_next_says_the_orderer() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let cleo = Deliverer.sample("Cleo")
            orders.deliverers.mutate { $0 = [.sample { $0.person = Self.ana }, cleo] }
            let order = orders.add(.asking) {
                $0.steps = [
                    OrderStep(what: .asked, person: Self.ana, at: Date() - 90),
                    OrderStep(what: .declined, person: Self.ana, at: Date() - 60),
                ]
            }
            let page = try await maya.get(order.path).text
            for text in [
                "Ana &lt;b&gt; can&#39;t bring it. Whom shall we ask next?", "Ask anybody", "aria-label=\"Ask Cleo\"",
                "value=\"\(cleo.id)\"", "goes to Physicum",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(!page.contains("aria-label=\"Ask Ana"))
            door.services.refuse(MatchingMethods.askNext, ServiceError(.handsFull, "Full."))
            let full = try await maya.post("\(order.path)/ask", ["key": "one", "availability": "\(cleo.id)"])
            #expect(full.status == 409 && full.text.contains("They have just got their hands full."))
            door.services.refuse(
                MatchingMethods.askNext, .invalid([FieldError("availability", "too_far", "Too far.")]))
            let far = try await maya.post("\(order.path)/ask", ["key": "two", "availability": "\(cleo.id)"])
            #expect(far.status == 422 && far.text.contains("That is too far out of their way"))
            door.services.refuse(MatchingMethods.askNext, nil)
            let asked = try await maya.post("\(order.path)/ask", ["key": "three"])
            #expect(asked["Location"] == "\(order.path)?done=order.ask")
            let said = try door.services.asked(MatchingMethods.askNext).map(\.content.availability)
            #expect(said == [cleo.id, cleo.id, nil])
        }
    }

    @Test func cancelling_asks_once_and_is_done_once() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let order = orders.add(.offered) {
                $0.asked = AskedDeliverer(person: Self.ben, match: .new(), until: Date() + 40)
            }
            let question = try await maya.get("\(order.path)/cancel")
            #expect(question.text.contains("Take the order back?") && question.text.contains("Ben is asked just now"))
            let dialog = try await maya.get("\(order.path)/cancel", [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(!dialog.text.contains("<html") && dialog.text.contains("id=\"ask-title\""))
            let form = question.text.kept
            #expect(try await maya.post("\(order.path)/cancel", form)["Location"] == "\(order.path)?done=order.cancel")
            #expect(try door.services.done(MatchingMethods.cancelOrder).map(\.parameters.id) == [order.id])
            let over = try await maya.get(order.path).text
            #expect(over.contains("This order was cancelled.") && over.contains("/orders/new?again=\(order.id)"))
            #expect(!over.contains("\(order.path)/cancel"))
            #expect(try await maya.get("\(order.path)/cancel").status == 409)
        }
    }

    @Test func ones_orders_are_listed_open_and_past() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let empty = try await maya.get("/orders").text
            #expect(empty.contains("No open orders") && empty.contains("Order something"))
            let open = orders.add { order in
                order.from += [
                    OrderedFrom(restaurant: .physicum, items: "Tea"), OrderedFrom(restaurant: .exactum, items: "Tea"),
                ]
            }
            let match = MatchID.new()
            orders.add(.completed) { $0.match = match }
            let lapsed = orders.add(.lapsed) {
                $0.around = OrderedAround(position: DeliveryPlace.exactum.position, radius: 400, items: "Soup & tea")
            }
            let first = try await maya.get("/orders").text
            #expect(first.contains("href=\"\(open.path)\"") && first.contains("or 2 others → Exactum"))
            #expect(!first.contains(lapsed.path))
            let past = try await maya.get("/orders?over=yes").text
            for text in [
                "href=\"\(lapsed.path)\"", "href=\"/matches/\(match)\"", "Nobody could", "Brought",
                "Any restaurant within 400 m → Exactum", "Soup &amp; tea",
            ] { #expect(past.contains(text), "\(text)") }
            #expect(try door.services.asked(MatchingMethods.orders).last?.parameters.isOver == true)
            let page = try await maya.get(lapsed.path).text
            #expect(page.contains("Nobody could bring it in time.") && page.contains("Soup &amp; tea"))
        }
    }
}
