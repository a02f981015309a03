import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Reviews, with links and forms alone.
@Suite struct PageReviewTests {
    private func review(
        of encounter: Encounter, by author: Person, _ rating: Int, _ text: String, isPublished: Bool
    ) -> Review {
        Review(
            id: .new(), subject: encounter.subject, author: author.summary, about: encounter.with.id, rating: rating,
            text: text, writtenAt: Date(), publishedAt: isPublished ? Date() : nil)
    }

    @Test func two_review_each_other_and_one_replies() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (one, other) = (try door.person("Ada"), try door.person("Ben"))
            let (adas, bens) = ("/people/\(one.id)", "/people/\(other.id)")
            #expect(!(try await ada.get(bens).text.contains("Write a review")))
            #expect(try await ada.get("\(bens)/review")["Location"] == "\(bens)?done=nothingToReview")
            #expect(try await ada.get("/me/encounters").text.contains("Nothing to review just now"))
            let encounter = Encounter.with(other, "By the library")
            let subject = encounter.subject
            door.services.answer(AuthMethods.encounters, Page(items: [encounter]))

            #expect(try await ada.get(bens).text.contains("href=\"\(bens)/review\""))
            let list = try await ada.get("/me/encounters").text
            #expect(list.contains("Review Ben") && list.contains("By the library"))
            let form = try await ada.get("\(bens)/review").text
            #expect(form.contains("name=\"of\" value=\"\(subject.written)\"") && form.contains("5 stars of five"))
            // One row, in the order in which people count.
            let values = form.matches(of: /name="rating" value="(\d)"/).map { String($0.1) }
            #expect(values == ["1", "2", "3", "4", "5"] && form.contains("<div class=\"rating\">"))

