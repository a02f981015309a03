import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// What is true of reports, without any store.
@Suite struct ReportTests {
    private let ada = PersonID.new()
    private let ben = PersonID.new()
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private let subject = Subject(kind: .spot, id: .new())

    private func file(
        by person: PersonID, _ reason: ReportReason = .spam, open: (case: ModeratedCase, isTold: Bool)? = nil,
        having tally: ReportTally = ReportTally()
    ) throws(ReportError) -> (report: FiledReport, case: ModeratedCase) {
        try FiledReport.file(
            .new(at: noon), ReportDraft(subject: subject, reason: reason, text: "x"), by: person,
            finding: SubjectSnapshot(owner: ada, title: "By the library"), open: open, having: tally, at: noon,
            within: ReportPolicy(most: 2, window: 100))
    }

    @Test func the_first_report_opens_a_case_and_others_join_it() throws {
        let first = try file(by: ben)
        #expect(first.case.person == ada && first.case.reports == 1 && first.case.reasons == [.spam])
        #expect(first.case.title == "By the library" && first.report.caseID == first.case.id)
        let eve = PersonID.new()
        let second = try file(by: eve, .other, open: (first.case, false))
        #expect(second.case.id == first.case.id && second.case.reports == 2)
        #expect(second.case.reasons == [.spam, .other] && second.report.reporter == eve)
        #expect(try file(by: eve, .spam, open: (second.case, false)).case.reasons == [.spam, .other])
    }

    @Test func ones_own_twice_and_too_much_is_refused() throws {
        #expect(throws: ReportError.own) { try file(by: ada) }
        let open = try file(by: ben).case
        #expect(throws: ReportError.reported) { try file(by: ben, open: (open, true)) }
        let busy = ReportTally(count: 2, oldest: noon - 60)
        #expect(throws: ReportError.tooMany(retryAfter: 40)) { try file(by: ben, having: busy) }
        // Who has said it already is told so, however much else they said.
        #expect(throws: ReportError.reported) { try file(by: ben, open: (open, true), having: busy) }
        #expect(ReportPolicy().most == 20 && ReportPolicy().window == 86_400)
    }

    @Test func texts_have_limits_and_are_needed_where_there_is_no_other_word_for_it() throws {
        func checked(_ reason: ReportReason, _ text: String?) throws -> String? {
            try ReportDraft(subject: subject, reason: reason, text: text).checked().text
        }
        #expect(try checked(.spam, nil) == nil)
        #expect(try checked(.spam, " \n ") == nil)
        #expect(try checked(.spam, " One.\r\nTwo. ") == "One.\nTwo.")
        #expect(try checked(.other, String(repeating: "a", count: 1000))?.count == 1000)
        for (reason, text, code) in [
            (ReportReason.other, nil, "required"), (.other, "  ", "required"),
            (.spam, String(repeating: "a", count: 1001), "too_long"), (.spam, "\u{7}", "not_allowed"),
        ] {
            let error = #expect(throws: ServiceError.self) { try checked(reason, text) }
            #expect(error?.errors.map(\.field) == ["text"] && error?.errors.map(\.code) == [code])
        }
    }
}

/// What is true of cases, without any store.
@Suite struct ModeratedCaseTests {
    private let ada = PersonID.new()
    private let mod = PersonID.new()
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private let hiding = Hiding(at: Date(timeIntervalSince1970: 1_780_000_000), reason: "Before.")

    private func one(_ kind: SubjectKind = .spot, decided: Bool = false) -> ModeratedCase {
        ModeratedCase(
            id: .new(), subject: Subject(kind: kind, id: .new()), person: ada, title: "x", openedAt: noon,
            reports: 1, reasons: [.spam],
            decision: decided ? .init(act: .dismiss, by: mod, at: noon) : nil, version: decided ? 1 : 0)
    }

    @Test func what_is_possible_depends_on_how_things_stand() {
        #expect(one().possible(for: mod, CaseStanding()) == [.dismiss, .hide, .warn, .suspend])
        #expect(
            one().possible(for: mod, CaseStanding(hiding: hiding)) == [.dismiss, .restore, .warn, .suspend])
        #expect(one(.review, decided: true).possible(for: mod, CaseStanding()) == [.hide, .warn, .suspend])
        let suspension = Suspension(since: noon, until: nil, reason: "x")
        #expect(
            one(.person).possible(for: mod, CaseStanding(suspension: suspension)) == [.dismiss, .warn, .reinstate])
        #expect(one(.match).possible(for: mod, CaseStanding()) == [.dismiss, .warn, .suspend], "two see it alone")
        #expect(one().possible(for: ada, CaseStanding()) == [])
    }

    @Test func an_act_decides_the_case_and_says_what_it_changed() throws {
        let open = one()
        let hidden = try open.act(
            ActDraft(act: .hide, reason: "Why.", version: 0), by: mod, finding: CaseStanding(), at: noon)
        #expect(hidden.decided.state == .decided && hidden.decided.version == 1)
        #expect(hidden.effect == .hide(Hiding(at: noon, reason: "Why.")))
        #expect(hidden.entry.by == mod && hidden.entry.person == ada && hidden.entry.reason == "Why.")
        #expect(
            hidden.entry.changes == [
                AuditChange(of: "case", from: "open", to: "decided"),
                AuditChange(of: "hidden", from: "false", to: "true"),
            ])
        let again = try hidden.decided.act(
            ActDraft(act: .restore, version: 1), by: mod, finding: CaseStanding(hiding: hiding), at: noon)
        #expect(again.effect == .restore && again.decided.version == 2)
        #expect(again.entry.changes == [AuditChange(of: "hidden", from: "true", to: "false")])
    }

    @Test func who_comes_second_or_is_meant_themselves_is_refused() {
        func act(_ act: ModerationAct, _ version: Int, by person: PersonID) throws(ModerationError) {
            _ = try one().act(ActDraft(act: act, version: version), by: person, finding: CaseStanding(), at: noon)
        }
        #expect(throws: ModerationError.outdated) { try act(.hide, 1, by: mod) }
        #expect(throws: ModerationError.aboutYou) { try act(.dismiss, 0, by: ada) }
        #expect(throws: ModerationError.notPossible) { try act(.restore, 0, by: mod) }
    }

    @Test func what_takes_something_needs_a_reason() throws {
        for (act, needs) in [
            (ModerationAct.dismiss, false), (.hide, true), (.restore, false), (.warn, true), (.suspend, true),
            (.reinstate, false),
        ] {
            for text in [nil, "", "   "] {
                let draft = ActDraft(act: act, reason: text, version: 0)
                guard needs else {
                    #expect(try draft.checked().reason == nil)
                    continue
                }
                let error = #expect(throws: ServiceError.self) { try draft.checked() }
                #expect(error?.errors.map(\.field) == ["reason"])
            }
        }
        let long = ActDraft(act: .dismiss, reason: String(repeating: "a", count: 1001), version: 0)
        #expect(throws: ServiceError.self) { try long.checked() }
    }
}
