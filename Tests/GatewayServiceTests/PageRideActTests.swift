import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What a driver does with a ride: it says what will happen and who is told, and is done once.
@Suite struct PageRideActTests {
    @Test func removing_names_who_is_told_and_takes_a_reason() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ride = Ride.sample(by: try door.person("Maya").summary) { $0.possible = [.change, .remove, .depart] }
            let people = ["Ana", "Ben", "Cleo", "Dan"].map { PersonSummary(id: .new(), name: $0) }
            let states: [SeatState] = [.pending, .accepted, .waiting, .rejected]
            let requests = zip(people, states).map { SeatRequest.sample(in: ride, by: $0, $1) }
            door.show(ride)
            door.services.answer(RidesMethods.requests, Page(items: requests))
            door.services.answer(RidesMethods.removeRide, Nothing())
            let asked = try await maya.get("/rides/\(ride.id)/remove")
            #expect(asked.status == 200 && asked.text.contains("Remove this ride?"))
            #expect(asked.text.contains("Ana, Ben and Cleo will be told.") && !asked.text.contains("Dan"))
            #expect(asked.text.contains("Testholm → Harbour, Friday, 8 March 2999, 17:00"))
            let part = try await maya.get(
                "/rides/\(ride.id)/remove", [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(part.text.hasPrefix("<div class=\"ask") && !part.text.contains("<html"))
            for _ in 0..<2 {
                let sent = try await maya.post("/rides/\(ride.id)/remove", ["key": "1", "reason": " The car is ill. "])
                #expect(sent["Location"] == "/rides/mine?done=ride.remove")
            }
            let done = try door.services.done(RidesMethods.removeRide)
            #expect(done.map(\.content.reason) == ["The car is ill."] && done.map(\.parameters.id) == [ride.id])
            // Nobody is named where nobody has to do with it.
            door.services.answer(RidesMethods.requests, Page(items: []))
            #expect(!(try await maya.get("/rides/\(ride.id)/remove").text.contains("will be told")))
        }
    }

    @Test func what_is_wrong_with_the_reason_stands_at_it() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ride = Ride.sample(by: try door.person("Maya").summary) { $0.possible = [.remove] }
            door.show(ride)
            door.services.answer(RidesMethods.requests, Page(items: []))
            door.services.refuse(RidesMethods.removeRide, .invalid([FieldError("reason", "too_long", "No.")]))
            let page = try await maya.post("/rides/\(ride.id)/remove", ["key": "kept", "reason": "Too much"])
            #expect(page.status == 422 && page.text.contains("At most 1,000 characters."))
            #expect(page.text.contains("Too much") && page.text.contains("name=\"key\" value=\"kept\""))
        }
    }

    @Test func setting_off_and_arriving_are_asked_once() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ride = Ride.sample(by: try door.person("Maya").summary) { $0.possible = [.depart, .arrive] }
            door.show(ride)
            door.services.answer(RidesMethods.requests, Page(items: []))
            door.services.answer(RidesMethods.departRide, ride)
            door.services.answer(RidesMethods.arriveRide, ride)
            for (act, title) in [("depart", "Are you off?"), ("arrive", "Have you arrived?")] {
                let asked = try await maya.get("/rides/\(ride.id)/\(act)").text
                #expect(asked.contains(title) && !asked.contains("name=\"reason\""), "\(act)")
                let sent = try await maya.post("/rides/\(ride.id)/\(act)", ["key": "1"])
                #expect(sent["Location"] == "/rides/\(ride.id)?done=ride.\(act)")
            }
            #expect(door.services.commands.suffix(2) == ["rides.departRide", "rides.arriveRide"])
        }
    }

    @Test func who_comes_too_late_sees_the_ride_as_it_is_now() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ride = Ride.sample(by: try door.person("Maya").summary) { $0.state = .departed }
            door.show(ride)
            door.services.answer(RidesMethods.requests, Page(items: []))
            door.services.refuse(RidesMethods.removeRide, ServiceError(.wrongState, "It has left."))
            let asked = try await maya.get("/rides/\(ride.id)/remove")
            let sent = try await maya.post("/rides/\(ride.id)/remove", ["key": "1"])
            for page in [asked, sent] {
                #expect(page.status == 409 && page.text.contains("That is no longer possible."))
                #expect(page.text.contains("This ride has left."))
            }
            door.services.refuse(RidesMethods.removeRide, .doneBefore)
            let again = try await maya.post("/rides/\(ride.id)/remove", ["key": "1"])
            #expect(again["Location"] == "/rides/mine?done=ride.remove")
        }
    }

    @Test func nobody_does_it_for_the_driver() async throws {
        try await PageDoor.run { door in
            let ben = try await door.join("Ben")
            let ride = Ride.sample { $0.possible = [.remove] }
            door.show(ride)
            for act in ["remove", "depart", "arrive"] {
                #expect(try await ben.get("/rides/\(ride.id)/\(act)").status == 403, "\(act)")
            }
            door.services.refuse(RidesMethods.departRide, ServiceError(.forbidden, "Only its driver may do that."))
            #expect(try await ben.post("/rides/\(ride.id)/depart", ["key": "1"]).status == 403)
        }
    }
}
