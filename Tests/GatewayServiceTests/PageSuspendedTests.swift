import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What somebody who is suspended comes to: what is theirs, and why and until when.
@Suite struct PageSuspendedTests {
    private func suspended(
        _ test: @escaping @Sendable (PageDoor, PageVisitor, PersonID) async throws -> Void
    ) async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            try door.suspend("Ada", Suspension(since: Date(), until: nil, reason: "Threats & worse."))
            try await test(door, ada, try door.person("Ada").id)
        }
    }

    @Test func every_page_leads_to_the_one_that_says_why_and_until_when() async throws {
        try await suspended { door, ada, id in
            for path in [
                "/", "/parking", "/share", "/messages", "/me", "/me/edit", "/me/sessions", "/me/passkeys",
                "/me/friends",
                "/people/\(id)", "/me/blocks", "/report?kind=person&id=\(id)", "/sign-in", "/join", "/me/pass",
            ] {
                let answer = try await ada.get(path)
                #expect(answer.status == 303 && answer["Location"] == "/suspended", "\(path)")
            }
            let page = try await ada.get("/suspended")
            #expect(page.status == 200 && page.text.contains("for good. Why: Threats &amp; worse."))
            #expect(page.text.contains("href=\"/me/export\"") && page.text.contains("href=\"/me/erase\""))
            // Nothing of those who take part: no tabs, no bell, no live stream.
            #expect(!page.text.contains("class=\"tabs\"") && !page.text.contains("data-signed-in"))
            #expect(!page.text.contains("href=\"/notifications\"") && !page.text.contains("data-live"))
            let asked = Set(door.services.asked.map(\.method))
            #expect(!asked.contains("listings.spots") && !asked.contains("chat.rooms"))
        }
    }

    @Test func what_is_theirs_is_there() async throws {
        try await suspended { door, ada, _ in
            let archive = DataExport(id: .new(), requestedAt: Date(), parts: [DataExportPart(service: "auth")])
            door.services.answer(AuthMethods.requestExport, archive)
            let export = try await ada.get("/me/export")
            #expect(export.status == 200 && export.text.contains("class=\"back\" href=\"/suspended\""))
            #expect(try await ada.post("/me/export", [:])["Location"] == "/me/export")
            let erase = try await ada.get("/me/erase")
            #expect(erase.status == 200 && erase.text.contains("class=\"back\" href=\"/suspended\""))
            #expect(!erase.text.contains("autocomplete=\"username\""))
        }
    }

    @Test func nothing_is_done_from_a_page_that_was_open() async throws {
        try await suspended { door, ada, id in
            let before = door.services.commands
            for path in ["/me/edit", "/share", "/people/\(id)/block", "/me/sessions/end-all"] {
                let answer = try await ada.post(path, ["name": "Other"])
                #expect(answer.status == 404 || answer["Location"] == "/suspended", "\(path)")
            }
            #expect(door.services.commands == before)
        }
    }

    @Test func when_it_is_over_the_way_leads_to_the_door() async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            #expect(try await ada.get("/suspended")["Location"] == "/me")
            let stranger = PageVisitor(port: door.port)
            #expect(try await stranger.get("/suspended")["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test func the_interface_refuses_what_it_is_not_for() async throws {
        try await suspended { door, ada, id in
            for route in APIRoute.all
            where route.method == .get && !route.path.contains("{") && !route.path.hasSuffix("archive") {
                let answer = try await ada.get(route.path)
                let isRefused = answer.status == 403 && answer.text.contains("\"suspended\"")
                #expect(isRefused == (!route.isForSuspended && route.session != .none), "\(route.path)")
            }
            #expect(
                APIRoute.all.filter(\.isForSuspended).map(\.operation).sorted() == [
                    "downloadExport", "eraseMe", "getErasure", "getExport", "getSuspension", "requestExport", "signOut",
                ])
        }
    }
}
