import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The form by which something is ordered. All of it works without scripts.
@Suite struct PageOrderFormTests {
    static let restaurant = "60.172,24.951 Cafe <b>\"Ursula\"</b>, Testholm"
    static let typed = [
        "source": "restaurants", "restaurants": "1", "restaurant1": "Cafe <b>\"Ursula\"</b>, Testholm",
        "restaurant1.at": restaurant, "items1": "Two <soups>", "to": "Exactum", "to.at": "60.1731,24.952 Exactum",
        "door": "Room 123", "goods": "bought", "limit": "12,50", "paidBy": "credits", "fee": "2", "minutes": "60",
    ]

    static func submit(
        _ visitor: PageVisitor, _ changes: [String: String] = [:], key: String = Visit.newKey(),
        at path: String = OrderNewPage.path
    ) async throws -> RawResponse {
        try await visitor.post(path, typed.merging(changes) { $1 }.merging(["key": key]) { $1 })
    }

    @Test func what_is_typed_is_one_order() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let form = try await maya.get("/orders/new")
            #expect(form.status == 200 && form.text.contains("data-kind=\"restaurant\""))
            for text in ["Ask somebody", "Spend at most, in EUR", "only who brings it reads this", "/js/combobox.js"] {
                #expect(form.text.contains(text), "\(text)")
            }
            #expect(!form.text.contains("name=\"rollsOn\""))
            let key = Visit.newKey()
            let sent = try await Self.submit(maya, key: key)
            let order = try #require(orders.orders.value.first)
            #expect(sent["Location"] == "\(order.path)?done=order.placed")
            let draft = try #require(try door.services.asked(MatchingMethods.placeOrder).last?.content)
            let euros = { Money(amount: $0, currency: "EUR") }
            #expect(
                draft
                    == OrderDraft(
                        from: [OrderedFromDraft(restaurant: DeliveryPlace.ursula.place, items: "Two <soups>")],
                        dropOff: DropOffDraft(
                            name: "Exactum", position: Position(latitude: 60.1731, longitude: 24.952)),
                        door: "Room 123", fee: euros(200), limit: euros(1250), paidBy: .credits, minutes: 60))
            _ = try await Self.submit(maya, key: key)
            #expect(try door.services.done(MatchingMethods.placeOrder).count == 1)
            door.services.refuse(MatchingMethods.placeOrder, .doneBefore)
            #expect(try await Self.submit(maya, key: key)["Location"] == "/orders?done=order.before")
            // Where it is wanted is known next time.
            #expect(try await maya.get("/orders/new").text.contains("value=\"Exactum\""))
        }
    }

    @Test func a_restaurant_that_was_typed_is_chosen_from_those_that_are_known() async throws {
        try await PageDoor.run { door in
            _ = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let typed = ["restaurant1": "Cafe", "restaurant1.at": ""]
            let asked = try await Self.submit(maya, typed)
            #expect(asked.status == 422 && asked.text.contains("Several restaurants are called so."))
            #expect(asked.text.contains("type=\"radio\" name=\"restaurant1.at\"") && asked.text.contains("Kai 1"))
            #expect(asked.text.contains("value=\"12,50\"") && asked.text.contains("Two &lt;soups&gt;"))
            let chosen = typed.merging(["restaurant1.for": "Cafe", "restaurant1.at": Self.restaurant]) { $1 }
            #expect(try await Self.submit(maya, chosen).status == 303)
        }
    }

    @Test func restaurants_are_added_and_taken_away() async throws {
        try await PageDoor.run { door in
            _ = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let more = try await Self.submit(maya, ["go": "add"])
            #expect(
                more.status == 200 && more.text.contains("name=\"restaurant2\"") && more.text.contains("Restaurant 2"))
            #expect(more.text.kept["restaurants"] == "2" && more.text.contains("Two &lt;soups&gt;"))
            let one = try await Self.submit(
                maya, ["restaurants": "2", "restaurant2": "Kai", "items2": "Tea", "go": "drop 0"])
            #expect(!one.text.contains("name=\"restaurant2\"") && one.text.contains(">\nTea</textarea>"))
            // One that was left empty is none.
            #expect(try await Self.submit(maya, ["restaurants": "2"]).status == 303)
            #expect(try door.services.asked(MatchingMethods.placeOrder).last?.content.from?.count == 1)
            // What the service says is said where it stands.
            let wrong = ServiceError.invalid([FieldError("from.0.items", "too_long", "Less.")])
            door.services.refuse(MatchingMethods.placeOrder, wrong)
            let second = [
                "restaurants": "2", "restaurant1": "", "restaurant1.at": "", "items1": "",
                "restaurant2": Self.typed["restaurant1"]!, "restaurant2.at": Self.restaurant, "items2": "Tea",
            ]
            let refused = try await Self.submit(maya, second)
            #expect(refused.status == 422 && refused.text.contains("id=\"items2-error\""))
        }
    }

    @Test func any_restaurant_around_a_place_or_goods_that_are_paid_for() async throws {
        try await PageDoor.run { door in
            _ = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let changes = [
                "source": "around", "around": "Exactum", "around.at": "60.1731,24.952 Exactum", "radius": "700",
                "aroundItems": "Soup", "goods": "prepaid", "code": "X 12", "fee": "",
            ]
            #expect(try await Self.submit(maya, changes).status == 303)
            let draft = try #require(try door.services.asked(MatchingMethods.placeOrder).last?.content)
            let around = OrderedAroundDraft(position: DeliveryPlace.exactum.position, radius: 700, items: "Soup")
            #expect(draft.around == around && draft.from == nil)
            #expect(draft.limit == nil && draft.pickUpCode == "X 12" && draft.fee?.amount == 0)
        }
    }

    @Test func what_is_wrong_stands_at_its_field_all_at_once() async throws {
        try await PageDoor.run { door in
            _ = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let nothing = try await maya.post("/orders/new", ["key": "one", "fee": "much"])
            #expect(nothing.status == 422)
            for text in [
                "From which restaurant?", "What would you like?", "Where do you want it?", "How much may be spent",
                "An amount is a number, such as 2",
            ] { #expect(nothing.text.contains(text), "\(text)") }
            #expect(nothing.text.components(of: "autofocus") == 1)
            #expect(try door.services.asked(MatchingMethods.placeOrder).isEmpty)
            for (field, code, id, sentence) in [
                ("from.0.restaurant", "unknown_place", "restaurant1", "Choose one from the list"),
                ("dropOff.position", "out_of_range", "to", "Nothing is brought there."),
                ("door", "too_long", "door", "At most 200 characters."),
                ("fee.amount", "out_of_range", "fee", "That is more than this community allows."),
                ("limit.amount", "out_of_range", "limit", "That is more than this community allows."),
                ("minutes", "out_of_range", "minutes", "Choose one of these."),
            ] {
                door.services.refuse(MatchingMethods.placeOrder, .invalid([FieldError(field, code, "No.")]))
                let refused = try await Self.submit(maya)
                #expect(refused.status == 422 && refused.text.contains(sentence), "\(field)")
                #expect(refused.text.contains("id=\"\(id)-error\""), "\(field)")
            }
            door.services.refuse(MatchingMethods.placeOrder, ServiceError(.tooManyOrders, "Three."))
            let many = try await Self.submit(maya)
            #expect(many.status == 409 && many.text.contains("as many open orders as one may"))
            #expect(many.text.contains("<a href=\"/orders\">"))
            door.services.refuse(MatchingMethods.placeOrder, .lost)
            let lost = try await Self.submit(maya, key: "same")
            #expect(lost.status == 503 && lost.text.kept["key"] == "same")
        }
    }

    @Test func somebody_may_be_asked_by_name() async throws {
        try await PageDoor.run { door in
            let orders = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let ana = Deliverer.sample("Ana <b>") { $0.leastFee = Money(amount: 150, currency: "EUR") }
            orders.deliverers.mutate { $0 = [ana] }
            let path = OrderNewPage.path(from: DeliveryPlace.ursula.place, asking: ana.id)
            let form = try await maya.get(path)
            for text in ["Ana &lt;b&gt; is asked first", "If Ana &lt;b&gt; can&#39;t, ask anybody", "value=\"1.50\""] {
                #expect(form.text.contains(text), "\(text)")
            }
            #expect(form.text.kept["restaurant1.at"] == Self.restaurant && form.text.kept["asking"] == "\(ana.id)")
            let asking = ["asking": "\(ana.id)", "asked": "Ana <b>", "rollsOn": "yes"]
            #expect(try await Self.submit(maya, asking).status == 303)
            let draft = try #require(try door.services.asked(MatchingMethods.placeOrder).last?.content)
            #expect(draft.availability == ana.id && draft.rollsOn == true)
            door.services.refuse(MatchingMethods.placeOrder, ServiceError(.handsFull, "Full."))
            let full = try await Self.submit(maya, asking)
            #expect(full.status == 409 && full.text.contains("They have just got their hands full."))
            #expect(full.text.contains("See who else is there") && full.text.contains("Ask anybody right away"))
            door.services.refuse(MatchingMethods.placeOrder, nil)
            #expect(try await Self.submit(maya, asking.merging(["go": "anybody"]) { $1 }).status == 303)
            #expect(try door.services.asked(MatchingMethods.placeOrder).last?.content.availability == nil)
            // Who is not there any more is not asked.
            orders.deliverers.mutate { $0 = [] }
            let gone = try await maya.get(path)
            #expect(gone.text.contains("They are not there any more.") && gone.text.kept["asking"] == nil)
        }
    }
}
