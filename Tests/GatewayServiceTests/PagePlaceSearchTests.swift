import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Places that people look for: suggestions, matches, what is near, and a place's own page.
@Suite struct PagePlaceSearchTests {
    @Test func suggestions_are_options_with_kind_region_distance_and_source() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let path = "/places/suggestions?q=fa&here=60.1711,24.9500&for=q&to=parking"
            let offered = try await visitor.get(path)
            #expect(offered.status == 200 && !offered.text.contains("<html"))
            #expect(offered.text.contains("data-said=\"2 suggestions. Choose with the arrow keys.\""))
            #expect(offered.text.contains("<ul role=\"listbox\" id=\"q-list\""))
            #expect(offered.text.contains("role=\"option\" id=\"q-option-1\""))
            #expect(offered.text.contains("Street · Testholm, North, FI · 10 m away"))
            #expect(offered.text.contains("© OpenStreetMap contributors, ODbL 1.0"))
            let id = "00000000-0000-8000-8000-000000000002"
            #expect(offered.text.contains("data-href=\"/parking?near=60.1711%2C24.95&amp;place=\(id)\""))
            // What the page is about says which are near, and not how far they are from the one who types.
            let nearby = try await visitor.get(path.replacing("here=", with: "near="))
            #expect(nearby.text.contains("Street · Testholm, North, FI<") && !nearby.text.contains("away"))
            for none in ["?q=f", "?q=", "", "?q=xyz", "?q=%F0%9F%98%80%F0%9F%98%80"] {
                let answer = try await visitor.get("/places/suggestions" + none)
                #expect(answer.status == 200 && !answer.text.contains("role=\"option\""), "\(none)")
            }
            let odd = try await visitor.get(
                "/places/suggestions?q=fa&for=%22%3E%3Cb%3E&to=//evil.example&kind=x&near=x")
            #expect(odd.text.contains("id=\"b-list\"") && !odd.text.contains("data-href"))
            door.services.refuse(PlacesMethods.search, ServiceError(.unavailable, "Away."))
            #expect(try await visitor.get(path).status == 503)
        }
    }

    @Test func what_places_are_called_stays_words() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let cafe = "00000000-0000-8000-8000-000000000004"
            let near = "near=60.172,24.951&place=\(cafe)"
            for path in [
                "/places/suggestions?q=cafe&for=q", "/parking?q=cafe", "/places?q=cafe", "/places?\(near)",
                "/places/\(cafe)", "/parking?\(near)", "/places/name?at=60.172,24.951",
                "/share?at=60.172,24.951",
            ] {
                let page = try await maya.get(path)
                #expect(page.status == 200, "\(path)")
                #expect(page.text.contains("Ursula"), "\(path)")
                #expect(!page.text.contains("<b>") || page["Content-Type"] == "application/json", "\(path)")
                #expect(!page.text.contains("value=\"near Cafe <"), "\(path)")
            }
            let typed = try await maya.get("/parking?q=%3Cscript%3E")
            #expect(!typed.text.contains("<script>") && typed.text.contains("&lt;script&gt;"))
        }
    }

    @Test func a_search_without_scripts_leads_to_the_matches_and_from_there_to_the_spots() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let map = try await visitor.get("/parking")
            #expect(map.text.contains("<form class=\"find\" method=\"get\" action=\"/parking\""))
            let matches = try await visitor.get("/parking?q=Kluu")
            #expect(matches.status == 200)
            let target = "/parking?near=60.173%2C24.952&amp;place=00000000-0000-8000-8000-000000000005"
            #expect(matches.text.contains("href=\"\(target)\"") && matches.text.contains("value=\"Kluu\""))
            let found = try await visitor.get(target.replacing("&amp;", with: "&"))
            #expect(found.text.contains("No free spots near Kluuvi"))
            #expect(found.text.contains("data-around=\"place\" data-place=\"Kluuvi\""))
            #expect(!found.text.contains("data-from="))
            #expect(try await visitor.get("/parking?q=xyz").text.contains("Nothing of that name"))
            #expect(try await visitor.get("/parking?q=x").status == 422)
            let unknown = "/parking?near=60.173,24.952&place=00000000-0000-8000-8000-00000000000f"
            #expect(try await visitor.get(unknown).text.contains("No free spots here"))
            door.services.refuse(PlacesMethods.search, ServiceError(.unavailable, "Away."))
            let away = try await visitor.get("/places?q=Kluu")
            #expect(away.status == 503 && away.text.contains("looked up just now. Try again in a moment."))
        }
    }

    @Test func what_is_near_is_listed_by_kind_and_distance() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let list = try await visitor.get("/places?near=60.1730,24.9520")
            #expect(list.text.contains("Restaurants near you") && list.text.contains("120 m away"))
            #expect(list.text.contains("href=\"/places/00000000-0000-8000-8000-000000000004?at=60.173,24.952\""))
            #expect(list.text.contains("href=\"/places?near=60.173%2C24.952&amp;kind=parking\""))
            #expect(list.text.contains("within 2 km"))
            let centre = try await visitor.get("/places?kind=town")
            #expect(centre.text.contains("Towns around the centre") && centre.text.contains("within 50 km"))
            #expect(!centre.text.contains("?at="))
            let empty = try await visitor.get("/places?kind=hotel&near=60.17,24.95")
            #expect(empty.text.contains("Nothing of that kind here"))
            #expect(empty.text.contains("href=\"/places?near=60.17%2C24.95&amp;kind=hotel&amp;far=yes\""))
            let part = try await visitor.get("/places", [("HX-Request", "true"), ("HX-Target", "results")])
            #expect(part.text.hasPrefix("<div id=\"results\""))
            #expect(try await visitor.get("/places?kind=none").text.contains("Restaurants around the centre"))
            #expect(try await visitor.get("/places?near=91,0").status == 400)
            door.services.refuse(PlacesMethods.nearby, ServiceError(.unavailable, "Away."))
            #expect(try await visitor.get("/places").status == 503)
        }
    }

    @Test func a_place_has_a_page_that_says_what_can_be_done_there() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let path = "/places/00000000-0000-8000-8000-000000000003"
            let page = try await visitor.get(path + "?at=60.1711,24.9500")
            #expect(page.text.contains("Fabianinkatu 33") && page.text.contains("© OpenStreetMap contributors"))
            #expect(page.text.contains("lang=\"sv\">Fabianinkatu 33 (sv)"))
            #expect(page.text.contains("href=\"/share?at=60.1712%2C24.9501\""))
            #expect(page.text.contains("href=\"geo:60.1712,24.9501?q=60.1712,24.9501(Fabianinkatu%2033)\""))
            #expect(page.text.contains("10 m in a straight line"))
            #expect(!(try await visitor.get(path)).text.contains("straight line"))
            #expect(try await visitor.get("/places/00000000-0000-8000-8000-00000000000f").status == 404)
            #expect(try await visitor.get("/places/here").status == 404)
            let maya = try await door.join("Maya")
            let share = try await maya.get("/share?at=60.1712,24.9501")
            #expect(share.text.contains("value=\"60.1712\"") && share.text.contains("value=\"24.9501\""))
            #expect(share.text.contains("value=\"near Fabianinkatu 33, Testholm\""))
        }
    }

    /// A name as people write it, never as names are compared; what was left out; and that a house is another one.
    @Test(arguments: ["/places/suggestions?for=q&q=", "/parking?q="])
    func what_was_found_instead_is_said(_ path: String) async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let german = try await visitor.get(path + "M%C3%BCn,%20Nowhere", [("Accept-Language", "de")])
            #expect(german.text.contains("München &lt;b&gt;") && german.text.contains("„Munich“"))
            #expect(german.text.contains("Nicht bekannt und darum weggelassen: „Nowhere &lt;i&gt;“."))
            #expect(!german.text.contains("munchen") && !german.text.contains("<i>"))
            let beside = try await visitor.get(path + "Kai%2012")
            #expect(beside.text.contains("Street only, the house number is not known"))
            #expect(beside.text.contains("Another house number"))
        }
    }

    @Test func places_are_asked_for_in_the_readers_language() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let german = try await visitor.get("/v1/places?q=fa&language=de")
            #expect(german.status == 200)
            for wrong in ["", "d", "deutsch!", "de_AT", "%22", "de-" + String(repeating: "x", count: 40)] {
                #expect(try await visitor.get("/v1/places?q=fa&language=" + wrong).status == 400, "\(wrong)")
            }
        }
    }
}
