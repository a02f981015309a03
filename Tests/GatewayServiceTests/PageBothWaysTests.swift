import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Both ways or none: asked for with both costs in sight, shown once, and answered at once.
@Suite struct PageBothWaysTests {
    private struct Both {
        let two: PageAskTests.Two
        let back: Ride
        var carpool: PageCarpool { two.carpool }
        var path: String { two.path }

        /// The two requests, once they are made.
        var requests: (there: SeatRequest, back: SeatRequest) {
            let all = carpool.requests.value
            return (all.first { $0.ride.id == two.ride.id }!, all.first { $0.ride.id == back.id }!)
        }
    }

    /// Who drives there on a Friday, and back on the Sunday.
    private func both(_ door: PageDoor, _ change: (inout Ride) -> Void = { _ in }) async throws -> Both {
        let two = try await PageAskTests.two(door)
        let back = two.carpool.drive(try door.person("Maya")) { ride in
            ride.stops = ["Old Town", "Harbour", "Mill Lane, Testholm"].enumerated().map {
                PageCarpool.stop($1, $0 * 30_000)
            }
            (ride.departsAt, ride.cost) = (PageCarpool.departure + 2 * 86_400, Money(amount: 800, currency: "EUR"))
            ride.other = OtherWay(
                id: two.ride.id, isReturn: false, state: .open, departsAt: two.ride.departsAt, zone: ride.zone)
            change(&ride)
        }
        two.carpool.rides.mutate { rides in
            rides[0].other = OtherWay(
                id: back.id, isReturn: true, state: back.state, departsAt: back.departsAt, zone: back.zone)
        }
        return Both(two: two, back: back)
    }

    private static let wish = ["from": "0", "to": "1", "seats": "2", "ways": "both", "key": "one", "do": "ask"]

    /// Asked for, with what both cost seen.
    private func ask(_ both: Both) async throws -> RawResponse {
        let review = try await both.two.rider.post(both.path, Self.wish)
        return try await both.two.rider.post(both.path, review.text.kept.merging(["do": "ask"]) { $1 })
    }

