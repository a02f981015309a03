import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// From a search to being told: the way there, what it would be, and what is refused.
@Suite struct PageWantedTests {
    private static let part = [("HX-Request", "true"), ("HX-Target", "results")]

    private func href(_ pairs: [(String, String)]) -> String {
        let query = pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&amp;")
        return "href=\"/wanted/new?\(query)\""
    }

    @Test func every_search_leads_there_with_its_filters() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let visitor = PageVisitor(port: door.port)
            let filters = [("of", "cars"), ("q", "roof & rack"), ("brand", "Toyota"), ("price", "30")]
            let address = "/cars?q=roof+%26+rack&sort=price&map=yes&brand=Toyota&price=30"
            // Where there is nothing, and where there is something; what only orders the list is left behind.
            let empty = try await visitor.get(address).text
            #expect(empty.contains(href(filters)) && empty.contains("Tell me when there is something"))
            door.letThing(.car, "Roof & rack", by: try door.person("Maya")) { $0.brand = "Toyota" }
            for page in [try await visitor.get(address), try await visitor.get(address, Self.part)] {
                #expect(page.text.contains(href(filters)) && page.text.contains("Tell me</a>"))
            }
            #expect(try await visitor.get("/spaces").text.contains(href([("of", "spaces")])))
            let period = [("from", "2999-12-01T14:00"), ("until", "2999-12-01T18:00")]
            let parking = try await visitor.get("/private-parking?from=2999-12-01T14%3A00&until=2999-12-01T18%3A00")
            #expect(parking.text.contains(href([("of", "private-parking")] + period)))
            // Not from what is wrong.
            #expect(!(try await visitor.get("/cars?price=a+lot").text.contains("/wanted/new")))
        }
    }

    @Test func free_spots_are_looked_for_around_where_one_looks() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            func way(_ near: String?, _ radius: String) -> String {
                href([("of", "spots")] + (near.map { [("near", $0)] } ?? []) + [("radius", radius)])
            }
            let around = try await visitor.get("/parking").text
            #expect(around.contains(way(nil, "1000")) && around.contains("Tell me when there is something"))
            #expect(try await visitor.get("/parking?near=60.17,24.95").text.contains(way("60.17,24.95", "5000")))
            // A part of the map: around its middle, as far as it reaches.
            let box = try await visitor.get("/parking?bbox=24.94,60.165,24.96,60.175").text
            #expect(box.contains(way("60.17,24.95", "1000")))
            let across = try await visitor.get("/parking?bbox=179.99,-17.01,-179.97,-16.99").text
            #expect(across.contains(way("-17.0,-179.99", "2000")))
            // And back: the list around that point, as far as was said.
            let back = try await visitor.get("/parking?near=60.17,24.95&radius=500")
            #expect(back.text.contains("No free spots here") && back.text.contains(way("60.17,24.95", "500")))
            #expect(back.text.contains("radius=500\" hx-get") && !back.text.contains("data-from="))
            #expect(try door.services.asked(ListingsMethods.spots).last?.parameters.radius == 500)
            _ = try await visitor.get("/parking?near=60.17,24.95&radius=far")
            #expect(try door.services.asked(ListingsMethods.spots).last?.parameters.radius == 5000)
        }
    }

    @Test func it_is_said_what_one_would_be_told_of_and_made_once() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let address = "/wanted/new?of=cars&q=roof+%3Cb%3E&price=30"
            let stranger = try await PageVisitor(port: door.port).get(address)
            #expect(stranger["Location"]?.hasPrefix("/sign-in?next=/wanted/new%3F") == true)
            let maya = try await door.join("Maya")
            let page = try await maya.get(address)
            for text in [
                "A car, with “roof &lt;b&gt;” in its text, up to €30 a day", "About three a week",
                ">3 fit now</a>", "href=\"/cars?q=roof%20%3Cb%3E&amp;price=30\"", "Look for something else",
            ] { #expect(page.text.contains(text), "\(text)") }
            #expect(page.status == 200 && !page.text.contains("roof <b>"))
            let form = page.text.kept
            let (first, again) = (
                try await maya.post("/wanted/new", form), try await maya.post("/wanted/new", form)
            )
            let made = try #require(try door.services.done(MatchingMethods.postWanted).first)
            #expect(made.content.query == .cars() && first["Location"]?.hasSuffix("?done=made") == true)
            #expect(try door.services.done(MatchingMethods.postWanted).count == 1 && again.status == 303)
            let shown = try await maya.get(try #require(first["Location"]))
            #expect(shown.text.contains("You are told when there is something."))
            door.services.refuse(MatchingMethods.postWanted, .doneBefore)
            #expect(try await maya.post("/wanted/new", form)["Location"] == "/wanted?done=wanted.before")
            // Nothing there yet: nothing to look at.
            searches.estimate.mutate { $0 = WantedEstimate(perMonth: 0, isTooWide: false, fitting: 0) }
            let rare = try await maya.get(address).text
            #expect(rare.contains("Nothing like it yet") && rare.contains("<p>Nothing fits now</p>"))
            let german = try await maya.get(address, [("Accept-Language", "de")]).text
            #expect(german.contains("Ein Auto, mit „roof &lt;b&gt;“ im Text") && german.contains("Jetzt passt nichts"))
        }
    }

    @Test func what_is_too_wide_says_what_to_add() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            searches.estimate.mutate { $0 = WantedEstimate(perMonth: 3001, isTooWide: true, fitting: 100) }
            let cars = try await maya.get("/wanted/new?of=cars").text
            #expect(cars.contains("Add a word, a brand or a region.") && !cars.contains("About 100 a day"))
            let spaces = try await maya.get("/wanted/new?of=spaces").text
            #expect(spaces.contains("too many a day. Add a word or a region."))
            #expect(cars.contains("100 or more fit now") && !cars.contains("action=\"/wanted/new\""))
            let spots = try await maya.get("/wanted/new?of=spots&near=60.17,24.95&radius=5000").text
            #expect(spots.contains("Choose a shorter distance.") && !spots.contains("action=\"/wanted/new\""))
            // Where it became so only then.
            let wide = ServiceError.invalid([FieldError("query", "too_wide", "Too wide.")])
            door.services.refuse(MatchingMethods.postWanted, wide)
            let refused = try await maya.post("/wanted/new", ["of": "cars", "key": "one", "q": "roof"])
            #expect(refused.status == 422 && refused.text.contains("Add a word, a brand or a region."))
            #expect(!refused.text.contains("action=\"/wanted/new\"") && refused.text.contains("“roof”"))
        }
    }

    @Test func too_many_lead_to_ones_searches_and_what_is_wrong_is_said() async throws {
        try await PageDoor.run { door in
            _ = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let form = ["of": "spaces", "key": "one", "q": "dry"]
            door.services.refuse(MatchingMethods.postWanted, ServiceError(.tooManyWanted, "Twenty."))
            let many = try await maya.post("/wanted/new", form)
            #expect(many.status == 409 && many.text.contains("You have as many searches as one may."))
            #expect(many.text.contains("<a href=\"/wanted\">My searches</a>"))
            // The form stays as it was sent.
            #expect(many.text.kept == form)
            door.services.refuse(MatchingMethods.postWanted, .lost)
            let lost = try await maya.post("/wanted/new", form)
            #expect(lost.status == 503 && lost.text.kept == form)
            let past = ServiceError.invalid([FieldError("things.from", "past", "Over.")])
            door.services.refuse(MatchingMethods.estimateWanted, past)
            let over = try await maya.get("/wanted/new?of=cars&from=2020-01-01&until=2020-01-02")
            #expect(over.status == 422 && over.text.contains("That is over already."))
            #expect(!over.text.contains("action=\"/wanted/new\""))
            door.services.refuse(MatchingMethods.estimateWanted, ServiceError(.unavailable, "Away."))
            #expect(try await maya.get("/wanted/new?of=cars&q=x").status == 503)
            // What can be read here is not asked for.
            let asked = try door.services.asked(MatchingMethods.estimateWanted).count
            let price = try await maya.get("/wanted/new?of=cars&price=a+lot")
            #expect(price.status == 422 && price.text.contains("A price is a number"))
            #expect(try door.services.asked(MatchingMethods.estimateWanted).count == asked)
            for path in ["/wanted/new", "/wanted/new?of=boats"] {
                #expect(try await maya.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test func free_spots_ask_first_around_where() async throws {
        try await PageDoor.run { door in
            _ = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let first = try await maya.get("/wanted/new?of=spots&radius=500")
            #expect(first.status == 200 && first.text.contains("Around where?"))
            #expect(first.text.contains("<option value=\"500\" selected>500 m</option>"))
            #expect(first.text.contains("data-href=\"/wanted/new?of=spots&amp;radius=500\""))
            let nothing = try await maya.get("/wanted/new?of=spots&place=&place.at=&radius=500")
            #expect(nothing.status == 422 && nothing.text.contains("Around which place?"))
            let typed = try await maya.get("/wanted/new?of=spots&place=Fabian&place.at=&radius=500")
            #expect(typed.status == 422 && typed.text.contains("Several places are called so."))
            #expect(typed.text.contains("name=\"place.at\" value=\"60.1712,24.9501 Fabianinkatu 33, Testholm\""))
            let (label, at) = ("Fabianinkatu 33, Testholm", "60.1712,24.9501 Fabianinkatu 33, Testholm")
            let chosen = "of=spots&place=\(LocalPath.encoded(label))&place.at=\(LocalPath.encoded(at))&radius=500"
            let near = LocalPath.encoded("60.1712,24.9501")
            let address = "/wanted/new?of=spots&near=\(near)&radius=500"
            #expect(try await maya.get("/wanted/new?\(chosen)")["Location"] == address)
            let page = try await maya.get(address).text
            for text in [
                "A free parking spot within 500 m of Fabianinkatu 33, Testholm",
                "href=\"/parking?near=\(near)&amp;radius=500\">3 fit now</a>",
                href([("of", "spots"), ("near", "60.1712,24.9501"), ("radius", "2000")]) + ">2 km</a>",
                "radius=500\" aria-current=\"true\">500 m</a>", href([("of", "spots"), ("radius", "500")]),
            ] { #expect(page.contains(text), "\(text)") }
            let posted = try await maya.post("/wanted/new", page.kept)
            #expect(posted.status == 303)
            let query = try #require(try door.services.done(MatchingMethods.postWanted).first).content.query
            #expect(query == .freeSpots)
            // What is no distance is none.
            for radius in ["9223372036854775807", "-9223372036854775808", "0", "50001", "far"] {
                let odd = try await maya.get("/wanted/new?of=spots&near=\(near)&radius=\(radius)")
                #expect(odd.status == 200 && odd.text.contains("A free parking spot within 1 km of"), "\(radius)")
            }
            // What nobody could send from this page.
            let pointless = try await maya.post("/wanted/new", ["of": "spots", "key": "one"])
            #expect(pointless.status == 422 && pointless.text.contains("Around where?"))
        }
    }
}
