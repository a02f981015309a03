import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// A space is shared step by step; a draft of it is its owner's alone.
@Suite struct PageWizardTests {
    private static let whereabouts = [
        "region": "North", "place": "Well Street", "address": "Well Street 5, cellar", "position": "60.17,24.94",
    ]

    private func keyed(_ fields: [String: String]) -> [String: String] {
        fields.merging(["key": UUID.version7().uuidString]) { $1 }
    }

    private func spaces(_ door: PageDoor) -> [Thing] { door.things.value }

    @Test func five_steps_lead_to_a_space_that_others_see() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let first = try await maya.get("/spaces/new")
            #expect(first.text.contains("Step 1 of 5") && first.text.contains("Where is your space?"))
            #expect(try await maya.post("/spaces/new", keyed(["place": "Well Street"])).status == 422)
            #expect(spaces(door).isEmpty)
            let begun = try await maya.post("/spaces/new", keyed(Self.whereabouts))
            let space = try #require(spaces(door).first)
            let wizard = "/spaces/\(space.id)/wizard"
            #expect(begun["Location"] == "\(wizard)/size" && space.state == .draft)
            #expect(try await ben.get("\(wizard)/size").status == 404)
            #expect(try await ben.get("/spaces/\(space.id)").status == 404)
            let small = try await maya.post("\(wizard)/size", keyed(["size": "12.5", "title": "Dry cellar"]))
            #expect(small.status == 422 && small.text.contains("Whole square metres, such as 12."))
            let sized = try await maya.post("\(wizard)/size", keyed(["size": "12", "title": "Dry cellar"]))
            #expect(sized["Location"] == "\(wizard)/price")
            let unknown = ServiceError.invalid([FieldError("zone", "unknown", "This is no time zone.")])
            door.services.refuse(ListingsMethods.amendThing, unknown)
            let nowhere = try await maya.post("\(wizard)/price", keyed(["price": "3", "zone": "Atlantis"]))
            #expect(nowhere.status == 422 && nowhere.text.contains("There is no such time zone."))
            door.services.refuse(ListingsMethods.amendThing, nil)
            let terms = ["price": "3", "longest": "30", "zone": "Europe/Vienna"]
            let priced = try await maya.post("\(wizard)/price", keyed(terms))
            #expect(priced["Location"] == "\(wizard)/photos")
            #expect(try await maya.post("\(wizard)/photos", keyed([:]))["Location"] == "\(wizard)/confirm")
            let all = try await maya.get("\(wizard)/confirm")
            for text in [
                "Step 5 of 5", "Well Street 5, cellar", "12 square metres", "€3 a day", "30 days", "Flexible",
                "Europe/Vienna",
            ] {
                #expect(all.text.contains(text), "\(text)")
            }
            // One line is changed, and leads back to where all of them are.
            #expect(all.text.contains("href=\"\(wizard)/price?then=confirm\""))
            let changed = try await maya.post("\(wizard)/price?then=confirm", keyed(["price": "", "longest": ""]))
            #expect(changed["Location"] == "\(wizard)/confirm")
            #expect(spaces(door)[0].terms.price == nil && spaces(door)[0].terms.longest == nil)
            #expect(spaces(door)[0].size == 12 && spaces(door)[0].address == "Well Street 5, cellar")
            let shared = try await maya.post("\(wizard)/confirm", keyed([:]))
            #expect(shared["Location"] == "/spaces/\(space.id)?done=thingShared")
            #expect(try await ben.get("/spaces/\(space.id)").status == 200)
            #expect(try await maya.get("\(wizard)/size")["Location"] == "/spaces/\(space.id)")
        }
    }

    @Test func back_keeps_what_was_typed_and_a_draft_goes_on_where_it_lacks_something() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/spaces/new", keyed(Self.whereabouts))
            let wizard = "/spaces/\(spaces(door)[0].id)/wizard"
            let back = try await maya.post("\(wizard)/size", keyed(["size": "", "title": "Dry cellar", "go": "back"]))
            #expect(back["Location"] == "\(wizard)/address")
            #expect(spaces(door)[0].title == "Dry cellar")
            #expect(try await maya.get("\(wizard)/address").text.contains("value=\"Well Street 5, cellar\""))
            let mine = try await maya.get("/me/things")
            #expect(mine.text.contains("Drafts") && mine.text.contains("href=\"\(wizard)/size\""))
            let id = spaces(door)[0].id
            #expect(try await maya.get("/things/\(id)/edit")["Location"] == "\(wizard)/size")
            _ = try await maya.post("\(wizard)/size", keyed(["size": "12", "title": "Dry cellar"]))
            #expect(try await maya.get("/me/things").text.contains("href=\"\(wizard)/price\""))
        }
    }

    @Test func cancelling_asks_whether_the_draft_is_kept() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/spaces/new", keyed(Self.whereabouts))
            let id = spaces(door)[0].id
            let ask = try await maya.get("/spaces/\(id)/wizard/cancel?at=size")
            #expect(ask.text.contains("Keep the draft?") && ask.text.contains("/me/things?done=draftKept"))
            #expect(ask.text.contains("href=\"/spaces/\(id)/wizard/size\""))
            let form = keyed([:])
            for done in ["?done=draftDeleted", ""] {
                let gone = try await maya.post("/things/\(id)/withdraw", form)
                #expect(gone["Location"] == "/me/things\(done)")
            }
            #expect(spaces(door).isEmpty)
        }
    }

    @Test func what_listings_misses_is_asked_for_at_its_step() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/spaces/new", keyed(Self.whereabouts))
            let wizard = "/spaces/\(spaces(door)[0].id)/wizard"
            door.services.refuse(
                ListingsMethods.publishThing, .invalid([FieldError("title", "required", "Give it a title.")]))
            let early = try await maya.post("\(wizard)/confirm", keyed([:]))
            #expect(early.status == 422 && early.text.contains("Step 2 of 5"))
            #expect(early.text.contains("Give it a title.") && early.text.contains("action=\"\(wizard)/size\""))
        }
    }
}
