import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The home of who orders, a restaurant with who is there, the switch, and what stands on pages that are about no vertical alone.
@Suite struct PageDeliveriesTests {
    private static let to = "60.1731,24.952 Exactum"

    @Test func restaurants_with_somebody_now_are_near_where_it_is_wanted() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let empty = try await maya.get("/deliveries")
            #expect(empty.status == 200 && empty.text.contains("Nobody is delivering right now"))
            #expect(empty.text.contains("href=\"/deliver\"") && empty.text.contains("href=\"/orders/new\""))
            orders.restaurants.mutate { $0 = [.sample { $0.distance = 120 }] }
            let page = try await maya.get("/deliveries?to=\(LocalPath.encoded(Self.to))")
            for text in [
                "Cafe &lt;b&gt;", "120 m away", "2 people · to Exactum and Physicum", "data-time=\"clock\"",
                "value=\"Exactum\"", "data-restaurant=\"\(DeliveryPlace.ursula.place!)\"", "/js/deliveries.js",
                "href=\"/restaurants/\(DeliveryPlace.ursula.place!)?to=",
            ] { #expect(page.text.contains(text), "\(text)") }
            let asked = try door.services.asked(MatchingMethods.restaurants)
            #expect(asked.first?.parameters.near == nil)
            #expect(asked.last?.parameters.near == DeliveryPlace.exactum.position)
            // The device remembers it, until somebody signs out.
            #expect(try await maya.get("/deliveries").text.contains("value=\"Exactum\""))
            let part = try await maya.get("/deliveries", [("HX-Request", "true"), ("HX-Target", "restaurants")])
            #expect(part.text.hasPrefix("<div id=\"restaurants\"") && !part.text.contains("<h1"))
            _ = try await maya.post("/sign-out", [:])
            #expect(maya.cookies[Visit.dropOffCookie] == nil)
        }
    }

    @Test func a_place_that_was_typed_is_asked_for_at_its_field() async throws {
        try await PageDoor.run { door in
            _ = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let typed = try await maya.get("/deliveries?to=Fabian&to.at=")
            #expect(typed.status == 200 && typed.text.contains("Several places are called so."))
            #expect(typed.text.contains("id=\"to-error\"") && typed.text.contains("name=\"to.at\""))
            #expect(
                try await PageVisitor(port: door.port).get("/deliveries")["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test func a_restaurant_says_who_is_there_and_leads_to_the_order() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let place = DeliveryPlace.ursula.place!
            let empty = try await maya.get("/restaurants/\(place)")
            #expect(empty.text.contains("Nobody is here right now") && empty.text.contains("Ask whoever fits best"))
            let ana = Deliverer.sample {
                ($0.distance, $0.leastFee) = (80, Money(amount: 150, currency: "EUR"))
            }
            orders.deliverers.mutate { $0 = [ana] }
            let page = try await maya.get("/restaurants/\(place)?to=\(LocalPath.encoded(Self.to))").text
            for text in [
                "<h1>Cafe &lt;b&gt;", "You want it at: <strong>Exactum</strong>",
                "goes to Physicum, 80 m from where you want it", "2 free hands", "for €1.50 or more",
                "aria-label=\"Ask Ana\"", "ask=\(ana.id)", "restaurant=\(place)",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(
                try door.services.asked(MatchingMethods.deliverers).last?.parameters.to
                    == DeliveryPlace.exactum.position)
            #expect(try await maya.get("/restaurants/none").status == 404)
            // Places away: who is there is known all the same.
            door.services.refuse(PlacesMethods.place, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/restaurants/\(place)")
            #expect(away.status == 200 && away.text.contains("A restaurant") && away.text.contains("Ask Ana"))
        }
    }

    @Test func the_switch_leads_to_the_other_home_and_is_kept() async throws {
        try await PageDoor.run { door in
            let matches = PageMatches(at: door)
            let maya = try await door.join("Maya")
            let home = try await maya.get("/deliveries").text
            #expect(home.contains("value=\"ordering\" aria-pressed=\"true\""))
            let change = try await maya.post("/deliveries/mode", ["mode": "delivering"])
            #expect(change["Location"] == "/deliver")
            #expect(try door.services.asked(AuthMethods.changeProfile).last?.content.mode == .set(.delivering))
            door.change("Maya") { $0.mode = .delivering }
            #expect(try await maya.get("/deliveries")["Location"] == "/deliver")
            // Who looks for something there orders, whatever the mode.
            #expect(try await maya.get("/deliveries?to=\(LocalPath.encoded(Self.to))").status == 200)
            // Whoever still offers to deliver is asked once.
            matches.own.mutate { $0 = .sample() }
            #expect(try await maya.post("/deliveries/mode", ["mode": "ordering"])["Location"] == "/deliveries/still")
            let question = try await maya.get("/deliveries/still")
            #expect(question.text.contains("You are still offering to deliver"))
            #expect(question.text.contains("Keep offering") && question.text.contains("Cafe &lt;b&gt;"))
            let stopped = try await maya.post("/deliveries/still", ["key": "one"])
            #expect(stopped["Location"] == "/deliveries?done=order.stopped" && matches.own.value == nil)
            #expect(try await maya.get("/deliveries/still")["Location"] == "/deliveries")
        }
    }

    @Test func what_runs_stands_on_the_home() async throws {
        try await PageDoor.run { door in
            let matches = PageMatches(at: door)
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            _ = try await door.join("Ben")
            let (me, ben) = (try door.person("Maya"), try door.person("Ben"))
            let open = orders.add(.offered)
            // Offered to somebody else: the order says so.
            let offered = matches.offer(from: me, to: ben)
            let accepted = matches.offer(from: me, to: ben, .accepted)
            let bringing = matches.offer(from: ben, to: me, .pickedUp)
            matches.own.mutate { $0 = .sample() }
            let page = try await maya.get("/deliveries").text
            for href in [open.path, accepted.path, bringing.path] {
                #expect(page.contains("href=\"\(href)\""), "\(href)")
            }
            #expect(!page.contains(offered.path) && page.contains("You can bring something from Cafe"))
            let part = try await maya.get("/deliveries/running", [("HX-Request", "true")])
            #expect(part.text.hasPrefix("<div id=\"running\""))
            #expect(try await maya.get("/deliveries/running")["Location"] == "/deliveries")
            // Pages do without what can't be had now.
            door.services.refuse(MatchingMethods.orders, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/deliveries")
            #expect(away.status == 200 && !away.text.contains(open.path) && away.text.contains(bringing.path))
        }
    }

    @Test func home_shows_who_is_there_and_what_waits() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            #expect(!(try await maya.get("/").text.contains("Somebody is there now")))
            orders.restaurants.mutate { $0 = [.sample()] }
            let ben = PersonSummary(id: .new(), name: "Ben")
            let (order, match) = (OrderID.new(), MatchID.new())
            door.services.answer(
                PeerRole.matching.methods.waiting,
                Page(items: [
                    WaitingItem(.orderToAsk, Subject(order), title: "Ursula → Exactum", at: Date() + 1800),
                    WaitingItem(
                        .matchOffered, Subject(match), title: "Ursula → Hill", with: ben, at: Date() + 40),
                ]))
            let home = try await maya.get("/").text
            for text in [
                "Somebody is there now", "2 people · to Exactum and Physicum", "href=\"/orders/\(order)\"",
                "Whom shall we ask? Until:", "href=\"/matches/\(match)\"", "Ben asks whether you bring it. Answer:",
                "href=\"/deliveries\"",
            ] { #expect(home.contains(text), "\(text)") }
            let me = try await maya.get("/me").text
            #expect(me.contains("href=\"/orders\"") && me.contains("My orders"))
            let place = try await maya.get("/places/\(DeliveryPlace.ursula.place!)").text
            #expect(place.contains("href=\"/restaurants/\(DeliveryPlace.ursula.place!)\""))
            door.services.refuse(MatchingMethods.restaurants, ServiceError(.unavailable, "Away."))
            #expect(try await maya.get("/").status == 200)
        }
    }
}
