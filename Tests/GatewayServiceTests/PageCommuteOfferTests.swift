import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Offering a ride on the same days of each week, without scripts.
@Suite struct PageCommuteOfferTests {
    private static let path = PageOfferTests.path
    private static let times = ["day": "2999-03-01", "time": "08:00", "repeat": "yes"]
    private static let days = ["on.monday": "yes", "on.wednesday": "yes", "last": "2999-03-13"]

    private func lookOver(_ visitor: PageVisitor, _ changes: [String: String] = [:]) async throws -> RawResponse {
        let form = [PageOfferTests.places, Self.times, Self.days, PageOfferTests.terms, changes]
            .reduce(into: ["step": "seats", "key": Visit.newKey(), "go": "next"]) { $0.merge($1) { $1 } }
        return try await visitor.post(Self.path, form)
    }

    @Test func days_of_each_week_become_a_commute() async throws {
        try await PageDoor.run { door in
            let commutes = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let first = try await maya.get("\(Self.path)?repeat=yes")
            #expect(first.text.kept["repeat"] == "yes")
            let when = try await maya.press(first, PageOfferTests.places)
            #expect(when.text.contains("name=\"repeat\" value=\"yes\" checked"))
            #expect(when.text.contains("name=\"on.wednesday\" value=\"yes\"><span>Wednesday</span>"))
            // Without a day or an end there is none: said at the boxes and at the field.
            let wrong = try await maya.press(when, Self.times)
            #expect(wrong.status == 422 && wrong.text.contains("On which days? Choose one or more."))
            #expect(wrong.text.contains("aria-invalid=\"true\" aria-describedby=\"weekdays-error\" autofocus"))
            #expect(
                wrong.text.contains("Until which day?")
                    && wrong.text.contains("aria-describedby=\"weekdays-error\"><legend>"))
            let typed = Self.times.merging(Self.days) { $1 }
            let more = try await maya.press(wrong, typed.merging(["skip1": "2999-03-06"]) { $1 }, go: "skip")
            #expect(more.status == 200 && more.text.contains("name=\"skip2\"") && more.text.contains("Step 2 of 3"))
            #expect(more.text.contains("name=\"on.monday\" value=\"yes\" checked"))
            commutes.gaps.mutate { $0 = [SeriesGap(day: "2999-03-11", why: .duplicate)] }
            let seats = try await maya.press(more, typed.merging(["skip1": "2999-03-06", "skip2": ""]) { $1 })
            #expect(seats.text.contains("Step 3 of 3") && seats.text.kept["skip1"] == "2999-03-06")
            let summary = try await maya.press(seats, PageOfferTests.terms)
            for text in [
                "2 rides", "<li>Monday, 4 March 2999</li>", "<li>Wednesday, 13 March 2999</li>", "Without a ride",
                "<strong>Monday, 11 March 2999</strong>", "You drive such a ride on that day already.",
                "Mondays and Wednesdays, until 13 March 2999",
            ] { #expect(summary.text.contains(text), "\(text)") }
            #expect(!summary.text.contains("<li>Wednesday, 6 March"))
            let sent = try await maya.press(summary, go: "submit")
            let draft = try #require(try door.services.asked(RidesMethods.postSeries).first?.content)
            #expect(draft.ride?.departsAt == "2999-03-01T08:00" && draft.until == "2999-03-13")
            #expect(draft.weekdays == [.monday, .wednesday] && draft.skips == ["2999-03-06"])
            let series = try #require(commutes.all.first)
            #expect(sent["Location"] == "/rides/commutes/\(series.id)/offered")
            let done = try await maya.get("/rides/commutes/\(series.id)/offered").text
            #expect(done.contains("Commute submitted") && done.contains("href=\"/rides/commutes/\(series.id)\""))
            #expect(done.contains("3 rides until 13 March 2999; the first on Monday, 4 March 2999"))
            #expect(try await door.join("Ben").get("/rides/commutes/\(series.id)/offered").status == 404)
        }
    }

    @Test func what_the_service_refuses_stands_at_its_field() async throws {
        try await PageDoor.run { door in
            _ = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            for (field, code, name, sentence) in [
                ("until", "too_far_ahead", "last", "At most twelve weeks"),
                ("weekdays", "required", "weekdays", "On which days?"),
                ("ride.departsAt", "in_past", "day", "That time is over."),
                ("skips.0", "not_a_day", "skip1", "A day, please."),
                ("ride.leavesBy", "too_long", "until", "At most six hours"),
                ("ride.stops.1", "too_close", "to", "This is where"),
                ("ride.returnRide.departsAt", "out_of_order", "backTime", "You have not arrived there by then."),
            ] {
                door.services.refuse(RidesMethods.quoteSeries, .invalid([FieldError(field, code, "No.")]))
                let refused = try await lookOver(maya, ["return": "yes", "backTime": "08:10"])
                #expect(refused.status == 422 && refused.text.contains("id=\"\(name)-error\""), "\(field)")
                #expect(refused.text.contains(sentence), "\(field)")
            }
            door.services.refuse(RidesMethods.quoteSeries, ServiceError(.tooManyRides, "Twenty."))
            #expect(try await lookOver(maya).text.contains("You drive as many rides as one may"))
        }
    }

    @Test func a_form_is_a_ride_or_a_commute_and_never_both() async throws {
        try await PageDoor.run { door in
            _ = PageCommutes(at: door)
            let maya = try await door.join("Maya")
            let summary = try await lookOver(maya)
            door.services.refuse(RidesMethods.postSeries, .lost)
            let lost = try await maya.press(summary, go: "submit")
            #expect(lost.status == 503)
            // Now as one ride: under the same id, so that a service which has done the first refuses.
            var once = lost.text.kept
            once["repeat"] = nil
            _ = try await maya.post(Self.path, once.merging(["go": "submit"]) { $1 })
            let ids = [
                try door.services.asked(RidesMethods.postSeries).map(\.id),
                try door.services.asked(RidesMethods.postRide).map(\.id),
            ]
            #expect(ids[0].count == 1 && ids[0] == ids[1])
        }
    }
}
