import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// A ride that is changed: only what is something else than it was is said.
@Suite struct PageOfferChangeTests {
    private func typed(_ page: RawResponse, _ fields: [String: String] = [:]) -> [String: String] {
        let all = [
            "from": "Mill Lane 7, Testholm", "stop1": "Harbour", "to": "Old Town", "day": "2027-03-05", "time": "17:00",
            "seats": "3", "cost": "12", "detour": "5", "luggage": "small", "accepts": "nobody",
            "notes": "No smoking, please.", "go": "save",
        ]
        return all.merging(page.text.kept) { own, _ in own }.merging(fields) { $1 }
    }

    @Test func what_stays_is_not_said_again() async throws {
        try await PageDoor.run { door in
            let carpool = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let ride = carpool.drive(try door.person("Maya"))
            let path = "/rides/\(ride.id)/change"
            let page = try await maya.get(path)
            #expect(page.status == 200 && page.text.contains("value=\"Mill Lane 7, Testholm\""))
            #expect(page.text.contains("value=\"17:00\"") && page.text.contains("No smoking, please.</textarea>"))
            let saved = try await maya.post(path, typed(page, ["notes": "Quiet."]))
            #expect(saved["Location"] == "/rides/\(ride.id)?done=saved")
            let draft = try #require(try door.services.asked(RidesMethods.changeRide).last?.content)
            #expect(draft.stops == nil && draft.departsAt == nil && draft.leavesBy == nil && draft.zone == nil)
            #expect(draft.notes == "Quiet." && draft.version == "1" && draft.seats == 3)
            let next = try await maya.get(path)
            let later = try await maya.post(
                path, typed(next, ["time": "18:15", "to": "Kai", "to.at": "60.2,24.9 Kai"]))
            #expect(later.status == 303)
            let moved = try #require(try door.services.asked(RidesMethods.changeRide).last?.content)
            #expect(moved.departsAt == "2027-03-05T18:15" && moved.zone == PageCarpool.zone && moved.leavesBy == "")
            #expect(moved.stops?.map(\.name) == ["Mill Lane, Testholm", "Harbour", "Kai"])
            #expect(moved.stops?.first?.address == "Mill Lane 7, Testholm")
            let other = try await door.join("Ben")
            #expect(try await other.get(path).status == 403)
        }
    }

    @Test func the_way_stays_where_somebody_counts_on_it() async throws {
        try await PageDoor.run { door in
            let carpool = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            _ = try await door.join("Ben")
            let ride = carpool.drive(try door.person("Maya"))
            let path = "/rides/\(ride.id)/change"
            let open = try await maya.get(path)
            carpool.ask(ride, try door.person("Ben"))
            let closed = try await maya.get(path)
            #expect(closed.text.contains("so the way stays as it is") && !closed.text.contains("name=\"from\""))
            #expect(closed.text.contains("Mill Lane 7, Testholm"))
            #expect(try await maya.post(path, typed(closed, ["from": "", "seats": "2"])).status == 303)
            #expect(try door.services.asked(RidesMethods.changeRide).last?.content.stops == nil)
            // The page was opened before somebody asked.
            door.services.refuse(RidesMethods.changeRide, ServiceError(.inUse, "They stay."))
            let late = try await maya.post(
                path, typed(open, ["to": "Kai", "to.at": "60.2,24.9 Kai", "notes": "Quiet."]))
            #expect(late.status == 409 && late.text.contains("Somebody has asked for a seat meanwhile"))
            #expect(late.text.contains("Quiet.</textarea>") && !late.text.contains("name=\"from\""))
            door.services.refuse(RidesMethods.changeRide, ServiceError(.seatsTaken, "2 ride along."))
            let few = try await maya.post(path, typed(closed, ["seats": "1"]))
            #expect(few.status == 409 && few.text.contains("id=\"seats-error\""))
            #expect(few.text.contains("More people ride along already"))
            door.services.refuse(RidesMethods.changeRide, ServiceError(.wrongState, "It has left."))
            #expect(try await maya.post(path, typed(closed))["Location"] == "/rides/\(ride.id)")
        }
    }

    @Test func what_was_saved_meanwhile_is_shown_beside_what_was_typed() async throws {
        try await PageDoor.run { door in
            let carpool = PageCarpool(at: door)
            let maya = try await door.join("Maya")
            let ride = carpool.drive(try door.person("Maya"))
            let path = "/rides/\(ride.id)/change"
            let (one, other) = (try await maya.get(path), try await maya.get(path))
            #expect(try await maya.post(path, typed(one, ["cost": "15", "luggage": "large"])).status == 303)
            let late = typed(other, ["notes": "Quiet."])
            let told = try await maya.post(path, late)
            #expect(told.status == 409 && told.text.contains("This was changed meanwhile"))
            #expect(told.text.contains(">15</span>") && told.text.contains(">Large</span>"))
            #expect(told.text.contains("Quiet.</textarea>"))
            #expect(told.text.contains("href=\"\(path)\">Go on with what is saved</a>"))
            #expect(try await maya.post(path, typed(told, ["notes": "Quiet."])).status == 303)
            #expect(carpool.rides.value[0].notes == "Quiet." && carpool.rides.value[0].cost?.amount == 1200)
        }
    }
}
