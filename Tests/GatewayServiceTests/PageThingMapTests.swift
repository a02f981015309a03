import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The list of what is for rent with its map, and as it changes while somebody looks.
@Suite struct PageThingMapTests {
    @Test func a_list_has_a_map_beside_it_that_shows_what_the_list_has() async throws {
        try await PageDoor.run { door in
            let own = try await door.join("Maya")
            let maya = try door.person("Maya")
            let car = door.letThing(.car, "Yaris", by: maya) {
                $0.position = Position(latitude: 60.1725, longitude: 24.9525)
            }
            door.letThing(.car, "Somewhere", by: maya)
            let visitor = PageVisitor(port: door.port)
            let list = try await visitor.get("/cars?price=30").text
            #expect(list.contains("href=\"/cars?price=30&amp;map=yes\"") && !list.contains("id=\"map\""))
            #expect(!list.contains("vendor/leaflet.js"))
            let map = try await visitor.get("/cars?price=30&map=yes").text
            #expect(map.contains("id=\"map\"") && map.contains("Map of the cars in the list"))
            // What lies beside what the map shows is said by its script, in the page's words.
            #expect(map.contains("id=\"elsewhere\"") && map.contains("\"{n} elsewhere\""))
            #expect(map.contains("vendor/leaflet.js") && map.contains("class=\"results stack\""))
            #expect(map.contains("href=\"/cars?price=30\"") && map.contains("name=\"map\" value=\"yes\""))
            // What everybody is told of where it is: a field of the grid.
            let pin = "data-latitude=\"60.1725\" data-longitude=\"24.9525\""
            #expect(map.contains("data-thing=\"\(car.id)\"") && map.contains(pin))
            #expect(map.contains("data-area=") && map.components(of: "data-latitude=") == 1)
            // It stays as one types, and where one comes back to.
            let part = try await visitor.get(
                "/cars?q=yaris&map=yes&place=", [("HX-Request", "true"), ("HX-Target", "results")])
            #expect(part["HX-Push-Url"] == "/cars?q=yaris&map=yes" && part.text.contains("class=\"results stack\""))
            #expect(try await visitor.get("/spaces").text.contains("href=\"/cars?q=yaris&amp;map=yes\""))
            #expect(try await own.get("/cars?map=yes").status == 200)
        }
    }

    @Test func a_card_is_told_as_it_is_now_for_a_list_that_somebody_looks_at() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let maya = try door.person("Maya")
            let car = door.letThing(.car, "Yaris", by: maya) {
                $0.position = Position(latitude: 60.1725, longitude: 24.9525)
            }
            let visitor = PageVisitor(port: door.port)
            #expect(try await visitor.get("/cars").text.contains("id=\"news\""))
            let path = "/things/\(car.id)/card"
            let card = try await visitor.get("\(path)?from=2026-12-01&until=2026-12-02&near=60.1725,24.9525%20Here")
                .text
            #expect(card.hasPrefix("<li class=\"card thing\"") && !card.contains("<html"))
            #expect(card.contains("/cars/\(car.id)?from=2026-12-01&amp;until=2026-12-02") && card.contains("m away"))
            door.things.mutate { $0[0].state = .withdrawn }
            #expect(try await visitor.get(path).status == 404)
            let hiding = Hiding(at: Date(), reason: "Not a car.")
            door.things.mutate { ($0[0].state, $0[0].hidden) = (.listed, hiding) }
            #expect(try await visitor.get(path).status == 404)
        }
    }
}
