import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rentals/{id}/{accept|decline|cancel|hand-over|return|no-show|dispute|explain|settle}`: says what will happen, then does it.
struct RentalActPage {
    var icon: String
    var grave: Bool
    var title: String
    var text: String
    /// Which agreement it is about.
    var about: String
    var action: String
    var back: String
    var yes: String
    var no: String
    /// What is owed then, and until when that is so.
    var note: String?
    var problem: String?
    var key: String
    /// What of it comes back with the form, so that nothing else is agreed to.
    var seen: Seen?
    var share: Field?
    var pictures: PicturesField?
    var reason: Field

    struct Seen {
        var state: String
        /// In minor units; empty where it is not said.
        var owed: String
        var evidence: String
    }

    static func register(on routes: PageRoutes) {
        for act in RentalAct.allCases {
            routes.get("/rentals/{id}/\(act.path)") { visit in
                try visit.context.requirePerson()
                let rental = try await RentalPage.rental(visit)
                guard rental.possible.contains(act) else { return try await tooLate(rental, visit) }
                if visit.isFragment, act.asks {
                    return visit.fragment(
                        "rentals/ask", RentalActPage(act, on: rental, SubmittedForm(), nil, nil, visit))
                }
                return try await show(act, rental, SubmittedForm(), nil, visit)
            }
            routes.post("/rentals/{id}/\(act.path)") { visit in
                try visit.context.requirePerson()
                return try await perform(act, try await visit.form(), visit)
            }
        }
    }

    /// The agreement as it is now, with a sentence.
    private static func tooLate(
        _ rental: Rental, told: String? = nil, _ visit: Visit
    ) async throws -> Response {
        let sentence = told ?? visit.words["rentals.tooLate"]
        return try await RentalPage.show(rental, problem: sentence, visit, status: .conflict)
    }

    private static func perform(_ act: RentalAct, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let id: RentalID = try visit.id()
        let pictures = act.takesPhotos ? try await PicturesAnswer(form, in: visit) : nil
        if let pictures, pictures.isMoved || pictures.trouble != nil {
            return try await show(act, try await RentalPage.rental(visit), form, pictures, visit)
        }
        do {
            let draft = RentalActDraft(
                reason: form["reason"].nonEmpty, photos: pictures?.ids.isEmpty == false ? pictures?.ids : nil,
                // What is no number is out of range, and said at its field.
                share: act == .settle ? Int(form["share"]) ?? -1 : nil,
                expected: act.decidesWhatIsOwed ? RentalExpectation(form) : nil)
            let reference = RentalActReference(id: id, act: act)
            _ = try await visit.command(
                ListingsMethods.actOnRental, reference, draft, of: form, doing: act.rawValue)
            return visit.redirect(to: "/rentals/\(id)", done: "rental.\(act.rawValue)")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
            return visit.redirect(to: "/rentals/\(id)", done: "rental.\(act.rawValue)")
        } catch let error as ServiceError where [.wrongState, .overlaps, .forbidden].contains(error.code) {
            let told = error.code == .overlaps ? visit.words["rentals.overlaps"] : nil
            return try await tooLate(try await RentalPage.rental(visit), told: told, visit)
        } catch let error as ServiceError where [.invalid, .malformed, .termsChanged].contains(error.code) {
            return try await show(act, try await RentalPage.rental(visit), form, pictures, error: error, visit)
        }
    }

    private static func show(
        _ act: RentalAct, _ rental: Rental, _ form: SubmittedForm, _ pictures: PicturesAnswer?,
        error: ServiceError? = nil, _ visit: Visit
    ) async throws -> Response {
        let page = RentalActPage(act, on: rental, form, pictures, error, visit)
        let frame = PageFrame(
            title: page.title, tab: .me, scripts: act.takesPhotos ? ["pictures"] : [], styles: ["rentals"])
        let status =
            error.map { ProblemStatus.status(of: $0.code) } ?? (pictures?.trouble == nil ? .ok : .unprocessableContent)
        return try await visit.page("rentals/act", page, frame, status: status)
    }

    private init(
        _ act: RentalAct, on rental: Rental, _ form: SubmittedForm, _ answer: PicturesAnswer?,
        _ error: ServiceError?, _ visit: Visit
    ) {
        let (words, topic) = (visit.words, "rentals.act.\(act.rawValue)")
        let cost = rental.cancellationCost(at: visit.now)
        let owed = cost.flatMap { $0.owed.amount > 0 ? $0.owed : nil }
        let values = [
            "name": rental.other.name, "title": rental.thing.title, "owner": rental.owner.name,
            "renter": rental.renter.name, "amount": owed.map { Price.text($0, in: words) } ?? "",
            "cost": rental.price(rental.cost, in: words),
        ]
        icon = act.icon
        grave = act.tone == "danger"
        title = words["\(topic).title", values]
        text = words["\(topic).\(Self.what(act, rental, owed))", values]
        about = [rental.thing.title, rental.period(in: words)].joined(separator: ", ")
        back = "/rentals/\(rental.id)"
        action = "\(back)/\(act.path)"
        yes = words["\(topic).yes", values]
        no = words["rentals.no"]
        key = Visit.key(form)
        note = Self.note(act, rental, cost, values, in: words)
        seen = act.decidesWhatIsOwed ? Seen(act, rental, visit) : nil
        let isRequired = [.dispute, .explain, .settle].contains(act)
        var fields = [
            Field("reason", words["\(topic).reason", values]).with {
                $0.value = form["reason"]
                $0.hint = words["\(topic).hint", values]
                $0.optional = !isRequired
            }
        ]
        if act == .settle {
            fields.insert(
                Field("share", words["rentals.act.settle.share", values]).with {
                    $0.value = form["share"]
                    $0.hint = words["rentals.act.settle.shareHint", values]
                    $0.inputmode = "numeric"
                }, at: 0)
        }
        problem = visit.mark(&fields, by: error, topics: ["reason": "rental", "share": "rentalShare"])
        if error?.code == .termsChanged { problem = words["rentals.act.changed"] }
        if act == .settle { share = fields.removeFirst() }
        reason = fields[0]
        if act.takesPhotos {
            let errors = error.map { FieldErrors($0, words, topics: ["photos": "pictures"]) }
            if errors?.messages["photos"] != nil { problem = nil }
            pictures = PicturesField(
                answer ?? PicturesAnswer(), label: words["rentals.proof.photos"], hint: words["\(topic).photosHint"],
                errors: errors, in: visit)
        }
    }

    /// Who would owe what, beside what the text says of it.
    private static func note(
        _ act: RentalAct, _ rental: Rental, _ cost: CancellationCost?, _ values: [String: String], in words: Words
    ) -> String? {
        switch act {
        case .cancel: cost.flatMap { rental.deadline(of: $0, in: words) }
        case .accept, .reportNoShow:
            rental.role == .owner && rental.cost != nil ? words["rentals.act.owes", values] : nil
        case .decline, .handOver, .giveBack, .dispute, .explain, .settle: nil
        }
    }

    /// What will happen: of a cancellation also what is owed then.
    private static func what(_ act: RentalAct, _ rental: Rental, _ owed: Money?) -> String {
        switch act {
        case .cancel where rental.state == .requested: "textRequested"
        case .cancel where rental.role == .owner: "textOwner"
        case .cancel: owed == nil ? "textFree" : "text"
        case .handOver where rental.state == .handedOver, .giveBack where rental.state == .returned: "textToo"
        case .handOver, .giveBack: rental.role == .owner ? "textOwner" : "text"
        case .accept, .decline, .reportNoShow, .dispute, .explain, .settle: "text"
        }
    }
}

extension RentalActPage.Seen {
    fileprivate init(_ act: RentalAct, _ rental: Rental, _ visit: Visit) {
        state = rental.state.rawValue
        owed = rental.owed(after: act, at: visit.now).map(String.init) ?? ""
        evidence = String(rental.evidence.count)
    }
}

extension RentalExpectation {
    /// What the page that sent the form had shown.
    fileprivate init(_ form: SubmittedForm) {
        self.init(
            state: RentalState(rawValue: form["state"]), owed: Int(form["owed"]), evidence: Int(form["evidence"]))
    }
}
