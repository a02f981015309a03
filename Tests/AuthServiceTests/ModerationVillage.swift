import DurableMessaging
import Foundation
import Messaging
import Postgres
import TestKit
import WireProtocol

@testable import AuthService

/// People who report, and who keep order, as they ask auth.
struct ModerationVillage {
    let auth: AuthBench

    static func run(
        _ configure: (inout AuthConfiguration) -> Void = { _ in }, _ test: (ModerationVillage) async throws -> Void
    ) async throws {
        try await AuthBench.run(configure) { try await test(ModerationVillage(auth: $0)) }
    }

    // MARK: People and what they have

    /// So many moderators.
    func moderators(_ count: Int) async throws -> [PersonID] {
        let people = try await auth.newcomers(count)
        for person in people { _ = try await change(person.description, isModerator: true) }
        return people
    }

    @discardableResult
    func change(_ who: String, isModerator: Bool, id: UUID = .version7()) async throws -> [RoleHolder] {
        try await auth.call(
            AuthMethods.changeRole, Nothing(), RoleChange(who: who, role: .moderator, isGranted: isModerator), id: id
        ).items
    }

    func post(of person: PersonID, _ title: String = "By the library") -> Subject {
        auth.posts.put(SubjectSnapshot(owner: person, title: title))
    }

    /// A published review that `author` wrote about `person`.
    func review(by author: PersonID, about person: PersonID, rating: Int = 2) async throws -> Subject {
        let encounter = CompletedEncounter(
            subject: Subject(kind: .spot, id: .new()), title: "By the library", low: min(author, person),
            high: max(author, person), completedAt: auth.clock.now)
        try await auth.stores.transaction { try await $0.stores.reviews.add(encounter) }
        func write(_ one: PersonID, _ other: PersonID) async throws -> Review {
            try await auth.call(
                AuthMethods.writeReview, PersonReference(id: other),
                ReviewDraft(subject: encounter.subject, rating: rating, text: "They live at number 7."),
                as: Caller(person: one))
        }
        let written = try await write(author, person)
        _ = try await write(person, author)
        return Subject(kind: .review, id: ID(written.id.uuid))
    }

    // MARK: Commands

    @discardableResult
    func report(
        _ subject: Subject, by person: PersonID, _ reason: ReportReason = .misleading,
        _ text: String? = "Look at this.", id: UUID = .version7()
    ) async throws -> Report {
        try await auth.call(
            AuthMethods.report, Nothing(), ReportDraft(subject: subject, reason: reason, text: text),
            as: Caller(person: person), id: id)
    }

    @discardableResult
    func act(
        _ act: ModerationAct, on id: CaseID, by person: PersonID, version: Int = 0, reason: String? = "Not here.",
        request: UUID = .version7()
    ) async throws -> ModerationCase {
        try await auth.call(
            AuthMethods.act, CaseReference(id: id), ActDraft(act: act, reason: reason, version: version),
            as: Caller(person: person), id: request)
    }

    // MARK: Queries

    func cases(_ state: CaseState = .open, by person: PersonID, limit: Int? = nil) async throws -> [ModerationCase] {
        var (found, cursor): ([ModerationCase], String?) = ([], nil)
        repeat {
            let page = try await auth.call(
                AuthMethods.cases, CaseQuery(state: state, limit: limit, cursor: cursor), Nothing(),
                as: Caller(person: person))
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    func file(_ id: CaseID, by person: PersonID) async throws -> CaseFile {
        try await auth.call(AuthMethods.caseFile, CaseReference(id: id), Nothing(), as: Caller(person: person))
    }

    func audit(of person: PersonID? = nil, by moderator: PersonID, limit: Int? = nil) async throws -> [AuditEntry] {
        var (found, cursor): ([AuditEntry], String?) = ([], nil)
        repeat {
            let page = try await auth.call(
                AuthMethods.audit, AuditQuery(person: person, limit: limit, cursor: cursor), Nothing(),
                as: Caller(person: moderator))
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    func person(_ id: PersonID) async throws -> Person {
        try await auth.call(AuthMethods.person, PersonReference(id: id), Nothing())
    }
}

extension RoleHolder {
    var isModerator: Bool { roles.contains(.moderator) }
}
