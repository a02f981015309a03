import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Messages that are reported: moderators read them while the case is open, and each look is noted.
@Suite struct ReportedMessageTests {
    private func reported(
        _ test: (ModerationVillage, _ mods: [PersonID], _ ada: PersonID, _ message: Subject, _ one: CaseID)
            async throws -> Void
    ) async throws {
        try await ModerationVillage.run { village in
            let (mods, people) = (try await village.moderators(2), try await village.auth.newcomers(2))
            let message = village.auth.posts.put(SubjectSnapshot(owner: people[0], title: "Ada"), .message)
            try await village.report(message, by: people[1], .harassment)
            let one = try #require(try await village.cases(by: mods[0]).first)
            #expect(one.subject == message && one.person.id == people[0])
            try await test(village, mods, people[0], message, one.id)
        }
    }

    private func read(_ one: CaseID, by reader: PersonID, _ village: ModerationVillage) async throws -> ReportedMessages
    {
        try await village.auth.call(
            AuthMethods.reportedMessages, CaseReference(id: one), Nothing(), as: Caller(person: reader))
    }

    @Test func each_look_is_in_the_audit_log_and_the_words_are_not_kept_here() async throws {
        try await reported { village, mods, ada, message, one in
            for _ in 0..<2 {
                let found = try await read(one, by: mods[0], village)
                #expect(found.reported.uuid == message.id.uuid && found.items.map(\.text) == ["Words."])
            }
            let log = try await village.audit(of: ada, by: mods[1])
            #expect(log.map(\.act) == [.readMessages, .readMessages] && log.allSatisfy { $0.by?.id == mods[0] })
            #expect(log.first?.case == one && log.first?.subject == message)
            let file = try await village.file(one, by: mods[0])
            #expect(file.possible == [.dismiss, .hide, .warn, .suspend] && file.reports.first?.subject.text == nil)
        }
    }

    @Test func only_moderators_only_of_open_cases_and_only_of_messages() async throws {
        try await reported { village, mods, ada, message, one in
            #expect(try await refusal { try await read(one, by: ada, village) }?.code == .forbidden)
            #expect(try await refusal { try await read(.new(), by: mods[0], village) }?.code == .notFound)
            let post = village.post(of: ada)
            try await village.report(post, by: mods[1])
            let other = try #require(try await village.cases(by: mods[0]).first { $0.subject == post })
            #expect(try await refusal { try await read(other.id, by: mods[0], village) }?.code == .notFound)
            try await village.act(.hide, on: one, by: mods[0], reason: "Threats.")
            #expect(try await refusal { try await read(one, by: mods[0], village) }?.code == .wrongState)
            let hidden = try await village.auth.events(SubjectHidden.self)
            #expect(hidden.map(\.event.subject) == [message])
            #expect(try await village.audit(of: ada, by: mods[0]).map(\.act) == [.hide])
        }
    }

    @Test func nobody_reads_what_is_about_themselves() async throws {
        try await reported { village, mods, ada, _, one in
            _ = try await village.change(ada.description, isModerator: true)
            #expect(try await refusal { try await read(one, by: ada, village) }?.code == .forbidden)
            #expect(try await village.audit(of: ada, by: mods[0]).allSatisfy { $0.act != .readMessages })
        }
    }
}
