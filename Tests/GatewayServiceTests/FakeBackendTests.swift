import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// What tests of pages and calls rely on: services answer what was said, and remember what they were asked.
@Suite struct FakeBackendTests {
    private let services = FakeBackend(unanswered: ServiceError.notFound("answer"))
    private let maya = Caller(person: .new())

    private func block(_ person: PersonID, id: UUID = .version7()) async throws -> BlockedPerson {
        try await services.call(AuthMethods.block, PersonReference(id: person), Nothing(), as: maya, id: id)
    }

    @Test func an_answer_is_made_of_the_request_in_its_types() async throws {
        services.on(AuthMethods.block) { request in
            BlockedPerson(person: PersonSummary(id: request.parameters.id, name: "Ben"), since: Date())
        }
        services.on(AuthMethods.report) { request in
            let (id, draft) = (try request.caller.requirePerson(), request.content)
            return Report(
                id: .new(), subject: draft.subject, reason: draft.reason, text: id.description, reportedAt: Date())
        }
        let ben = PersonID.new()
        #expect(try await block(ben).person.id == ben)
        let draft = ReportDraft(subject: Subject(kind: .person, id: ID(ben.uuid)), reason: .spam)
        let report = try await services.call(AuthMethods.report, Nothing(), draft, as: maya)
        #expect(report.subject == draft.subject && report.text == maya.person?.description)
        #expect(try services.asked(AuthMethods.block).map(\.parameters.id) == [ben])
        #expect(try services.asked(AuthMethods.report).map(\.content) == [draft])
        #expect(services.commands == ["auth.block", "auth.report"])
    }

    @Test func what_comes_again_under_its_id_is_done_once() async throws {
        let (one, other, id) = (PersonID.new(), PersonID.new(), UUID.version7())
        services.on(AuthMethods.block) { request in
            BlockedPerson(person: PersonSummary(id: request.parameters.id, name: "Ben"), since: Date())
        }
        for _ in 1...2 { _ = try await block(one, id: id) }
        _ = try await block(other)
        #expect(try services.asked(AuthMethods.block).count == 3)
        #expect(try services.done(AuthMethods.block).map(\.parameters.id) == [one, other])
    }

    @Test func it_refuses_until_it_is_told_to_answer() async throws {
        func isRefused(_ code: ErrorCode) async -> Bool {
            do {
                _ = try await services.call(AuthMethods.blocks, BlockQuery(), Nothing(), as: maya)
                return false
            } catch {
                return (error as? ServiceError)?.code == code
            }
        }
        #expect(await isRefused(.notFound), "nothing was said")
        services.answer(AuthMethods.blocks, Page(items: []))
        services.refuse(AuthMethods.blocks, .lost)
        #expect(await isRefused(.outcomeUnknown))
        services.refuse(AuthMethods.blocks, nil)
        #expect(!(await isRefused(.outcomeUnknown)))
        services.refuse(AuthMethods.blocks, .lost)
        services.answer(AuthMethods.blocks, Page(items: []))
        #expect(try await services.call(AuthMethods.blocks, BlockQuery(), Nothing(), as: maya).items.isEmpty)
    }

    @Test func lists_lead_on() {
        let first = Page([1, 2, 3, 4], from: nil)
        #expect(first.items == [1, 2, 3] && first.next == "3")
        let last = Page([1, 2, 3, 4], from: first.next)
        #expect(last.items == [4] && last.next == nil)
    }
}
