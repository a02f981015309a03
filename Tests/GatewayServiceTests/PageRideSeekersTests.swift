import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Who seeks along the way of a ride: its driver sees them, and invites them.
@Suite struct PageRideSeekersTests {
    private static let part = [("HX-Request", "true"), ("HX-Target", "more")]

    @Test func a_ride_says_to_its_driver_how_many_seek_along_its_way() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let ride = Ride.sample(by: try door.person("Maya").summary)
            door.show(ride)
            door.services.answer(RidesMethods.requests, Page(items: []))
            let path = "/rides/\(ride.id)/seekers"
            #expect(!(try await maya.get("/rides/\(ride.id)").text.contains(path)))
            let all = ["Ana", "Cleo", "Dan"].map { Seeker.sample($0).along() }
            door.services.answer(MatchingMethods.rideSeekers, Page(items: all))
            let page = try await maya.get("/rides/\(ride.id)").text
            #expect(page.contains("3 people seek a ride along your way") && page.contains("href=\"\(path)\""))
            door.services.answer(MatchingMethods.rideSeekers, Page(items: [all[0]]))
            #expect(try await maya.get("/rides/\(ride.id)").text.contains("1 person seeks a ride along your way"))
            door.services.answer(MatchingMethods.rideSeekers, Page(items: all, next: "on"))
            #expect(try await maya.get("/rides/\(ride.id)").text.contains("More than 20 people seek a ride"))
            // Nobody else is told, or asks; and the page does without.
            let asked = try door.services.asked(MatchingMethods.rideSeekers)
            #expect(asked.allSatisfy { $0.parameters == RideSeekersQuery(ride: ride.id, limit: 20) })
            #expect(!(try await ben.get("/rides/\(ride.id)").text.contains(path)))
            #expect(try door.services.asked(MatchingMethods.rideSeekers).count == asked.count)
            door.services.refuse(MatchingMethods.rideSeekers, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/rides/\(ride.id)")
            #expect(away.status == 200 && !away.text.contains(path))
            #expect(try await maya.get("/rides/\(ride.id)/offered").text.contains("href=\"\(path)\""))
        }
    }

    @Test func they_are_listed_with_what_they_cost() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let ride = Ride.sample(by: try door.person("Maya").summary)
            door.show(ride)
            let path = "/rides/\(ride.id)/seekers"
            let none = try await maya.get(path)
            #expect(none.status == 200 && none.text.contains("Nobody seeks along your way just now"))
            let ana = Seeker.sample("Ana <b>") { ($0.seats, $0.luggage) = (2, .medium) }
            let dan = Seeker.sample("Dan") { seeking in
                seeking.after += 8 * 3600
                seeking.before = seeking.after + 3600
                seeking.to.region = nil
            }
            door.services.on(MatchingMethods.rideSeekers) { request in
                request.parameters.cursor == nil
                    ? Page(items: [ana.along()], next: "o&n")
                    : Page(items: [dan.along(startGap: 1100, endGap: 300, detour: 0, invitedAt: Date() - 120)])
            }
            let first = try await maya.get(path).text
            for text in [
                "Harbour\n</strong>", "<strong><a href=\"/people/\(ana.person.id)\">Ana &lt;b&gt;</a></strong>",
                "Testholm → somewhere near South", "Friday, 8 March 2999</span>", ">2 seats<", "room for a suitcase",
                "6 minutes, 2.4 km out of your way", "action=\"\(path)/\(ana.id)/invite\"", "data-once",
                "hx-get=\"\(path)?cursor=o%26n\" hx-target=\"#more\"",
            ] { #expect(first.contains(text), "\(text)") }
            #expect(!first.contains("<b>") && !first.contains("Nobody seeks"))
            let more = try await maya.get("\(path)?cursor=o%26n", Self.part).text
            #expect(more.contains("<li class=\"panel") && !more.contains("<html"))
            for text in [
                "Testholm → a place without a name", "Friday, 8 March 2999, 08:00 – 09:00",
                "From stop to stop · starts 1.1 km from your stop", ">1 seat<", "Invited <time",
            ] { #expect(more.contains(text), "\(text)") }
            #expect(!more.contains("/invite\"") && !more.contains("· ends"))
            #expect(try door.services.asked(MatchingMethods.rideSeekers).last?.parameters.cursor == "o&n")
            // To everybody else there is no such page.
            #expect(try await ben.get(path).status == 404)
            #expect(try await PageVisitor(port: door.port).get(path)["Location"]?.hasPrefix("/sign-in") == true)
            // What they were told of who seeks is read.
            let read = try door.services.asked(NotificationMethods.markRead).map(\.content.about)
            #expect(read == [Subject(ride.id), Subject(ride.id)])
        }
    }

    @Test func a_ride_that_matching_does_not_know_or_that_has_left_has_nobody_to_invite() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let left = Ride.sample(by: try door.person("Maya").summary) { $0.state = .departed }
            door.show(left)
            let path = "/rides/\(left.id)/seekers"
            door.services.answer(MatchingMethods.rideSeekers, Page(items: [Seeker.sample("Ana").along()]))
            let page = try await maya.get(path).text
            #expect(page.contains("This ride has left.") && page.contains("Ana") && !page.contains("/invite\""))
            door.services.refuse(MatchingMethods.rideSeekers, ServiceError.notFound("ride"))
            let none = try await maya.get(path).text
            #expect(none.contains("This ride has left.") && !none.contains("Nobody seeks along your way"))
            door.services.refuse(MatchingMethods.rideSeekers, ServiceError(.unavailable, "Away."))
            #expect(try await maya.get(path).status == 503)
        }
    }

    @Test func somebody_is_invited_once() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let ride = Ride.sample(by: try door.person("Maya").summary)
            door.show(ride)
            let ana = Seeker.sample("Ana")
            let path = "/rides/\(ride.id)/seekers"
            door.services.answer(MatchingMethods.rideSeekers, Page(items: [ana.along()]))
            door.services.answer(MatchingMethods.inviteSeeker, Nothing())
            let form = try await maya.get("\(path)?cursor=on").text.kept
            #expect(form["cursor"] == "on" && form["key"]?.isEmpty == false)
            for _ in 0..<2 {
                let sent = try await maya.post("\(path)/\(ana.id)/invite", form)
                #expect(sent.status == 303 && sent["Location"] == "\(path)?cursor=on&done=seeking.invited")
            }
            let done = try door.services.done(MatchingMethods.inviteSeeker).map(\.parameters)
            #expect(done == [SeekerReference(ride: ride.id, seeker: ana.id)])
            let said = try await maya.get("\(path)?done=seeking.invited").text
            #expect(said.contains("Invited: they are told of your ride."))
            // From the beginning of the list one comes back there.
            let plain = try await maya.post("\(path)/\(ana.id)/invite", ["key": "two", "cursor": ""])
            #expect(plain["Location"] == "\(path)?done=seeking.invited")
            door.services.refuse(MatchingMethods.inviteSeeker, .doneBefore)
            #expect(try await maya.post("\(path)/\(ana.id)/invite", ["key": "two"]).status == 303)
            door.services.refuse(MatchingMethods.inviteSeeker, ServiceError.notFound("ride"))
            #expect(try await ben.post("\(path)/\(ana.id)/invite", ["key": "three"]).status == 404)
            #expect(try await maya.post("\(path)/ana/invite", ["key": "four"]).status == 404)
        }
    }

    @Test func why_somebody_is_not_invited_is_said_above_the_list() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ride = Ride.sample(by: try door.person("Maya").summary)
            door.show(ride)
            let ana = Seeker.sample("Ana")
            let path = "/rides/\(ride.id)/seekers"
            door.services.answer(MatchingMethods.rideSeekers, Page(items: [ana.along()]))
            for (error, status, sentence) in [
                (
                    ServiceError(.tooManyInvitations, "Thirty."), 409,
                    "You have invited as many people today as one may."
                ),
                (ServiceError.notFound("seeker"), 404, "This is not sought any more, or not along your way."),
                (.lost, 503, "No answer came in time."),
            ] {
                door.services.refuse(MatchingMethods.inviteSeeker, error)
                let page = try await maya.post("\(path)/\(ana.id)/invite", ["key": "\(error.code.rawValue)"])
                #expect(page.status == status && page.text.contains("role=\"alert\""), "\(error.code)")
                #expect(page.text.contains(sentence), "\(error.code)")
                // Sent again it is the same request.
                #expect(page.text.kept["key"] == error.code.rawValue)
            }
        }
    }

    @Test func what_somebody_costs_is_said_as_far_as_it_is_known() throws {
        let (english, german) = (PageRenderingTests.english, PageRenderingTests.german)
        let ana = Seeker.sample("Ana")
        for (along, said) in [
            (ana.along(detour: 12_000, seconds: 900), "15 minutes, 12 km out of your way"),
            (ana.along(detour: 6000, seconds: nil), "6 km out of your way"), (ana.along(detour: 300), "On your way"),
            (ana.along(detour: 0), "On your way"),
            (
                ana.along(startGap: 800, endGap: 1200, detour: 0),
                "From stop to stop · starts 800 m from your stop · ends 1.2 km from your stop"
            ),
        ] { #expect(along.cost(in: english) == said) }
        #expect(ana.along().cost(in: german) == "6 Minuten, 2,4 km Umweg für dich")
        #expect(ana.when(in: "Europe/Helsinki", english) == "Friday, 8 March 2999")
        #expect(
            ana.when(in: "UTC", english) == "Between Thursday, 7 March 2999, 22:00 and Friday, 8 March 2999, 22:00")
        let nowhere = SeekingEnd(position: Position(latitude: 0, longitude: 0))
        #expect(nowhere.text(in: german) == "ein Ort ohne Namen")
    }
}