            door.services.refuse(
                AuthMethods.writeReview,
                .invalid([
                    FieldError("rating", "out_of_range", "One to five."), FieldError("text", "required", "Write."),
                ]))
            let wrong = try await ada.post("\(bens)/review", ["of": subject.written, "text": "", "key": "one"])
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("Choose one to five stars.") && wrong.text.contains("Write a few words."))
            #expect(wrong.text.contains("name=\"rating\" value=\"1\" autofocus"))
            #expect(wrong.text.components(of: "autofocus") == 1)
            let nothing = try await ada.post("\(bens)/review", ["rating": "3", "text": "Kind.", "key": "two"])
            #expect(nothing.status == 422 && nothing.text.contains("Kind."), "what was typed stays")

            var kind = review(of: encounter, by: one, 4, "Kind & quick", isPublished: false)
            door.services.answer(AuthMethods.writeReview, kind)
            let sent = try await ada.post(
                "\(bens)/review", ["of": subject.written, "rating": "4", "text": "Kind & quick", "key": "three"])
            #expect(sent.status == 303 && sent["Location"] == "\(bens)?done=reviewed")
            #expect(try await ben.get("\(bens)/reviews").text.contains("No reviews yet"))
            let written = try #require(try door.services.asked(AuthMethods.writeReview).last)
            #expect(written.parameters.id == other.id)
            #expect(written.content == ReviewDraft(subject: subject, rating: 4, text: "Kind & quick"))
            let opened = review(of: Encounter.with(one, "By the library"), by: other, 5, "Fine.", isPublished: true)
            door.services.answer(AuthMethods.writeReview, opened)
            let back = try await ben.post(
                "\(adas)/review", ["of": subject.written, "rating": "5", "text": "Fine.", "key": "four"])
            #expect(back["Location"] == "\(adas)?done=reviewsOpened")

            kind.publishedAt = Date()
            door.services.answer(AuthMethods.reviews, Page(items: [kind]))
            door.services.answer(AuthMethods.review, kind)
            let mine = try await ben.get("\(bens)/reviews").text
            #expect(mine.contains("Kind &amp; quick") && mine.contains("★★★★☆") && mine.contains("4 stars of five"))
            let reply = try #require(mine.firstMatch(of: /href="(\/reviews\/[^"]+\/reply)"/)?.1)
            #expect(!(try await ada.get("\(bens)/reviews").text.contains("/reply\"")))
            #expect(try await ada.get(String(reply)).status == 404)
            #expect(try await ben.get(String(reply)).text.contains("Kind &amp; quick"))
            door.services.refuse(AuthMethods.replyToReview, .invalid([FieldError("text", "required", "Write.")]))
            let empty = try await ben.post(String(reply), ["text": ""])
            #expect(empty.status == 422 && empty.text.contains("Write a few words."))
            kind.reply = ReviewReply(text: "Thank you.", at: Date())
            door.services.answer(AuthMethods.replyToReview, kind)
            let replied = try await ben.post(String(reply), ["text": "Thank you.", "key": "five"])
            #expect(replied["Location"] == "\(bens)/reviews?done=replied")
            // Gone back to the form, and sent again with other words: the same request, with what it was not before.
            door.services.refuse(AuthMethods.replyToReview, ServiceError(.idempotencyMismatch, "Used before."))
            let again = try await ben.post(String(reply), ["text": "Thanks.", "key": "five"])
            #expect(again["Location"] == "\(reply)?done=savedBefore")
            let replies = try door.services.asked(AuthMethods.replyToReview).suffix(2)
            #expect(replies.map(\.content.text) == ["Thank you.", "Thanks."] && Set(replies.map(\.id)).count == 1)
            door.services.answer(AuthMethods.reviews, Page(items: [kind]))
            let seen = try await ada.get("\(bens)/reviews").text
            #expect(seen.contains("Ben replies:") && seen.contains("Thank you."))
        }
    }

    @Test func of_two_windows_in_which_one_replies_the_second_says_so_and_loses_nothing() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (author, about) = (try door.person("Ada"), try door.person("Ben"))
            var written = review(
                of: Encounter.with(about, "By the library"), by: author, 4, "Kind & quick", isPublished: true)
            written.version = "0"
            let (reply, kept) = ("/reviews/\(written.id)/reply", Mutable(written))
            door.services.on(AuthMethods.review) { _ in kept.value }
            door.services.on(AuthMethods.reviews) { _ in Page(items: [kept.value]) }
            door.services.on(AuthMethods.replyToReview) { request in
                let draft = request.content
                guard !draft.text.isEmpty else {
                    throw ServiceError.invalid([FieldError("text", "required", "Write.")])
                }
                var review = kept.value
                review.version = try PageMeanwhileTests.next(after: review.version, seen: draft.version)
                review.reply = ReviewReply(text: draft.text, at: Date())
                kept.mutate { [review] in $0 = review }
                return review
            }
            let (one, other) = (try await ben.get(reply), try await ben.get(reply))
            func answer(_ text: String, _ page: RawResponse) throws -> [String: String] {
                let version: String = try #require(page.text.hiddenField("version"))
                let key: String = try #require(page.text.hiddenField("key"))
                return ["text": text, "version": version, "key": key]
            }
            #expect(try await ben.post(reply, try answer("Thanks <i>, Ada.", one)).status == 303)
            let told = try await ben.post(reply, try answer("Any time.", other))
            #expect(told.status == 409 && told.text.contains("This was changed meanwhile"))
            #expect(told.text.contains("Thanks &lt;i&gt;, Ada.</span>") && told.text.contains("Any time.</textarea>"))
            #expect(told.text.contains("href=\"\(reply)\">Go on with what is saved</a>"))
            let refused = try await ben.post(reply, try answer("", told))
            #expect(refused.status == 422 && refused.text.hiddenField("version") == told.text.hiddenField("version"))
            #expect(try await ben.post(reply, try answer("Any time.", told)).status == 303)
            #expect(try await ada.get("/people/\(about.id)/reviews").text.contains("Any time."))
        }
    }

    @Test func who_met_more_than_once_chooses_and_lists_lead_on() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (one, other) = (try door.person("Ada"), try door.person("Ben"))
            let (adasID, bensID) = (one.id, other.id)
            let encounters = (1...4).map { Encounter.with(other, "Spot \($0)") }
            let subjects = encounters.map(\.subject)
            let reviews = encounters.map { review(of: $0, by: one, 3, "So so.", isPublished: true) }
            door.services.answer(AuthMethods.encounters, Page(items: encounters))
            door.services.answer(AuthMethods.writeReview, reviews[0])
            door.services.on(AuthMethods.reviews) { Page(reviews, from: $0.parameters.cursor) }
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
            let drafts = try door.services.asked(AuthMethods.writeReview).map(\.content.subject)
            #expect(drafts == subjects.flatMap { [$0, $0] })
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
            let bens = try door.person("Ben").id
            door.change("Ben") { $0.reputation = Reputation(rating: 4.67, count: 3) }
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

extension Encounter {
    /// Something that was completed with somebody just now.
    static func with(_ person: Person, _ title: String) -> Encounter {
        Encounter(
            subject: Subject(kind: .spot, id: .new()), title: title, with: person.summary,
            completedAt: Date(), reviewsUntil: Date() + 14 * 86_400)
    }
}
