import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension StackTests {
    /// A community that keeps its campuses apart: nobody finds, meets or hears of anyone of another one, by whatever way in.
    @Suite(.serialized, .onlyOnOwnStack) struct CampusSeparationTests {
        /// A stack of its own, since the others' does not keep them apart.
        private static func withStack(_ body: (Campuses) async throws -> Void) async throws {
            var options = Community.options
            options.settings["KAMPONG_COMMUNITY_CAMPUSES_APART"] = "true"
            let stack = try await Stack.start(options)
            do {
                try await body(try await Campuses(stack))
                await stack.stop()
            } catch {
                await stack.stop()
                throw error
            }
        }

        @Test func no_operation_of_the_document_tells_of_anyone_of_another_campus() async throws {
            try await Self.withStack { campuses in
                #expect(try await campuses.ben.client.about().campusesApart == true)
                let document = try JSONSerialization.jsonObject(
                    with: try await campuses.raw("GET", "/v1/openapi.json").body)
                let paths = try #require((document as? [String: Any])?["paths"] as? [String: [String: Any]])
                var walked = 0
                for (path, operations) in paths.sorted(by: { $0.key < $1.key }) {
                    for verb in operations.keys.sorted() where verb != "parameters" {
                        walked += 1
                        try await campuses.walk(verb.uppercased(), path)
                    }
                }
                #expect(walked > 50)
                // Those of her own campus meet with no such wall.
                let (ada, amy) = (campuses.ada, campuses.amy)
                #expect(try await amy.client.person(ada.id).name == ada.name)
                #expect(try await amy.client.spot(campuses.spot).postedBy.id == ada.id)
                #expect(try await amy.client.review(campuses.review).about == ada.id)
                #expect(try await amy.client.thing(campuses.car, .car).owner.id == ada.id)
                #expect(try await amy.client.ride(campuses.ride).driver.id == ada.id)
                #expect(try await amy.client.spots(in: campuses.box).items.map(\.id) == [campuses.spot])
                #expect(try await amy.client.friends().items.map(\.person.id) == [ada.id])
            }
        }

        @Test func who_shows_a_campus_leaves_those_without_and_finds_its_people() async throws {
            try await Self.withStack { campuses in
                let (amy, ben, eve) = (campuses.amy, campuses.ben, campuses.eve)
                let stranger = KampongClient(baseURL: campuses.address)
                let (atAmy, atBen) = (Listener(amy.client, in: campuses.box), Listener(ben.client, in: campuses.box))
                let (atEve, atStranger) = (Listener(eve.client, in: campuses.box), Listener(stranger, in: campuses.box))
                for listener in [atAmy, atBen, atEve, atStranger] { try await listener.connect() }
                let first = try await eve.client.postSpot(campuses.draft()).id
                #expect(await eventually { atStranger.spots(named: "spotAdded") == [first] })
                #expect(await eventually { atEve.spots(named: "spotAdded") == [first] })
                #expect(try await stranger.person(eve.id).name == eve.name)

                try await campuses.verify(eve, at: "hill.example.org")
                #expect(await eventually { (try? await amy.client.spot(first).postedBy.name) == eve.name })
                #expect(
                    try await Set(amy.client.spots(in: campuses.box).items.map(\.id)) == [campuses.spot, first])
                #expect(try await eve.client.spot(campuses.spot).postedBy.id == campuses.ada.id)
                #expect(await Result { try await stranger.spot(first) }.refusal == .notFound)
                #expect(await Result { try await stranger.person(eve.id) }.refusal == .notFound)
                #expect(try await stranger.spots(in: campuses.box).items.isEmpty)

                // The stream that is open moves with her.
                let second = try await eve.client.postSpot(campuses.draft()).id
                _ = try await amy.client.claim(second)
                let third = try await amy.client.postSpot(campuses.draft()).id
                for listener in [atAmy, atEve] {
                    #expect(await eventually { listener.spots(named: "spotAdded").suffix(2) == [second, third] })
                    #expect(await eventually { listener.spots(named: "spotClaimed") == [second] })
                }
                let bens = try await ben.client.postSpot(campuses.draft()).id
                #expect(await eventually { atBen.spots(named: "spotAdded") == [bens] })
                #expect(atBen.spots(named: "spotClaimed").isEmpty)
                #expect(
                    atStranger.spots(named: "spotAdded") == [first] && atStranger.spots(named: "spotClaimed").isEmpty)
                #expect(!atEve.spots(named: "spotAdded").contains(bens))
            }
        }
    }
}

