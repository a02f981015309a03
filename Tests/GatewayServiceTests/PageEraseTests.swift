import FoundationEssentials
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
            let thing = door.letThing(.car, "A quiet Yaris", by: try door.person("Maya"))
            let day = CivilDay(number: Int(Date().timeIntervalSince1970 / 86400)).text
            let held = Rental.of(thing, day, day, .handedOver)
            door.rentals.mutate { $0 = [held] }
            let path = "/rentals/\(held.id)"
            for one in [maya, ben] {
                let page = try await one.get("/me/erase").text
                #expect(page.contains("Something has to be over first"))
                #expect(page.contains("href=\"\(path)\">A quiet Yaris</a>"))
                #expect(!page.contains("Erase my account for good"))
            }
        }
    }
}
