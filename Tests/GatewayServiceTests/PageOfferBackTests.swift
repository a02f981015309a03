import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The way back, which is offered with the way there and may be removed with it.
@Suite struct PageOfferBackTests {
    private static let path = PageOfferTests.path
    private static let back = ["return": "yes", "backTime": "17:00"]
    private static let times = ["day": "2999-03-04", "time": "08:00"]

    /// Up to where all of it is looked over.
    private func lookOver(_ visitor: PageVisitor, _ changes: [String: String] = [:]) async throws -> RawResponse {
        let form = [PageOfferTests.places, Self.times, PageOfferTests.terms, Self.back, changes]
            .reduce(into: ["step": "seats", "key": Visit.newKey(), "go": "next"]) { $0.merge($1) { $1 } }
        return try await visitor.post(Self.path, form)
    }

    @Test func both_ways_are_looked_over_and_posted_as_one() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let first = try await maya.get(Self.path)
            let when = try await maya.press(first, PageOfferTests.places)
            #expect(when.text.contains("name=\"return\" value=\"yes\">") && when.text.contains("name=\"backDay\""))
            // What is below a box counts once it is ticked.
            let plain = try await maya.press(when, Self.times.merging(["backTime": "x"]) { $1 })
            #expect(plain.text.contains("Step 3 of 3") && !plain.text.contains("name=\"backSeats\" type"))
            let again = try await maya.press(plain, PageOfferTests.terms, go: "back")
            #expect(again.text.contains("name=\"backTime\" type=\"time\" value=\"x\""))
            let seats = try await maya.press(again, Self.times.merging(Self.back) { $1 })
            #expect(seats.text.contains("name=\"backSeats\" type") && seats.text.kept["return"] == "yes")
            let terms = PageOfferTests.terms.merging(["accepts": "friends", "backCost": "8", "backSeats": "2"]) { $1 }
            let summary = try await maya.press(seats, terms)
            for text in [
                "Way there", "Monday, 4 March 2999, 08:00", "Way back", "Monday, 4 March 2999, 17:00",
                "Kluuvi, Testholm → Fabianinkatu, Testholm", "You drive another ride at about that time.",
                "Seats on the way back", "2 seats", "€8", "Friends",
            ] { #expect(summary.text.contains(text), "\(text)") }
            let sent = try await maya.press(summary, go: "submit")
            let draft = try #require(try door.services.asked(RidesMethods.postRide).first?.content)
            #expect(draft.departsAt == "2999-03-04T08:00" && draft.accepts == .friends)
            #expect(
                draft.returnRide
                    == ReturnDraft(
                        departsAt: "2999-03-04T17:00", seats: 2, cost: Money(amount: 800, currency: "EUR")))
            let rides = commutes.carpool.rides.value
            #expect(rides.count == 2 && sent["Location"] == "/rides/\(rides[1].id)/offered")
            let done = try await maya.get("/rides/\(rides[1].id)/offered").text
            #expect(done.contains("Ride and way back submitted") && done.contains("href=\"/rides/\(rides[0].id)\""))
            #expect(done.contains("href=\"/rides/\(rides[1].id)\"") && !done.contains("/rides/new?back="))
            #expect(done.contains("Friends who ask have a seat at once"))
        }
    }

    @Test func what_is_wrong_with_the_way_back_stands_at_its_fields() async throws {
        try await PageDoor.run { door in
            _ = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let odd = try await lookOver(maya, ["backDay": "2999-02-30", "backTime": "", "backUntil": "late"])
            for sentence in ["Step 2 of 3", "A day, please.", "At which time do you drive back?", "such as 18:30."] {
                #expect(odd.text.contains(sentence), "\(sentence)")
            }
            let terms = try await lookOver(maya, ["backSeats": "two", "backCost": "much"])
            #expect(terms.text.contains("Step 3 of 3") && terms.text.contains("id=\"backSeats-error\""))
            #expect(terms.text.contains("id=\"backCost-error\""))
            #expect(try door.services.asked(RidesMethods.quoteRide).isEmpty)
            for (field, code, name, step) in [
                ("returnRide.departsAt", "out_of_order", "backTime", 2),
                ("returnRide.departsAt", "too_far_ahead", "backDay", 2), ("returnRide", "not_possible", "backTime", 2),
                ("returnRide.leavesBy", "too_long", "backUntil", 2),
                ("returnRide.seats", "out_of_range", "backSeats", 3), ("returnRide.stops", "too_far", "to", 1),
            ] {
                door.services.refuse(RidesMethods.quoteRide, .invalid([FieldError(field, code, "No.")]))
                let refused = try await lookOver(maya)
                #expect(refused.status == 422 && refused.text.contains("Step \(step) of 3"), "\(field)")
                #expect(refused.text.contains("id=\"\(name)-error\""), "\(field)")
            }
            door.services.refuse(RidesMethods.quoteRide, nil)
            door.services.on(RidesMethods.quoteRide) { request in
                guard request.content.cost?.amount == 0, request.content.returnRide?.cost == nil else {
                    throw ServiceError.invalid([FieldError("returnRide.cost.amount", "too_dear", "Less.")])
                }
                let highest = Money(amount: 700, currency: "EUR")
                return RideQuote(
                    stops: [], departsAt: Date(), arrivesAt: Date(), zone: "UTC", length: 1, highestCost: nil,
                    returnRide: ReturnQuote(
                        stops: [], departsAt: Date(), arrivesAt: Date(), length: 1, costs: [], highestCost: highest))
            }
            let dear = try await lookOver(maya, ["backCost": "99"])
            #expect(dear.text.contains("at most €7 here.") && dear.text.contains("id=\"backCost-error\""))
        }
    }

    @Test(
        arguments: [
            (["backTime": "17:30"], "2999-03-04T17:30", nil), (["backTime": "06:00"], "2999-03-04T06:00", nil),
            (
                ["backDay": "2999-03-07", "backTime": "09:00", "backUntil": "10:00"], "2999-03-07T09:00",
                "2999-03-07T10:00"
            ),
            (["backTime": "23:30", "backUntil": "00:30"], "2999-03-04T23:30", "2999-03-05T00:30"),
            // Of a commute it is that of the same day, or of the next.
            (["repeat": "yes", "backDay": "2999-03-07", "backTime": "17:30"], "2999-03-04T17:30", nil),
            (["repeat": "yes", "backTime": "06:00"], "2999-03-05T06:00", nil),
        ] as [([String: String], String, String?)])
    func typed_times_of_the_way_back(_ typed: [String: String], _ departs: String, _ latest: String?) {
        let on = ["on.monday": "yes", "last": "2999-03-13", "return": "yes"]
        let form = Self.times.merging(on) { $1 }.merging(typed) { $1 }
        let values = OfferValues(SubmittedForm(form.map { ($0.key, $0.value) }))
        let (draft, errors) = values.draft([.when], currency: "EUR", in: PageRenderingTests.english)
        #expect(errors.isEmpty && draft.returnRide?.departsAt == departs && draft.returnRide?.leavesBy == latest)
    }

    @Test func the_other_way_may_be_removed_with_it() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            _ = try await door.join("Ben")
            let person = try door.person("Maya")
            let back = commutes.carpool.drive(person) { $0.departsAt = WireJSON.date(from: "2999-03-10T15:00:00Z")! }
            let ride = commutes.carpool.drive(person) { $0.other = PageCommutes.other(back, isReturn: true) }
            commutes.carpool.ask(back, try door.person("Ben"))
            door.services.answer(RidesMethods.removeRide, Nothing())
            let path = "/rides/\(ride.id)/remove"
            let page = try await maya.get(path).text
            #expect(page.contains("Remove the way back on Sunday, 10 March 2999, too"))
            #expect(page.contains("Ben will be told.") && page.contains("id=\"other-note\""))
            let one = try await maya.post(path, ["key": "1", "reason": ""])
            #expect(one["Location"] == "/rides/mine?done=ride.remove")
            let both = try await maya.post(path, ["key": "2", "reason": "", "withOther": "yes"])
            #expect(both["Location"] == "/rides/mine?done=ride.removeBoth")
            let asked = try door.services.asked(RidesMethods.removeRide).map(\.content)
            #expect(asked == [RideRemoval(), RideRemoval(withOther: true)])
            // What is wrong keeps the tick; what has left is not offered.
            door.services.refuse(RidesMethods.removeRide, .invalid([FieldError("reason", "too_long", "No.")]))
            let wrong = try await maya.post(path, ["key": "3", "reason": "x", "withOther": "yes"])
            #expect(wrong.text.contains("name=\"withOther\" value=\"yes\" checked"))
            commutes.carpool.rides.mutate { $0[1].other?.state = .departed }
            #expect(!(try await maya.get(path).text.contains("withOther")))
            commutes.carpool.rides.mutate {
                $0[1].other?.state = .open
                $0[1].other?.isReturn = false
            }
            #expect(try await maya.get(path).text.contains("Remove the way there on Sunday"))
        }
    }
}
