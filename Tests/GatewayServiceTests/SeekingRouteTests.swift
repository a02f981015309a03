import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// What `/v1/seekers` and `/v1/rides/{id}/seekers` ask of the matching service.
@Suite struct SeekingRouteTests {
    private static let (ride, seeker) = (RideID.new(), WantedID.new())
    private static let along = "/v1/rides/\(ride)/seekers"
    private static let invite = "\(along)/\(seeker)/invite"

    @Test func lists_are_asked_for_with_their_types() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(MatchingMethods.seekers, Page(items: []))
            door.backend.answer(MatchingMethods.rideSeekers, Page(items: []))
            let me = door.bearer()
            let paths = [
                "/v1/seekers", "/v1/seekers?region=North&direction=to&limit=5&cursor=c", Self.along,
                "\(Self.along)?limit=6&cursor=d",
            ]
            for path in paths { #expect(try await door.get(path, [me]).status == 200, "\(path)") }
            #expect(
                try door.backend.asked(MatchingMethods.seekers).map(\.parameters) == [
                    SeekingQuery(), SeekingQuery(region: "North", direction: .to, limit: 5, cursor: "c"),
                ])
            #expect(
                try door.backend.asked(MatchingMethods.rideSeekers).map(\.parameters) == [
                    RideSeekersQuery(ride: Self.ride), RideSeekersQuery(ride: Self.ride, limit: 6, cursor: "d"),
                ])
        }
    }

    @Test func somebody_is_invited_to_a_ride_under_its_key() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on(MatchingMethods.inviteSeeker.name) { _ in ServiceReply(body: []) }
            let me = door.bearer()
            for key in ["one", "one", "another"] {
                #expect(try await door.send("POST", Self.invite, [me, ("Idempotency-Key", key)]).status == 204)
            }
            let asked = try door.backend.asked(MatchingMethods.inviteSeeker)
            #expect(asked.allSatisfy { $0.parameters == SeekerReference(ride: Self.ride, seeker: Self.seeker) })
            #expect(asked.count == 3 && asked[0].id == asked[1].id && asked[1].id != asked[2].id)
            #expect(door.backend.commands.count == 3)
        }
    }

    @Test func too_many_invitations_are_a_conflict_with_a_title_of_its_own() async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(MatchingMethods.inviteSeeker, ServiceError(.tooManyInvitations, "Thirty a day."))
            let refused = try await door.send("POST", Self.invite, [door.bearer()])
            let problem = try refused.problem()
            #expect(refused.status == 409 && problem.code == .tooManyInvitations)
            #expect(problem.title != ProblemStatus.title(of: "something_else"))
        }
    }

    @Test(arguments: [
        ("/v1/seekers?limit=0", 422, "limit"), ("/v1/seekers?direction=up", 422, "direction"),
        ("/v1/rides/42/seekers", 400, "id"), ("\(along)?limit=101", 422, "limit"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(path: String, status: Int, field: String) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get(path, [door.bearer()])
            #expect(answer.status == status)
            #expect(try answer.problem().errors.map(\.field).contains(field))
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func who_is_invited_is_named_by_an_id() async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.send("POST", "\(Self.along)/ana/invite", [door.bearer()])
            #expect(answer.status == 400)
            #expect(try answer.problem().errors.map(\.field) == ["seeker"])
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func nothing_of_it_is_public() async throws {
        try await TestDoor.run { door async throws in
            for (verb, path) in [("GET", "/v1/seekers"), ("GET", Self.along), ("POST", Self.invite)] {
                #expect(try await door.send(verb, path, []).status == 401, "\(path)")
            }
            let routes = APIRoute.all.filter { $0.path.contains("/seekers") }
            #expect(routes.count == 3 && routes.allSatisfy { $0.session == .required && !$0.isForSuspended })
            #expect(door.backend.asked.isEmpty)
        }
    }
}
