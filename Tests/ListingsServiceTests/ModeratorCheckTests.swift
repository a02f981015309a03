import Foundation
import People
import Testing
import WireProtocol

@testable import Messaging

/// Whose role was taken is no moderator any more, whatever their token says for minutes.
@Suite struct ModeratorCheckTests {
    private static let maya = PersonID.new()

    private static func holders() -> Page<RoleHolder> {
        Page(items: [RoleHolder(id: maya, name: "Maya", username: nil, memberSince: Date(), roles: [.moderator])])
    }

    @Test func who_moderates_now_is_asked_for_those_alone_who_say_so() async throws {
        let check = ModeratorCheck { Self.holders() }
        let silent = ModeratorCheck { throw ServiceError(.internalError, "Nobody has to ask.") }
        for kind in [MethodKind.query, .command] {
            let maya = Caller(person: Self.maya, roles: [.moderator, .operator])
            #expect(try await check.caller(maya, asking: kind) == maya)
            let former = Caller(person: .new(), roles: [.moderator, .operator])
            #expect(try await check.caller(former, asking: kind).roles == [.operator])
            let anybody = Caller(person: .new(), roles: [.operator])
            #expect(try await silent.caller(anybody, asking: kind) == anybody)
        }
    }

    @Test func while_auth_is_away_nobody_is_one_and_nothing_is_done_as_one() async throws {
        let away = ModeratorCheck { throw ServiceError(.unavailable, "Away.") }
        let maya = Caller(person: Self.maya, roles: [.moderator])
        #expect(try await away.caller(maya, asking: .query).roles.isEmpty)
        await #expect(throws: ServiceError.self) { try await away.caller(maya, asking: .command) }
    }

    @Test func a_router_hands_on_whom_it_has_checked() async throws {
        let method = ListingsEvents.stream.methods.photosInUse
        let check = ModeratorCheck { Self.holders() }
        var router = RequestRouter(service: "listings") { try await check.caller($0, asking: $1) }
        router.on(method) { _, _, context in PhotoUse(photos: context.caller.roles.map(\.rawValue).sorted()) }
        for (person, roles) in [(Self.maya, ["moderator"]), (PersonID.new(), [])] {
            let request = RequestEnvelope(
                id: .version7(), method: method.name, deadline: Date() + 30,
                caller: Caller(person: person, roles: [.moderator]), parameters: [],
                body: try WireJSON.encode(PhotoUse(photos: [])))
            let route = try #require(router.routes[method.name])
            let reply = try await route.handle(request, RequestContext(request, from: .gateway))
            #expect(try WireJSON.decode(PhotoUse.self, from: reply.bytes).photos == roles)
        }
    }
}