/// Ada and Amy belong to one campus, Ben to another, Eve to none. Ada has posted a spot and a ride, is Amy's friend, and Amy has reviewed her.
private struct Campuses {
    struct Member {
        let client: KampongClient
        let name: String
        let id: PersonID

        init(_ name: String, _ address: URL) async throws {
            client = KampongClient(baseURL: address)
            self.name = "\(name) \(UUID().uuidString.prefix(8))"
            _ = try await client.signUp(
                SignUp(email: Community.someEmail(), password: "eight or more", name: self.name))
            id = try await client.me().id
        }
    }

    let stack: Stack
    let address: URL
    let place = Community.someWhere()
    let title = "Spot \(UUID().uuidString.prefix(8))"
    let ada: Member
    let amy: Member
    let ben: Member
    let eve: Member
    let spot: SpotID
    let car: ThingID
    let ride: RideID
    /// Where it leads.
    let end: Position
    let review: ReviewID

    var box: BoundingBox { Community.box(around: place) }
    func draft() -> SpotDraft { Community.draft(title, at: place) }

    init(_ stack: Stack) async throws {
        self.stack = stack
        address = URL(string: stack.baseURL)!
        (ada, amy) = (try await Member("Ada", address), try await Member("Amy", address))
        (ben, eve) = (try await Member("Ben", address), try await Member("Eve", address))
        for (one, other) in [(ada, amy), (amy, ada)] { _ = try await one.client.befriend(other.id) }
        // Who belongs nowhere is together with others who belong nowhere.
        let place = place
        let met = try await ada.client.postSpot(Community.draft("Where they met", at: place))
        #expect(try await ben.client.spots(in: Community.box(around: place)).items.map(\.id) == [met.id])
        _ = try await amy.client.claim(met.id)
        _ = try await amy.client.observe(met.id, .there)
        let (me, other) = (amy, ada)
        #expect(await eventually { (try? await me.client.encounters(with: other.id).items.count) == 1 })
        let subject = Subject(kind: .spot, id: ID(met.id.uuid))
        review = try await amy.client.writeReview(
            ReviewDraft(subject: subject, rating: 4, text: title), about: ada.id
        ).id
        _ = try await ada.client.writeReview(ReviewDraft(subject: subject, rating: 5, text: "Welcome"), about: amy.id)
        spot = try await ada.client.postSpot(Community.draft(title, at: place)).id
        var draft = try await StackTests.RentalTests.car(of: ada.client, title)
        draft.position = place
        car = try await ada.client.postThing(draft, as: .car).id
        end = Position(latitude: place.latitude + 0.2, longitude: place.longitude)
        let stops = [RideStopDraft(name: title, position: place), RideStopDraft(name: "Elsewhere", position: end)]
        ride = try await ada.client.postRide(
            RideDraft(stops: stops, departsAt: (Date() + 72_000).formatted(.iso8601), seats: 3)
        ).id
        for (member, domain) in [(ada, "hill.example.org"), (amy, "hill.example.org"), (ben, "cs.bay.example.org")] {
            try await verify(member, at: domain)
        }
        // Until listings and rides have heard of it.
        let (spot, ride, outsider) = (spot, ride, ben)
        #expect(await eventually { await Result { try await outsider.client.spot(spot) }.refusal == .notFound })
        #expect(await eventually { await Result { try await outsider.client.ride(ride) }.refusal == .notFound })
    }

    func verify(_ member: Member, at domain: String) async throws {
        let email = "\(UUID().uuidString.lowercased())@\(domain)"
        try await member.client.requestEmailVerification(email: email)
        let stack = stack
        func mail() async throws -> String? { try await stack.mails().first { $0.contains("To: <\(email)>") } }
        #expect(try await eventually(within: .seconds(90)) { try await mail() != nil })
        let code = try #require(try await mail()?.firstMatch(of: /\r\n([0-9]{6})\r\n/))
        _ = try await member.client.verifyEmail(code: String(code.1))
    }

    // MARK: Every operation

    /// Somebody who is not to find Ada, and what is hers.
    private var outsiders: [(String, KampongClient?)] {
        [("of another campus", ben.client), ("of none", eve.client), ("a stranger", nil)]
    }

