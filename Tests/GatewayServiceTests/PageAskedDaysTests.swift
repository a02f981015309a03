import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The same seats on other days of a commute: a request for each, and what came of each.
@Suite struct PageAskedDaysTests {
    private struct Commute {
        let two: PageAskTests.Two
        /// The next days on which there is room.
        let days: [Ride]
        var path: String { two.path }
        var names: [String: String] {
            Dictionary(uniqueKeysWithValues: days.map { ("day.\($0.id)", WireJSON.text(of: $0.departsAt)) })
        }
    }

    private func commute(_ door: PageDoor) async throws -> Commute {
        let (two, series) = (try await PageAskTests.two(door), RideSeriesID.new())
        let maya = try door.person("Maya")
        func day(_ after: Int, _ change: (inout Ride) -> Void = { _ in }) -> Ride {
            two.carpool.drive(maya) { ride in
                ride.departsAt = PageCarpool.departure + Double(after) * 86_400
                change(&ride)
            }
        }
        let days = [day(3), day(4)]
        let full = day(5) { $0.action = .wait }
        let back = day(3) { $0.stops = $0.stops.reversed() }
        two.carpool.rides.mutate { rides in for index in rides.indices { rides[index].series = series } }
        door.services.on(RidesMethods.rides) { request in
            guard request.parameters.series == series else { return Page(items: []) }
            let all = [two.ride, back] + days + [full]
            return Page(items: try all.map { try two.carpool.ride($0.id, request.caller) })
        }
        return Commute(two: two, days: days)
    }

    @Test func no_more_days_are_asked_for_than_are_offered() {
        let days = (0..<30).map { _ in ("day.\(RideID.new())", WireJSON.text(of: PageCarpool.departure)) }
        #expect(AskValues(SubmittedForm(days)).days.count == AskRides.mostDays)
    }

    @Test func each_day_is_a_request_of_its_own() async throws {
        try await PageDoor.run { door in
            let commute = try await commute(door)
            let rider = commute.two.rider
            let page = try await rider.get(commute.path).text
            #expect(page.contains("The same on other days") && page.components(of: "type=\"checkbox\"") == 2)
            #expect(page.contains("Monday, 8 March 2027, 17:00") && page.contains("Tuesday, 9 March 2027, 17:00"))
            let wish = ["from": "0", "to": "2", "seats": "1", "do": "ask", "key": "one"]
            let form = page.kept.merging(wish) { $1 }.merging(commute.names) { $1 }
            let sent = try await rider.post(commute.path, form)
            let asked = commute.two.carpool.requests.value
            let ids = asked.map { "day=" + LocalPath.encoded(AskedDay($0).written) }
            #expect(asked.count == 3 && sent.status == 303)
            #expect(sent["Location"] == "/rides/\(commute.two.ride.id)/asked?\(ids.joined(separator: "&"))")
            let drafts = try door.services.asked(RidesMethods.requestSeat).map(\.content)
            let leave = [PageCarpool.departure] + commute.days.map(\.departsAt)
            #expect(drafts.compactMap(\.expected?.departsAt) == leave)
            #expect(drafts.allSatisfy { $0.expected?.cost == 1200 && $0.to == SeatPointDraft(stop: 2) })
            let result = try await rider.get(try #require(sent["Location"])).text
            #expect(result.contains("What came of it") && result.components(of: "Maya is asked; you hear by") == 3)
            for request in asked { #expect(result.contains("href=\"/seats/\(request.id)\"")) }
            // Sent once more, they are the same requests.
            #expect(try await rider.post(commute.path, form).status == 303)
            #expect(try door.services.done(RidesMethods.requestSeat).count == 3)
        }
    }

    @Test func of_each_day_it_is_said_what_came_of_it() async throws {
        try await PageDoor.run { door in
            let commute = try await commute(door)
            let (carpool, rider) = (commute.two.carpool, commute.two.rider)
            let ben = try door.person("Ben")
            let codes: [RideID: ErrorCode] = [commute.days[0].id: .soldOut, commute.days[1].id: .unavailable]
            door.services.on(RidesMethods.requestSeat) { request in
                let id = request.parameters.id
                if let code = codes[id] { throw ServiceError(code, "No.") }
                return carpool.ask(try carpool.ride(id, request.caller), ben)
            }
            // Without scripts what was chosen is looked over first.
            let wish = ["from": "0", "to": "1", "seats": "1", "do": "ask", "key": "one"]
            let review = try await rider.post(commute.path, wish.merging(commute.names) { $1 })
            #expect(review.status == 200 && review.text.contains("Monday, 8 March 2027, 17:00<br>Tuesday, 9 March"))
            let sent = try await rider.post(commute.path, review.text.kept.merging(["do": "ask"]) { $1 })
            let result = try await rider.get(try #require(sent["Location"])).text
            for text in [
                "Maya is asked; you hear by", "There is no room on that day.", "Rides can’t be asked for just now.",
                "href=\"/rides/\(commute.days[0].id)\"",
            ] { #expect(result.contains(text), "\(text)") }
            let (one, another) = (commute.days[0].id, commute.days[1].id)
            let (then, gone) = (WireJSON.text(of: PageCarpool.departure), RideID.new())
            let rest = ["\(one)~\(then)~not_asked", "\(another)~\(then)~%3Cb%3E", "x", "\(gone)~\(then)~y"]
                .map { "day=\($0)" }
            let address = "/rides/\(commute.two.ride.id)/asked?\(rest.joined(separator: "&"))"
            let other = try await rider.get(address).text
            #expect(other.contains("Nothing was asked for this day") && other.contains("asked for like this."))
            #expect(other.components(of: "<li class=\"panel") == 3 && !other.contains("<b>"))
            #expect(other.contains("There is no such ride any more."))
            let nothing = try await rider.get("/rides/\(commute.two.ride.id)/asked?day=nothing")
            #expect(nothing["Location"] == "/rides/\(commute.two.ride.id)")
        }
    }
}
