import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Names and addresses in forms: what is filled in, what is offered, which one is meant.
@Suite struct PagePlaceTests {
    static let spot = ["latitude": "60.1712", "longitude": "24.9501", "kind": "street"]

    @Test func a_spot_without_a_name_is_called_after_where_it_is_and_looked_over_before_it_is_shared() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            var form = Self.spot.merging(["name": "", "key": UUID.version7().uuidString]) { $1 }
            let shown = try await maya.post("/share", form)
            #expect(shown.status == 422)
            #expect(shown.text.contains("value=\"near Fabianinkatu 33, Testholm\""))
            #expect(shown.text.contains("You left the name empty, so it is called after where it is."))
            #expect(!shown.text.contains("aria-invalid") && shown.text.contains(form["key"]!))
            #expect(door.spots().isEmpty)
            form["name"] = "near Fabianinkatu 33, Testholm"
            #expect(try await maya.post("/share", form).status == 303)
            #expect(door.spots().map(\.name) == ["near Fabianinkatu 33, Testholm"])
        }
    }

    @Test func other_mistakes_are_said_beside_the_name_that_was_filled_in() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let shown = try await maya.post("/share", Self.spot.merging(["price": "a lot"]) { $1 })
            #expect(shown.status == 422)
            #expect(shown.text.contains("value=\"near Fabianinkatu 33, Testholm\""))
            #expect(shown.text.contains("A price is a number"))
            let nowhere = try await maya.post("/share", ["latitude": "north", "longitude": "24.95"])
            #expect(nowhere.text.contains("Give it a name or an address."))
        }
    }

    @Test func what_was_typed_is_never_replaced() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.spot.merging(["name": "By the well"]) { $1 })
            #expect(door.spots().map(\.name) == ["By the well"])
            #expect(try door.services.asked(PlacesMethods.reverse).isEmpty)
        }
    }

    @Test(arguments: [ErrorCode.unavailable, .outcomeUnknown, .internalError, .notFound])
    func where_places_does_not_answer_the_form_is_as_ever(_ code: ErrorCode) async throws {
        try await PageDoor.run { door in
            door.services.refuse(PlacesMethods.reverse, ServiceError(code, "Away."))
            let maya = try await door.join("Maya")
            let refused = try await maya.post("/share", Self.spot)
            #expect(refused.status == 422 && refused.text.contains("Give it a name or an address."))
            #expect(try await maya.post("/share", Self.spot.merging(["name": "By the well"]) { $1 }).status == 303)
        }
    }

    @Test func a_spot_that_is_changed_may_be_named_so_too() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.spot.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)/edit"
            let shown = try await maya.post(path, Self.spot.merging(["lifetime": "same"]) { $1 })
            #expect(shown.status == 422 && shown.text.contains("value=\"near Fabianinkatu 33, Testholm\""))
            #expect(door.spots().map(\.name) == ["By the well"])
        }
    }

    @Test func a_point_is_named_in_the_readers_language() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let visitor = PageVisitor(port: door.port)
            let english = try await visitor.get("/places/name?at=60.1712,24.9501")
            #expect(english.status == 200 && english.text == #"{"name":"near Fabianinkatu 33, Testholm"}"#)
            let german = try await visitor.get("/places/name?at=60.1712,24.9501", [("Accept-Language", "de")])
            #expect(german.text == #"{"name":"bei Fabianinkatu 33, Testholm"}"#)
            for wrong in ["", "?at=", "?at=91,0", "?at=north,0", "?at=nan,0"] {
                #expect(try await visitor.get("/places/name" + wrong).status == 400, "\(wrong)")
            }
            door.knowPlaces(false)
            #expect(try await visitor.get("/places/name?at=60.1712,24.9501").status == 204)
        }
    }

    @Test func a_name_that_is_filled_in_is_no_longer_than_a_name_may_be() {
        let name = PlaceNaming.text(String(repeating: "Ä b", count: 60), in: PageRenderingTests.english)
        #expect(name.count <= 120 && name.hasPrefix("near Ä b") && name.hasSuffix("…"))
    }

    @Test func an_address_without_a_position_comes_back_with_the_matches_to_choose_from() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            var form = ["name": "By the well", "address": "fabian", "key": UUID.version7().uuidString]
            let offered = try await maya.post("/share", form)
            #expect(offered.status == 422)
            #expect(offered.text.contains("Several places are called so. Which one do you mean?"))
            let street = "60.1711,24.95 Fabianinkatu, Testholm"
            #expect(offered.text.contains("<input type=\"radio\" name=\"address.at\" value=\"\(street)\">"))
            #expect(offered.text.contains("name=\"address.for\" value=\"fabian\""))
            // No position was typed, so there is none to keep, and none is asked for beside the choice.
            #expect(!offered.text.contains("value=\"keep\""))
            #expect(!offered.text.contains("Place the pin or type the latitude."))
            form["address.for"] = "fabian"
            #expect(try await maya.post("/share", form).text.contains("value=\"\(street)\""))
            form["address.at"] = street
            #expect(try await maya.post("/share", form)["Location"] == "/parking?near=60.1711%2C24.95&done=posted")
            #expect(door.spots().map(\.name) == ["By the well"])
        }
    }

    @Test func a_choice_holds_for_the_text_that_it_was_offered_for() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let stale = [
                "name": "By the well", "address": "kluuvi", "address.for": "fabian",
                "address.at": "60.1711,24.95 Fabianinkatu, Testholm",
            ]
            let again = try await maya.post("/share", stale)
            #expect(again.status == 422 && again.text.contains("value=\"60.173,24.952 Kluuvi, Testholm\""))
            for broken in ["", "here", "91,0 Kluuvi", "60.173,24.952", "keep"] {
                let form = ["name": "x", "address": "kluuvi", "address.for": "kluuvi", "address.at": broken]
                #expect(try await maya.post("/share", form).status == 422, "\(broken)")
            }
            #expect(door.spots().isEmpty)
        }
    }

    @Test func who_has_a_position_and_an_address_says_which_one_it_is() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            var form = Self.spot.merging(["name": "By the well", "address": "kluuvi"]) { $1 }
            #expect(try await maya.post("/share", form).text.contains("value=\"keep\""))
            form.merge(["address.at": "keep", "address.for": "kluuvi"]) { $1 }
            #expect(try await maya.post("/share", form)["Location"] == "/parking?near=60.1712%2C24.9501&done=posted")
            // As combobox.js sends what was chosen from suggestions: the choice, and its name in the field.
            form = Self.spot.merging(["name": "By the other well", "address": "Kluuvi, Testholm"]) { $1 }
            form["address.at"] = "60.173,24.952 Kluuvi, Testholm"
            #expect(try await maya.post("/share", form)["Location"] == "/parking?near=60.173%2C24.952&done=posted")
        }
    }

    @Test func an_address_that_nobody_knows_or_that_cannot_be_looked_up_is_said_at_its_field() async throws {
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let form = Self.spot.merging(["name": "By the well", "address": "Nowhere Lane"]) { $1 }
            #expect(try await maya.post("/share", form).text.contains("No place of that name is known here."))
            door.services.refuse(PlacesMethods.search, ServiceError(.unavailable, "Away."))
            let away = try await maya.post("/share", form)
            #expect(away.status == 422 && away.text.contains("Addresses can&#39;t be looked up just now."))
            #expect(try await maya.post("/share", form.merging(["address": ""]) { $1 }).status == 303)
        }
    }
}
