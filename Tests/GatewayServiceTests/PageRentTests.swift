import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Asking for a thing: a period, what it costs, and what is wrong with it.
extension PageRentalTests {
    @Test func what_it_costs_is_said_before_one_asks() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = "/things/\(two.thing.id)/rent"
            let first = try await two.renter.get(path)
            #expect(first.status == 200 && first.text.contains("Choose the first and the last day"))
            #expect(first.text.contains("type=\"date\"") && first.text.contains("€25 a day"))
            #expect(first.text.contains("nothing until five days before it begins"))
            let query = "\(path)?from=\(Self.day(10))&until=\(Self.day(12))"
            let chosen = try await two.renter.get(query).text
            #expect(chosen.contains("€75") && chosen.contains("3 days × €25"))
            #expect(chosen.components(separatedBy: " chosen\"").count == 4)
            // As htmx asks: the part alone.
            let part = try await two.renter.get(query, [("HX-Request", "true"), ("HX-Target", "shown")])
            #expect(part.text.hasPrefix("<div class=\"stack\" id=\"choose\">") && !part.text.contains("<html"))
            // As without scripts, where what was typed stays.
            let shown = try await two.renter.post(
                path, Self.period.merging(["do": "quote", "message": "For a move"]) { $1 })
            #expect(shown.status == 200 && shown.text.contains("€75") && shown.text.contains("For a move"))
            #expect(try door.services.asked(ListingsMethods.askRental).isEmpty)
        }
    }

    @Test func what_is_wrong_with_a_period_stands_at_it() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = "/things/\(two.thing.id)/rent"
            for (from, until, field, code, sentence) in [
                ("", "", "from", "not_a_day", "Choose a day."),
                (Self.day(12), Self.day(10), "until", "before_from", "It ends before it begins."),
                (Self.day(10), Self.day(60), "until", "too_long", "That is longer than it may be."),
                ("soon", Self.day(3), "from", "not_a_day", "Choose a day."),
            ] {
                door.services.refuse(ListingsMethods.quoteRental, .invalid([FieldError(field, code, "No.")]))
                let sent = try await two.renter.post(
                    path, ["from": from, "until": until, "do": "ask", "message": "Hello you"])
                #expect(sent.status == 422, "\(from) \(until)")
                #expect(sent.text.contains(sentence) && sent.text.contains("aria-invalid=\"true\""), "\(from) \(until)")
                #expect(sent.text.contains("Hello you"))
            }
            door.services.refuse(ListingsMethods.quoteRental, nil)
            door.taken.mutate { $0[two.thing.id] = [TakenPeriod(from: Self.day(11), until: Self.day(11))] }
            let seen = try await two.renter.get("\(path)?from=\(Self.day(10))&until=\(Self.day(12))").text
            #expect(seen.contains("Somebody else has it then") && !seen.contains("€75"))
            door.services.refuse(ListingsMethods.askRental, ServiceError(.overlaps, "Somebody else has it."))
            let taken = try await two.renter.post(path, Self.period.merging(["do": "ask"]) { $1 })
            #expect(taken.status == 409 && taken.text.contains("Somebody else has it then"))
            #expect(taken.text.contains("date taken"), "the calendar as it is now")
        }
    }

    @Test func terms_that_changed_meanwhile_are_shown_first() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let path = "/things/\(two.thing.id)/rent"
            let form = try await two.renter.rentForm(path, Self.period.merging(["message": "For a move"]) { $1 })
            door.things.mutate { $0[0].terms.price?.amount = 3000 }
            let dearer = try await two.renter.post(path, form)
            #expect(dearer.status == 409 && dearer.text.contains("The terms have changed meanwhile"))
            #expect(dearer.text.contains("For a move") && dearer.text.contains("€90"))
            #expect(try door.services.asked(ListingsMethods.askRental).isEmpty)
            let next = try #require(dearer.text.hiddenField("seen"))
            #expect(next != form["seen"])
            let sent = try await two.renter.post(path, form.merging(["seen": next]) { $1 })
            #expect(sent.status == 303)
        }
    }

    @Test(arguments: [false, true])
    func nothing_is_asked_for_before_its_cost_was_shown(_ isInstant: Bool) async throws {
        try await PageDoor.run { door in
            let two = try await two(door) { $0.terms.isInstant = isInstant }
            let path = "/things/\(two.thing.id)/rent"
            let page = try await two.renter.get(path).text
            #expect(page.hiddenField("quoted") == nil)
            let seen = try #require(page.hiddenField("seen"))
            let typed = ["do": "ask", "key": "one", "message": "For a move", "seen": seen]
            var form = Self.period.merging(typed) { $1 }
            let first = try await two.renter.post(path, form)
            #expect(first.status == 200 && first.text.contains("This is what it costs."))
            #expect(first.text.contains("€75") && first.text.contains("3 days × €25"))
            #expect(first.text.contains("For a move"))
            let quoted: String = try #require(first.text.hiddenField("quoted"))
            form["quoted"] = quoted
            #expect(try door.services.asked(ListingsMethods.askRental).isEmpty)
            // Other days than those whose cost is shown.
            let other = try await two.renter.post(path, form.merging(["until": Self.day(13)]) { $1 })
            #expect(other.status == 200 && other.text.contains("€100"))
            #expect(try door.services.asked(ListingsMethods.askRental).isEmpty)
            let sent = try await two.renter.post(path, form)
            #expect(sent.status == 303 && door.rentals.value.count == 1)
        }
    }

    @Test func a_press_after_a_lost_answer_finds_what_was_agreed() async throws {
        try await PageDoor.run { door in
            let two = try await two(door) { $0.terms.isInstant = true }
            let path = "/things/\(two.thing.id)/rent"
            let form = try await two.renter.rentForm(path, Self.period.merging(["key": "one"]) { $1 })
            door.services.refuse(ListingsMethods.askRental, .lost)
            let lost = try await two.renter.post(path, form)
            door.services.answer(
                ListingsMethods.askRental, Rental.of(two.thing, Self.day(10), Self.day(12), .accepted))
            door.taken.mutate { $0[two.thing.id] = [TakenPeriod(from: Self.day(10), until: Self.day(12))] }
            #expect(lost.status == 503)
            let shown = try await two.renter.post(path, form.merging(["do": "quote"]) { $1 })
            #expect(shown.text.hiddenField("quoted") == form["quoted"])
            #expect(try await two.renter.post(path, form)["Location"]?.contains("rental.agreed") == true)
            let asked = try door.services.asked(ListingsMethods.askRental)
            #expect(asked.count == 2 && asked[0].id == asked[1].id && asked[0].content == asked[1].content)
        }
    }

    @Test func hours_are_asked_for_by_the_hour() async throws {
        try await PageDoor.run { door in
            let two = try await two(door, .parking)
            let hours = ["from": "\(Self.day(3))T14:00", "until": "\(Self.day(3))T18:00"]
            let page = try await two.renter.get(
                "/things/\(two.thing.id)/rent?from=\(Self.day(3))T14%3A00&until=\(Self.day(3))T18%3A00")
            #expect(page.text.contains("type=\"datetime-local\"") && page.text.contains("4 hours"))
            #expect(page.text.contains("Hours of") && page.text.contains("€100"))
            let path = try await ask(two, hours)
            #expect(try await two.owner.get(path).text.contains("14:00 – 18:00"))
            door.services.refuse(ListingsMethods.quoteRental, .invalid([FieldError("from", "not_an_hour", "No.")]))
            let odd = try await two.renter.post(
                "/things/\(two.thing.id)/rent",
                ["from": "\(Self.day(3))T14:30", "until": "\(Self.day(3))T18:00", "do": "ask"])
            #expect(odd.status == 422 && odd.text.contains("a whole hour"))
        }
    }

    @Test func months_are_turned_to_the_last_in_which_something_may_begin() async throws {
        try await PageDoor.run { door in
            let two = try await two(door)
            let (path, last) = ("/things/\(two.thing.id)", Self.day(100))
            let month = String(last.prefix(7))
            let following = try #require(CivilDay(last)).month(after: 1).monthText
            door.lastDay.mutate { $0 = last }
            for page in ["\(path)/rent", two.thing.path] {
                #expect(try await two.renter.get(page).text.contains("id=\"months-later\""), "\(page)")
                for asked in [month, following, "2999-01"] {
                    let end = try await two.renter.get("\(page)?month=\(asked)").text
                    #expect(end.contains("id=\"month-\(month)\"") && end.contains("id=\"months-earlier\""), "\(asked)")
                    #expect(
                        !end.contains("id=\"month-\(following)\"") && !end.contains("id=\"months-later\""), "\(asked)")
                }
            }
            // What begins then may end later.
            let begun = try await two.renter.get("\(path)/rent?month=2999-01&from=\(last)").text
            #expect(begun.contains("id=\"month-\(following)\"") && !begun.contains("id=\"months-later\""))
            // What is taken is asked for again where other months are shown than were asked for.
            door.taken.mutate { $0[two.thing.id] = [TakenPeriod(from: last, until: last)] }
            let taken = try await two.renter.get("\(two.thing.path)?month=2999-01").text
            #expect(taken.contains("class=\"date taken\" data-day=\"\(last)\""))
            // Its owner may block dates as far again.
            let owned = try await two.owner.get("\(path)/calendar?month=2999-01").text
            #expect(!owned.contains("id=\"month-\(month)\"") && !owned.contains("id=\"months-later\""))
            #expect(try await two.owner.get("\(path)/calendar?month=\(month)").text.contains("id=\"months-later\""))
        }
    }
}