    /// Asks one operation as each of the outsiders: of what is Ada's they hear what they hear of what never was, and nothing names her.
    func walk(_ verb: String, _ path: String) async throws {
        // Her id in a query is one's own, and in the path; other answers have none of these.
        let marks = [ada.name, amy.name, title, spot.description, car.description, ride.description]
        let queries: [String] =
            verb == "GET" && !path.contains("{")
            ? [
                "", "bbox=\(box.west),\(box.south),\(box.east),\(box.north)",
                "near=\(place.latitude),\(place.longitude)",
                "from=\(place.latitude),\(place.longitude)&to=\(end.latitude),\(end.longitude)",
                "by=\(ada.id)", "with=\(ada.id)", "of=claimed", "in=friends", "person=\(ada.id)",
            ]
            : [
                path.hasSuffix("/quote")
                    ? "from=\(StackTests.RentalTests.day(1))&until=\(StackTests.RentalTests.day(2))" : ""
            ]
        // It does not end, and is listened to in the other test.
        guard path != "/v1/stream" else { return }
        for (who, client) in outsiders {
            // What ends the session, or the account, is asked of nobody.
            if ["/v1/sessions", "/v1/sessions/current", "/v1/me"].contains(path), verb == "DELETE" { continue }
            for query in queries {
                let ids = ["\(ada.id)", "\(spot)", "\(car)", "\(ride)", "\(review)"]
                let hers = try await answers(verb, path, query, ids, client)
                let other = try await answers(verb, path, query, [UUID().uuidString.lowercased()], client)
                for answer in hers {
                    let told = String(decoding: answer.body, as: UTF8.self)
                    for mark in marks where told.contains(mark) && !answer.sent.contains(mark) {
                        Issue.record("\(verb) \(path)?\(query) tells somebody \(who): \(told)")
                    }
                    if path == "/v1/reports", verb == "POST", client != nil {
                        #expect(answer.status == 404, "\(answer.sent) by somebody \(who)")
                    }
                    if path.contains("{") {
                        #expect(
                            answer.outcome == other[0].outcome,
                            "\(verb) \(answer.path) by somebody \(who) is not answered as if it never was")
                    }
                }
            }
        }
    }

    struct Answer {
        var path: String
        var sent: String
        var status: Int
        var body: Data

        /// Without what differs from request to request.
        var outcome: String {
            let problem = try? JSONDecoder().decode(Problem.self, from: body)
            return "\(status) \(problem.map { "\($0.code.rawValue) \($0.title)" } ?? "")"
        }
    }

    private func answers(
        _ verb: String, _ path: String, _ query: String, _ ids: [String], _ client: KampongClient?
    ) async throws -> [Answer] {
        var answers: [Answer] = []
        let token = await client?.tokens?.accessToken
        for id in ids {
            let named = path.replacing("{act}", with: "accept").replacing(/\{[a-zA-Z]+\}/, with: id)
            for body in bodies(verb, path, about: id) {
                answers.append(try await raw(verb, query.isEmpty ? named : "\(named)?\(query)", body, token))
            }
            if !path.contains("{"), verb == "GET" { break }
        }
        return answers
    }

    /// What an operation is sent, where it takes something.
    private func bodies(_ verb: String, _ path: String, about id: String) -> [String?] {
        switch (verb, path) {
        case ("POST", "/v1/people/{id}/reviews"):
            [#"{"subject":{"kind":"spot","id":"\#(spot)"},"rating":1,"text":"Never met"}"#]
        case ("PUT", "/v1/reviews/{id}/reply"): [#"{"text":"A word"}"#]
        case ("POST", "/v1/reports"):
            ["person", "post", "review"].map { #"{"subject":{"kind":"\#($0)","id":"\#(id)"},"reason":"spam"}"# }
        case ("PUT", "/v1/spots/{id}"):
            [#"{"name":"Mine now","position":{"latitude":1,"longitude":1},"kind":"street"}"#]
        case ("POST", "/v1/spots/{id}/observations"): [#"{"state":"gone"}"#]
        case ("PUT", "/v1/cars/{id}"), ("PUT", "/v1/spaces/{id}"), ("PUT", "/v1/private-parking/{id}"):
            [#"{"title":"Mine now"}"#]
        case ("POST", let path) where path.hasSuffix("/rentals") || path.hasSuffix("/date-blocks"):
            [#"{"from":"\#(StackTests.RentalTests.day(1))","until":"\#(StackTests.RentalTests.day(2))"}"#]
        case ("POST", "/v1/moderation/cases/{id}/acts"): [#"{"act":"dismiss","version":1}"#]
        case ("POST", _), ("PATCH", _): ["{}"]
        default: [nil]
        }
    }

    func raw(_ verb: String, _ path: String, _ body: String? = nil, _ token: String? = nil) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: "\(address)\(path)")))
        request.httpMethod = verb
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if verb != "GET" { request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key") }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body.utf8)
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        return Answer(
            path: path, sent: path + (body ?? ""), status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: data)
    }
}
