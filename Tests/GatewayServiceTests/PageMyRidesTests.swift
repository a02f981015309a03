import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// One's own rides: what one drives and rides along in, what is over, saved, or waits for an answer.
@Suite struct PageMyRidesTests {
    @Test func the_lists_say_what_waits_and_in_which_role() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            let ben = try door.person("Ben")
            let request = two.carpool.ask(two.ride, ben) { ($0.seats, $0.message) = (2, "Two bags <b>") }
            let path = "/seats/\(request.id)"
            let current = try await two.driver.get("/rides/mine").text
            #expect(current.contains("#wheel\"") && current.contains("href=\"/rides/\(two.ride.id)\""))
            #expect(current.contains("aria-current=\"page\">Current</a>") && current.contains("You drive"))
            #expect(current.contains("data-ride=\"\(two.ride.id)\""))
            #expect(current.contains("data-self=\"/rides/mine\"") && current.contains("/js/myrides.js"))
            #expect(current.contains("class=\"without-script\"><a class=\"chip\" href=\"/rides/mine\">"))
            let pending = try await two.driver.get("/rides/mine?tab=pending").text
            for text in [
                "Ben asks for a seat. Answer by <time", "2 seats", "Two bags &lt;b&gt;", "action=\"\(path)/accept\"",
                "href=\"\(path)/reject?from=pending\"", "aria-label=\"Accept: Ben\"", "data-mine=\"\(request.id)\"",
            ] { #expect(pending.contains(text), "\(text)") }
            let own = try await two.rider.get("/rides/mine?tab=pending").text
            #expect(own.contains("Maya is asked; you hear by <time") && own.contains("action=\"\(path)/withdraw\""))
            #expect(!own.contains("#wheel\"") && own.contains("href=\"\(path)\""))
            // The answer leads back to the list.
            let page = try await two.driver.get("/rides/mine?tab=pending")
            let form = page.text.kept.merging(["key": "yes"]) { $1 }
            #expect(form["from"] == "pending" && form["expected"] == "pending")
            let accepted = try await two.driver.post("\(path)/accept", form)
            #expect(accepted["Location"] == "/rides/mine?tab=pending&done=seat.accept")
            #expect(try await two.driver.get("/rides/mine?tab=pending").text.contains("Nothing waits for an answer"))
            let riding = try await two.rider.get("/rides/mine").text
            #expect(
                riding.contains("You ride along with Maya. Be there: Friday, 5 March 2027, 17:00 (Helsinki).")
                    && riding.contains("href=\"\(path)\""))
            two.carpool.change(request.id) { ($0.isConfirmed, $0.confirmBy) = (false, Date() + 3600) }
            let open = try await two.rider.get("/rides/mine").text
            #expect(open.contains("To be confirmed") && open.contains("action=\"\(path)/keep\""))
        }
    }

    @Test func a_rejection_from_the_list_leads_back_to_it() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            let request = two.carpool.ask(two.ride, try door.person("Ben"))
            let page = try await two.driver.get("/seats/\(request.id)/reject?from=pending")
            #expect(page.text.contains("href=\"/rides/mine?tab=pending\"") && page.text.kept["from"] == "pending")
            let done = try await two.driver.post("/seats/\(request.id)/reject", page.text.kept)
            #expect(done["Location"] == "/rides/mine?tab=pending&done=seat.reject")
            // On the page of the ride to that.
            let third = two.carpool.ask(two.ride, try door.person("Ben"))
            let there = "/rides/\(two.ride.id)"
            #expect(try await two.driver.get(there).text.contains("href=\"/seats/\(third.id)/reject?from=ride\""))
            let question = try await two.driver.get("/seats/\(third.id)/reject?from=ride").text
            #expect(question.contains("href=\"\(there)\"") && question.kept["from"] == "ride")
            let rejected = try await two.driver.post("/seats/\(third.id)/reject", question.kept)
            #expect(rejected["Location"] == "\(there)?done=seat.reject")
            // Only there: no other page is led to.
            let other = two.carpool.ask(two.ride, try door.person("Ben"))
            let foreign = try await two.driver.post(
                "/seats/\(other.id)/reject", ["key": "x", "expected": "pending", "from": "//evil.example"])
            #expect(foreign["Location"] == "/seats/\(other.id)?done=seat.reject")
        }
    }

    @Test func what_is_over_may_be_reviewed_and_what_is_saved_taken_off() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            let request = two.carpool.ask(two.ride, try door.person("Ben"), .rode) { $0.changedBy = $0.driver }
            let maya = try door.person("Maya")
            let past = try await two.rider.get("/rides/mine?tab=past").text
            #expect(past.contains("You rode along with Maya.") && !past.contains("/review?of="))
            door.services.answer(
                AuthMethods.encounters,
                Page(items: [
                    Encounter(
                        subject: Subject(request.id), title: "Mill Lane → Old Town", with: maya.summary,
                        completedAt: Date(), reviewsUntil: Date() + 86_400)
                ]))
            let open = try await two.rider.get("/rides/mine?tab=past").text
            #expect(open.contains("href=\"/people/\(maya.id)/review?of=seat~\(request.id)\""))
            // Who drove is led to all whom they may review, where one of them rode along.
            let ben = try door.person("Ben").summary
            two.carpool.rides.mutate { $0[0].state = .completed }
            door.services.answer(
                AuthMethods.encounters,
                Page(items: [
                    Encounter(
                        subject: Subject(request.id), title: "Mill Lane → Old Town", with: ben, completedAt: Date(),
                        reviewsUntil: Date() + 86_400)
                ]))
            let link = "class=\"chip strong\" href=\"/me/encounters\""
            #expect(!(try await two.driver.get("/rides/mine?tab=past").text.contains(link)))
            two.carpool.rides.mutate { $0[0].passengers = [RidePassenger(person: ben, seats: 1)] }
            #expect(try await two.driver.get("/rides/mine?tab=past").text.contains(link))
            two.carpool.rides.mutate { ($0[0].isSaved, $0[0].state) = (true, .open) }
            let saved = try await two.rider.get("/rides/mine?tab=saved").text
            #expect(saved.contains("href=\"/rides/\(two.ride.id)/unsave\"") && saved.contains("3 seats left"))
            two.carpool.rides.mutate { $0[0].state = .removed }
            let removed = try await two.rider.get("/rides/mine?tab=saved").text
            #expect(removed.contains("Removed") && removed.contains("Take it off the list"))
            #expect(removed.contains("This ride was removed: it does not take place."))
            two.carpool.change(request.id) {
                ($0.state, $0.reason, $0.changedBy) = (.removed, "The car is <ill>.", maya.summary)
            }
            let why = try await two.rider.get("/rides/mine?tab=past").text
            #expect(why.contains("Maya wrote:") && why.contains("The car is &lt;ill&gt;."))
        }
    }

    @Test func lists_have_pages_and_say_where_to_go_on_when_they_are_empty() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            for (tab, title) in [
                ("current", "No rides ahead"), ("past", "No rides yet"), ("saved", "Nothing saved"),
                ("pending", "Nothing waits for an answer"),
            ] {
                let empty = try await two.rider.get("/rides/mine?tab=\(tab)").text
                #expect(empty.contains(title) && empty.contains("<a class=\"button\" href=\"/rides\">"), "\(tab)")
            }
            for _ in 0..<4 { two.carpool.ask(two.ride, try door.person("Ben")) }
            let first = try await two.driver.get("/rides/mine?tab=pending").text
            let more: String = try #require(
                first.firstMatch(of: #/href="(\/rides\/mine\?tab=pending[^"]+cursor=3)"/#).map { String($0.1) })
            let rest = try await two.driver.get(
                more.replacing("&amp;", with: "&"), [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(rest.text.components(of: "data-mine=") == 1 && !rest.text.contains("<html"))
            let list = try await two.driver.get(
                "/rides/mine?tab=pending", [("HX-Request", "true"), ("HX-Target", "mine")])
            #expect(list.text.hasPrefix("<div id=\"mine\"") && list.text.components(of: "data-mine=") == 3)
            #expect(try await two.driver.get("/rides/mine?tab=nothing").status == 200)
            #expect(
                try await PageVisitor(port: door.port).get("/rides/mine")["Location"]?.hasPrefix("/sign-in") == true)
        }
    }
}
