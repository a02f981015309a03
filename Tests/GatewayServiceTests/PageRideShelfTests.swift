import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Rides on pages that are about more than rides: Home, and the chat of two.
@Suite struct PageRideShelfTests {
    @Test func home_has_what_leaves_soonest_near_one_first() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            #expect(try await maya.get("/").text.contains("href=\"/rides/new\""))
            let (near, far) = (Ride.sample(), Ride.sample())
            door.services.on(RidesMethods.rides) { request in
                switch request.parameters.region {
                case "North": Page(items: [near])
                case nil: Page(items: [far])
                default: Page(items: [])
                }
            }
            let all = try await maya.get("/").text
            #expect(all.contains("Rides that leave soon") && all.contains("data-ride=\"\(far.id)\""))
            #expect(all.contains("/rides.css"))
            for (region, shown, heading) in [
                ("North", near, "Rides from North"), ("South", far, "Rides that leave soon"),
            ] {
                _ = try await maya.post("/me/edit", ["name": "Maya", "region": region, "key": region])
                let home = try await maya.get("/").text
                #expect(home.contains(heading) && home.contains("data-ride=\"\(shown.id)\""), "\(region)")
            }
            door.services.refuse(RidesMethods.rides, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/")
            #expect(away.status == 200 && !away.text.contains("id=\"rides\""))
        }
    }

    @Test func a_chat_about_a_ride_says_what_runs_between_the_two() async throws {
        try await PageDoor.run { door in
            let two = try await PageAskTests.two(door)
            let (maya, ben) = (try door.person("Maya"), try door.person("Ben"))
            let talk = PageTalk(maya, ben, about: Subject(two.ride.id), title: "Mill Lane → Old Town", at: door)
            #expect(!(try await two.rider.get(talk.path).text.contains("room-rental")))
            let request = two.carpool.ask(two.ride, ben)
            for visitor in [two.driver, two.rider] {
                let chat = try await visitor.get(talk.path).text
                #expect(chat.contains("href=\"/seats/\(request.id)\">Asked: Friday, 5 March 2027, 17:00 (Helsinki)"))
                #expect(!chat.contains("tel:"))
            }
            two.carpool.change(request.id) { ($0.state, $0.together) = (.accepted, .new()) }
            let riding = try await two.rider.get(talk.path).text
            #expect(riding.contains("Accepted: Friday") && riding.contains("href=\"tel:+6591234567\""))
            two.carpool.change(request.id) { $0.state = .rode }
            #expect(!(try await two.rider.get(talk.path).text.contains("room-rental")))
            door.services.refuse(RidesMethods.requests, ServiceError(.unavailable, "Away."))
            #expect(try await two.rider.get(talk.path).status == 200)
        }
    }
}
