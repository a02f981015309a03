import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/matches/{id}/{accept|decline|cancel|pick-up|give-up|postpone|complete|undo|no-show|dispute|explain|settle|tip|raise-limit}`: says what will happen, then does it.
struct MatchActPage {
    var icon: String
    var grave: Bool
    var title: String
    var text: String
    /// Which delivery it is about.
    var about: String
    var action: String
    var back: String
    var yes: String
    var no: String
    var problem: String?
    var key: String
    var seen: MatchSeen
    var fields: [Field]
    var receipt: MatchReceipt?
    var reason: Field?

    static func register(on routes: PageRoutes) {
        for act in MatchAct.allCases {
            routes.get("/matches/{id}/\(act.path)") { visit in
                try visit.context.requirePerson()
                let match = try await MatchPage.match(visit)
                guard match.possible.contains(act) else { return try await tooLate(match, visit) }
                let page = MatchActPage(act, on: match, SubmittedForm(), in: visit)
                guard visit.isFragment else { return try await show(page, visit) }
                return visit.fragment("matches/ask", page)
            }
            routes.post("/matches/{id}/\(act.path)") { visit in
                try visit.context.requirePerson()
                return try await perform(act, try await visit.form(), visit)
            }
        }
    }

    /// The delivery as it is now, with a sentence.
    private static func tooLate(
        _ match: DeliveryMatch, told: String? = nil, _ visit: Visit
    ) async throws -> Response {
        if visit.isFragment { return visit.leave(for: match.path) }
        return try await MatchPage.show(
            match, problem: told ?? visit.words["matches.tooLate"], visit, status: .conflict)
    }

    private static func perform(_ act: MatchAct, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let reference = MatchActReference(id: try visit.id(), act: act)
        var receipt: String?
        do {
            if act == .pickUp { receipt = try await PictureField.stored(from: form, in: visit) }
        } catch let error as ServiceError where PictureField.codes.contains(error.code) {
            var page = MatchActPage(act, on: try await MatchPage.match(visit), form, in: visit)
            page.receipt?.say(error.code, in: visit.words)
            return try await show(page, visit, status: .unprocessableContent)
        }
        do {
            let draft = MatchActDraft(act, form, receipt: receipt, currency: visit.community.currency)
            _ = try await visit.command(
                MatchingMethods.actOnMatch, reference, draft, of: form, doing: act.rawValue)
            return done(reference, visit)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
            return done(reference, visit)
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            return try await refused(act, form, receipt, error, visit)
        }
    }

    /// Who has declined waits for the next offer; all else is seen where it was done.
    private static func done(_ reference: MatchActReference, _ visit: Visit) -> Response {
        let path = reference.act == .decline ? DeliverPage.path : "/matches/\(reference.id)"
        return visit.redirect(to: path, done: "match.\(reference.act.rawValue)")
    }

    private static func refused(
        _ act: MatchAct, _ form: SubmittedForm, _ receipt: String?, _ error: ServiceError, _ visit: Visit
    ) async throws -> Response {
        let match = try await MatchPage.match(visit)
        let words = visit.words
        let isQuestion = !act.isDirect(for: match.role) && match.possible.contains(act)
        switch error.code {
        case .invalid where isQuestion, .malformed where isQuestion, .termsChanged where isQuestion:
            let page = MatchActPage(act, on: match, form, stored: receipt, error: error, in: visit)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        case .offerGone:
            let told = error.errors.first.flatMap { words.find("matches.gone.\($0.code)", ["name": match.other.name]) }
            return try await tooLate(match, told: told ?? words["matches.gone.ended"], visit)
        case .termsChanged: return try await tooLate(match, told: words["matches.changedTerms"], visit)
        case .wrongState, .forbidden: return try await tooLate(match, visit)
        default:
            let status = ProblemStatus.status(of: error.code)
            return try await MatchPage.show(match, problem: visit.told(error), visit, status: status)
        }
    }

    private static func show(
        _ page: MatchActPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = PageFrame(title: page.title, tab: .home, styles: ["rentals", "deliveries"])
        return try await visit.page("matches/act", page, frame, status: status)
    }

    /// - Parameter stored: the picture that came along.
    private init(
        _ act: MatchAct, on match: DeliveryMatch, _ form: SubmittedForm, stored: String? = nil,
        error: ServiceError? = nil, in visit: Visit
    ) {
        let (words, topic) = (visit.words, match.topic(of: act))
        let values = match.values(in: words)
        (icon, grave) = (act.icon, act.tone == "danger")
        title = words["\(topic).title", values]
        let isLate = act == .giveUp && match.state == .pickedUp
        text = words["\(topic).\(isLate ? "textLate" : "text")", values]
        about = match.title
        back = match.path
        action = "\(match.path)/\(act.path)"
        (yes, no) = (words["\(topic).yes", values], words["rentals.no"])
        key = Visit.key(form)
        seen = MatchSeen(match)
        var all = MatchFields(act, on: match, form, topic, values, in: visit).all
        if let error {
            let errors = FieldErrors(error, words, names: MatchFields.names, topics: MatchFields.topics)
            errors.mark(&all)
            problem = errors.isEmpty ? visit.told(error) : nil
            if error.code == .termsChanged { problem = words["matches.changedTerms"] }
        }
        reason = all.first { $0.name == "reason" }
        fields = all.filter { $0.name != "reason" }
        if act == .pickUp, !match.terms.isPrepaid {
            receipt = MatchReceipt(photo: stored ?? form["photo"].nonEmpty)
            if error?.errors.contains(where: { $0.field == "receipt" }) == true { receipt?.say(.invalid, in: words) }
        }
    }
}

/// The picture of a receipt in a form.
struct MatchReceipt {
    var photo: String?
    var error: String?

    mutating func say(_ code: ErrorCode, in words: Words) {
        error = words.find("field.file.\(code.rawValue)") ?? words["field.file.invalid"]
    }
}
