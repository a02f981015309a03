import FoundationEssentials
import Hummingbird
import Testing
import WireProtocol

@testable import GatewayService

/// A vertical plugs into the pages by one value.
@Suite struct VerticalTests {
    private static let all: [any Vertical] = Verticals.all + [Boats()]

    /// Where each of the texts first stands in a page.
    private func places(of texts: [String], in page: String) throws -> [String.Index] {
        try texts.map { text in try #require(page.firstRange(of: text)?.lowerBound, "\(text)") }
    }

    @Test func a_vertical_more_has_pages_and_is_on_all_that_list_them() async throws {
        try await PageDoor.run(verticals: Self.all) { door in
            let visitor = PageVisitor(port: door.port)
            #expect(try await visitor.get("/").text.contains("href=\"/boats?at=&lt;pier&gt;\""))
            let maya = try await door.join("Maya")
            #expect(try await maya.get("/boats")["Location"] == "/boats/all")
            #expect(try await maya.get("/cars").text.contains("href=\"/boats?at=&lt;pier&gt;\""))
            #expect(try await maya.get("/me").text.contains("<a class=\"cover\" href=\"/me/boats\">My boats</a>"))
            door.appoint("Maya", .moderator)
            #expect(try await maya.get("/moderation").text.contains("href=\"/moderation/boats\""))
            let share = try await maya.get("/share").text
            let ways = ["/share", "/cars/new", "/spaces/new", "/private-parking/new", "/boats/new"]
            let order = try places(of: ways.map { "<a class=\"chip\" href=\"\($0)\"" }, in: share)
            #expect(order == order.sorted())
        }
    }

    @Test func home_has_the_first_of_each_then_the_second_and_what_waits() async throws {
        try await PageDoor.run(verticals: Self.all) { door in
            let maya = try await door.join("Maya")
            let boat = Subject(kind: .person, id: .new())
            door.waits([WaitingItem(.begins, boat, title: "Dinghy", at: Date())])
            let home = try await maya.get("/").text
            let order = try places(of: ["cars", "new", "boats", "others"].map { "<h2 id=\"\($0)\"" }, in: home)
            #expect(order == order.sorted())
            #expect(home.contains("Dinghy &amp; oars") && !home.contains("Dinghy & oars"))
            #expect(home.contains("href=\"/boats/\(boat.id)\"") && home.contains("Somebody waits &lt;here&gt;"))
            #expect(!home.contains("Nothing waits for you"))
        }
    }

    @Test func what_is_not_known_now_is_left_out() async throws {
        try await PageDoor.run(verticals: [SpotsVertical(), Away()]) { door in
            let maya = try await door.join("Maya")
            let home = try await maya.get("/").text
            #expect(home.contains("<h2 id=\"new\"") && !home.contains("<h2 id=\"cars\""))
            #expect(home.contains("Nothing waits for you"))
            // What no vertical here has words for waits all the same.
            let thing = WaitingItem(.begins, Subject(RentalID.new()), title: "Blue van", at: Date())
            door.waits([thing])
            #expect(!(try await maya.get("/").text.contains("Nothing waits for you")))
            door.waits([])
            door.services.refuse(PeerRole.listings.methods.waiting, ServiceError(.unavailable, "Away."))
            #expect(!(try await maya.get("/").text.contains("Nothing waits for you")))
        }
    }

    @Test func what_somebody_shares_is_on_their_page() async throws {
        try await PageDoor.run(verticals: Self.all) { door in
            _ = try await door.join("Maya")
            let id = try door.person("Maya").id
            let seen = try await door.join("Ben").get("/people/\(id)").text
            let order = try places(of: ["id=\"shares\"", "Dinghy &amp; oars"], in: seen)
            #expect(order == order.sorted())
        }
    }

    @Test func what_a_vertical_has_can_be_reported() async throws {
        try await PageDoor.run(verticals: [Boats()]) { door in
            let maya = try await door.join("Maya")
            let page = try await maya.get("/report?kind=spot&id=\(SpotID.new())")
            #expect(page.status == 200 && page.text.contains("Dinghy &amp; oars"))
            #expect(try await maya.get("/report?kind=thing&id=\(ThingID.new())").status == 404)
        }
    }

    @Test func a_chat_says_at_its_head_what_the_vertical_says() async throws {
        try await PageDoor.run(verticals: Self.all) { door in
            let maya = try await door.join("Maya")
            _ = try await door.join("Ben")
            let room = PageTalk(try door.person("Maya"), try door.person("Ben"), at: door)
            #expect(try await maya.get(room.path).text.contains("Dinghy &amp; oars"))
        }
    }

    @Test func a_calendar_calls_an_entry_as_its_vertical_does() {
        let entry = CalendarEntry(
            id: .new(), kind: .rental, state: .confirmed, title: "Blue van", startsAt: Date(timeIntervalSince1970: 0),
            endsAt: Date(timeIntervalSince1970: 7200), link: "/rentals/1", changedAt: Date(timeIntervalSince1970: 0))
        func text(_ verticals: [any Vertical]) -> String {
            let file = CalendarFile(
                name: "Testholm", publicURL: "https://share.example", words: PageRenderingTests.english,
                verticals: verticals)
            return String(decoding: file.bytes(of: [entry]), as: UTF8.self)
        }
        #expect(text([SpotsVertical(), Boats()]).contains("SUMMARY:A trip: Blue van\r\n"))
        #expect(text(Self.all).contains("SUMMARY:Blue van\\, from Somebody\r\n"))
        #expect(text([]).contains("SUMMARY:Blue van\r\n"))
    }

    @Test func a_notice_leads_to_where_the_vertical_shows_what_it_is_about() {
        let paths = Verticals.all.flatMap { $0.subjects.map(\.path) } + ["/messages", "/people", WantedPages.path]
        for kind in NoticeKinds.all.kinds {
            let link = String(NoticeKinds.all[kind].link.prefix { $0 != "?" })
            guard link.contains("{subject}") else { continue }
            // The page of what it is about, or one that belongs to it.
            #expect(paths.contains { link == "\($0)/{subject}" || link.hasPrefix("\($0)/{subject}/") }, "\(kind)")
        }
    }

    @Test func whoever_comes_next_is_not_told_what_was_looked_for() async throws {
        try await PageDoor.run(verticals: Self.all) { door in
            let maya = try await door.join("Maya")
            for name in ["kampong_cars", "kampong_boats"] { maya.cookies[name] = "q=x" }
            _ = try await maya.post("/sign-out", [:])
            #expect(maya.cookies["kampong_cars"] == nil && maya.cookies["kampong_boats"] == nil)
        }
    }
}

/// Boats, which nobody shares yet.
private struct Boats: Vertical {
    private struct Boat {
        var badge = "Dinghy & oars"
    }

