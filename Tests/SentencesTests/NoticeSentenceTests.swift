import Sentences
import ServiceKit
import Testing
import WireProtocol

/// What notices say, in all languages.
@Suite struct NoticeSentenceTests {
    private static func catalogue() throws -> NoticeCatalogue {
        try NoticeCatalogue(in: ServiceResources.directory(of: "Sentences") + "/Notices")
    }

    /// Every sentence by its key.
    private func sentences(_ tree: SentenceTree, _ path: String = "") -> [String: String] {
        switch tree {
        case .sentence(let text): [path: text]
        case .group(let members):
            members.reduce(into: [:]) { all, member in
                all.merge(sentences(member.value, "\(path).\(member.key)")) { $1 }
            }
        }
    }

    private func places(_ text: String) -> Set<Substring> { Set(text.matches(of: /\{\w+\}/).map(\.output)) }

    @Test func every_language_says_everything_with_the_same_places() throws {
        let catalogue = try Self.catalogue()
        #expect(catalogue.codes == ["de", "en"])
        let english = sentences(catalogue["en"].kinds)
        for code in catalogue.codes {
            let own = sentences(catalogue[code].kinds)
            #expect(Set(own.keys) == Set(english.keys), "\(code)")
            for (key, text) in own { #expect(places(text) == places(english[key] ?? ""), "\(code) \(key)") }
        }
    }

    @Test(arguments: ["en", "de", "de-at", "fi"]) func every_kind_has_its_sentences(_ language: String) throws {
        let sentences = try Self.catalogue()[language]
        var (abouts, told): (Set<String>, Set<String>) = ([], [])
        for kind in InboxNoticeKind.allCases {
            abouts.insert(sentences.about(kind))
            for values in [["name": "<Ben>", "title": "{n}", "n": "3", "community": "Village"], [:]] {
                let text = sentences.text(.told, of: kind, nil, values, count: 3)
                #expect(text != kind.rawValue && !text.contains("[") && !text.contains("|"), "\(kind)")
                if !values.isEmpty { told.insert(text) }
                let push = sentences.text(.push, of: kind, nil, values, count: 3)
                #expect(push != kind.rawValue && !push.contains("<Ben>"), "devices show the name above it")
                guard kind.hasMail else { continue }
                let subject = sentences.text(.subject, of: kind, nil, values, count: 3)
                #expect(subject != kind.rawValue && !subject.contains("<Ben>") && !subject.contains("{title}"))
            }
        }
        #expect(abouts.count == InboxNoticeKind.allCases.count && told.count == abouts.count)
    }

    @Test func variants_say_something_of_their_own_and_all_notices_of_auth_are_there() throws {
        for code in ["en", "de"] {
            let sentences = try Self.catalogue()[code]
            func told(_ kind: InboxNoticeKind, _ variant: String?) -> String {
                sentences.text(.told, of: kind, variant, ["name": "Ben", "title": "Van"], count: 1)
            }
            let account = Set(NoticeKind.allCases.map { told(.account, $0.rawValue) } + [told(.account, nil)])
            #expect(account.count == NoticeKind.allCases.count + 1)
            let due = Set(RentalReminder.Occasion.allCases.map { told(.rentalDue, $0.rawValue) })
            #expect(due.count == 3 && due.allSatisfy { $0.contains("Van") })
            #expect(told(.rentalChanged, "something") == told(.rentalChanged, nil))
            let seats = Set(SeatChanged.Change.allCases.map { told(.seatChanged, $0.rawValue) })
            #expect(seats.count == SeatChanged.Change.allCases.count && !seats.contains(told(.seatChanged, nil)))
            let leaving = Set(SeatReminder.Occasion.allCases.map { told(.seatDue, $0.rawValue) })
            #expect(leaving.count == 4 && leaving.allSatisfy { $0.contains("Van") })
        }
    }

    @Test func what_nobody_did_is_said_otherwise_than_what_somebody_did() throws {
        let sentences = try Self.catalogue()["en"]
        func told(_ values: [String: String]) -> String {
            sentences.text(.told, of: .rentalChanged, "returned", values, count: 1)
        }
        #expect(told(["name": "Ben", "title": "Van"]) == "Ben says that “Van” was given back.")
        #expect(told(["name": "@ben"]) == "@ben says that what was rented was given back.")
        #expect(told(["title": "Van"]) == "“Van” counts as given back, since nobody said otherwise.")
        #expect(told([:]) == "What was rented counts as given back.")
    }

    @Test(arguments: [
        ("en", "1 December 2026, 08:15", "$2.50"), ("de", "1. Dezember 2026, 08:15", "2,50\u{A0}$"),
    ]) func values_are_written_as_the_language_does(_ language: String, _ time: String, _ amount: String) throws {
        let sentences = try Self.catalogue()[language]
        let money = Money(amount: 250, currency: "SGD")
        let places = sentences.places(of: NoticeValues(time: "2026-12-01T08:15", amount: money, number: 1000))
        #expect(places == ["time": time, "amount": amount, "number": "1000"])
        let day = sentences.places(of: NoticeValues(time: "2026-12-01"))
        #expect(day == ["time": String(time.prefix { $0 != "," })])
        #expect(sentences.places(of: NoticeValues(time: "soon")).isEmpty && sentences.places(of: nil).isEmpty)
    }

    @Test func a_number_that_a_sentence_says_decides_its_form() throws {
        let sentences = try Self.catalogue()["en"]
        for (number, words) in [(1, "one more thing."), (2, "2 more things."), (14, "14 more things.")] {
            let places = sentences.places(of: NoticeValues(number: number))
            let text = sentences.text(.told, of: .wantedDue, "digest", places, count: 1)
            #expect(text == "A search of yours has found \(words)")
        }
    }

    @Test(arguments: [
        ("en", "Ana can bring you something from “Unicafe”.", "Somebody can bring you something."),
        ("de", "Ana kann dir etwas mitbringen: „Unicafe“.", "Jemand kann dir etwas mitbringen."),
    ]) func who_was_found_is_named_as_far_as_that_is_known(_ code: String, _ whole: String, _ bare: String) throws {
        let sentences = try Self.catalogue()[code]
        let values = ["name": "Ana", "title": "Unicafe"]
        #expect(sentences.text(.told, of: .delivererFound, nil, values, count: 1) == whole)
        #expect(sentences.text(.told, of: .delivererFound, nil, [:], count: 1) == bare)
    }

    @Test(arguments: [
        ("en", "Ana would take you along: “A → B”.", "Somebody seeks a ride along your way."),
        ("de", "Ana würde dich mitnehmen: „A → B“.", "Jemand sucht eine Fahrt auf deiner Strecke."),
    ]) func who_drives_and_who_seeks_are_told_of_each_other(_ code: String, _ invited: String, _ found: String) throws {
        let sentences = try Self.catalogue()[code]
        let values = ["name": "Ana", "title": "A → B"]
        #expect(sentences.text(.told, of: .rideInvited, nil, values, count: 1) == invited)
        #expect(sentences.text(.told, of: .seekerFound, nil, [:], count: 1) == found)
    }

    @Test(arguments: ["en", "de"]) func each_occasion_of_a_search_has_its_words(_ code: String) throws {
        let sentences = try Self.catalogue()[code]
        for purpose in [NoticeSentences.Purpose.told, .push, .subject] {
            let said = Set(
                WantedReminder.Occasion.allCases.map {
                    sentences.text(
                        purpose, of: .wantedDue, $0.rawValue, ["number": "2", "community": "Village"], count: 1)
                } + [sentences.text(purpose, of: .wantedDue, nil, ["community": "Village"], count: 1)])
            #expect(said.count == WantedReminder.Occasion.allCases.count + 1, "\(purpose)")
        }
    }

    @Test func a_kind_that_is_not_known_has_words_all_the_same() throws {
        let sentences = try Self.catalogue()["en"]
        #expect(sentences.text(.told, of: "rideLost", "x", ["name": "Ben"], count: 2) == "There is something new.")
        #expect(sentences.about("rideLost") == "Other things")
    }
}
