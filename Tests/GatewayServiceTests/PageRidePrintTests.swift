import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// A ride on paper: for who drives it, with who gets in where, and for who has a seat.
@Suite struct PageRidePrintTests {
    @Test func its_driver_and_who_has_a_seat_print_it() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            door.change("Maya") { $0.car = PersonCar(make: "Toyota", model: "Yaris", year: 2015, color: "blue") }
            let (ben, path) = (try door.person("Ben"), "/rides/\(two.ride.id)")
            let request = two.carpool.ask(two.ride, ben, .accepted) { ($0.seats, $0.riders) = (2, ["Ava", "Tom"]) }
            two.carpool.rides.mutate { $0[0].passengers = [RidePassenger(person: ben.summary, seats: 2)] }
            for visitor in [two.driver, two.rider] {
                for page in [path, "/seats/\(request.id)"] {
                    #expect(try await visitor.get(page).text.contains("href=\"\(path)/print\""), "\(page)")
                }
                let paper = try await visitor.get("\(path)/print").text
                for text in [
                    "Ride: Mill Lane, Testholm", "Friday, 5 March 2027, 17:00", "Mill Lane 7, Testholm", "Old Town",
                    "Toyota Yaris, blue, 2015", "<strong>Ben</strong>", "2 seats", "For Ava, Tom",
                    "<bdi>+6591234567</bdi>", "data-print", "/js/ride.js",
                ] { #expect(paper.contains(text), "\(text)") }
                #expect(paper.components(of: "+6591234567") == 1)
            }
            #expect(try await two.driver.get("\(path)/print").text.contains("Who rides along"))
            let own = try await two.rider.get("\(path)/print").text
            #expect(own.contains("Your seat") && own.contains("<dd>Maya, <bdi>"))
        }
    }

    @Test func nobody_else_does() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            let path = "/rides/\(two.ride.id)"
            let request = two.carpool.ask(two.ride, try door.person("Ben"))
            for page in [path, "/seats/\(request.id)"] {
                #expect(!(try await two.rider.get(page).text.contains("\(path)/print")), "\(page)")
            }
            #expect(try await two.rider.get("\(path)/print").status == 403)
            #expect(try await two.rider.get("/rides/\(RideID.new())/print").status == 404)
            let stranger = try await PageVisitor(port: door.port).get("\(path)/print")
            #expect(stranger["Location"]?.hasPrefix("/sign-in") == true)
            // Whoever drives alone has the way.
            let alone = try await two.driver.get("\(path)/print")
            #expect(alone.status == 200 && alone.text.contains("Harbour") && !alone.text.contains("Who rides along"))
        }
    }

    @Test func the_driver_is_shown_the_way_to_who_gets_in() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            let path = "/rides/\(two.ride.id)"
            let request = two.carpool.ask(two.ride, try door.person("Ben"))
            #expect(!(try await two.driver.get(path).text.contains("directions?to=")))
            two.carpool.change(request.id) { $0.state = .accepted }
            for page in [path, "/seats/\(request.id)"] {
                let text = try await two.driver.get(page).text
                #expect(text.contains("openstreetmap.org/directions?to=60.17%2C24.95"), "\(page)")
            }
            two.carpool.change(request.id) { $0.boarding.isExact = false }
            #expect(!(try await two.driver.get(path).text.contains("directions?to=")))
        }
    }
}