    private static let part = PagePart(template: "frame/badge", model: Boat())

    func register(on routes: PageRoutes) {
        routes.get("/boats") { visit in visit.redirect(to: "/boats/all") }
    }

    func lists(at path: String?, in visit: Visit) -> [PageLink] {
        [PageLink(href: "/boats?at=<pier>", icon: "box", text: "Boats")]
    }

    func ways(at path: String?, in words: Words) -> [PageLink] {
        [PageLink(href: "/boats/new", icon: "box", text: "A boat", chosen: path == "/boats/new")]
    }

    func newest(in visit: Visit) async throws -> [HomeShelf?] {
        [HomeShelf(id: "boats", heading: "New boats", card: "frame/badge", cards: [Boat()], isRow: true)]
    }

    var subjects: [SubjectLook] {
        [SubjectLook(kind: .person, icon: "box", path: "/boats"), SubjectLook(kind: .spot, path: "/boats")]
    }

    func row(of item: WaitingItem, at page: String, in visit: Visit) -> HomePage.Waiting? {
        HomePage.Waiting(href: page, icon: "box", name: item.title, status: "Somebody waits <here>")
    }

    var shelf: ProfileShelf? {
        ProfileShelf(kind: .thing, cursor: "boats", ownHeading: "person.mine", heading: "person.shares")
    }

    func part(of found: Page<ShelfItem>?, by person: PersonID, in visit: Visit) -> PagePart? { Self.part }

    func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? {
        ReportedThing(title: "Dinghy & oars", back: "/boats/\(subject.id)", isOwn: false)
    }

    func panel(of room: Room, in visit: Visit) async -> PagePart? { Self.part }

    func summary(of entry: CalendarEntry, in words: Words) -> String? { "A trip: \(entry.title)" }

    func cases(in visit: Visit) async -> [CasesPage.Choice] {
        [CasesPage.Choice(href: "/moderation/boats", text: "Boats", current: false)]
    }

    func own(in words: Words) -> [PageLink] { [PageLink(href: "/me/boats", icon: "box", text: "My boats")] }

    var searchCookies: [String] { ["kampong_boats"] }
}

/// Whose service does not answer.
private struct Away: Vertical {
    func register(on routes: PageRoutes) {}
    func lists(at path: String?, in visit: Visit) -> [PageLink] { [] }
    func ways(at path: String?, in words: Words) -> [PageLink] { [] }
    func newest(in visit: Visit) async throws -> [HomeShelf?] { [nil] }
}
