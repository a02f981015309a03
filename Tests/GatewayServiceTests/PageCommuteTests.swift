import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// One's own commutes: listed, looked at, changed and ended.
@Suite struct PageCommuteTests {
    private static let path = "/rides/commutes"
    private static let sentence =
        "Mondays and Wednesdays 08:00, Mill Lane, Testholm → Old Town, back at 17:00, until 13 March 2999"

    @Test func they_are_listed_page_by_page() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let empty = try await maya.get(Self.path)
            #expect(empty.text.contains("No commutes yet") && empty.text.contains("href=\"/rides/new?repeat=yes\""))
            #expect(try await maya.get("/rides/mine").text.contains("<a class=\"chip\" href=\"/rides/commutes\">"))
            let person = try door.person("Maya").id
            let first = commutes.keep(by: person) {
                $0.rides = [PageCommutes.ride("2999-03-06", requests: 2), PageCommutes.ride("2999-03-11", requests: 1)]
            }
            commutes.keep(by: person) { ($0.isOver, $0.weekdays, $0.ride.returnRide) = (true, Weekday.allCases, nil) }
            for _ in 0..<2 { commutes.keep(by: person) { $0.weekdays = Array(Weekday.allCases.prefix(5)) } }
            let page = try await maya.get(Self.path).text
            for text in [
                "<a href=\"/rides/commutes/\(first.id)\">\(Self.sentence)</a>", "Next: Wednesday, 6 March 2999, 08:00",
                "3 neighbours ride along or ask", "Every day 08:00, Mill Lane, Testholm → Old Town, until",
                "<span class=\"tag plain\">Over</span>", "Monday to Friday 08:00",
            ] { #expect(page.contains(text), "\(text)") }
            let more = try await maya.get("\(Self.path)?cursor=3", [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(page.contains("hx-get=\"/rides/commutes?cursor=3\"") && !more.text.contains("<html"))
            #expect(more.text.components(of: "own-thing") == 1)
            #expect(
                try await PageVisitor(port: door.port).get(Self.path)["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test func the_page_of_one_names_its_rides_and_its_gaps() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let there = PageCommutes.ride("2999-03-06", requests: 1)
            let back = PageCommutes.ride("2999-03-06", isReturn: true)
            let commute = commutes.keep(by: try door.person("Maya").id) {
                ($0.rides, $0.skips) = ([there, back], ["2999-03-13"])
                $0.gaps = SeriesGap.Reason.allCases.map { SeriesGap(day: "2999-03-11", why: $0) }
            }
            let path = "\(Self.path)/\(commute.id)"
            let page = try await maya.get(path).text
            for text in [
                "<h1>\(Self.sentence)</h1>", "href=\"/rides/\(there.id)\">Wednesday, 6 March 2999, 08:00",
                "1 neighbour rides along or asks", "Nobody has asked yet", "<span class=\"tag\">Way back</span>",
                "Monday, 11 March 2999", "Clocks are put forward then", "You have removed the ride of that day.",
                "<li>Wednesday, 13 March 2999</li>", "href=\"\(path)/change\"", "href=\"\(path)/end\"",
                "Times as in Helsinki",
            ] { #expect(page.contains(text), "\(text)") }
            for rest in ["", "/change", "/end", "/offered"] {
                #expect(try await ben.get(path + rest).status == 404, "\(rest)")
            }
            #expect(try await ben.post("\(path)/end", ["key": "1"]).status == 404)
            #expect(try await ben.post("\(path)/change", ["key": "1"]).status == 404)
            #expect(try await maya.get("\(Self.path)/none").status == 404)
            let later = commutes.keep(by: try door.person("Maya").id)
            #expect(try await maya.get("\(Self.path)/\(later.id)").text.contains("each ride is made four weeks ahead"))
            let over = commutes.keep(by: try door.person("Maya").id) { $0.isOver = true }
            let gone = try await maya.get("\(Self.path)/\(over.id)").text
            #expect(gone.contains("This commute is over") && !gone.contains("/end\""))
            #expect(try await maya.get("\(Self.path)/\(over.id)/change")["Location"] == "\(Self.path)/\(over.id)")
            #expect(try await maya.get("\(Self.path)/\(over.id)/end").status == 409)
        }
    }

    private func typed(_ page: RawResponse, _ fields: [String: String] = [:]) -> [String: String] {
        let all = [
            "from": "Mill Lane 7, Testholm", "stop1": "Harbour", "to": "Old Town", "time": "08:00", "on.monday": "yes",
            "on.wednesday": "yes", "last": "2999-03-13", "return": "yes", "backTime": "17:00", "backSeats": "2",
            "seats": "3", "cost": "4", "detour": "5", "luggage": "small", "accepts": "friends", "notes": "Quiet.",
            "go": "save",
        ]
        return all.merging(page.text.kept) { own, _ in own }.merging(fields) { $1 }
    }

    @Test func a_change_names_which_rides_stay() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let asked = PageCommutes.ride("2999-03-06", requests: 1)
            let commute = commutes.keep(by: try door.person("Maya").id) {
                $0.rides = [asked, PageCommutes.ride("2999-03-11")]
            }
            let path = "\(Self.path)/\(commute.id)/change"
            let (page, other) = (try await maya.get(path), try await maya.get(path))
            for text in [
                "These stay as they are, because somebody has asked:", "href=\"/rides/\(asked.id)\"",
                "name=\"on.monday\" value=\"yes\" checked", "name=\"return\" value=\"yes\" checked",
                "name=\"time\" type=\"time\" value=\"08:00\"", "name=\"backTime\" type=\"time\" value=\"17:00\"",
                "value=\"Mill Lane 7, Testholm\"", "name=\"accepts\" value=\"friends\" checked",
            ] { #expect(page.text.contains(text), "\(text)") }
            #expect(!page.text.contains("name=\"repeat\"") && !page.text.contains("name=\"backDay\""))
            #expect(!page.text.contains("11 March 2999"))
            let saved = try await maya.post(
                path, typed(page, ["notes": "Loud.", "on.friday": "yes", "skip1": "2999-03-11"]))
            #expect(saved["Location"] == "\(Self.path)/\(commute.id)?done=commute.saved")
            let draft = try #require(try door.services.asked(RidesMethods.changeSeries).first?.content)
            #expect(draft.weekdays == [.monday, .wednesday, .friday] && draft.skips == ["2999-03-11"])
            #expect(draft.version == "1" && draft.ride?.stops == nil && draft.ride?.notes == "Loud.")
            #expect(draft.ride?.departsAt == "2999-03-04T08:00" && draft.ride?.zone == PageCarpool.zone)
            let cost = Money(amount: 400, currency: "EUR")
            #expect(
                draft.ride?.returnRide
                    == ReturnDraft(departsAt: "2999-03-04T17:00", leavesBy: "", seats: 2, cost: cost))
            // In another window it was changed meanwhile.
            let told = try await maya.post(path, typed(other, ["seats": "4"]))
            #expect(told.status == 409 && told.text.contains("This was changed meanwhile"))
            #expect(told.text.contains(">Monday, Wednesday, Friday</span>") && told.text.contains(">Loud.</span>"))
            #expect(try await maya.post(path, typed(told, ["seats": "4"])).status == 303)
            #expect(commutes.all[0].ride.seats == 4)
            // Where the box is not ticked any more, the way back is taken away.
            var alone = typed(try await maya.get(path))
            alone["return"] = nil
            #expect(try await maya.post(path, alone).status == 303)
            let last = try #require(try door.services.asked(RidesMethods.changeSeries).last?.content)
            #expect(last.ride?.returnRide == ReturnDraft(departsAt: ""))
        }
    }

    @Test func what_is_wrong_with_a_change_stands_at_its_field() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let commute = commutes.keep(by: try door.person("Maya").id)
            let path = "\(Self.path)/\(commute.id)/change"
            let page = try await maya.get(path)
            let added = try await maya.post(path, typed(page, ["go": "skip", "skip1": "2999-03-11"]))
            #expect(added.status == 200 && added.text.contains("name=\"skip2\""))
            var none = typed(page, ["last": "", "seats": ""])
            (none["on.monday"], none["on.wednesday"]) = (nil, nil)
            let wrong = try await maya.post(path, none)
            #expect(wrong.status == 422)
            for name in ["weekdays", "last", "seats"] {
                #expect(wrong.text.contains("id=\"\(name)-error\""), "\(name)")
            }
            door.services.refuse(
                RidesMethods.changeSeries, .invalid([FieldError("ride.departsAt", "no_such_time", "No.")]))
            #expect(try await maya.post(path, typed(page)).text.contains("id=\"time-error\""))
            door.services.refuse(RidesMethods.changeSeries, ServiceError(.unavailable, "Away."))
            let away = try await maya.post(path, typed(page, ["notes": "Loud."]))
            #expect(away.status == 503 && away.text.contains("Loud.</textarea>"))
            door.services.refuse(RidesMethods.changeSeries, ServiceError(.wrongState, "Over."))
            let over = try await maya.post(path, typed(page))
            #expect(over.status == 409 && over.text.contains("That is no longer possible."))
            door.services.refuse(RidesMethods.changeSeries, .doneBefore)
            #expect(try await maya.post(path, typed(page))["Location"] == "\(Self.path)/\(commute.id)?done=savedBefore")
        }
    }

    @Test func a_detour_that_was_said_is_said_again_and_one_that_was_not_need_not_be() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            for said in [nil, 5_000] {
                let commute = commutes.keep(by: try door.person("Maya").id) { $0.ride.maxDetour = said }
                let path = "\(Self.path)/\(commute.id)/change"
                let page = try await maya.get(path)
                #expect(page.text.contains("Empty for what is usual") == (said == nil))
                let answer = try await maya.post(path, typed(page, ["detour": ""]))
                #expect(answer.status == (said == nil ? 303 : 422))
                #expect(answer.text.contains("id=\"detour-error\"") == (said != nil))
            }
        }
    }

    @Test func an_end_names_what_is_removed_and_asks_about_the_rest() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let person = try door.person("Maya").id
            let commute = commutes.keep(by: person) {
                $0.rides = [PageCommutes.ride("2999-03-06", requests: 2), PageCommutes.ride("2999-03-11")]
            }
            let path = "\(Self.path)/\(commute.id)/end"
            let page = try await maya.get(path).text
            for text in [
                "End this commute?", "1 ride is removed", "<li>Monday, 11 March 2999, 08:00</li>",
                "Somebody has asked for these", "Wednesday, 6 March 2999, 08:00", "2 neighbours ride along or ask",
                "name=\"asked\" value=\"keep\" checked", "Everybody who is told reads this.",
            ] { #expect(page.contains(text), "\(text)") }
            door.services.refuse(RidesMethods.endSeries, .invalid([FieldError("reason", "too_long", "No.")]))
            let wrong = try await maya.post(path, ["key": "1", "asked": "remove", "reason": "Too much"])
            #expect(wrong.status == 422 && wrong.text.contains("At most 1,000 characters."))
            #expect(wrong.text.contains("name=\"asked\" value=\"remove\" checked") && wrong.text.contains("Too much"))
            door.services.refuse(RidesMethods.endSeries, nil)
            let sent = try await maya.post(path, ["key": "2", "asked": "remove", "reason": "A new job."])
            #expect(sent["Location"] == "\(Self.path)?done=commute.end")
            #expect(
                try door.services.asked(RidesMethods.endSeries).last?.content
                    == RideSeriesEnding(reason: "A new job.", keepsAsked: false))
            #expect(try await maya.get("\(Self.path)?done=commute.end").text.contains("Your commute has ended."))
            door.services.refuse(RidesMethods.endSeries, ServiceError(.wrongState, "Over."))
            #expect(try await maya.post(path, ["key": "3"]).status == 409)
            door.services.refuse(RidesMethods.endSeries, nil)
            // Who asks while the page is looked at keeps what they asked for.
            let free = commutes.keep(by: person)
            let none = try await maya.get("\(Self.path)/\(free.id)/end").text
            #expect(!none.contains("name=\"asked\""))
            _ = try await maya.post("\(Self.path)/\(free.id)/end", ["key": "4"])
            #expect(try door.services.asked(RidesMethods.endSeries).last?.content == RideSeriesEnding(keepsAsked: true))
        }
    }

    @Test func days_are_said_in_both_languages() throws {
        let (english, german) = (PageRenderingTests.english, PageRenderingTests.german)
        #expect(Weekday.said([.sunday, .tuesday, .monday], in: english) == "Mondays, Tuesdays and Sundays")
        #expect(Weekday.said([.monday, .wednesday], in: german) == "Montags und mittwochs")
        #expect(Weekday.said(Array(Weekday.allCases.prefix(5)), in: german) == "Montag bis Freitag")
        #expect(Weekday.inTurn(english).first == .sunday && Weekday.inTurn(german).first == .monday)
        #expect(Weekday.sunday.name(in: english) == "Sunday" && Weekday.monday.name(in: german) == "Montag")
        let (today, day) = (try #require(CivilDay("2026-11-30")), try #require(CivilDay("2026-12-17")))
        #expect(
            day.dayOfWeek == .thursday && CivilText.named(day, today: today, in: english) == "Thursday, 17 December")
        #expect(CivilText.short(day, today: today, in: german) == "17. Dezember")
        #expect(CivilText.short(day + 365, today: today, in: english) == "17 December 2027")
    }
}
