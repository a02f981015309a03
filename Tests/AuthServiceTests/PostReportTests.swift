import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// What was called a post before spots and things were told apart: by older apps, and in rows of that time.
@Suite struct PostReportTests {
    @Test func what_is_reported_as_a_post_is_kept_as_what_it_is() async throws {
        try await ModerationVillage.run { village in
            let people = try await village.auth.newcomers(3)
            let mod = try await village.moderators(1)[0]
            for kind in SubjectKind.shared {
                let subject = village.auth.posts.put(SubjectSnapshot(owner: people[0], title: "A Yaris"), kind)
                let post = Subject(kind: .post, id: subject.id)
                #expect(try await village.report(post, by: people[1]).subject == subject)
                let again = try await refusal { try await village.report(subject, by: people[1]) }
                #expect(again?.code == .alreadyReported)
                #expect(try await village.report(subject, by: people[2]).subject == subject)
                #expect(try await village.cases(by: mod).last?.reports == 2)
                village.auth.clock.advance(by: .seconds(1))
            }
            #expect(try await village.cases(by: mod).map(\.subject.kind) == SubjectKind.shared)
            let nothing = try await refusal {
                try await village.report(Subject(kind: .post, id: .new()), by: people[1])
            }
            #expect(nothing?.code == .notFound)
        }
    }

    @Test func rows_that_say_post_are_of_the_same_subject() async throws {
        try await ModerationVillage.run { village in
            let (auth, people) = (village.auth, try await village.auth.newcomers(3))
            let mod = try await village.moderators(1)[0]
            let spot = village.post(of: people[0])
            try await village.report(spot, by: people[1])
            _ = try await auth.pool.query("UPDATE cases SET kind = 'post'")
            let twice = try await refusal { try await village.report(spot, by: people[1]) }
            #expect(twice?.code == .alreadyReported)
            try await village.report(spot, by: people[2])
            let one = try #require(try await village.cases(by: mod).first)
            #expect(one.reports == 2 && one.subject == Subject(kind: .post, id: spot.id))
            #expect(try await village.file(one.id, by: mod).now?.title == "By the library")
            try await village.act(.hide, on: one.id, by: mod)
            // Another case of it knows that it is hidden, and can show it again.
            try await village.report(spot, by: people[2])
            let next = try #require(try await village.cases(by: mod).first)
            #expect(next.subject == spot && next.id != one.id)
            #expect(try await village.file(next.id, by: mod).hidden?.reason == "Not here.")
            try await village.act(.restore, on: next.id, by: mod)
            #expect(try await village.file(one.id, by: mod).hidden == nil)
            #expect(try await auth.count("hidden_subjects") == 0)
        }
    }
}
