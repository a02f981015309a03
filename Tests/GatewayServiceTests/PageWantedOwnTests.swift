import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// One's own searches: the list, one of them with what it has found, and what is done with it.
@Suite struct PageWantedOwnTests {
    private static let part = ("HX-Request", "true")

    @Test func ones_searches_are_listed_with_what_they_found() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            #expect(try await PageVisitor(port: door.port).get("/wanted")["Location"]?.hasPrefix("/sign-in") == true)
            let empty = try await maya.get("/wanted").text
            #expect(empty.contains("You look for nothing yet") && empty.contains("href=\"/parking\""))
            #expect(try await maya.get("/me").text.contains("<a class=\"cover\" href=\"/wanted\">My searches</a>"))
            door.knowPlaces()
            searches.add(.freeSpots, .paused)
            searches.add(.cars(), .ended)
            let cars = searches.add(.cars()) { ($0.found, $0.lastFoundAt) = (3, Date() - 7200) }
            let page = try await maya.get("/wanted").text
            for text in [
                "A free parking spot within 500 m of Fabianinkatu 33, Testholm", "href=\"\(cars.path)\"",
                "A car, with “roof &lt;b&gt;” in its text, up to €30 a day", "Found 3 · last <time", "2 h ago",
                "Found nothing yet", ">Looking<", ">Paused<", ">Ended<", "data-self=\"/wanted\"", "/js/wanted.js",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(!page.contains("roof <b>"))
            // One point is asked for once, however many searches are around it.
            searches.add(.freeSpots)
            let before = try door.services.asked(PlacesMethods.reverse).count
            _ = try await maya.get("/wanted")
            #expect(try door.services.asked(PlacesMethods.reverse).count == before + 1)
        }
    }

    @Test func a_long_list_goes_on() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            for _ in 0..<23 { searches.add(.cars()) }
            #expect(try await maya.get("/wanted").text.contains("hx-get=\"/wanted?cursor=20\""))
            let more = try await maya.get("/wanted?cursor=20", [Self.part, ("HX-Target", "more")]).text
            #expect(more.components(of: "<li data-wanted=") == 3 && !more.contains("<html"))
            let list = try await maya.get("/wanted", [Self.part, ("HX-Target", "wanted")]).text
            #expect(list.hasPrefix("<div id=\"wanted\"") && !list.contains("<h1"))
            #expect(!(try await maya.get("/wanted?cursor=20").text.contains("data-self=")))
        }
    }

    @Test func a_search_shows_what_it_has_found_as_it_is_now() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let car = door.letThing(.car, "Van <i>", by: try door.person("Ben"))
            let wanted = searches.add(.cars { ($0.from, $0.until) = ("2026-12-01", "2026-12-04") }) {
                ($0.found, $0.lastFoundAt) = (2, Date() - 60)
            }
            searches.finds.mutate {
                $0 = [WantedFind(at: Date() - 60, ShelfItem(car)), WantedFind(at: Date() - 7200, nil)]
            }
            let page = try await maya.get(wanted.path).text
            for text in [
                "<h1>A car, with “roof &lt;b&gt;” in its text, up to €30 a day, available 1 – 4 December 2026</h1>",
                "Found 2", "Van &lt;i&gt;", "No longer there", "2 h ago", "data-state=\"live\"",
                "href=\"/cars/\(car.id)?from=2026-12-01&amp;until=2026-12-04&amp;found=yes\"",
                "data-found=\"\(car.id)\"", "data-self=\"\(wanted.path)\"",
                "href=\"/cars?q=roof%20%3Cb%3E&amp;price=30&amp;from=2026-12-01&amp;until=2026-12-04\"",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(try door.services.asked(NotificationMethods.markRead).last?.content.about == Subject(wanted.id))
            // Spots say how far they are from where was looked for.
            _ = try await ben.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let spot = try #require(door.spots().first)
            searches.finds.mutate { $0 = [WantedFind(at: Date(), ShelfItem(spot))] }
            let free = try await maya.get(searches.add(.freeSpots).path).text
            #expect(free.contains("By the well") && free.contains("href=\"/spots/\(spot.id)?found=yes\""))
            #expect(free.contains("data-distance") && !free.contains("No longer there"))
            // Whoever has what was found is away: the rest is there.
            door.services.refuse(MatchingMethods.wantedFinds, ServiceError(.unavailable, "Away."))
            let away = try await maya.get(wanted.path)
            #expect(away.status == 200 && away.text.contains("can&#39;t be shown just now"))
            #expect(try await maya.get("/wanted/\(WantedID.new())").status == 404)
        }
    }

    @Test func what_was_found_goes_on_and_is_made_anew_by_itself() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(.cars())
            searches.finds.mutate { $0 = (0..<22).map { WantedFind(at: Date() - Double($0), nil) } }
            #expect(try await maya.get(wanted.path).text.contains("hx-get=\"\(wanted.path)?cursor=20\""))
            let more = try await maya.get("\(wanted.path)?cursor=20", [Self.part, ("HX-Target", "more")]).text
            #expect(more.components(of: "data-found=\"\"") == 2 && !more.contains("<section"))
            let part = try await maya.get(wanted.path, [Self.part, ("HX-Target", "finds")]).text
            #expect(part.hasPrefix("<section id=\"finds\"") && part.components(of: "data-found=\"\"") == 20)
            #expect(!part.contains("<h1"))
        }
    }

    @Test func its_buttons_are_those_of_its_state() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(.cars())
            func acts() async throws -> (text: String, there: [String]) {
                let text = try await maya.get(wanted.path).text
                let names = ["pause", "go-on", "renew", "edit", "delete"]
                return (text, names.filter { text.contains("\"\(wanted.path)/\($0)\"") })
            }
            #expect(try await acts().there == ["pause", "renew", "edit", "delete"])
            let paused = try await maya.post("\(wanted.path)/pause", ["key": "one"])
            #expect(paused["Location"] == "\(wanted.path)?done=wanted.paused")
            let waits = try await acts()
            #expect(waits.there == ["go-on", "renew", "edit", "delete"] && waits.text.contains(">Paused<"))
            // The same form has the two buttons one after the other: two requests.
            let on = try await maya.post("\(wanted.path)/go-on", ["key": "one"])
            #expect(on["Location"] == "\(wanted.path)?done=wanted.goOn")
            let changes = try door.services.done(MatchingMethods.changeWanted).map(\.content)
            #expect(changes == [WantedChange(isPaused: true), WantedChange(isPaused: false)])
            try searches.change(wanted.id) { $0.expiresAt = Date() + 2 * 86_400 }
            #expect(try await acts().text.contains("It ends soon. Renew it if you still look for this."))
            // What is told now comes first.
            try searches.change(wanted.id) { $0.state = .paused }
            #expect(try await acts().text.contains("the last ten things that it found. It ends soon."))
            try searches.change(wanted.id) { $0.state = .ended }
            let over = try await acts()
            #expect(over.there == ["renew", "delete"] && over.text.contains("It looks no more."))
            #expect(!over.text.contains("Looks until"))
            #expect(try await maya.get("\(wanted.path)/edit")["Location"] == wanted.path)
            let renewed = try await maya.post("\(wanted.path)/renew", ["key": "two"])
            #expect(renewed["Location"] == "\(wanted.path)?done=wanted.renewed")
            let again = try await acts()
            #expect(again.there.contains("pause") && !again.text.contains("It ends soon."))
        }
    }

    @Test func what_ends_by_its_period_is_not_renewed() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let soon = WallTime(at: Date(), in: "Asia/Singapore").day + 2
            let query = WantedQuery.cars { ($0.from, $0.until) = (soon.text, (soon + 2).text) }
            let wanted = searches.add(query) { $0.expiresAt = Date() + 2 * 86_400 }
            let live = try await maya.get(wanted.path).text
            #expect(!live.contains("It ends soon.") && !live.contains("\(wanted.path)/renew"))
            try searches.change(wanted.id) { $0.state = .ended }
            let over = try await maya.get(wanted.path).text
            #expect(over.contains("its time is over") && !over.contains("\(wanted.path)/renew"))
            #expect(over.contains("href=\"/cars?q=roof%20%3Cb%3E&amp;price=30\">Search again</a>"))
        }
    }

    @Test func what_was_there_already_is_not_called_nothing() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let car = door.letThing(.car, "Van", by: try door.person("Maya"))
            let wanted = searches.add(.cars())
            #expect(try await maya.get(wanted.path).text.contains("<h2 id=\"found\">Found nothing yet</h2>"))
            searches.finds.mutate { $0 = [WantedFind(at: Date(), ShelfItem(car))] }
            #expect(try await maya.get(wanted.path).text.contains("<h2 id=\"found\">There already</h2>"))
            let german = try await maya.get(wanted.path, [("Accept-Language", "de")]).text
            #expect(german.contains("<h2 id=\"found\">Schon da</h2>"))
        }
    }

    @Test func what_can_not_be_done_is_said_where_the_search_is() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(.cars(), .ended)
            for (error, status, sentence) in [
                (ServiceError(.tooManyWanted, "Twenty."), 409, "href=\"/wanted\">My searches</a>"),
                (
                    ServiceError.invalid([FieldError("query", "over", "Over.")]), 422,
                    "That time is over. Choose another one."
                ),
                (ServiceError(.wrongState, "No."), 409, "Something changed in the meantime"),
            ] {
                door.services.refuse(MatchingMethods.renewWanted, error)
                let page = try await maya.post("\(wanted.path)/renew", ["key": "\(error.code.rawValue)"])
                #expect(page.status == status && page.text.contains(sentence), "\(error.code)")
                #expect(page.text.contains("\"\(wanted.path)/renew\""), "\(error.code)")
            }
            #expect(try await maya.post("/wanted/\(WantedID.new())/pause", ["key": "one"]).status == 404)
        }
    }

    @Test func deleting_asks_once() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(.cars())
            let question = try await maya.get("\(wanted.path)/delete")
            #expect(question.text.contains("Delete this search?") && question.text.contains("“roof &lt;b&gt;”"))
            let dialog = try await maya.get("\(wanted.path)/delete", [Self.part, ("HX-Target", "dialog")])
            #expect(!dialog.text.contains("<html") && dialog.text.contains("id=\"ask-title\""))
            let form = question.text.kept
            let gone = try await maya.post("\(wanted.path)/delete", form)
            #expect(gone.status == 303 && gone["Location"] == "/wanted?done=wanted.removed")
            // Sent again it is the same request, which the service knows.
            _ = try await maya.post("\(wanted.path)/delete", form)
            #expect(try door.services.done(MatchingMethods.removeWanted).map(\.parameters.id) == [wanted.id])
            #expect(try await maya.get(wanted.path).status == 404)
        }
    }
}
