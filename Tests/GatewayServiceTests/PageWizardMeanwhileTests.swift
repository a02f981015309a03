import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Two windows, or the telephone and the desk, fill in the same draft: nothing that one of them has saved is taken back without a word.
@Suite struct PageWizardMeanwhileTests {
    private static let size = ["size": "12", "title": "Dry cellar", "description": ""]
    private static let price = ["price": "3", "longest": "30", "zone": "Europe/Vienna", "cancellation": "flexible"]
    private static let place = ["region": "North", "place": "Well Street", "address": "Well Street 5, cellar"]

    /// A draft with all that a space needs; its wizard's address.
    private func begun(_ maya: PageVisitor, _ door: PageDoor) async throws -> String {
        _ = try await maya.post("/spaces/new", Self.place.merging(["key": Visit.newKey()]) { $1 })
        let wizard = "/spaces/\(try space(door).id)/wizard"
        for (step, fields) in [("size", Self.size), ("price", Self.price)] {
            let page = try await maya.get("\(wizard)/\(step)")
            #expect(try await maya.post("\(wizard)/\(step)", try sent(page, fields)).status == 303)
        }
        return wizard
    }

    private func space(_ door: PageDoor) throws -> Thing { try #require(door.things.value.first) }

    /// What a page's form says, with what was typed into it.
    private func sent(
        _ page: RawResponse, _ fields: [String: String], _ typed: [String: String] = [:]
    ) throws -> [String: String] {
        let version: String = try #require(page.text.hiddenField("version"))
        let key: String = try #require(page.text.hiddenField("key"))
        return fields.merging(typed) { $1 }.merging(["version": version, "key": key]) { $1 }
    }

    /// - Parameters:
    ///   - first: what the first window has saved in a field.
    ///   - second: what the other one has typed there.
    private func two(
        _ step: String, _ fields: [String: String], _ field: String, first: String, second: String
    ) async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let path = "\(try await begun(maya, door))/\(step)"
            for go in ["", "back"] {
                let (one, other) = (try await maya.get(path), try await maya.get(path))
                #expect(try await maya.post(path, try sent(one, fields, [field: first])).status == 303)
                let kept = try space(door).version
                let typed = [field: second, "go": go]
                let told = try await maya.post(path, try sent(other, fields, typed))
                #expect(told.status == 409 && told.text.contains("This was changed meanwhile"))
                #expect(told.text.contains("value=\"\(second)\"") && told.text.contains(">\(first)</span>"))
                #expect(told.text.contains("href=\"\(path)\">Go on with what is saved</a>"))
                #expect(try space(door).version == kept)
                #expect(try await maya.post(path, try sent(told, fields, typed)).status == 303)
                #expect(try space(door).version != kept)
            }
        }
    }

    @Test func the_second_window_of_a_step_is_told() async throws {
        try await two("address", Self.place, "place", first: "Hill Street", second: "Mill Street")
        try await two("size", Self.size, "title", first: "Dry room", second: "Wet cellar")
        try await two("price", Self.price, "price", first: "4", second: "5")
    }

    @Test func different_steps_take_nothing_back_of_each_other() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let wizard = try await begun(maya, door)
            let (size, price) = (try await maya.get("\(wizard)/size"), try await maya.get("\(wizard)/price"))
            let place = try await maya.get("\(wizard)/address")
            let sized = try await maya.post("\(wizard)/size", try sent(size, Self.size, ["title": "Dry room"]))
            #expect(sized.status == 303)
            // The longest period is taken away by a page that knows of no other change.
            let priced = try await maya.post("\(wizard)/price", try sent(price, Self.price, ["longest": ""]))
            #expect(priced.status == 303)
            let placed = try await maya.post("\(wizard)/address", try sent(place, Self.place, ["address": "At 6"]))
            #expect(placed.status == 303)
            let kept = try space(door)
            #expect(kept.title == "Dry room" && kept.terms.longest == nil && kept.address == "At 6")
            // Nothing is no longest period, and nought is none that could be meant.
            let none = try sent(try await maya.get("\(wizard)/price"), Self.price, ["longest": "0"])
            #expect(try await maya.post("\(wizard)/price", none).status == 422)
        }
    }

    /// As browsers do it that keep a page while one is at the next.
    @Test func a_page_that_is_gone_back_to_says_what_it_saved_before() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let path = "\(try await begun(maya, door))/size"
            let page = try await maya.get(path)
            let first = try sent(page, Self.size, ["title": "Dry room"])
            for _ in 1...2 { #expect(try await maya.post(path, first).status == 303) }
            door.services.refuse(ListingsMethods.amendThing, .doneBefore)
            let again = try await maya.post(path, try sent(page, Self.size, ["title": "Wet room"]))
            door.services.refuse(ListingsMethods.amendThing, nil)
            #expect(again.status == 409 && again.text.contains("value=\"Wet room\""))
            #expect(again.text.contains(">Dry room</span>"))
            // A key that has done something does nothing else.
            #expect(again.text.hiddenField("key") != first["key"])
            let saved = try await maya.post(path, try sent(again, Self.size, ["title": "Wet room"]))
            #expect(saved.status == 303)
            #expect(try space(door).title == "Wet room")
        }
    }

    @Test func what_is_shared_is_what_was_looked_over() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let wizard = try await begun(maya, door)
            let all = try await maya.get("\(wizard)/confirm")
            let size = try await maya.get("\(wizard)/size")
            _ = try await maya.post("\(wizard)/size", try sent(size, Self.size, ["title": "Dry room"]))
            let told = try await maya.post("\(wizard)/confirm", try sent(all, [:]))
            #expect(told.status == 409 && told.text.contains("Look it over once more"))
            #expect(told.text.contains("Dry room"))
            #expect(try space(door).state == .draft)
            let shared = try await maya.post("\(wizard)/confirm", try sent(told, [:]))
            #expect(shared.status == 303)
            #expect(try space(door).state == .listed)
        }
    }
}
