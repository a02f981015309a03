import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// Erasing one's account, from the page.
@Suite struct PageEraseTests {
    @Test func who_has_what_is_anothers_is_told_so_instead_of_being_asked() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let free = try await ben.get("/me/erase").text
            #expect(free.contains("Erase my account for good") && !free.contains("Something has to be over first"))
            let thing = door.letThing(.car, "A quiet Yaris", by: try door.person("Maya")) { $0.terms.isInstant = true }
            let day = CivilDay(number: Int(Date().timeIntervalSince1970 / 86400) + 10).text
            let rent = "/things/\(thing.id)/rent"
            let form = try await ben.rentForm(rent, ["key": "ask", "from": day, "until": day])
            let asked = try await ben.post(rent, form)
            let path = String(try #require(asked["Location"]?.split(separator: "?").first))
            door.backend.state.withLock { state in
                for index in state.rentals.indices { state.rentals[index].state = .handedOver }
            }
            for one in [maya, ben] {
                let held = try await one.get("/me/erase").text
                #expect(held.contains("Something has to be over first"))
                #expect(held.contains("href=\"\(path)\">A quiet Yaris</a>"))
                #expect(!held.contains("Erase my account for good"))
            }
        }
    }
}
