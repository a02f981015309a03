import Testing
import WireProtocol

@testable import GatewayService

/// What pages say where a community keeps its campuses apart.
@Suite struct PageCampusTests {
    private func pages(apart: Bool, _ body: @Sendable @escaping (PageDoor, PageVisitor) async throws -> Void)
        async throws
    {
        try await PageDoor.run(campusesApart: apart) { door in try await body(door, try await door.join("Maya Tan")) }
    }

    @Test func who_has_shown_no_campus_is_shown_the_way_and_told_why() async throws {
        try await pages(apart: true) { door, visitor in
            let home = try await visitor.get("/").text
            #expect(home.contains("Here each campus keeps to itself") && home.contains("href=\"/me/campus\""))
            #expect(try await visitor.get("/me/campus").text.contains("In this community campuses keep to themselves"))
            door.change("Maya Tan") { $0.campus = "hill" }
            let after = try await visitor.get("/").text
            #expect(!after.contains("each campus keeps to itself"))
            // Where auth does not say, nothing is said.
            door.services.refuse(AuthMethods.me, ServiceError(.unavailable, "Away."))
            let page = try await visitor.get("/")
            #expect(page.status == 200 && !page.text.contains("each campus keeps to itself"))
        }
    }

    @Test func elsewhere_nothing_is_said_of_it() async throws {
        try await pages(apart: false) { _, visitor in
            let after = try await visitor.get("/").text
            #expect(!after.contains("each campus keeps to itself"))
            let campus = try await visitor.get("/me/campus").text
            #expect(!campus.contains("campuses keep to themselves"))
        }
    }
}
