import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What is done to a match through `/v1`, and what comes of it that the gateway sees to.
@Suite struct MatchRouteTests {
    @Test func acts_are_called_in_addresses_as_people_call_them() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("matching.actOnMatch") { _ in ServiceReply(body: Array("{}".utf8)) }
            let (me, match) = (door.bearer(), MatchID.new())
            for act in MatchAct.allCases {
                let answer = try await door.json("POST", "/v1/matches/\(match)/\(act.path)", "{}", [me])
                #expect(answer.status == 200)
                #expect(
                    try door.backend.asked(MatchingMethods.actOnMatch.name).last.map {
                        try WireJSON.decode(MatchActReference.self, from: $0.parameters)
                    } == MatchActReference(id: match, act: act))
            }
            let before = door.backend.asked.count
            for word in ["pickUp", "giveUp", "reportNoShow", "raiseLimit", "eat", match.description] {
                let answer = try await door.json("POST", "/v1/matches/\(match)/\(word)", "{}", [me])
                #expect(answer.status == 400)
                #expect(try answer.problem().errors.map(\.field) == ["act"])
            }
            // What is written out is no act.
            for word in ["position", "contact"] {
                let answer = try await door.json("POST", "/v1/matches/\(match)/\(word)", "{}", [me])
                #expect(answer.status == 405, "\(word)")
            }
            #expect(door.backend.asked.count == before)
        }
    }

    @Test func a_receipt_is_a_photo_that_is_here() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("matching.actOnMatch") { _ in ServiceReply(body: Array("{}".utf8)) }
            let (me, away) = (door.bearer(), String(repeating: "0a", count: 32))
            let path = "/v1/matches/\(MatchID.new())/pick-up"
            let refused = try await door.json("POST", path, #"{"receipt":"\#(away)"}"#, [me])
            #expect(refused.status == 422)
            let errors = try refused.problem().errors
            #expect(errors.map(\.field) == ["receipt"] && errors.map(\.code) == ["not_a_photo"])
            #expect(door.backend.asked.isEmpty)
            // What is no digest is the service's to judge, and a field that it does not have no photo of it.
            for body in [#"{"receipt":"a slip"}"#, #"{"receipt":null}"#, #"{"receipt":7}"#, #"{"photo":"\#(away)"}"#] {
                #expect(try await door.json("POST", path, body, [me]).status == 200, "\(body)")
            }
        }
    }

    @Test(arguments: [
        (ErrorCode.handsFull, "hands_full"), (.notThere, "not_there"), (.offerGone, "offer_gone"),
        (.tooManyOrders, "too_many_orders"),
    ])
    func refusals_of_deliveries_are_conflicts_with_a_title_of_their_own(code: ErrorCode, name: String) {
        let problem = ProblemStatus.problem(ServiceError(code, "Because."))
        #expect(problem.status == 409 && problem.code.rawValue == name)
        #expect(problem.title != ProblemStatus.title(of: "something_else"))
    }
}
