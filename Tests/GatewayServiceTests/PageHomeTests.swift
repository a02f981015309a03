import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Home: what waits for one, in the order in which services tell it, and what there is to do where there is nothing.
@Suite struct PageHomeTests {
    /// A day so many days from now, where things of tests are.
    private static func day(_ days: Int) -> String {
        (WallTime(at: Date(), in: "Europe/Helsinki").day + days).text
    }

    @Test func what_is_due_first_is_said_first() async throws {
        try await PageDoor.run { door in
            let own = try await door.join("Maya")
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya"))
            let later = (0..<9).map { _ in Rental.of(car, Self.day(1), Self.day(2), .accepted) }
            let today = Rental.of(car, Self.day(0), Self.day(0), .accepted)
            door.waits(([today] + later).map { .of($0, .begins) })
            let home = try await own.get("/").text
            #expect(home.contains("href=\"/rentals/\(today.id)\"") && home.contains("Begins today"))
            #expect(home.components(of: "Begins tomorrow") == 9 && !home.contains("Nothing waits for you"))
            let places = ["Begins today", "Begins tomorrow"].compactMap { home.firstRange(of: $0)?.lowerBound }
            #expect(places.count == 2 && places == places.sorted())
        }
    }

    @Test func spots_wait_with_their_names() async throws {
        try await PageDoor.run { door in
            let own = try await door.join("Maya")
            _ = try await door.join("Ben")
            let (spot, ben, now) = (Subject(SpotID.new()), try door.person("Ben").summary, Date())
            door.waits([
                WaitingItem(.claimed, spot, title: "By the well", at: now),
                WaitingItem(.posted, spot, title: "By the mill", at: now + 3600),
                WaitingItem(.taken, spot, title: "By the gate", with: ben, at: now),
            ])
            let home = try await own.get("/").text
            #expect(home.components(of: "href=\"/spots/\(spot.id)\"") == 3 && home.contains("By the mill"))
            for words in ["Yours, claimed", "Your spot; its time ends", "Taken by Ben"] {
                #expect(home.contains(words))
            }
        }
    }

    @Test func what_was_to_be_given_back_is_overdue() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            let renter = try await door.join("Ben")
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya"))
            var rental = Rental.of(car, Self.day(-9), Self.day(-3), .handedOver)
            rental.renter = try door.person("Ben").summary
            door.waits([.of(rental, .ends)])
            #expect(try await renter.get("/").text.contains("Overdue for 3 days"))
        }
    }

    @Test func who_lets_something_reads_that_it_is_not_back() async throws {
        try await PageDoor.run { door in
            let own = try await door.join("Maya")
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya"))
            let late = Rental.of(car, Self.day(-9), Self.day(-1), .handedOver)
            let later = Rental.of(car, Self.day(-9), Self.day(-3), .handedOver)
            door.waits([later, late].map { .of($0, .overdue) })
            let home = try await own.get("/").text
            #expect(home.contains("Ben should have given it back 1 day ago"))
            #expect(home.contains("Ben should have given it back 3 days ago"))
            #expect(home.contains("href=\"/rentals/\(late.id)\""))
            let places = [later, late].compactMap { home.firstRange(of: "/rentals/\($0.id)")?.lowerBound }
            #expect(places.count == 2 && places == places.sorted(), "what is longest overdue comes first")
        }
    }

    @Test func reviews_wait_to_be_written() async throws {
        try await PageDoor.run { door in
            let visitor = try await door.join("Maya")
            let ben = try await door.join("Ben")
            let (one, other) = (try door.person("Maya"), try door.person("Ben"))
            func meet(_ titles: [String]) {
                door.services.on(PeerRole.auth.methods.waiting) { request in
                    let with = request.caller.person == one.id ? other : one
                    let items = titles.prefix(3).map { WaitingItem.of(Encounter.with(with, $0)) }
                    return Page(items: items, next: titles.count > 3 ? "3" : nil)
                }
            }
            meet(["By the library"])
            let home = try await visitor.get("/").text
            let bens = "/people/\(other.id)/review?of="
            #expect(home.contains("By the library") && home.contains("Review Ben, until ") && home.contains(bens))
            #expect(!home.contains("Nothing waits for you") && !home.contains("href=\"/me/encounters\""))
            #expect(try await ben.get("/").text.contains("Review Maya, until "))
            meet(["By the library", "Yaris", "Garage", "Cellar"])
            let many = try await visitor.get("/").text
            #expect(many.components(of: "Review Ben, until ") == 3)
            #expect(many.contains("href=\"/me/encounters\"") && many.contains("All reviews to write"))
            // What is not known is not said.
            door.services.refuse(PeerRole.auth.methods.waiting, ServiceError(.unavailable, "Away."))
            let away = try await visitor.get("/").text
            #expect(!away.contains("Review Ben") && !away.contains("Nothing waits for you"))
        }
    }

    @Test func where_there_is_nothing_it_says_what_to_do() async throws {
        try await PageDoor.run { door in
            let visitor = try await door.join("Maya")
            let home = try await visitor.get("/").text
            #expect(home.contains("Nothing waits for you just now.") && home.contains("href=\"/rentals\""))
            #expect(home.contains("No cars are shared yet") && home.contains("No spaces and no private parking"))
            for path in ["/cars/new", "/spaces/new", "/private-parking/new"] {
                #expect(home.contains("href=\"\(path)\""), "\(path)")
            }
            // What is not known is not said.
            door.services.refuse(ListingsMethods.things, ServiceError(.unavailable, "Away."))
            door.services.refuse(PeerRole.listings.methods.waiting, ServiceError(.unavailable, "Away."))
            let away = try await visitor.get("/").text
            #expect(!away.contains("No cars are shared yet") && !away.contains("No spaces and no private parking"))
            #expect(!away.contains("Nothing waits for you"))
        }
    }
}
