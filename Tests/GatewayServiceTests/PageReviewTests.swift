import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// Reviews, with links and forms alone.
@Suite struct PageReviewTests {
    private func id(of name: String, _ door: PageDoor) throws -> PersonID {
        try #require(door.backend.state.withLock { $0.people.values.first { $0.name == name }?.id })
    }

    private func met(_ one: PersonID, _ other: PersonID, _ title: String, _ door: PageDoor) -> EncounterSubject {
        let encounter = PageEncounter(title: title, people: [one, other])
        door.backend.state.withLock { $0.encounters.append(encounter) }
        return encounter.subject
    }

    @Test func two_review_each_other_and_one_replies() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (adasID, bensID) = (try id(of: "Ada", door), try id(of: "Ben", door))
            let (adas, bens) = ("/people/\(adasID)", "/people/\(bensID)")
            #expect(!(try await ada.get(bens).text.contains("Write a review")))
            #expect(try await ada.get("\(bens)/review")["Location"] == "\(bens)?done=nothingToReview")
            #expect(try await ada.get("/me/encounters").text.contains("Nothing to review just now"))
            let subject = met(adasID, bensID, "By the library", door)

            #expect(try await ada.get(bens).text.contains("href=\"\(bens)/review\""))
            let list = try await ada.get("/me/encounters").text
            #expect(list.contains("Review Ben") && list.contains("By the library"))
            let form = try await ada.get("\(bens)/review").text
            #expect(form.contains("name=\"of\" value=\"\(subject.written)\"") && form.contains("5 stars of five"))
            // One row, in the order in which people count.
            let values = form.matches(of: /name="rating" value="(\d)"/).map { String($0.1) }
            #expect(values == ["1", "2", "3", "4", "5"] && form.contains("<div class=\"rating\">"))

            let wrong = try await ada.post("\(bens)/review", ["of": subject.written, "text": "", "key": "one"])
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("Choose one to five stars.") && wrong.text.contains("Write a few words."))
            #expect(wrong.text.contains("name=\"rating\" value=\"1\" autofocus"))
            #expect(wrong.text.components(of: "autofocus") == 1)
            let nothing = try await ada.post("\(bens)/review", ["rating": "3", "text": "Kind.", "key": "two"])
            #expect(nothing.status == 422 && nothing.text.contains("Kind."), "what was typed stays")

            let sent = try await ada.post(
                "\(bens)/review", ["of": subject.written, "rating": "4", "text": "Kind & quick", "key": "three"])
            #expect(sent.status == 303 && sent["Location"] == "\(bens)?done=reviewed")
            #expect(try await ben.get("\(bens)/reviews").text.contains("No reviews yet"))
            let back = try await ben.post(
                "\(adas)/review", ["of": subject.written, "rating": "5", "text": "Fine.", "key": "four"])
            #expect(back["Location"] == "\(adas)?done=reviewsOpened")

            let mine = try await ben.get("\(bens)/reviews").text
            #expect(mine.contains("Kind &amp; quick") && mine.contains("★★★★☆") && mine.contains("4 stars of five"))
            let reply = try #require(mine.firstMatch(of: /href="(\/reviews\/[^"]+\/reply)"/)?.1)
            #expect(!(try await ada.get("\(bens)/reviews").text.contains("/reply\"")))
            #expect(try await ada.get(String(reply)).status == 404)
            #expect(try await ben.get(String(reply)).text.contains("Kind &amp; quick"))
            let empty = try await ben.post(String(reply), ["text": ""])
            #expect(empty.status == 422 && empty.text.contains("Write a few words."))
            let replied = try await ben.post(String(reply), ["text": "Thank you.", "key": "five"])
            #expect(replied["Location"] == "\(bens)/reviews?done=replied")
            // Gone back to the form, and sent again with other words.
            let again = try await ben.post(String(reply), ["text": "Thanks.", "key": "five"])
            #expect(again["Location"] == "\(reply)?done=savedBefore")
            let seen = try await ada.get("\(bens)/reviews").text
            #expect(seen.contains("Ben replies:") && seen.contains("Thank you."))

            // Of two windows the second one says so, and loses nothing.
            let (one, other) = (try await ben.get(String(reply)), try await ben.get(String(reply)))
            func answer(_ text: String, _ page: RawResponse) throws -> [String: String] {
                let version: String = try #require(page.text.hiddenField("version"))
                let key: String = try #require(page.text.hiddenField("key"))
                return ["text": text, "version": version, "key": key]
            }
            #expect(try await ben.post(String(reply), try answer("Thanks <i>, Ada.", one)).status == 303)
            let told = try await ben.post(String(reply), try answer("Any time.", other))
            #expect(told.status == 409 && told.text.contains("This was changed meanwhile"))
            #expect(told.text.contains("Thanks &lt;i&gt;, Ada.</span>") && told.text.contains("Any time.</textarea>"))
            #expect(told.text.contains("href=\"\(reply)\">Go on with what is saved</a>"))
            let refused = try await ben.post(String(reply), try answer("", told))
            #expect(refused.status == 422 && refused.text.hiddenField("version") == told.text.hiddenField("version"))
            #expect(try await ben.post(String(reply), try answer("Any time.", told)).status == 303)
            #expect(try await ada.get("\(bens)/reviews").text.contains("Any time."))
        }
    }

    @Test func who_met_more_than_once_chooses_and_lists_lead_on() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (adasID, bensID) = (try id(of: "Ada", door), try id(of: "Ben", door))
            let subjects = (1...4).map { met(adasID, bensID, "Spot \($0)", door) }
            let form = try await ada.get("/people/\(bensID)/review?of=\(subjects[2].written)").text
            #expect(form.contains("What is it about?"))
            #expect(form.contains("value=\"\(subjects[2].written)\" checked"))
            for subject in subjects {
                for (author, about) in [(ada, bensID), (ben, adasID)] {
                    let answer = try await author.post(
                        "/people/\(about)/review", ["of": subject.written, "rating": "3", "text": "So so."])
                    #expect(answer.status == 303)
                }
            }
            let first = try await ada.get("/people/\(bensID)/reviews").text
            #expect(first.components(separatedBy: "So so.").count == 4)
            let more = try #require(first.firstMatch(of: /href="(\/people\/[^"]+cursor=[^"]+)"/)?.1)
            #expect(try await ada.get(String(more)).text.components(separatedBy: "So so.").count == 2)
        }
    }

    @Test func a_reputation_stands_beside_the_name() async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            _ = try await door.join("Ben")
            let bens = try id(of: "Ben", door)
            door.backend.state.withLock { $0.people[bens]?.reputation = Reputation(rating: 4.67, count: 3) }
            let page = try await ada.get("/people/\(bens)").text
            #expect(page.contains("4.67 (3)") && page.contains("4.67 stars of five in 3 reviews"))
            #expect(page.contains("href=\"/people/\(bens)/reviews\""))
        }
    }

    @Test(arguments: [(4.0, "4"), (4.5, "4.5"), (4.67, "4.67"), (3.05, "3.05")])
    func ratings_are_as_exact_as_they_are(_ rating: Double, _ text: String) {
        #expect(ReputationView.text(rating, separator: ".") == text)
    }
}
