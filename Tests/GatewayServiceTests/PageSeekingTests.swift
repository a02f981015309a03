import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Seeking a ride so that others see it, where they see it, and what was found of it.
@Suite struct PageSeekingTests {
    private static let zone = "Asia/Singapore"
    private static let day = WallTime(at: Date(), in: zone).day + 30
    private static let (start, end) = (
        Position(latitude: 60.17, longitude: 24.95), Position(latitude: 60.4, longitude: 25.1)
    )
    private static let box = "name=\"visible\" value=\"yes\""

    private static func wanted() throws -> WantedQuery {
        let clocks = try #require(Zone.named(zone))
        return WantedQuery(
            rides: RideSearchQuery(
                from: start, to: end, after: clocks.start(of: day), before: clocks.start(of: day + 1), seats: 2))
    }

    @Test func others_see_it_where_the_box_is_ticked() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let address = "/wanted/new?of=rides&from=60.17,24.95%20Here&to=60.4,25.1%20Harbour&day=\(Self.day.text)"
            let page = try await maya.get(address).text
            #expect(
                page.contains("Let others see that I seek this ride") && page.contains("They see your name, roughly"))
            #expect(page.contains("\(Self.box) aria-describedby=\"visible-hint\"") && page.kept["visible"] == nil)
            _ = try await maya.post("/wanted/new", page.kept)
            _ = try await maya.post("/wanted/new", page.kept.merging(["visible": "yes", "key": "two"]) { $1 })
            let made = try door.services.done(MatchingMethods.postWanted).map(\.content.isVisible)
            #expect(made == [nil, true] && searches.all.value.map(\.isVisible) == [true, nil])
            // What is refused keeps the box as it was.
            door.services.refuse(MatchingMethods.postWanted, ServiceError(.tooManyWanted, "Twenty."))
            let full = try await maya.post("/wanted/new", page.kept.merging(["visible": "yes", "key": "three"]) { $1 })
            #expect(full.status == 409 && full.text.contains("\(Self.box) checked"))
            // Nothing else can be sought so.
            #expect(!(try await maya.get("/wanted/new?of=cars&q=van").text.contains("name=\"visible\"")))
        }
    }

    @Test func the_box_stays_where_another_way_that_is_extra_is_chosen() async throws {
        try await PageDoor.run { door in
            _ = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let address = "/wanted/new?of=rides&from=60.17,24.95%20Here&to=60.4,25.1%20Harbour&day=\(Self.day.text)"
            let page = try await maya.get(address).text
            #expect(page.contains("<button class=\"chip\" name=\"go\" value=\"2000\">At most 2 km extra</button>"))
            let ticked = try await maya.post("/wanted/new", page.kept.merging(["visible": "yes", "go": "2000"]) { $1 })
            let target = try #require(ticked["Location"])
            #expect(ticked.status == 303 && target.hasSuffix("&extra=2000&visible=yes"))
            let next = try await maya.get(target).text
            #expect(next.contains("\(Self.box) checked") && next.contains("value=\"2000\" aria-current=\"true\""))
            let without = try await maya.post("/wanted/new", next.kept.merging(["go": "5000"]) { $1 })
            #expect(without["Location"]?.hasSuffix("&extra=5000") == true)
            #expect(try door.services.done(MatchingMethods.postWanted).isEmpty)
        }
    }

    @Test func the_box_is_changed_with_the_search() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let wanted = searches.add(try Self.wanted()) { $0.isVisible = true }
            #expect(try await maya.get("\(wanted.path)/edit").text.contains("\(Self.box) checked"))
            let fields = [
                "key": "one", "version": "1", "from": "Here", "from.at": "60.17,24.95 Here", "to": "Harbour",
                "to.at": "60.4,25.1 Harbour", "day": Self.day.text, "time": "", "seats": "2", "luggage": "",
                "extra": "5000",
            ]
            _ = try await maya.post("\(wanted.path)/edit", fields)
            _ = try await maya.post(
                "\(wanted.path)/edit", fields.merging(["key": "2", "version": "2", "visible": "yes"]) { $1 })
            let changes = try door.services.done(MatchingMethods.changeWanted).map(\.content.isVisible)
            #expect(changes == [false, true])
            let wrong = try await maya.post(
                "\(wanted.path)/edit", fields.merging(["day": "", "visible": "yes"]) { $1 })
            #expect(wrong.status == 422 && wrong.text.contains("\(Self.box) checked"))
            // Of what nobody else can see nothing is said.
            let car = searches.add(.cars())
            let form = try await maya.get("\(car.path)/edit").text
            #expect(!form.contains("name=\"visible\""))
            _ = try await maya.post("\(car.path)/edit", form.kept.merging(["q": "box", "car": "", "price": ""]) { $1 })
            let change = try #require(try door.services.done(MatchingMethods.changeWanted).last).content
            #expect(change.isVisible == nil && change.query?.things?.q == "box")
        }
    }

    @Test func its_page_says_that_others_see_it_and_where() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            door.services.answer(PlacesMethods.region, PlaceRegion(name: "North", community: true, attribution: ""))
            let wanted = searches.add(try Self.wanted()) { $0.isVisible = true }
            let page = try await maya.get(wanted.path).text
            #expect(page.contains("Seen by others") && page.contains("<a href=\"/rides/regions?region=North\">"))
            #expect(page.contains("icons.svg#pause"))
            // As others are told it, and not to the door.
            let asked = try #require(try door.services.asked(PlacesMethods.region).last).parameters.at
            #expect(asked == Self.start.onGrid && asked != Self.start)
            door.services.refuse(PlacesMethods.region, ServiceError.notFound("region"))
            let nowhere = try await maya.get(wanted.path).text
            #expect(nowhere.contains("Seen by others") && !nowhere.contains("/rides/regions"))
            try searches.change(wanted.id) { $0.state = .paused }
            let paused = try await maya.get(wanted.path).text
            #expect(paused.contains("Nobody sees it while it is paused."))
            // Why it may be paused, where it was not they who did that.
            #expect(paused.contains("when you have looked at none of the last ten things that it found"))
            try searches.change(wanted.id) { ($0.state, $0.isVisible) = (.live, false) }
            #expect(!(try await maya.get(wanted.path).text.contains("Seen by others")))
            try searches.change(wanted.id) { ($0.state, $0.isVisible) = (.ended, true) }
            #expect(!(try await maya.get(wanted.path).text.contains("Seen by others")))
        }
    }

    @Test func a_region_shows_who_seeks_beside_what_is_offered() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let clocks = try #require(Zone.named(Self.zone))
            let ana = Seeker.sample("Ana <b>") { seeking in
                (seeking.after, seeking.before) = (clocks.start(of: Self.day), clocks.start(of: Self.day + 1))
                seeking.to.name = "Harbour"
            }
            let dan = Seeker.sample("Dan") { ($0.after, $0.before) = (Date() - 86_400, Date() + 3600) }
            door.services.on(MatchingMethods.seekers) { request in
                request.parameters.cursor == nil ? Page(items: [ana], next: "on") : Page(items: [dan])
            }
            let path = "/rides/regions?region=North"
            let page = try await maya.get(path).text
            let ends = "from=60.1725%2C24.9525%20Testholm&amp;to=60.4025%2C25.1025%20Harbour"
            for text in [
                "Who seeks a ride from North", "Testholm → Harbour", "Ana &lt;b&gt;",
                CivilText.full(Self.day, in: PageRenderingTests.english), "Nobody leaves from North yet.",
                "href=\"/rides/new?\(ends)&amp;day=\(Self.day.text)\"", "press “Tell me”",
                "hx-get=\"\(path)&amp;seekers=on\" hx-target=\"#more-seekers\"",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(!page.contains("/invite\"") && page.components(of: "press “Tell me”") == 1)
            let more = try await maya.get(
                "\(path)&seekers=on", [("HX-Request", "true"), ("HX-Target", "more-seekers")]
            ).text
            #expect(more.contains("<li class=\"panel") && more.contains("Dan") && !more.contains("<html"))
            // Whose name is not known is left out, and what is over is today.
            let today = WallTime(at: Date(), in: Self.zone).day
            #expect([today, today + 1].contains { more.contains("Testholm&amp;day=\($0.text)\"") })
            #expect(try await maya.get("\(path)&seekers=on").text.contains("Dan"))
            let asked = try door.services.asked(MatchingMethods.seekers).map(\.parameters)
            #expect(asked.first == SeekingQuery(region: "North", direction: .from, limit: 20))
            // Strangers are not shown who seeks, and the page does without.
            let stranger = try await PageVisitor(port: door.port).get(path)
            #expect(stranger.status == 200 && !stranger.text.contains("Who seeks") && stranger.text.contains("Tell me"))
            #expect(try door.services.asked(MatchingMethods.seekers).count == asked.count)
            door.services.refuse(MatchingMethods.seekers, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("\(path)&direction=to")
            #expect(away.status == 200 && !away.text.contains("Who seeks"))
        }
    }

    @Test func such_a_ride_is_offered_with_what_is_known_of_it() async throws {
        try await PageDoor.run { door in
            _ = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let ends = "from=60.1725,24.9525%20Testholm&to=60.4025,25.1025%20Harbour"
            let page = try await maya.get("/rides/new?\(ends)&day=2027-03-05")
            #expect(page.status == 200 && page.text.contains("name=\"from.at\" value=\"60.1725,24.9525 Testholm\""))
            #expect(page.text.contains("value=\"Harbour\"") && page.text.kept["day"] == "2027-03-05")
            let next = try await maya.press(page, ["from": "Testholm", "to": "Harbour"])
            #expect(next.text.contains("Step 2 of 3") && next.text.contains("value=\"2027-03-05\""))
            // What is nothing of the kind is passed over.
            let odd = try await maya.get("/rides/new?from=here&to=%3Cb%3E&day=tomorrow")
            #expect(odd.status == 200 && odd.text.kept["day"] == "" && !odd.text.contains("<b>"))
        }
    }

    @Test func a_ride_that_was_found_is_asked_for_the_part_that_is_sought() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let ride = Ride.sample()
            door.show(ride)
            door.knowPlaces()
            let path = "/rides/\(ride.id)"
            // No search of theirs has found it.
            #expect(try await maya.get("\(path)?found=yes").text.contains("href=\"\(path)/ask\""))
            let wanted = searches.add(try Self.wanted())
            let page = try await maya.get("\(path)?found=yes").text
            let part = "?to=60.4%2C25.1%20Kluuvi%2C%20Testholm&amp;seats=2"
            #expect(page.contains("href=\"\(path)/ask\(part)\"") && page.contains("action=\"\(wanted.path)/found\""))
            #expect(page.contains("name=\"page\" value=\"\(path)\(part)\""))
            // What the address says goes before it.
            let said = try await maya.get("\(path)?from=1&found=yes").text
            #expect(said.contains("href=\"\(path)/ask?from=1\"") && said.contains("value=\"\(path)?from=1\""))
            // Without that it was found, nobody is asked.
            let asked = try door.services.asked(MatchingMethods.wantedFinders).count
            #expect(try await maya.get(path).text.contains("href=\"\(path)/ask\""))
            #expect(try door.services.asked(MatchingMethods.wantedFinders).count == asked)
        }
    }

    @Test func who_looks_at_what_a_search_has_found_has_read_that_it_was() async throws {
        try await PageDoor.run { door in
            let searches = PageSearches(at: door)
            let maya = try await door.join("Maya")
            let (wanted, rides) = (searches.add(try Self.wanted()), (0..<3).map { _ in Ride.sample() })
            searches.finds.mutate { $0 = rides.map { WantedFind(at: Date(), ShelfItem($0)) } }
            func notice(_ kind: InboxNoticeKind, _ ride: RideID) -> InboxNotice {
                InboxNotice(id: .new(), kind: kind, subject: Subject(ride), actor: nil, link: "/", at: Date())
            }
            let told = [
                notice(.rideFound, rides[0].id), notice(.rideInvited, rides[1].id), notice(.rideFound, .new()),
                notice(.rideFound, rides[2].id),
            ]
            door.services.answer(NotificationMethods.markRead, InboxCount(unread: 0, unseen: 0))
            door.services.answer(NotificationMethods.inbox, Page(items: told))
            _ = try await maya.get(wanted.path)
            let marks = try door.services.asked(NotificationMethods.markRead).map(\.content)
            // However many they are, it is one mark, beside that of what was told of the search itself.
            #expect(marks.count == 2 && marks.contains(InboxMark(about: Subject(wanted.id))))
            #expect(marks.contains(InboxMark(ids: [told[0].id, told[3].id])))
            #expect(
                try door.services.asked(NotificationMethods.inbox).map(\.parameters) == [
                    InboxQuery(unread: true, limit: 100)
                ])
            // What comes into the list by itself may not be looked at.
            _ = try await maya.get(wanted.path, [("HX-Request", "true"), ("HX-Target", "finds")])
            #expect(try door.services.asked(NotificationMethods.markRead).count == 2)
            // Where nothing is shown, nobody is asked.
            searches.finds.mutate { $0 = [] }
            _ = try await maya.get(wanted.path)
            #expect(try door.services.asked(NotificationMethods.inbox).count == 1)
        }
    }
}
