import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Of two windows in which the same is changed, the second one says so, loses nothing and takes nothing back without a word.
@Suite struct PageMeanwhileTests {
    /// The version that follows, where a change was made up from the one that there is.
    static func next(after now: String?, seen: String?) throws -> String {
        if let seen, seen != now { throw ServiceError.changedMeanwhile(now) }
        return String((now.flatMap { Int($0) } ?? 0) + 1)
    }

    /// The form of a page that was opened before and after each other's sending.
    private func known(_ page: RawResponse, _ fields: [String: String]) throws -> [String: String] {
        let version: String = try #require(page.text.hiddenField("version"))
        let key: String = try #require(page.text.hiddenField("key"))
        return fields.merging(["version": version, "key": key]) { $1 }
    }

    /// - Parameters:
    ///   - fields: what both windows send.
    ///   - typed: what the second one has typed, as its page shows it.
    ///   - kept: what the first one has saved, in words.
    private func two(
        _ visitor: PageVisitor, _ path: String, _ fields: [String: String], first: [String: String],
        second: [String: String], typed: String, kept: [String]
    ) async throws {
        // There is a version once something was saved.
        _ = try await visitor.post(path, fields.merging(["key": Visit.newKey()]) { $1 })
        let (one, other) = (try await visitor.get(path), try await visitor.get(path))
        let saved = try await visitor.post(path, try known(one, fields.merging(first) { $1 }))
        #expect(saved.status == 303, "\(path)")
        let late = fields.merging(second) { $1 }
        let told = try await visitor.post(path, try known(other, late))
        #expect(told.status == 409 && told.text.contains("This was changed meanwhile"), "\(path)")
        #expect(told.text.contains(typed), "\(path)")
        for text in kept { #expect(told.text.contains(text), "\(path): \(text)") }
        #expect(told.text.contains("href=\"\(path)\">Go on with what is saved</a>"), "\(path)")
        #expect(try await visitor.post(path, try known(told, late)).status == 303, "\(path)")
    }

    @Test func things() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya"))
            try await two(
                maya, "/things/\(car.id)/edit", PageSharingTests.car, first: ["price": "30", "title": "Loud <i>"],
                second: ["title": "Quiet", "instant": ""], typed: "value=\"Quiet\"",
                kept: ["Loud &lt;i&gt;", ">30</span>", "Accept requests at once</strong><br>"])
            let now = door.things.value[0]
            #expect(now.title == "Quiet" && now.terms.price?.amount == 2550)
        }
    }

    @Test func spots() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let place = PageFlowTests.place.merging(["name": "By the well"]) { $1 }
            _ = try await maya.post("/share", place)
            let path = "/spots/\(try #require(door.spots().first).id)/edit"
            door.services.on(ListingsMethods.changeSpot) { request in
                var (spot, draft) = (door.spots()[0], request.content)
                draft.version = try Self.next(after: spot.version, seen: draft.version)
                (spot.name, spot.price, spot.version) = (draft.name, draft.price, draft.version)
                door.shared.mutate { [spot] in $0 = [spot] }
                return spot
            }
            try await two(
                maya, path, place.merging(["lifetime": "same"]) { $1 }, first: ["price": "2.50"],
                second: ["name": "At the well"], typed: "value=\"At the well\"", kept: ["By the well", ">2.50</span>"])
            #expect(door.spots().map(\.name) == ["At the well"])
        }
    }

    @Test func profiles() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            door.services.on(AuthMethods.changeProfile) { request in
                let now = try door.person("Maya")
                let version = try Self.next(after: now.version, seen: request.content.version)
                door.change("Maya") { person in
                    person.take(request.content)
                    person.version = version
                }
                return try door.person("Maya")
            }
            try await two(
                maya, "/me/edit", ["name": "Maya", "mode": "ordering"], first: ["bio": "A cook."],
                second: ["bio": "A baker.", "mode": "delivering"], typed: "A baker.</textarea>",
                kept: [">A cook.</span>"])
            #expect(try door.person("Maya").bio == "A baker.")
        }
    }

    @Test func what_one_wants_to_be_told() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            PageNotificationTests.letChoose(at: door)
            let kept = Mutable(NoticeSettings.untouched)
            door.services.on(NotificationMethods.settings) { _ in kept.value }
            door.services.on(NotificationMethods.changeSettings) { request in
                var wanted = request.content
                wanted.version = try Self.next(after: kept.value.version, seen: wanted.version)
                kept.mutate { [wanted] in $0 = wanted }
                return wanted
            }
            let zone = ["timeZone": "Europe/Helsinki", "digestHour": "8"]
            try await two(
                maya, "/notifications/settings", zone, first: ["mail": "never"],
                second: ["mail": "daily", "push.message": "on"], typed: "name=\"push.message\"",
                kept: ["When mails come"])
            #expect(kept.value.mail == .daily)
        }
    }

    @Test func only_what_differs_is_said_and_an_empty_field_is_nothing() {
        let kept = [Meanwhile.Said("A", "1"), Meanwhile.Said("B", ""), Meanwhile.Said("C", "one", value: "x")]
        let typed = [Meanwhile.Said("A", "1"), Meanwhile.Said("B", "2"), Meanwhile.Said("C", "one", value: "y")]
        let words = Catalogues(in: GatewayResources()).words(for: "en")
        let meanwhile = Meanwhile(kept, besides: typed, href: "/", in: words)
        #expect(meanwhile.lines.map { "\($0.label) \($0.text)" } == ["B nothing", "C one"] && meanwhile.any)
        #expect(!Meanwhile(kept, besides: kept, href: "/", in: words).any)
    }
}
