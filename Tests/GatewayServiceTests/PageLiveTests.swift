import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Pages that listen say from where on: nothing is lost between the page and the first event.
@Suite struct PageLiveTests {
    @Test func a_page_says_where_the_stream_was_before_it_asked() async throws {
        try await PageDoor.run { door in
            var listings = FakePublisher("listings")
            door.relay.restart("listings", epoch: listings.epoch, head: 0)
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let spot = try #require(door.spots().first)
            for _ in 0..<3 { door.relay.relay([listings.publish()]) }
            let before = Self.since(try await maya.get("/parking"))
            let more = try await maya.get("/parking?cursor=0", [("HX-Request", "true"), ("HX-Target", "more")])
            for page in [try await maya.get("/parking"), more, try await maya.get("/spots/\(spot.id)")] {
                #expect(Self.position(Self.since(page)) == 3)
            }
            // What happens to oneself is listened to on every page, also where nobody else's doings are shown.
            #expect(Self.position(Self.since(try await maya.get("/me"), "data-live")) == 3)
            door.relay.relay([listings.publish("missed")])
            let reader = try StreamReader(port: door.port, "?lastEventId=\(before)")
            #expect(try await reader.next(1).map(\.name) == ["missed"])
            reader.close()
        }
    }

    private static func since(_ page: RawResponse, _ attribute: String = "data-since") -> String {
        guard let found = page.text.firstRange(of: attribute + "=\"") else { return "" }
        return String(page.text[found.upperBound...].prefix { $0 != "\"" })
    }

    /// `listings.77b2d401.2044`, and what else may follow.
    private static func position(_ since: String) -> Int? {
        let parts = since.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 2 ? Int(parts[2].prefix { $0.isNumber }) : nil
    }
}
