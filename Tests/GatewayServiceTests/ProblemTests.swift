import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

@Suite struct ProblemTests {
    @Test(arguments: Array(ProblemStatus.known.keys))
    func every_code_has_its_status_and_its_form(code: ErrorCode) async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(
                AuthMethods.me, ServiceError(code, "In words.", errors: [FieldError("a.b", "c", "d")]))
            let answer = try await door.get("/v1/me", [door.bearer()])
            let problem = try answer.problem()
            #expect(answer.status == ProblemStatus.status(of: code).code)
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(problem.status == answer.status)
            #expect(problem.code == code)
            #expect(problem.detail == "In words.")
            #expect(problem.errors == [FieldError("a.b", "c", "d")])
            #expect((answer["Retry-After"] != nil) == [429, 503].contains(answer.status))
            #expect((answer["WWW-Authenticate"] != nil) == (answer.status == 401))
        }
    }

    @Test func what_a_service_adds_is_a_conflict() {
        #expect(ProblemStatus.status(of: "some_new_code") == .conflict)
    }

    @Test func an_unknown_outcome_and_an_absent_service_are_told_apart() async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(
                ListingsMethods.claimSpot, ServiceError(.outcomeUnknown, "No answer.", retryAfter: 2))
            let path = "/v1/spots/\(SpotID.new())/claim"
            let unknown = try await door.send("POST", path, [door.bearer()])
            #expect(unknown.status == 503)
            #expect(unknown["Retry-After"] == "2")
            #expect(try unknown.problem().code == .outcomeUnknown)
            let away = try await door.get("/v1/me", [door.bearer()])
            #expect(away.status == 503)
            #expect(try away.problem().code == .unavailable)
        }
    }

    @Test func a_command_that_was_cut_off_may_have_been_done() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("listings.claimSpot") { _ in throw CancellationError() }
            door.backend.on("auth.me") { _ in throw CancellationError() }
            let command = try await door.send("POST", "/v1/spots/\(SpotID.new())/claim", [door.bearer()])
            #expect(command.status == 503)
            #expect(try command.problem().code == .outcomeUnknown)
            #expect(command["Retry-After"] == "1")
            #expect(try await door.get("/v1/me", [door.bearer()]).problem().code == .unavailable)
        }
    }

    struct Secret: Error { let password = "hunter2" }

    @Test func errors_that_are_no_refusals_leak_nothing() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("auth.me") { _ in throw Secret() }
            let answer = try await door.get("/v1/me", [door.bearer()])
            #expect(answer.status == 500)
            #expect(try answer.problem().code == .internalError)
            #expect(!answer.text.contains("hunter2") && !answer.text.contains("Secret"))
        }
    }
}
