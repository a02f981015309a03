import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/moderation/cases/{id}/{act}`: says what an act means, asks why, then does it.
struct ActPage {
    var heading: String
    var text: String
    var action: String
    var back: String
    var problem: String?
    var key: String
    var version: Int
    var reason: Field
    /// For how long; of a suspension alone.
    var days: Field?
    var yes: String
    var isGrave: Bool

    static func register(on routes: PageRoutes) {
        for act in ModerationAct.allCases {
            routes.get("/moderation/cases/{id}/\(act.rawValue)") { visit in
                try visit.context.requirePerson()
                return try await show(act, visit, SubmittedForm())
            }
            routes.post("/moderation/cases/{id}/\(act.rawValue)") { visit in
                try visit.context.requirePerson()
                return try await perform(act, try await visit.form(), visit)
            }
        }
    }

    private static func perform(_ act: ModerationAct, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let id: CaseID = try visit.id()
        let page = "/moderation/cases/\(id)"
        do {
            guard let version = Int(form["version"]) else {
                throw ServiceError(.malformed, "The form does not say what was seen.")
            }
            // What is no number is for good, as the form says it.
            let draft = ActDraft(act: act, reason: form["reason"], days: Int(form["days"]), version: version)
            _ = try await visit.command(AuthMethods.act, CaseReference(id: id), draft, of: form)
            return visit.redirect(to: page, done: "acted")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
            return visit.redirect(to: page, done: "acted")
        } catch let error as ServiceError where [.alreadyDecided, .wrongState].contains(error.code) {
            // The case itself says what somebody else has done.
            return visit.redirect(to: page + "?meanwhile=1")
        } catch let error as ServiceError where error.code == .invalid {
            return try await show(act, visit, form, error: error)
        }
    }

    private static func show(
        _ act: ModerationAct, _ visit: Visit, _ form: SubmittedForm, error: ServiceError? = nil
    ) async throws -> Response {
        let id: CaseID = try visit.id()
        let file = try await visit.ask(AuthMethods.caseFile, CaseReference(id: id), Nothing())
        guard file.possible.contains(act) else { return visit.redirect(to: "/moderation/cases/\(id)?meanwhile=1") }
        let page = ActPage(act, on: file.about, form, error, in: visit)
        return try await visit.page(
            "moderation/act", page, PageFrame(title: page.heading, tab: .me),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private static let choices = [1, 3, 7, 30, 365]

    private static func daysField(_ form: SubmittedForm, _ words: Words) -> Field {
        let chosen = form["days"].nonEmpty ?? "7"
        return Field("days", words["moderation.days"]).with {
            $0.options = choices.map { days in
                Field.Option(
                    value: String(days), text: words["moderation.forDays", count: days], chosen: chosen == String(days))
            }
            $0.options.append(
                Field.Option(value: "good", text: words["moderation.forGood"], chosen: chosen == "good"))
        }
    }

    private init(
        _ act: ModerationAct, on one: ModerationCase, _ form: SubmittedForm, _ error: ServiceError?, in visit: Visit
    ) {
        let (words, topic) = (visit.words, "moderation.act.\(act.rawValue)")
        let names = ["title": one.title, "name": one.person.name]
        heading = words["\(topic).title", names]
        text = words["\(topic).text", names]
        yes = words["\(topic).yes", names]
        back = "/moderation/cases/\(one.id)"
        action = "\(back)/\(act.rawValue)"
        isGrave = act.isGrave
        key = Visit.key(form)
        // What was seen when the form was first shown: somebody may have acted since.
        version = Int(form["version"]) ?? one.version
        var fields = [
            Field("reason", words["moderation.reason"]).with {
                $0.value = form["reason"]
                $0.hint = words["\(topic).hint", names]
                $0.optional = !act.isGrave
            }
        ]
        if act == .suspend { days = Self.daysField(form, words) }
        problem = visit.mark(&fields, by: error, topics: ["reason": "moderationReason"])
        reason = fields[0]
    }
}
