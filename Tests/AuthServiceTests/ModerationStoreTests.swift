import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Reports, cases and the audit log as the bus asks for them, on a real database.
@Suite struct ModerationStoreTests {
    @Test func several_reports_of_one_subject_are_one_case_with_what_it_said_then() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(3)
            let mod = try await village.moderators(1)[0]
            let post = village.post(of: people[0], "Free for all")
            let first = try await village.report(post, by: people[1])
            #expect(first.subject == post && first.text == "Look at this.")
            village.auth.clock.advance(by: .seconds(60))
            village.auth.posts.change(post, to: SubjectSnapshot(owner: people[0], title: "Nothing to see"))
            try await village.report(post, by: people[2], .other, "He changed it.")
            let open = try await village.cases(by: mod)
            #expect(open.count == 1)
            let one = try #require(open.first)
            #expect(one.title == "Free for all" && one.reports == 2 && one.reasons == [.misleading, .other])
            #expect(one.person.id == people[0] && one.state == .open && one.version == 0 && one.decision == nil)
            #expect(one.reportedAt.timeIntervalSince(one.openedAt) == 60)
            let file = try await village.file(one.id, by: mod)
            #expect(file.about == one && file.now?.title == "Nothing to see" && file.hidden == nil)
            #expect(file.reports.map(\.by?.id) == [people[2], people[1]])
            #expect(file.reports.map(\.subject.title) == ["Nothing to see", "Free for all"])
            #expect(file.possible == [.dismiss, .hide, .warn, .suspend] && file.acts.isEmpty)
            // What has gone since, and a service that is away, are no reason not to decide.
            village.auth.posts.change(post, to: nil)
            #expect(try await village.file(one.id, by: mod).now == nil)
            village.auth.posts.fail(with: ServiceError(.unavailable, "Away."))
            #expect(try await village.file(one.id, by: mod).now == nil)
        }
    }

    @Test func what_one_does_not_see_or_has_oneself_cannot_be_reported() async throws {
        try await ModerationVillage.run({ $0.reports.most = 3 }) { village in
            let people = try await village.auth.newcomers(3)
            let (ada, ben, eve) = (people[0], people[1], people[2])
            func refused(_ subject: Subject, by person: PersonID) async throws -> ErrorCode? {
                try await refusal { try await village.report(subject, by: person) }?.code
            }
            let post = village.post(of: ada)
            #expect(try await refused(post, by: ada) == .forbidden)
            #expect(try await refused(Subject(kind: .person, id: ID(ada.uuid)), by: ada) == .forbidden)
            for kind in SubjectKind.allCases where kind.uses.contains(.reports) {
                #expect(try await refused(Subject(kind: kind, id: .new()), by: ada) == .notFound)
            }
            village.auth.posts.hide(from: eve)
            #expect(try await refused(post, by: eve) == .notFound)
            let review = try await village.review(by: ada, about: ben)
            _ = try await BlockVillage(auth: village.auth).block(ada, eve)
            #expect(try await refused(review, by: eve) == .notFound)
            #expect(try await refused(Subject(kind: .person, id: ID(ada.uuid)), by: eve) == .notFound)
            #expect(try await refused(review, by: ada) == .forbidden)
            #expect(try await village.auth.count("reports") == 0)

            // Once for each, until it is decided; and not too much in a day.
            try await village.report(post, by: ben)
            #expect(try await refused(post, by: ben) == .alreadyReported)
            try await village.report(review, by: ben)
            try await village.report(Subject(kind: .person, id: ID(ada.uuid)), by: ben)
            let busy = try await refusal { try await village.report(village.post(of: eve), by: ben) }
            #expect(busy?.code == .tooManyRequests && (busy?.retryAfter ?? 0) > 86_000)
            village.auth.clock.advance(by: .seconds(86_401))
            try await village.report(village.post(of: eve), by: ben)
            // A service that is away is no answer.
            village.auth.posts.fail(with: ServiceError(.unavailable, "Away.", retryAfter: 1))
            #expect(try await refused(village.post(of: ada), by: ben) == .unavailable)
            let nobody = try await refusal {
                try await village.auth.call(AuthMethods.report, Nothing(), ReportDraft(subject: post, reason: .spam))
            }
            #expect(nobody?.code == .unauthenticated)
        }
    }

    @Test func a_repeated_report_is_one_whatever_became_of_the_subject_and_crowds_are_one_case() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(9)
            let mod = try await village.moderators(1)[0]
            let (post, id) = (village.post(of: people[0]), UUID.version7())
            let answer = try await village.report(post, by: people[1], id: id)
            village.auth.posts.change(post, to: nil)
            #expect(try await village.report(post, by: people[1], id: id) == answer)
            let other = village.post(of: people[0])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in people[1...] { group.addTask { try await village.report(other, by: person) } }
                try await group.waitForAll()
            }
            let open = try await village.cases(by: mod)
            #expect(open.map(\.reports).sorted() == [1, 8])
        }
    }

    @Test func only_moderators_may_and_who_is_none_any_more_may_not_at_once() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(2)
            let mod = try await village.moderators(1)[0]
            try await village.report(village.post(of: people[0]), by: people[1])
            let id = try #require(try await village.cases(by: mod).first?.id)
            // What a token says of it is not believed.
            func tries(_ caller: Caller) async throws -> [ErrorCode?] {
                let auth = village.auth
                return [
                    try await refusal { try await auth.call(AuthMethods.cases, CaseQuery(), Nothing(), as: caller) }?
                        .code,
                    try await refusal {
                        try await auth.call(AuthMethods.caseFile, CaseReference(id: id), Nothing(), as: caller)
                    }?.code,
                    try await refusal { try await auth.call(AuthMethods.audit, AuditQuery(), Nothing(), as: caller) }?
                        .code,
                    try await refusal {
                        try await auth.call(
                            AuthMethods.act, CaseReference(id: id), ActDraft(act: .dismiss, version: 0), as: caller)
                    }?.code,
                ]
            }
            let forbidden: [ErrorCode?] = Array(repeating: .forbidden, count: 4)
            #expect(try await tries(Caller(person: people[1], roles: [.moderator])) == forbidden)
            #expect(try await tries(.anonymous) == Array(repeating: .unauthenticated, count: 4))
            try await village.change(mod.description, isModerator: false)
            #expect(try await tries(Caller(person: mod, roles: [.moderator])) == forbidden)
            try await village.change(mod.description, isModerator: true)
            #expect(try await tries(Caller(person: mod)) == [nil, nil, nil, nil])
            let unknown = try await refusal { try await village.file(.new(), by: mod) }
            #expect(unknown?.code == .notFound)
            let beyond = try await refusal { try await village.act(.dismiss, on: .new(), by: mod) }
            #expect(beyond?.code == .notFound)
        }
    }

    @Test func a_post_is_hidden_and_restored_by_events_and_every_act_is_a_line() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(2)
            let mod = try await village.moderators(1)[0]
            let post = village.post(of: people[0])
            try await village.report(post, by: people[1])
            let id = try #require(try await village.cases(by: mod).first?.id)
            let (request, before) = (UUID.version7(), try await village.audit(by: mod).count)
            for _ in 0..<2 {
                let decided = try await village.act(.hide, on: id, by: mod, reason: "A bus stop.", request: request)
                #expect(decided.state == .decided && decided.version == 1 && decided.decision?.by.id == mod)
            }
            #expect(try await village.cases(by: mod).isEmpty)
            #expect(try await village.cases(.decided, by: mod).map(\.id) == [id])
            let hidden = try await village.auth.events(SubjectHidden.self)
            #expect(hidden.map(\.event.subject) == [post] && hidden[0].event.hiding.reason == "A bus stop.")
            #expect(hidden[0].header.audience == .nobody)
            let file = try await village.file(id, by: mod)
            #expect(file.hidden == hidden[0].event.hiding && file.possible == [.restore, .warn, .suspend])
            #expect(
                try await refusal { try await village.act(.hide, on: id, by: mod, version: 1) }?.code == .wrongState)
            village.auth.clock.advance(by: .seconds(60))
            try await village.act(.restore, on: id, by: mod, version: 1, reason: nil)
            #expect(try await village.auth.events(SubjectRestored.self).map(\.event.subject) == [post])
            let lines = try await village.audit(of: people[0], by: mod)
            #expect(lines.map(\.act) == [.restore, .hide] && lines.map(\.reason) == [nil, "A bus stop."])
            #expect(lines.allSatisfy { $0.by?.id == mod && $0.case == id && $0.subject == post })
            #expect(try await village.audit(by: mod).count == before + 2)
            #expect(try await village.file(id, by: mod).acts == lines)
            // It may be reported again.
            try await village.report(post, by: people[1])
            #expect(try await village.cases(by: mod).count == 1)
        }
    }

    @Test func a_hidden_review_is_seen_by_its_author_alone_and_does_not_count() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(3)
            let (ada, ben, eve) = (people[0], people[1], people[2])
            let mod = try await village.moderators(1)[0]
            let review = try await village.review(by: ada, about: ben, rating: 1)
            func seen(by person: PersonID?) async throws -> Review? {
                do {
                    return try await village.auth.call(
                        AuthMethods.review, ReviewReference(id: ReviewID(review.id.uuid)), Nothing(),
                        as: Caller(person: person))
                } catch let error as any Refusal where error.serviceError.code == .notFound { return nil }
            }
            func listed(for person: PersonID?) async throws -> Int {
                try await village.auth.call(
                    AuthMethods.reviews, ReviewQuery(id: ben), Nothing(), as: Caller(person: person)
                ).items.count
            }
            #expect(try await village.person(ben).reputation == Reputation(rating: 1, count: 1))
            try await village.report(review, by: eve, .harassment)
            let id = try #require(try await village.cases(by: mod).first?.id)
            #expect(try await village.file(id, by: mod).now?.rating == 1)
            try await village.act(.hide, on: id, by: mod, reason: "It tells where somebody lives.")
            #expect(try await village.person(ben).reputation == nil)
            #expect(try await village.auth.events(PersonChanged.self).last?.event.person.reputation == nil)
            #expect(try await seen(by: ada)?.hidden?.reason == "It tells where somebody lives.")
            for person in [ben, eve, nil] { #expect(try await seen(by: person) == nil) }
            for person in [ada, ben, eve, nil] { #expect(try await listed(for: person) == 0) }
            let reply = try await refusal {
                try await village.auth.call(
                    AuthMethods.replyToReview, ReviewReference(id: ReviewID(review.id.uuid)),
                    ReviewReplyDraft(text: "But"), as: Caller(person: ben))
            }
            #expect(reply?.code == .notFound)
            #expect(try await refusal { try await village.report(review, by: eve) }?.code == .notFound)
            #expect(try await village.file(id, by: mod).now?.text == "They live at number 7.")
            try await village.act(.restore, on: id, by: mod, version: 1)
            #expect(try await village.person(ben).reputation == Reputation(rating: 1, count: 1))
            #expect(try await seen(by: nil)?.hidden == nil)
            #expect(try await listed(for: eve) == 1)
        }
    }

    /// Of two moderators at the same moment one decides, and the other one hears that it was decided.
    @Test func two_moderators_at_once_decide_it_once() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(2)
            let mods = try await village.moderators(2)
            for _ in 0..<15 {
                let post = village.post(of: people[0])
                village.auth.clock.advance(by: .seconds(86_401))
                try await village.report(post, by: people[1])
                let id = try #require(try await village.cases(by: mods[0]).last?.id)
                async let one = refusal { try await village.act(.hide, on: id, by: mods[0]) }
                async let other = refusal { try await village.act(.dismiss, on: id, by: mods[1]) }
                let codes = [try await one?.code, try await other?.code]
                #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .alreadyDecided } == 1, "\(codes)")
                let file = try await village.file(id, by: mods[0])
                #expect(file.about.version == 1 && file.acts.count { $0.case == id } == 1)
                #expect((file.hidden == nil) == (file.about.decision?.act == .dismiss))
            }
        }
    }

    @Test func nobody_decides_about_themselves() async throws {
        try await ModerationVillage.run { village in
            let mods = try await village.moderators(2)
            let eve = try await village.auth.newcomers(1)[0]
            try await village.report(Subject(kind: .person, id: ID(mods[0].uuid)), by: eve)
            let id = try #require(try await village.cases(by: mods[0]).first?.id)
            #expect(try await village.file(id, by: mods[0]).possible.isEmpty)
            #expect(try await refusal { try await village.act(.dismiss, on: id, by: mods[0]) }?.code == .forbidden)
            #expect(try await village.act(.dismiss, on: id, by: mods[1]).state == .decided)
        }
    }
}
