import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Changing what is looked for, and having found it.
@Suite struct PageWantedEditTests {
    @Test func the_fields_of_the_vertical_hold_what_is_looked_for() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(
                .cars { ($0.brand, $0.model, $0.region) = ("Toyota", "Yaris", "North") })
            let page = try await maya.get("\(wanted.path)/edit")
            for text in [
                "value=\"roof &lt;b&gt;\"", "<option value=\"Toyota: Yaris\" selected>Yaris</option>",
                "<option value=\"Toyota\">Toyota, every model</option>", "<optgroup label=\"Honda\">",
                "<option value=\"North\" selected>North</option>", "value=\"30\"", "name=\"version\" value=\"1\"",
            ] { #expect(page.text.contains(text), "\(text)") }
            let fields = page.text.kept.merging(["q": "box", "car": "Honda", "region": "", "price": "12.50"]) { $1 }
            let saved = try await maya.post("\(wanted.path)/edit", fields)
            #expect(saved["Location"] == "\(wanted.path)?done=wanted.changed")
            let change = try #require(try door.services.done(MatchingMethods.changeWanted).first).content
            let looked = WantedQuery.cars { ($0.q, $0.brand, $0.highestPrice) = ("box", "Honda", 1250) }
            #expect(change.query == looked)
            #expect(change.version == "1" && change.isPaused == nil)
            // Without the catalogue what was chosen stays.
            door.services.refuse(ListingsMethods.carModels, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("\(wanted.path)/edit")
            #expect(away.text.contains("<option value=\"Honda\" selected>Honda, every model</option>"))
        }
    }

