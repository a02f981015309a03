import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What one shares for rent, from the first change to the day on which one takes it off the list.
@Suite struct PageOwnThingsTests {
    /// So many days from now.
    private static func day(_ number: Int) -> String {
        String(WireJSON.text(of: Date(timeIntervalSinceNow: Double(number) * 86_400)).prefix(10))
    }

    private func things(_ door: PageDoor) -> [Thing] { door.things.value }

    @Test func a_thing_is_edited_by_its_owner_alone_and_its_plate_stays() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/cars/new", PageSharingTests.form())
            let car = try #require(things(door).first)
            let path = "/things/\(car.id)/edit"
            #expect(try await ben.get(path).status == 403)
            let page = try await maya.get(path)
            #expect(page.text.contains("value=\"25.50\"") && page.text.contains("Leave it empty to keep it as it is."))
            #expect(!page.text.contains("SBA 1234 G") && page.text.contains("value=\"Europe/Helsinki\""))
            let changed = try await maya.post(
                path, PageSharingTests.form(["plate": "", "price": "", "longest": "", "instant": ""]))
            #expect(changed["Location"] == "/cars/\(car.id)?done=saved")
            let now = try #require(things(door).first)
            #expect(now.plate == "SBA 1234 G" && now.terms.price == nil && now.terms.longest == nil)
            #expect(!now.terms.isInstant)
        }
    }

    @Test func the_address_says_which_of_one_s_own_are_looked_at() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let owner = try door.person("Maya")
            for number in 0..<31 { door.letThing(.space, "Cellar \(number)", by: owner) }
            door.letThing(.car, "Half a car", by: owner) { $0.state = .draft }
            let all = try await maya.get("/me/things").text
            #expect(all.contains("Drafts</h2>") && all.contains("On the list</h2>"))
            #expect(!all.contains("Off the list</h2>") && !all.contains("cursor="))
            #expect(all.components(of: "class=\"panel stack own-thing\"") == 11)
            #expect(all.contains("href=\"/me/things?state=listed\">All<"))
            let listed = try await maya.get("/me/things?state=listed").text
            #expect(listed.components(of: "class=\"panel stack own-thing\"") == 30)
            #expect(listed.contains("href=\"/me/things?state=listed&amp;cursor=30\"") && !listed.contains("Half a car"))
            let last = try await maya.get("/me/things?state=listed&cursor=30").text
            #expect(last.components(of: "class=\"panel stack own-thing\"") == 1)
            let drafts = try await maya.get("/me/things?state=draft").text
            #expect(drafts.contains("Half a car") && drafts.contains("aria-current=\"page\">Drafts</a>"))
            let none = try await maya.get("/me/things?state=withdrawn").text
            #expect(none.contains("Nothing off the list") && none.contains("See all that you share"))
            #expect(try await maya.get("/me/things?state=lost").text.contains("Half a car"))
        }
    }

    @Test func things_are_taken_off_the_list_and_listed_again() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            #expect(try await maya.get("/me/things").text.contains("You share nothing yet"))
            _ = try await maya.post("/cars/new", PageSharingTests.form())
            let id = try #require(things(door).first).id
            let mine = try await maya.get("/me/things")
            #expect(mine.text.contains("On the list</h2>") && mine.text.contains("€25.50 a day"))
            #expect(try await maya.get("/things/\(id)/withdraw").text.contains("What you have agreed stays agreed"))
            let gone = try await maya.post("/things/\(id)/withdraw", ["key": UUID.version7().uuidString])
            #expect(gone["Location"] == "/me/things?done=thingWithdrawn")
            #expect(try await maya.get("/me/things").text.contains("Off the list</h2>"))
            let back = try await maya.post("/things/\(id)/publish", ["key": UUID.version7().uuidString])
            #expect(back["Location"] == "/cars/\(id)?done=thingPublished")
            #expect(things(door).first?.state == .listed)
        }
    }

    @Test func days_are_blocked_and_let_again_in_the_owners_calendar() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/cars/new", PageSharingTests.form(["from": "", "until": ""]))
            let path = "/things/\(try #require(things(door).first).id)/calendar"
            #expect(try await ben.get(path).status == 403)
            #expect(try await maya.get(path).text.contains("type=\"date\""))
            let key = UUID.version7().uuidString
            let (day, before) = (Self.day(60), Self.day(58))
            door.services.refuse(
                ListingsMethods.blockDates, .invalid([FieldError("until", "before_from", "It ends before it begins.")]))
            let wrong = try await maya.post(path, ["from": day, "until": before, "key": key])
            #expect(wrong.status == 422 && wrong.text.contains("It ends before it begins."))
            #expect(wrong.text.contains("value=\"\(day)\""))
            door.services.refuse(ListingsMethods.blockDates, nil)
            let blocked = try await maya.post(path, ["from": day, "until": "", "key": key])
            #expect(blocked["Location"] == "\(path)?month=\(day.prefix(7))&done=datesBlocked")
            let block = try #require(door.taken.value.values.first?.first?.block)
            let page = try await maya.get("\(path)?month=\(day.prefix(7))")
            #expect(page.text.contains("href=\"\(path)/\(block)\""))
            #expect(try await maya.get("\(path)/\(block)").text.contains("Let “A quiet Yaris” again in this time?"))
            let free = try await maya.post("\(path)/\(block)", ["key": UUID.version7().uuidString])
            #expect(free["Location"] == "\(path)?done=datesFree")
            #expect(try door.services.asked(ListingsMethods.unblockDates).map(\.parameters.id) == [block])
        }
    }
}
