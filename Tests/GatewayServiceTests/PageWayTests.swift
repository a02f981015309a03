import Testing
import WireProtocol

@testable import GatewayService

/// How far it is to what a page is about.
@Suite struct PageWayTests {
    @Test func the_way_is_along_the_streets_where_there_are_any_and_else_says_that_it_is_straight() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let path = "/places/way?to=60.1712,24.9501&at=60.1708,24.9440"
            let way = try await visitor.get(path)
            #expect(way.text.contains("<p>480 m on foot, about 6 minutes</p>"))
            #expect(way.text.contains("340 m in a straight line · © OpenStreetMap contributors, ODbL 1.0"))
            let german = try await visitor.get(path, [("Accept-Language", "de")])
            #expect(german.text.contains("480 m zu Fuß, etwa 6 Minuten"))
            door.knowPlaces(false)
            let straight = try await visitor.get(path)
            #expect(straight.text.contains("<p>340 m in a straight line</p>") && !straight.text.contains("on foot"))
            for code in [ErrorCode.unavailable, .outcomeUnknown, .internalError] {
                door.services.refuse(PlacesMethods.distances, ServiceError(code, "Away."))
                #expect(try await visitor.get(path).text.contains("<p>340 m in a straight line</p>"), "\(code)")
            }
            #expect(try await visitor.get("/places/way?to=60.1712,24.9501&at=here").text.contains("<p") == false)
            #expect(try await visitor.get("/places/way?to=here&at=60.1708,24.9440").status == 400)
        }
    }
}
