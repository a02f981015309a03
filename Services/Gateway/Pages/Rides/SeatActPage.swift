import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/seats/{id}/{accept|reject|approve|withdraw|keep|leave|remove|no-show|dispute|settle}`: says what will happen, then does it.
struct SeatActPage {
    struct Choice {
        var value: String
        var text: String
        var chosen: Bool
        var focus = false
    }

    var icon: String
    var grave: Bool
    var title: String
    var text: String
    /// Which ride it is about, or both.
    var about: [String]
    var action: String
    var back: String
    var yes: String
    var no: String
    var problem: String?
    var key: String
    /// The state that was shown.
    var expected: String
    /// Whether they rode along, where a dispute is settled.
    var rode: [Choice]
    var isSettled: Bool
    var rodeError: String?
    var reason: Field
    /// Where it leads back to, in place of the request's own page.
    var from: String?

    static func register(on routes: PageRoutes) {
        for act in SeatAct.allCases {
            routes.get("/seats/{id}/\(act.path)") { visit in
                try visit.context.requirePerson()
                let request = try await SeatPage.request(visit)
                guard request.possible.contains(act) else { return try await tooLate(request, visit) }
                let form = SubmittedForm(visit.query("from").map { [("from", $0)] } ?? [])
                guard visit.isFragment else { return try await show(act, request, form, visit) }
                let page = SeatActPage(act, on: request, await request.other(visit), form, nil, visit)
                return visit.fragment("rides/seat-ask", page)
            }
            routes.post("/seats/{id}/\(act.path)") { visit in
                try visit.context.requirePerson()
                return try await perform(act, try await visit.form(), visit)
            }
        }
    }

    /// The request as it is now, with a sentence.
    private static func tooLate(
        _ request: SeatRequest, told: String? = nil, _ visit: Visit
    ) async throws -> Response {
        let sentence = told ?? visit.words["seats.tooLate"]
        return try await SeatPage.show(request, problem: sentence, visit, status: .conflict)
    }

    private static func perform(_ act: SeatAct, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let id: SeatRequestID = try visit.id()
        do {
            let draft = SeatActDraft(
                reason: form["reason"].nonEmpty,
                rode: act == .settle ? ["yes": true, "no": false][form["rode"]] : nil,
                expected: SeatState(rawValue: form["expected"]))
            let request = try await visit.command(
                RidesMethods.actOnRequest, SeatActReference(id: id, act: act), draft, of: form, doing: act.rawValue)
            return redirect(act, form, request, visit)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
            return redirect(act, form, try await SeatPage.request(visit), visit)
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            return try await refused(act, form, error, visit)
        }
    }

    private static func redirect(
        _ act: SeatAct, _ form: SubmittedForm, _ request: SeatRequest, _ visit: Visit
    ) -> Response {
        // Whether both ways were answered follows from how it stood before.
        var shown = request
        shown.state = SeatState(rawValue: form["expected"]) ?? request.state
        let done = "seat.\(act.rawValue)" + (act.isOfBothWays(of: shown) ? "Both" : "")
        return visit.redirect(to: back(form, from: request) ?? request.path, done: done)
    }

    private static func refused(
        _ act: SeatAct, _ form: SubmittedForm, _ error: ServiceError, _ visit: Visit
    ) async throws -> Response {
        let request = try await SeatPage.request(visit)
        let isQuestion = !act.isDirect && request.possible.contains(act)
        switch error.code {
        case .invalid where isQuestion, .malformed where isQuestion, .termsChanged where isQuestion:
            return try await show(act, request, form, error: error, visit)
        case .wrongState, .termsChanged, .forbidden: return try await tooLate(request, visit)
        default:
            let status = ProblemStatus.status(of: error.code)
            return try await SeatPage.show(request, problem: visit.toldOfRide(error), visit, status: status)
        }
    }

    private static func show(
        _ act: SeatAct, _ request: SeatRequest, _ form: SubmittedForm, error: ServiceError? = nil, _ visit: Visit
    ) async throws -> Response {
        let page = SeatActPage(act, on: request, await request.other(visit), form, error, visit)
        let frame = PageFrame(title: page.title, tab: .me, styles: ["rentals", "rides"])
        let status = error.map { ProblemStatus.status(of: $0.code) } ?? .ok
        return try await visit.page("rides/seat-act", page, frame, status: status)
    }

    /// The list that the button stood in.
    private static func back(_ form: SubmittedForm, from request: SeatRequest) -> String? {
        switch form["from"] {
        case MyRidesPage.pending: MyRidesPage.path(.pending)
        case RideRequests.page: "/rides/\(request.ride.id)"
        default: nil
        }
    }

    /// - Parameter other: the request on the other way, which the act is done to as well where both or none were asked for.
    private init(
        _ act: SeatAct, on request: SeatRequest, _ other: SeatRequest?, _ form: SubmittedForm, _ error: ServiceError?,
        _ visit: Visit
    ) {
        let (words, topic) = (visit.words, "seats.act.\(act.rawValue)")
        let isOfBoth = act.isOfBothWays(of: request)
        let said = isOfBoth ? "\(topic).both" : topic
        let values = [
            "name": request.other.name, "driver": request.driver.name, "rider": request.rider.name,
            "seats": words["seats.number", count: request.seats],
        ]
        icon = act.icon
        grave = act.tone == "danger"
        title = words["\(said).title", values]
        text = words["\(said).\(Self.what(act, request))", values]
        let both = [request.ride] + (isOfBoth ? [other?.ride].compactMap(\.self) : [])
        about = both.map { $0.said(in: words) }
        let list = Self.back(form, from: request)
        back = list ?? request.path
        action = "\(request.path)/\(act.path)"
        (yes, no) = (words["\(said).yes", values], words["rentals.no"])
        key = Visit.key(form)
        expected = request.state.rawValue
        from = list == nil ? nil : form["from"]
        isSettled = act == .settle
        rode =
            isSettled
            ? ["yes", "no"].map {
                Choice(value: $0, text: words["\(topic).rode.\($0)", values], chosen: form["rode"] == $0)
            } : []
        var fields = [
            Field("rode", ""),
            Field("reason", words["\(topic).reason", values]).with {
                $0.value = form["reason"]
                $0.hint = words["\(topic).hint", values]
                $0.optional = !act.needsReason
            },
        ]
        problem = visit.mark(&fields, by: error, topics: ["reason": "seatReason", "rode": "seatRode"])
        if error?.code == .termsChanged { problem = words["seats.act.changed"] }
        rodeError = fields[0].error
        if rodeError != nil, !rode.isEmpty { rode[0].focus = true }
        reason = fields[1]
    }

    /// What will happen, where that differs.
    private static func what(_ act: SeatAct, _ request: SeatRequest) -> String {
        act == .reject && request.state == .waiting ? "textWaiting" : "text"
    }
}
