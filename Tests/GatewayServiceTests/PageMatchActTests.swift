import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What is done to a delivery, by its two and by moderators.
@Suite struct PageMatchActTests {
    private func two(
        _ door: PageDoor, _ state: MatchState, _ change: (inout DeliveryMatch) -> Void = { _ in }
    ) async throws -> PageMatchTests.Two {
        try await PageMatchTests.two(door, state, change)
    }

    @Test(arguments: [
        (MatchAct.pickUp, MatchState.accepted, MatchRole.deliverer, "You have it?", ["spent": "8,50"]),
        (.giveUp, .accepted, .deliverer, "Give it up?", ["reason": "Closed <b>."]),
        (.postpone, .pickedUp, .deliverer, "When will it be there?", ["minutes": "20"]),
        (.complete, .pickedUp, .deliverer, "Is it there?", ["code": "4711"]),
        (.cancel, .accepted, .orderer, "Cancel it?", [:]),
        (.raiseLimit, .accepted, .orderer, "Raise the limit?", ["amount": "15"]),
        (.reportNoShow, .pickedUp, .orderer, "Did Ana not come?", [:]),
        (.dispute, .noShow, .orderer, "Ask a moderator to decide?", ["reason": "I was there."]),
        (.tip, .completed, .orderer, "A tip for Ana?", ["amount": "1"]),
    ])
    func each_act_says_first_what_will_happen(
        _ act: MatchAct, _ state: MatchState, _ role: MatchRole, _ title: String, _ typed: [String: String]
    ) async throws {
        try await PageDoor.run { door in
            let two = try await two(door, state)
            let visitor = role == .orderer ? two.orderer : two.deliverer
            let path = "\(two.path)/\(act.path)"
            let page = try await visitor.get(path)
            #expect(page.status == 200 && page.text.contains(title))
            let dialog = try await visitor.get(path, [("HX-Request", "true"), ("HX-Target", "dialog")])
            #expect(dialog.text.contains("id=\"ask-title\"") && !dialog.text.contains("<html"))
            let done = try await visitor.post(path, page.text.kept.merging(typed) { $1 })
            #expect(done["Location"] == "\(two.path)?done=match.\(act.rawValue)")
            let draft = try #require(try door.services.asked(MatchingMethods.actOnMatch).last?.content)
            func money(_ amount: Int) -> Money { Money(amount: amount, currency: "EUR") }
            #expect(draft.reason == typed["reason"] && draft.code == typed["code"])
            #expect(draft.spent == (act == .pickUp ? money(850) : nil))
            #expect(draft.amount == (act == .tip ? money(100) : act == .raiseLimit ? money(1500) : nil))
            #expect(draft.minutes == (act == .postpone ? 20 : nil) && draft.expected?.state == state)
            #expect(try await door.join("Eve").get(path).status == 404)
        }
    }

    @Test func what_is_wrong_stands_at_its_field() async throws {
        try await PageDoor.run { door in
            let two = try await two(door, .accepted)
            func refused(_ act: MatchAct, _ field: String, _ code: String, _ typed: [String: String]) async throws
                -> RawResponse
            {
                door.services.refuse(MatchingMethods.actOnMatch, .invalid([FieldError(field, code, "No.")]))
                defer { door.services.refuse(MatchingMethods.actOnMatch, nil) }
                return try await two.deliverer.post("\(two.path)/\(act.path)", typed.merging(["key": code]) { $1 })
            }
            let dear = try await refused(.pickUp, "spent.amount", "above_limit", ["spent": "13"])
            #expect(
                dear.status == 422 && dear.text.contains("more than was agreed") && dear.text.contains("value=\"13\""))
            #expect(dear.text.kept["key"] == "above_limit")
            let wordless = try await refused(.giveUp, "reason", "required", [:])
            #expect(wordless.status == 422 && wordless.text.contains("Please say it in a few words."))
            let picture = try await two.deliverer.upload(
                "\(two.path)/pick-up", ["key": "p", "spent": "8"], file: Array("no picture".utf8))
            #expect(picture.status == 422 && picture.text.contains("id=\"file-error\""))
            two.played.change(two.match.id) { $0.state = .pickedUp }
            let digits = try await refused(.complete, "code", "wrong", ["code": "1"])
            #expect(digits.status == 422 && digits.text.contains("These are not the digits."))
        }
    }

    @Test func whoever_acts_too_late_sees_it_as_it_is_now() async throws {
        try await PageDoor.run { door in
            let two = try await two(door, .accepted)
            let question = try await two.deliverer.get("\(two.path)/cancel").text.kept
            two.played.change(two.match.id) { $0.state = .cancelled }
            let late = try await two.deliverer.post("\(two.path)/cancel", question)
            #expect(late.status == 409 && late.text.contains("This has changed since you opened it."))
            #expect(try await two.deliverer.get("\(two.path)/cancel").status == 409)
            two.played.change(two.match.id) { $0.state = .accepted }
            door.services.refuse(MatchingMethods.actOnMatch, .doneBefore)
            let again = try await two.deliverer.post("\(two.path)/cancel", question)
            #expect(again["Location"] == "\(two.path)?done=match.cancel")
            door.services.refuse(MatchingMethods.actOnMatch, .lost)
            #expect(try await two.deliverer.post("\(two.path)/cancel", question).status == 503)
        }
    }

    @Test func a_dispute_is_settled_by_a_moderator() async throws {
        try await PageDoor.run { door in
            let two = try await two(door, .noShow) { ($0.changedBy, $0.door) = ($0.deliverer, "Room 12") }
            _ = try await two.orderer.post("\(two.path)/dispute", ["key": "two", "reason": "I was there <b>."])
            let judge = try await door.join("Ada")
            #expect(try await judge.get("/moderation/deliveries").status == 403)
            #expect(try await judge.get(two.path).status == 404)
            door.appoint("Ada", .moderator)
            #expect(
                try await judge.get("/moderation").text.contains(
                    "href=\"/moderation/deliveries\">Disputed deliveries (1)</a>"))
            let list = try await judge.get("/moderation/deliveries").text
            #expect(list.contains("href=\"\(two.path)\"") && list.contains("Ana and Mei"))
            let page = try await judge.get(two.path).text
            #expect(page.contains("I was there &lt;b&gt;.") && page.contains("\(two.path)/settle"))
            #expect(!page.contains("Room 12") && !page.contains("tel:") && !page.contains("action=\"/messages\""))
            let form = try await judge.get("\(two.path)/settle").text.kept
            door.services.refuse(
                MatchingMethods.actOnMatch, .invalid([FieldError("share", "out_of_range", "0 to 100.")]))
            let odd = try await judge.post("\(two.path)/settle", form.merging(["share": "half"]) { $1 })
            #expect(odd.status == 422 && odd.text.contains("A number from 0 to 100."))
            #expect(try door.services.asked(MatchingMethods.actOnMatch).last?.content.share == -1)
            door.services.refuse(MatchingMethods.actOnMatch, nil)
            let settled = try await judge.post(
                "\(two.path)/settle", form.merging(["share": "50", "reason": "Both."]) { $1 })
            #expect(settled["Location"] == "\(two.path)?done=match.settle")
        }
    }
}
