import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Where the button to a chat leads: never to one that chat would refuse to open.
@Suite struct PageMessageButtonTests {
    /// What the chat is about that a page's button opens; nil where there is no button.
    private func kind(_ page: String) -> String? {
        page.firstMatch(of: #/action="\/messages">[\s\S]*?name="kind" value="(\w+)"/#).map { String($0.1) }
    }

    @Test func a_spot_that_the_two_are_through_with_leads_to_a_chat_about_the_two() async throws {
        try await PageDoor.run { door in
            let (ada, ben, eve) = (try await door.join("Ada"), try await door.join("Ben"), try await door.join("Eve"))
            _ = try await ada.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)"
            #expect(kind(try await eve.get(path).text) == "spot")
            try door.claimed(by: "Ben")
            for visitor in [ada, ben] { #expect(kind(try await visitor.get(path).text) == "spot") }
            // To all others it is not said whether the car stands there.
            #expect(kind(try await eve.get(path).text) == "person")
            door.shared.mutate { $0[0].claim?.parkedAt = Date() }
            for visitor in [ada, ben] { #expect(kind(try await visitor.get(path).text) == "person") }
        }
    }

    @Test func an_agreement_leads_to_a_chat_about_the_thing_as_long_as_there_is_something_to_say() async throws {
        try await PageDoor.run { door in
            let tests = PageRentalTests()
            let two = try await tests.two(door)
            let path = try await tests.ask(two)
            let (now, begun) = (Date(), Date() - 20 * 86_400)
            let states: [(RentalState, since: Date, accepted: Date?, String)] = [
                (.requested, begun, nil, "thing"), (.accepted, begun, begun, "thing"),
                (.handedOver, begun, begun, "thing"), (.disputed, begun, begun, "thing"),
                (.declined, now, nil, "person"), (.lapsed, now, nil, "person"), (.cancelled, now, nil, "person"),
                (.returned, now - 2 * 86_400, begun, "thing"), (.returned, now - 4 * 86_400, begun, "person"),
                (.noShow, now, begun, "thing"), (.noShow, now - 4 * 86_400, begun, "person"),
                (.settled, now, begun, "thing"), (.settled, now - 4 * 86_400, begun, "person"),
                (.cancelled, now, begun, "thing"), (.cancelled, now - 4 * 86_400, begun, "person"),
                // Called off before it began.
                (.cancelled, begun - 86_400, begun - 2 * 86_400, "person"),
            ]
            for (state, since, accepted, expected) in states {
                door.rentals.mutate { rentals in
                    (rentals[0].state, rentals[0].changedAt) = (state, since)
                    (rentals[0].acceptedAt, rentals[0].startsAt) = (accepted, begun)
                }
                for visitor in [two.owner, two.renter] {
                    let page = try await visitor.get(path).text
                    #expect(kind(page) == expected, "\(state), since \(since)")
                }
            }
        }
    }

    @Test func a_chat_shows_what_kind_of_thing_it_is_about() async throws {
        try await PageDoor.run { door in
            let pair = try await PageChatTests.talk(door)
            for (kind, icon, name, german) in [
                (SubjectKind.spot, "park", "A parking spot", "Ein Parkplatz"),
                (.thing, "car", "Something that is let", "Etwas, das vermietet wird"),
            ] {
                // Without a title, as where moderators hide it.
                let subject = Subject(kind: kind, id: .new())
                let room = PageTalk(try door.person("Ada"), try door.person("Ben"), about: subject, at: door).path
                let page = try await pair.ben.get(room).text
                let head = try #require(page.firstMatch(of: #/class="topic-link".*?<\/a>/#)).output
                #expect(head.contains("#\(icon)\"") && head.contains(name))
                #expect(try await pair.ben.get(room, [("Accept-Language", "de")]).text.contains(german))
                let inbox = try await pair.ben.get("/messages").text
                #expect(inbox.contains("#\(icon)\"") && inbox.contains(name))
            }
        }
    }
}