    @Test func the_other_way_is_asked_for_with_both_costs_in_sight() async throws {
        try await PageDoor.run { door in
            let both = try await both(door)
            let page = try await both.two.rider.get(both.path).text
            for text in [
                "This way, or both?", "Both ways, or none",
                "Also Old Town → Mill Lane, Testholm, Sunday, 7 March 2027, 17:00", "Where you get out on this way",
                "name=\"otherFrom\"", "name=\"otherBoarding\"",
            ] { #expect(page.contains(text), "\(text)") }
            let part = try await both.two.rider.get(
                "\(both.path)?from=0&to=1&seats=2&ways=both&otherFrom=&otherTo=",
                [("HX-Request", "true"), ("HX-Target", "shown")])
            for text in ["€12", "€8", "€20", "Both ways together", "name=\"mirrorFrom\" value=\"1\""] {
                #expect(part.text.contains(text), "\(text)")
            }
            let asked = try #require(try door.services.asked(RidesMethods.quoteSeat).last?.content)
            let back = TogetherDraft(from: SeatPointDraft(stop: 1), to: SeatPointDraft(stop: 2))
            #expect(asked.together == back && asked.to == SeatPointDraft(stop: 1))
            // What the page showed was one way alone.
            let form = page.kept.merging(Self.wish) { $1 }
            let review = try await both.two.rider.post(both.path, form)
            #expect(review.status == 200 && review.text.contains("Both ways together"))
            let kept = review.text.kept
            let sent = try await both.two.rider.post(both.path, kept.merging(["do": "ask"]) { $1 })
            #expect(sent["Location"] == "/seats/\(both.requests.there.id)?done=seat.askedBoth")
            let draft = try #require(try door.services.asked(RidesMethods.requestSeat).last?.content)
            #expect(draft.together?.from == back.from && draft.together?.to == back.to)
            #expect(draft.together?.expected == SeatExpectation(cost: 800, departsAt: both.back.departsAt))
            #expect(draft.expected == SeatExpectation(cost: 1200, departsAt: PageCarpool.departure))
            // Sent once more, it is the same request, with the same content.
            _ = try await both.two.rider.post(both.path, kept.merging(["do": "ask"]) { $1 })
            #expect(try door.services.done(RidesMethods.requestSeat).count == 1)
            #expect(Set(try door.services.asked(RidesMethods.requestSeat).map(\.content)).count == 1)
        }
    }

    @Test func another_part_of_the_other_way_can_be_chosen() async throws {
        try await PageDoor.run { door in
            let both = try await both(door)
            let own = ["otherLeaving": "Kai 3", "otherLeaving.at": "60.18,24.95 Kai 3", "otherFrom": "0"]
            let review = try await both.two.rider.post(both.path, Self.wish.merging(own) { $1 })
            #expect(review.status == 200 && review.text.contains("Kai 3"))
            let draft = try #require(try door.services.asked(RidesMethods.quoteSeat).last?.content.together)
            #expect(draft.from == SeatPointDraft(stop: 0) && draft.to?.position?.latitude == 60.18)
            let again = try await both.two.rider.post(both.path, review.text.kept.merging(["do": "change"]) { $1 })
            #expect(again.text.contains("value=\"both\" checked") && again.text.contains("value=\"Kai 3\""))
            #expect(again.text.contains("<option value=\"0\" selected>Old Town"))
            // A point of one's own is one on the other way too, where nothing else is said.
            let point = ["boarding": "Kai 3", "boarding.at": "60.18,24.95 Kai 3"]
            _ = try await both.two.rider.post(both.path, Self.wish.merging(point) { $1 })
            let mirrored = try #require(try door.services.asked(RidesMethods.quoteSeat).last?.content.together)
            #expect(mirrored.to?.position?.latitude == 60.18 && mirrored.from == SeatPointDraft(stop: 1))
        }
    }

    @Test func what_is_wrong_with_the_other_way_stands_at_its_fields() async throws {
        try await PageDoor.run { door in
            let both = try await both(door)
            for (field, code, name) in [
                ("together.from", "out_of_range", "otherFrom"), ("together.to", "out_of_order", "otherTo"),
                ("together.detour", "too_far", "otherBoarding"), ("together", "not_possible", "ways"),
                ("to", "out_of_order", "to"),
            ] {
                door.services.refuse(RidesMethods.quoteSeat, .invalid([FieldError(field, code, "No.")]))
                let refused = try await both.two.rider.post(both.path, Self.wish)
                #expect(refused.status == 422 && refused.text.contains("id=\"\(name)-error\""), "\(field)")
            }
            door.services.refuse(RidesMethods.quoteSeat, nil)
            let typed = try await both.two.rider.post(both.path, Self.wish.merging(["otherBoarding": "Kluu"]) { $1 })
            #expect(typed.status == 422 && typed.text.contains("id=\"otherBoarding-error\""))
            // One way alone asks nothing of the other one.
            let one = ["otherBoarding": "Kluu", "ways": "one"]
            #expect(try await both.two.rider.post(both.path, Self.wish.merging(one) { $1 }).status == 200)
        }
    }

    @Test func where_one_way_has_no_room_there_are_not_both() async throws {
        try await PageDoor.run { door in
            let both = try await both(door) { ($0.free, $0.action) = ([0, 1], .ask) }
            let review = try await both.two.rider.post(both.path, Self.wish)
            #expect(review.text.contains("There is no room for both ways.") && !review.text.contains("Join the list"))
            door.services.refuse(RidesMethods.requestSeat, ServiceError(.soldOut, "None."))
            let late = try await both.two.rider.post(both.path, review.text.kept.merging(["do": "ask"]) { $1 })
            #expect(late.status == 409 && late.text.contains("no room for both ways any more"))
            both.carpool.rides.mutate { $0[1].action = .wait }
            #expect(!(try await both.two.rider.get(both.path).text.contains("This way, or both?")))
            // What is not known now is not offered.
            both.carpool.rides.mutate { _ = $0.removeLast() }
            let page = try await both.two.rider.get(both.path)
            #expect(page.status == 200 && !page.text.contains("This way, or both?"))
        }
    }

    @Test func a_pair_is_shown_once_and_answered_at_once() async throws {
        try await PageDoor.run { door in
            let both = try await both(door)
            _ = try await ask(both)
            let (there, back) = both.requests
            let own = try await both.two.rider.get("/seats/\(there.id)").text
            for text in ["Both ways, or none", "The other way: Old Town → Mill Lane", "Take both ways back"] {
                #expect(own.contains(text), "\(text)")
            }
            #expect(own.contains("href=\"/seats/\(back.id)\""))
            let pending = try await both.two.driver.get("/rides/mine?tab=pending").text
            #expect(pending.components(of: "data-mine=") == 1 && pending.components(of: "Both ways, or none") == 1)
            #expect(pending.components(of: ">Accept both ways<") == 1 && pending.contains("/seats/\(back.id)"))
            #expect(pending.contains("data-ride=\"\(both.back.id)\"") && pending.contains("€8"))
            #expect(
                try await both.two.driver.get("/rides/\(both.back.id)").text.contains(
                    "aria-label=\"Reject both ways: Ben\""))
            let question = try await both.two.driver.get("/seats/\(there.id)/reject").text
            for text in ["Say no to Ben for both ways?", "Friday, 5 March 2027", "Sunday, 7 March 2027"] {
                #expect(question.contains(text), "\(text)")
            }
            let form = ["key": "yes", "expected": "pending", "from": "pending"]
            let accepted = try await both.two.driver.post("/seats/\(there.id)/accept", form)
            #expect(accepted["Location"] == "/rides/mine?tab=pending&done=seat.acceptBoth")
            #expect(both.requests.back.state == .accepted)
            // From now on each is a seat by itself.
            let seat = try await both.two.rider.get("/seats/\(back.id)").text
            #expect(seat.contains("Asked for together with the other way") && seat.contains("Leave the ride"))
            let current = try await both.two.rider.get("/rides/mine").text
            #expect(current.components(of: "data-mine=") == 2)
        }
    }

    @Test func one_that_ends_with_the_other_says_so() async throws {
        try await PageDoor.run { door in
            let both = try await both(door)
            _ = try await ask(both)
            let (there, back) = both.requests
            let maya = try door.person("Maya").summary
            for by in [nil, maya] {
                both.carpool.change(there.id) { ($0.state, $0.changedBy) = (.withdrawn, by) }
                for visitor in [both.two.rider, both.two.driver] {
                    let page = try await visitor.get("/seats/\(there.id)").text
                    #expect(page.contains("It was for both ways or none, and the other way has ended."))
                }
            }
            let form = ["key": "w", "expected": "pending"]
            let taken = try await both.two.rider.post("/seats/\(back.id)/withdraw", form)
            #expect(taken["Location"] == "/seats/\(back.id)?done=seat.withdrawBoth")
            #expect(try await both.two.rider.get("/seats/\(back.id)").text.contains("You have taken your request back"))
        }
    }
}