    @Test func what_is_wrong_stands_at_its_field() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(.cars())
            let path = "\(wanted.path)/edit"
            let fields = ["key": "one", "version": "1", "q": "box", "car": "", "price": "a lot"]
            let unread = try await maya.post(path, fields)
            #expect(unread.status == 422 && unread.text.contains("id=\"price-error\">A price is a number"))
            #expect(unread.text.contains("value=\"box\"") && unread.text.contains("value=\"a lot\""))
            #expect(try door.services.asked(MatchingMethods.changeWanted).isEmpty)
            for (field, code, id, sentence) in [
                ("query", "too_wide", "q", "That would be too many a day. Add a word, a brand or a region."),
                ("things.until", "before_from", "until", "It ends before it begins."),
                ("things.highestPrice", "out_of_range", "price", "That is more or less than it may be."),
            ] {
                door.services.refuse(MatchingMethods.changeWanted, .invalid([FieldError(field, code, "No.")]))
                let refused = try await maya.post(path, fields.merging(["price": "30", "key": code]) { $1 })
                #expect(refused.status == 422 && refused.text.contains("id=\"\(id)-error\">\(sentence)"), "\(code)")
                #expect(refused.text.components(of: "autofocus") == 1, "\(code)")
            }
            door.services.refuse(MatchingMethods.changeWanted, ServiceError(.wrongState, "Ended."))
            let ended = try await maya.post(path, fields.merging(["price": "30", "key": "two"]) { $1 })
            #expect(ended.status == 409 && ended.text.contains("Something changed in the meantime"))
            door.services.refuse(MatchingMethods.changeWanted, .doneBefore)
            let before = try await maya.post(path, fields.merging(["price": "30"]) { $1 })
            #expect(before["Location"] == "\(wanted.path)?done=savedBefore")
        }
    }

    @Test func spots_are_looked_for_around_another_point() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let path = "\(searches.add(.freeSpots).path)/edit"
            let page = try await maya.get(path).text
            #expect(page.contains("value=\"Fabianinkatu 33, Testholm\""))
            #expect(page.contains("<option value=\"500\" selected>"))
            // Only the distance: the point is the same to the last digit.
            let same = page.kept.merging(["place": "Fabianinkatu 33, Testholm", "radius": "2000"]) { $1 }
            #expect(try await maya.post(path, same).status == 303)
            let change = try #require(try door.services.done(MatchingMethods.changeWanted).first).content.query?.spots
            #expect(change == SpotQuery(near: WantedQuery.freeSpots.spots?.near, radius: 2000))
            let wide = ServiceError.invalid([FieldError("query", "too_wide", "Too wide.")])
            door.services.refuse(MatchingMethods.changeWanted, wide)
            let refused = try await maya.post(path, same.merging(["key": "two"]) { $1 })
            #expect(refused.status == 422)
            #expect(refused.text.contains("id=\"radius-error\">That would be too many a day. Choose a shorter"))
            let typed = try await maya.post(path, ["key": "three", "place": "Fabian", "radius": "500"])
            #expect(typed.status == 422 && typed.text.contains("name=\"place.for\" value=\"Fabian\""))
        }
    }

    @Test func of_two_windows_the_second_one_says_so() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(.cars())
            let path = "\(wanted.path)/edit"
            let (one, other) = (try await maya.get(path).text.kept, try await maya.get(path).text.kept)
            let first = one.merging(["q": "loud <i>", "car": "", "price": ""]) { $1 }
            #expect(try await maya.post(path, first).status == 303)
            let late = other.merging(["q": "quiet", "car": "", "price": ""]) { $1 }
            let told = try await maya.post(path, late)
            #expect(told.status == 409 && told.text.contains("This was changed meanwhile"))
            for text in ["A car, with “loud &lt;i&gt;” in its text", "value=\"quiet\"", "name=\"version\" value=\"2\""]
            {
                #expect(told.text.contains(text), "\(text)")
            }
            let again = told.text.kept.merging(["q": "quiet", "car": "", "price": ""]) { $1 }
            #expect(try await maya.post(path, again).status == 303)
            #expect(searches.all.value[0].query == WantedQuery(things: ThingQuery(kind: .car, q: "quiet")))
        }
    }

    @Test func what_was_found_says_that_one_looked_for_it() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let car = door.letThing(.car, "Van", by: try door.person("Ben"))
            _ = try await ben.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let spot = try #require(door.spots().first)
            // Where none of one's searches has found it, there is no box.
            let none = try await maya.get("/cars/\(car.id)?found=yes")
            #expect(none.status == 200 && !none.text.contains("You were looking for this"))
            let (wanted, other) = (searches.add(.cars()), searches.add(.cars { $0.region = "North" }))
            searches.add(.freeSpots, .ended)
            let days = "from=2026-12-01&until=2026-12-04"
            let redirect = try await maya.get("/things/\(car.id)?\(days)&found=yes")
            #expect(redirect["Location"] == "/cars/\(car.id)?\(days)&found=yes")
            #expect(try await maya.get("/things/\(car.id)?found=yes")["Location"] == "/cars/\(car.id)?found=yes")
            let page = try await maya.get("/cars/\(car.id)?\(days)&found=yes").text
            for text in [
                "You were looking for this", "A car, with “roof &lt;b&gt;” in its text, in North",
                "action=\"\(wanted.path)/found\"", "action=\"\(other.path)/found\"", "Found it: stop looking",
                "href=\"/cars/\(car.id)?from=2026-12-01&amp;until=2026-12-04\">Keep looking</a>",
            ] { #expect(page.contains(text), "\(text)") }
            let buttons = page.components(of: "aria-label=\"Found it: stop looking: A car")
            #expect(buttons == 2 && !page.contains("roof <b>"))
            let asked = try door.services.asked(MatchingMethods.wantedFinders)
            #expect(asked.last?.parameters.subject == Subject(car.id))
            // Nobody is asked where the address says nothing of it, or nobody is signed in.
            _ = try await maya.get("/cars/\(car.id)")
            _ = try await PageVisitor(port: door.port).get("/spots/\(spot.id)?found=yes")
            #expect(try door.services.asked(MatchingMethods.wantedFinders).count == asked.count)
            let free = try await maya.get("/spots/\(spot.id)?found=yes").text
            #expect(free.contains("You were looking for this") && free.contains("value=\"/spots/\(spot.id)\""))
            // Both are ended from one page.
            for search in [wanted, other] {
                let ended = try await maya.post("\(search.path)/found", page.kept)
                #expect(ended["Location"] == "/cars/\(car.id)?\(days)&done=wanted.found")
            }
            #expect(try door.services.done(MatchingMethods.removeWanted).map(\.parameters.id) == [wanted.id, other.id])
            #expect(try await maya.get("/cars/\(car.id)?done=wanted.found").text.contains("This search has ended."))
            // It leads to no other site, and what is gone is gone.
            let gone = try await maya.post("\(wanted.path)/found", ["key": "x", "page": "//evil.example"])
            #expect(gone["Location"] == "/wanted?done=wanted.found")
            // Without matching the page is there all the same.
            door.services.refuse(MatchingMethods.wantedFinders, ServiceError(.unavailable, "Away."))
            #expect(try await maya.get("/cars/\(car.id)?found=yes").status == 200)
        }
    }
}
