import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Somebody whom a search has found: their card, the way to where they are, and the words of the search.
@Suite struct PageFoundDelivererTests {
    private static let zone = "Asia/Singapore"
    private static let (here, there) = (
        Position(latitude: 60.17, longitude: 24.95), Position(latitude: 60.18, longitude: 24.96)
    )

    @Test func who_was_found_is_shown_and_led_to() async throws {
        try await PageDoor.run { door in
            let (searches, orders) = (PageSearches(at: door), PageOrders(at: door))
            let maya = try await door.join("Maya")
            let (place, ana) = (try #require(DeliveryPlace.ursula.place), Deliverer.sample("Ana <i>"))
            let found = DelivererFound(restaurant: .ursula, deliverer: ana)
            let search = DelivererSearch(restaurant: place, to: DeliveryPlace.exactum.position)
            let wanted = searches.add(WantedQuery(deliverers: search)) { $0.found = 1 }
            searches.finds.mutate { $0 = [WantedFind(at: Date(), ShelfItem(found))] }
            let own = try await maya.get(wanted.path).text
            let to = LocalPath.encoded("60.1731,24.952 Kluuvi, Testholm")
            for text in [
                "href=\"/restaurants/\(place)?to=\(to)&amp;found=yes&amp;deliverer=\(ana.id)\"",
                "data-found=\"\(ana.id)\"", "Ana &lt;i&gt;", "Cafe &lt;b&gt;", "goes to Physicum", "2 free hands",
                "data-time=\"clock\"", "/deliveries.css",
            ] { #expect(own.contains(text), "\(text)") }
            #expect(!own.contains("No longer there"))
            // At a restaurant that Places does not know there is nothing to order.
            var nowhere = found
            nowhere.restaurant.place = nil
            searches.finds.mutate { [nowhere] in $0 = [WantedFind(at: Date(), ShelfItem(nowhere))] }
            #expect(try await maya.get(wanted.path).text.contains("No longer there"))

            // What one is told of leads to where they are, with where it is to be brought.
            door.services.answer(MatchingMethods.deliverer, found)
            let way = try await maya.get("/deliverers/\(ana.id)")
            let shown = "/restaurants/\(place)?to=\(to)"
            #expect(way.status == 303 && way["Location"] == "\(shown)&found=yes&deliverer=\(ana.id)")
            #expect(try door.services.asked(MatchingMethods.deliverer).last?.parameters.id == ana.id)
            #expect(try door.services.asked(NotificationMethods.markRead).last?.content.about == Subject(ana.id))
            orders.deliverers.mutate { $0 = [ana] }
            let page = try await maya.get(try #require(way["Location"])).text
            #expect(page.contains("You were looking for this") && page.contains("action=\"\(wanted.path)/found\""))
            #expect(try door.services.asked(MatchingMethods.wantedFinders).last?.parameters.subject == Subject(ana.id))
            // Not where the address does not say who.
            #expect(!(try await maya.get("\(shown)&found=yes").text.contains("You were looking for this")))
            let ended = try await maya.post("\(wanted.path)/found", page.kept)
            #expect(ended["Location"] == "\(shown)&done=wanted.found" && searches.all.value.isEmpty)
        }
    }

    @Test func who_is_gone_is_said_to_be() async throws {
        try await PageDoor.run { door in
            _ = PageOrders(at: door)
            let maya = try await door.join("Maya")
            let id = AvailabilityID.new()
            let stranger = try await PageVisitor(port: door.port).get("/deliverers/\(id)")
            #expect(stranger["Location"]?.hasPrefix("/sign-in?next=/deliverers/") == true)
            door.services.refuse(MatchingMethods.deliverer, .notFound("deliverer"))
            let gone = try await maya.get("/deliverers/\(id)")
            #expect(gone.status == 404 && gone.text.contains("They are not there any more"))
            #expect(gone.text.contains("href=\"/deliveries?to=\"") && gone.text.contains("href=\"/wanted\""))
            let german = try await maya.get("/deliverers/\(id)", [("Accept-Language", "de")]).text
            #expect(german.contains("Gerade nicht mehr da"))
            #expect(try await maya.get("/deliverers/ana").status == 404)
            // Without matching nothing is known of them.
            door.services.refuse(MatchingMethods.deliverer, ServiceError(.unavailable, "Away."))
            #expect(try await maya.get("/deliverers/\(id)").status == 503)
        }
    }

    @Test func what_is_looked_for_is_one_sentence() throws {
        let (english, german) = (PageRenderingTests.english, PageRenderingTests.german)
        let clocks = try #require(Zone.named(Self.zone))
        let noon = try #require(WireJSON.date(from: "2026-11-28T04:00:00Z"))
        let day = WallTime(at: noon, in: Self.zone).day
        func said(_ search: DelivererSearch, at restaurant: String? = nil, _ words: Words) -> String {
            WantedSentence.deliverer(
                search, [Self.here: "Fabianinkatu 33"], at: restaurant, in: Self.zone, now: noon, words)
        }
        let one = DelivererSearch(restaurant: .new(), to: Self.here)
        #expect(said(one, at: "Unicafe", english) == "Somebody at Unicafe who goes near Fabianinkatu 33")
        #expect(
            said(one, at: "Unicafe", german) == "Jemand bei Unicafe mit Ziel in der Nähe von Fabianinkatu 33")
        let nameless = DelivererSearch(restaurant: .new(), to: Self.there)
        #expect(said(nameless, english) == "Somebody at a restaurant who goes near 60.18, 24.96")
        #expect(said(nameless, german) == "Jemand bei einem Restaurant mit Ziel in der Nähe von 60.18, 24.96")
        let today = DelivererSearch(near: Self.here, radius: 700, until: clocks.start(of: day + 1))
        #expect(said(today, english) == "Somebody at any restaurant within 700 m of Fabianinkatu 33, today")
        #expect(
            said(today, german)
                == "Jemand bei irgendeinem Restaurant höchstens 700 m von Fabianinkatu 33, heute")
        // Where no distance was said; until the end of another day; until a moment.
        let days = DelivererSearch(near: Self.there, until: clocks.start(of: day + 4))
        #expect(
            said(days, english)
                == "Somebody at any restaurant within 400 m of 60.18, 24.96, until 1 December 2026")
        let moment = DelivererSearch(restaurant: .new(), until: noon + 3600)
        #expect(
            said(moment, at: "Unicafe", english) == "Somebody at Unicafe, until Saturday, 28 November 2026, 13:00")
    }
}
