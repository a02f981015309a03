import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What people share for rent: the form.
@Suite struct PageSharingTests {
    static let car = [
        "car": "Toyota: Yaris", "plate": "SBA 1234 G", "title": "A quiet Yaris", "description": "Five seats.",
        "region": "North", "place": "Well Street", "address": "Well Street 5, door B", "price": "25,50",
        "from": "2026-12-01", "until": "2026-12-31", "longest": "7", "cancellation": "strict", "instant": "yes",
        "position": "60.17,24.94",
    ]

    static func form(_ fields: [String: String] = [:]) -> [String: String] {
        car.merging(["key": UUID.version7().uuidString]) { $1 }.merging(fields) { $1 }
    }

    private func things(_ door: PageDoor) -> [Thing] { door.things.value }

    @Test func a_car_is_shared_with_all_that_was_typed() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let page = try await maya.get("/cars/new")
            #expect(page.status == 200 && page.text.contains("<optgroup label=\"Toyota\">"))
            #expect(page.text.contains("Nobody but you ever sees it."))
            #expect(page.text.contains("half until a week before, then all of it"))
            let form = Self.form()
            let shared = try await maya.post("/cars/new", form)
            let car = try #require(things(door).first)
            #expect(shared["Location"] == "/cars/\(car.id)?done=thingShared")
            #expect((car.brand, car.model) == ("Toyota", "Yaris") && car.plate == "SBA 1234 G")
            #expect(car.terms.price == Money(amount: 2550, currency: "EUR") && car.terms.longest == 7)
            #expect(car.terms.cancellation == .strict && car.terms.isInstant)
            #expect(car.available == AvailableDays(from: "2026-12-01", until: "2026-12-31"))
            #expect(car.position == Position(latitude: 60.17, longitude: 24.94))
            // Sent twice, it is one request, and so one car.
            door.services.answer(ListingsMethods.postThing, car)
            #expect(try await maya.post("/cars/new", form)["Location"] == shared["Location"])
            #expect(try door.services.done(ListingsMethods.postThing).count == 1)
            door.services.refuse(ListingsMethods.postThing, .doneBefore)
            let other = form.merging(["title": "Another one"]) { $1 }
            #expect(try await maya.post("/cars/new", other)["Location"] == "/me/things?done=thingSharedBefore")
        }
    }

    @Test func what_is_wrong_stands_at_its_field_and_nothing_is_lost() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let missing = try await maya.post(
                "/cars/new", Self.form(["car": "", "plate": "", "region": "", "price": "much", "place": ""]))
            #expect(missing.status == 422)
            for sentence in [
                "Choose which car it is.", "A car needs its number plate.", "Choose the region.",
                "A price is a number, zero or more", "Say about where it is",
            ] { #expect(missing.text.contains(sentence), "\(sentence)") }
            #expect(missing.text.contains("value=\"A quiet Yaris\"") && missing.text.contains("Five seats."))
            let form = Self.form(["plate": "SBA 1234 H"])
            let letter = FieldError("plate", "not_a_plate", "The last letter does not belong to it.")
            door.services.refuse(ListingsMethods.postThing, .invalid([letter]))
            let refused = try await maya.post("/cars/new", form)
            #expect(refused.status == 422 && refused.text.contains("The last letter does not belong to it."))
            #expect(refused.text.contains("value=\"SBA 1234 H\"") && refused.text.contains("aria-invalid=\"true\""))
            #expect(refused.text.contains("<option value=\"Toyota: Yaris\" selected>"))
            #expect(refused.text.contains("value=\"\(form["key"]!)\""))
            door.services.refuse(
                ListingsMethods.postThing, .invalid([FieldError("longest", "out_of_range", "Between 1 and 90.")]))
            let long = try await maya.post("/cars/new", Self.form(["longest": "100"]))
            #expect(long.text.contains("no longer than this community allows"))
            door.services.refuse(ListingsMethods.postThing, nil)
            let mended = try await maya.post("/cars/new", form.merging(["plate": "SBA1234G"]) { $1 })
            #expect(mended.status == 303)
        }
    }

    @Test func a_plate_that_cant_be_read_is_asked_for_again() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            // Listings tells no plate of it, though no car is listed without one.
            let car = door.letThing(.car, "Yaris", by: try door.person("Maya")) { $0.place = "Well Street" }
            let garage = door.letThing(.parking, "Garage", by: try door.person("Maya"))
            let mine = try await maya.get("/me/things").text
            #expect(mine.components(of: "The number plate can&#39;t be read any more: give it again") == 1)
            #expect(mine.contains("<a href=\"/things/\(car.id)/edit\">The number plate"))
            let edit = try await maya.get("/things/\(car.id)/edit").text
            #expect(edit.contains("Please give it again.") && !edit.contains("Leave it empty to keep it as it is."))
            #expect(try await maya.get("/things/\(garage.id)/edit").status == 200)
            let without = try await maya.post("/things/\(car.id)/edit", Self.form(["plate": ""]))
            #expect(without.status == 422 && without.text.contains("A car needs its number plate."))
            #expect(without.text.contains("Please give it again."))
            #expect(try await maya.post("/things/\(car.id)/edit", Self.form()).status == 303)
            #expect(!(try await maya.get("/me/things").text.contains("be read any more")))
        }
    }

    @Test func a_time_zone_is_the_communitys_until_another_one_is_chosen() async throws {
        let chosen = "<option value=\"Asia/Singapore\" selected>Asia/Singapore</option>"
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let page = try await maya.get("/cars/new").text
            #expect(page.contains(chosen) && page.contains("<option value=\"Europe/Helsinki\">"))
            #expect(page.contains("<option value=\"America/New_York\">America/New York</option>"))
            let unknown = ServiceError.invalid([FieldError("zone", "unknown", "This is no time zone.")])
            door.services.refuse(ListingsMethods.postThing, unknown)
            let wrong = try await maya.post("/cars/new", Self.form(["zone": "Atlantis/Capital"]))
            door.services.refuse(ListingsMethods.postThing, nil)
            #expect(wrong.status == 422 && wrong.text.contains("There is no such time zone."))
            #expect(wrong.text.contains("id=\"zone-error\""))
            #expect(wrong.text.contains("value=\"Atlantis/Capital\" selected"))
            #expect(try await maya.post("/cars/new", Self.form(["zone": "America/New_York"])).status == 303)
            let car = try #require(things(door).first)
            #expect(car.terms.zone == "America/New_York")
            let edit = try await maya.get("/things/\(car.id)/edit").text
            #expect(edit.contains("<option value=\"America/New_York\" selected>") && !edit.contains(chosen))
            #expect(edit.contains("the time zone stays as it is"))
            // While somebody has it, listings refuses another one, and the form says why.
            let inUse = ServiceError.invalid([FieldError("zone", "in_use", "It stays.")])
            door.services.refuse(ListingsMethods.changeThing, inUse)
            let moved = try await maya.post(
                "/things/\(car.id)/edit", Self.form(["zone": "Europe/Helsinki", "plate": ""]))
            #expect(moved.status == 422 && moved.text.contains("id=\"zone-error\">Somebody has it"))
            #expect(moved.text.contains("value=\"Europe/Helsinki\" selected"))
            door.services.refuse(ListingsMethods.changeThing, nil)
            _ = try await maya.post("/things/\(car.id)/edit", Self.form(["zone": "Europe/Helsinki", "plate": ""]))
            #expect(things(door).first?.terms.zone == "Europe/Helsinki")
        }
    }

    @Test func time_zones_are_those_of_the_system() throws {
        #expect(ZoneNames.all.count > 300 && ZoneNames.all.allSatisfy { Zone.named($0) != nil })
        #expect(ZoneNames.read("/nowhere/zone.tab").isEmpty)
        // What a thing has is among them, whatever it is, and once.
        let options = ZoneNames.options("Etc/UTC", besides: "Asia/Singapore")
        #expect(options.filter(\.chosen).map(\.value) == ["Etc/UTC"])
        #expect(options.filter { $0.value == "Asia/Singapore" }.count == 1)
    }

    @Test func what_everybody_may_know_is_filled_in_without_the_number_of_the_house() async throws {
        #expect(Neighbourhood.withoutNumbers("Fabianinkatu 33 B, 00100 Helsinki") == "Fabianinkatu, Helsinki")
        #expect(Neighbourhood.withoutNumbers("12-14 Jalan Besar, #04-11") == "Jalan Besar")
        #expect(Neighbourhood.withoutNumbers("5th Avenue") == "5th Avenue")
        try await PageDoor.run { door in
            door.knowPlaces()
            let maya = try await door.join("Maya")
            let form = Self.form(["place": "", "position": "60.1699,24.9384"])
            let named = try await maya.post("/cars/new", form)
            #expect(named.status == 422)
            #expect(named.text.contains("We filled in what everybody may know"))
            #expect(named.text.contains("name=\"place\" type=\"text\" value=\"near "))
            #expect(things(door).isEmpty)
            // It follows an address that is chosen anew, as long as nobody has touched it.
            let chosen = ["find": "Well", "find.at": "60.1699,24.9384 Well", "place": "near Elsewhere"]
            let moved = try await maya.post(
                "/cars/new", Self.form(chosen.merging(["proposed": "near Elsewhere"]) { $1 }))
            #expect(moved.status == 422 && !moved.text.contains("value=\"near Elsewhere\""))
            #expect(try await maya.post("/cars/new", Self.form(chosen)).status == 303)
            #expect(things(door).first?.place == "near Elsewhere")
        }
    }

    @Test func the_pin_of_a_thing_is_put_on_a_map_and_read_by_the_server() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            for path in ["/cars/new", "/private-parking/new", "/spaces/new"] {
                let page = try await maya.get(path).text
                #expect(page.contains("id=\"pin-map\"") && page.contains("vendor/leaflet.js"), "\(path)")
                #expect(page.contains("name=\"position\" value=\"\""), "\(path)")
            }
            for strange in ["91,2", "60.1", "here", "60.17,nan"] {
                let page = try await maya.post("/cars/new", Self.form(["position": strange]))
                #expect(page.status == 422 && page.text.contains("Where the pin is could not be read."), "\(strange)")
                #expect(page.text.contains("name=\"position\" value=\"\""), "\(strange)")
            }
            #expect(things(door).isEmpty)
            _ = try await maya.post("/cars/new", Self.form())
            let car = try #require(things(door).first)
            let edit = try await maya.get("/things/\(car.id)/edit").text
            #expect(
                edit.contains("name=\"position\" value=\"60.17,24.94\"") && edit.contains("data-center=\"60.17,24.94\"")
            )
            #expect(!(try await ben.get("/cars/\(car.id)").text.contains("geo:")))
            // What was typed and not chosen leaves the pin where it is, where one says so.
            door.knowPlaces()
            let asked = try await maya.post("/things/\(car.id)/edit", Self.form(["find": "Kluu", "plate": ""]))
            #expect(asked.status == 422 && asked.text.contains("name=\"find.at\" value=\"keep\""))
        }
    }

    @Test func photos_are_moved_and_removed_by_buttons_of_the_form() async throws {
        let ids = ["a", "b", "c"].map { String(repeating: $0, count: 64) }
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            func order(_ act: String) async throws -> String? {
                let page = try await maya.post(
                    "/cars/new", Self.form(["pictures": ids.joined(separator: " "), "pictures.do": act]))
                #expect(page.status == 200 && page.text.contains("value=\"A quiet Yaris\""))
                guard let found = page.text.firstRange(of: "name=\"pictures\" value=\"") else { return nil }
                return String(page.text[found.upperBound...].prefix { $0 != "\"" })
            }
            #expect(try await order("earlier \(ids[2])") == [ids[0], ids[2], ids[1]].joined(separator: " "))
            #expect(try await order("later \(ids[0])") == [ids[1], ids[0], ids[2]].joined(separator: " "))
            #expect(try await order("remove \(ids[0])") == [ids[1], ids[2]].joined(separator: " "))
            #expect(try await order("earlier \(ids[0])") == ids.joined(separator: " "))
            #expect(things(door).isEmpty)
            let strange = try await maya.post("/cars/new", Self.form(["pictures": "../x \(ids[0]) \(ids[0])"]))
            #expect(strange.status == 303 && things(door).first?.photos == [ids[0]])
        }
    }
}
