import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Saying what one can bring along, and how that stands.
@Suite struct PageDeliverTests {
    private static let typed = [
        "restaurant": "Cafe", "dropOff": "Exactum", "dropOff.at": "60.1731,24.952 Exactum", "capacity": "2",
        "detour": "300", "minutes": "45", "leastFee": "1,50", "listed": "no",
    ]

    @Test func a_restaurant_is_chosen_from_those_that_are_known_and_is_sent_by_its_id() async throws {
        try await PageDoor.run { door in
            _ = PageMatches(at: door)
            let ana = try await door.join("Ana")
            let page = try await ana.get("/deliver")
            #expect(page.status == 200 && page.text.contains("data-kind=\"restaurant\""))
            let asked = try await ana.post("/deliver", page.text.kept.merging(Self.typed) { $1 })
            #expect(asked.status == 422 && asked.text.contains("Choose one from the list"))
            #expect(asked.text.contains("type=\"radio\" name=\"restaurant.at\"") && asked.text.contains("Kai 1"))
            // What else was typed is still there.
            #expect(
                asked.text.contains("value=\"1,50\"") && asked.text.contains("name=\"detour\" value=\"300\" checked"))
            let choice = "60.172,24.951 Cafe <b>\"Ursula\"</b>, Testholm"
            let form = asked.text.kept.merging(Self.typed) { $1 }.merging(["restaurant.at": choice]) { $1 }
            let begun = try await ana.post("/deliver", form)
            #expect(begun["Location"] == "/deliver?done=deliver.began")
            let draft = try #require(try door.services.asked(MatchingMethods.offerDelivery).last?.content)
            let to = DropOffDraft(name: "Exactum", position: DeliveryPlace.exactum.position)
            #expect(
                draft
                    == AvailabilityDraft(
                        restaurant: DeliveryPlace.ursula.place, dropOff: to, capacity: 2, detour: 300, minutes: 45,
                        leastFee: Money(amount: 150, currency: "EUR"), isListed: false))
        }
    }

    @Test func what_is_wrong_stands_at_its_field_all_at_once() async throws {
        try await PageDoor.run { door in
            _ = PageMatches(at: door)
            let ana = try await door.join("Ana")
            let wrong = try await ana.post("/deliver", ["key": "a", "restaurant": "Nowhere", "leastFee": "much"])
            #expect(wrong.status == 422)
            for text in ["No restaurant of that name is known here.", "Where do you go?", "An amount, such as 2.50"] {
                #expect(wrong.text.contains(text), "\(text)")
            }
            #expect(try door.services.asked(MatchingMethods.offerDelivery).isEmpty)
            door.services.refuse(PlacesMethods.search, ServiceError(.unavailable, "Away."))
            let away = try await ana.post("/deliver", ["key": "b", "restaurant": "Cafe", "dropOff": "Testholm"])
            #expect(away.status == 422 && away.text.contains("Places can&#39;t be looked up just now."))
        }
    }

    @Test func the_page_of_a_restaurant_leads_to_the_form_with_it() async throws {
        try await PageDoor.run { door in
            _ = PageMatches(at: door)
            let page = try await door.join("Ana").get("/deliver?restaurant=\(DeliveryPlace.ursula.place!)").text
            #expect(page.kept["restaurant.at"]?.hasPrefix("60.172,24.951 Cafe") == true)
        }
    }

    @Test func who_is_able_to_deliver_sees_until_when_and_what_they_carry() async throws {
        try await PageDoor.run { door in
            let played = PageMatches(at: door)
            let (ana, mei) = (try await door.join("Ana"), try await door.join("Mei"))
            _ = mei
            let offered = played.offer(from: try door.person("Mei"), to: try door.person("Ana"))
            let carried = played.offer(from: try door.person("Mei"), to: try door.person("Ana"), .pickedUp)
            played.own.mutate { $0 = .sample { $0.matches = [offered.id, carried.id] } }
            let page = try await ana.get("/deliver").text
            for text in [
                "People see you here until <time", "Physicum", "Offered to you", "What you bring", offered.path,
                carried.path, "You can take 2 more, of 2.", "content=\"5; url=/deliver\"", "data-deliver",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(!page.contains("drop-number") && !page.contains("match-map"), "of one thing there is no order")
            let longer = try await ana.post("/deliver/longer", ["key": "l", "minutes": "45"])
            #expect(longer["Location"] == "/deliver?done=deliver.longer")
            let draft = try door.services.asked(MatchingMethods.offerDelivery).last?.content
            #expect(draft == AvailabilityDraft(minutes: 45))
            let change = try await ana.get("/deliver?change=yes").text
            #expect(change.contains("As it is now") && change.contains("value=\"1.50\""))
            let changed = try await ana.post(
                "/deliver",
                change.kept.merging([
                    "restaurant": DeliveryPlace.ursula.name, "dropOff": "Physicum", "capacity": "3", "detour": "0",
                    "minutes": "", "leastFee": "", "listed": "yes",
                ]) { $1 })
            #expect(changed["Location"] == "/deliver?done=deliver.changed")
            let kept = try #require(try door.services.asked(MatchingMethods.offerDelivery).last?.content)
            #expect(kept.restaurant == DeliveryPlace.ursula.place && kept.minutes == nil && kept.leastFee?.amount == 0)
        }
    }

    @Test func who_carries_several_is_shown_in_which_order_and_the_whole_way() async throws {
        try await PageDoor.run { door in
            let played = PageMatches(at: door)
            let (ana, mei) = (try await door.join("Ana"), try await door.join("Mei"))
            _ = mei
            let carried = try ["Chemicum", "Exactum", "Kumpula"].enumerated().map { number, name in
                played.offer(from: try door.person("Mei"), to: try door.person("Ana"), .accepted) {
                    $0.dropOff.name = name
                    $0.dropOff.position.latitude += 0.001 * Double(number)
                    // Later what comes first.
                    $0.expectedAt = Date() + Double(600 - 60 * number)
                }
            }
            let own = Availability.sample { $0.matches = carried.map(\.id) }
            played.own.mutate { [own] in $0 = own }
            let page = try await ana.get("/deliver").text
            let places = carried.enumerated().compactMap { number, match in
                page.firstRange(
                    of: ">\(number + 1)</span><span class=\"grow\"><a class=\"cover\" href=\"\(match.path)\"")?
                    .lowerBound
            }
            #expect(places.count == carried.count && places == places.sorted())
            let stops = ([own.restaurant] + carried.map(\.dropOff) + [own.dropOff]).map(\.position.written)
            #expect(page.contains("In this order the way is the shortest."))
            #expect(
                page.contains("id=\"match-map\"") && page.contains("data-stops=\"\(stops.joined(separator: ";"))\""))
        }
    }

    @Test func who_did_not_answer_says_that_they_are_there_and_stops_when_they_like() async throws {
        try await PageDoor.run { door in
            let played = PageMatches(at: door)
            let ana = try await door.join("Ana")
            played.own.mutate { $0 = .sample { $0.state = .paused } }
            #expect(try await ana.get("/deliver").text.contains("Are you still there?"))
            let resumed = try await ana.post("/deliver/resume", ["key": "r"])
            #expect(resumed["Location"] == "/deliver?done=deliver.resumed")
            let question = try await ana.get("/deliver/stop")
            #expect(question.text.contains("Stop now?"))
            let stopped = try await ana.post("/deliver/stop", question.text.kept)
            #expect(stopped["Location"] == "/deliver?done=deliver.stopped")
            #expect(try await ana.get("/deliver/stop")["Location"] == "/deliver")
            door.services.refuse(MatchingMethods.resumeDelivery, ServiceError(.wrongState, "Over."))
            #expect(try await ana.post("/deliver/resume", ["key": "s"])["Location"] == "/deliver?done=deliver.over")
        }
    }
}
