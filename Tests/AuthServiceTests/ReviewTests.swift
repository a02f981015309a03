import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// What is true of reviews, without a database.
@Suite struct ReviewTests {
    private static let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private static let day = 86_400.0
    private static let subject = Subject(kind: .spot, id: .new())
    private static let people = [PersonID.new(), .new()].sorted()
    private let ada = people[0]
    private let ben = people[1]

    private static var encounter: CompletedEncounter {
        CompletedEncounter(
            subject: subject, title: "By the library", low: people[0], high: people[1], completedAt: noon)
    }

    private func write(
        by author: PersonID, about other: PersonID, at days: Double = 1,
        after encounter: CompletedEncounter? = Self.encounter,
        own: WrittenReview? = nil, other written: WrittenReview? = nil
    ) throws -> ReviewDecision {
        try WrittenReview.write(
            .new(), ReviewDraft(subject: Self.subject, rating: 4, text: "Kind."), by: author, about: other,
            after: encounter, own: own, other: written, at: Self.noon + days * Self.day, within: ReviewPolicy())
    }

    @Test func the_first_one_is_hidden_until_the_other_one_writes() throws {
        let first = try write(by: ada, about: ben)
        #expect(first.published.isEmpty && first.review.publishedAt == nil)
        #expect(first.review.opensAt == Self.noon + 14 * Self.day)
        let second = try write(by: ben, about: ada, at: 2, other: first.review)
        #expect(second.published.map(\.author) == [ben, ada])
        #expect(second.published.allSatisfy { $0.publishedAt == Self.noon + 2 * Self.day })
    }

    @Test func what_may_not_be_written_is_refused() throws {
        let own = try write(by: ada, about: ben).review
        #expect(throws: ReviewError.neverMet) { try write(by: ada, about: ben, after: nil) }
        #expect(throws: ReviewError.written) { try write(by: ada, about: ben, own: own) }
        #expect(throws: ReviewError.tooLate) { try write(by: ada, about: ben, at: 14) }
        _ = try write(by: ada, about: ben, at: 13.999)
    }

    @Test func only_the_one_whom_it_is_about_replies_and_only_to_what_can_be_read() throws {
        let hidden = try write(by: ada, about: ben).review
        #expect(throws: ReviewError.unknown) { try hidden.replied("Thanks.", by: ben, at: Self.noon) }
        let open = hidden.published(at: Self.noon)
        #expect(throws: ReviewError.notAboutYou) { try open.replied("Thanks.", by: ada, at: Self.noon) }
        let replied = try open.replied("Thanks.", by: ben, at: Self.noon)
        #expect(replied.reply == ReviewReply(text: "Thanks.", at: Self.noon))
        let later = Self.noon + 60
        #expect(try replied.replied("Thanks.", by: ben, at: later) == replied, "the same again is no other reply")
        #expect(try replied.replied("Thank you.", by: ben, at: later).reply?.at == later)
        // In two windows, of which the second one was made before there was a reply, or with another one.
        let seen = open.version
        #expect(try open.replied("Thanks.", insteadOf: seen, by: ben, at: Self.noon) == replied)
        #expect(throws: ReviewError.changedMeanwhile(replied.version)) {
            try replied.replied("Thank you.", insteadOf: seen, by: ben, at: later)
        }
        #expect(try replied.replied("Thanks.", insteadOf: seen, by: ben, at: later) == replied)
        let again = try replied.replied("Thank you.", insteadOf: replied.version, by: ben, at: later)
        #expect(again.reply?.text == "Thank you." && again.version != replied.version)
    }

    @Test func an_encounter_has_two_people() {
        func event(_ people: PersonID...) -> EncounterCompleted {
            EncounterCompleted(subject: Self.subject, title: "By the library", people: people, completedAt: Self.noon)
        }
        #expect(CompletedEncounter(event(ben, ada)) == Self.encounter)
        #expect(CompletedEncounter(event(ben, ben)) == nil)
        #expect(CompletedEncounter(event(ben)) == nil)
        #expect(CompletedEncounter(event(ben, ada, .new())) == nil)
    }

    @Test(arguments: [
        (0, "Kind.", ["rating: out_of_range"]), (6, "", ["rating: out_of_range", "text: required"]),
        (1, " \n ", ["text: required"]), (5, String(repeating: "x", count: 1001), ["text: too_long"]),
        (5, "a\u{202E}b", ["text: not_allowed"]), (5, String(repeating: "x", count: 1000), []),
    ])
    func drafts_are_checked_field_by_field(_ rating: Int, _ text: String, _ expected: [String]) {
        var found: [String] = []
        do {
            _ = try ReviewDraft(subject: Self.subject, rating: rating, text: text).checked()
        } catch { found = error.errors.map { "\($0.field): \($0.code)" } }
        #expect(found == expected)
    }

    @Test func texts_are_kept_as_they_look() throws {
        let draft = ReviewDraft(subject: Self.subject, rating: 1, text: "  Cafe\u{301}\r\nand more \n")
        #expect(try draft.checked().text == "Café\nand more")
    }

    @Test(arguments: [(0, 0, nil), (5, 1, 5), (14, 3, 4.67), (9, 2, 4.5)] as [(Int, Int, Double?)])
    func the_mean_has_hundredths(_ sum: Int, _ count: Int, _ rating: Double?) {
        #expect(Reputation(sum: sum, count: count)?.rating == rating)
    }
}
