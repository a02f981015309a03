import HTTPTypes
import Hummingbird
import WireProtocol

/// `/rides/commutes/{id}/change`: changes a commute of one's own. Rides that nobody has asked for follow it; it says which stay as they are.
struct CommuteChangePage {
    var back: String
    var commute: String
    var action: String
    var problem: String?
    var key: String
    /// Of the commute, as the form was made of it.
    var version: String?
    var day: String
    var zone: String
    var wayBefore: String?
    var meanwhile: Meanwhile?
    /// Those that somebody has asked for.
    var stay: [CommuteRide]
    var anyStay: Bool
    var form: OfferForm

    static func register(on routes: PageRoutes) {
        routes.get("/rides/commutes/{id}/change") { visit in
            let commute = try await visit.ownCommute()
            guard !commute.isOver else { return visit.redirect(to: commute.path) }
            return try await show(commute, OfferValues(commute, in: visit), in: visit)
        }
        routes.post("/rides/commutes/{id}/change") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(try await visit.ownCommute(), form, visit)
        }
    }

    private static func change(_ commute: RideSeries, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = OfferValues(form, of: .commute)
        let key = Visit.key(form)
        if values.changeStops(form["go"]) { return try await show(commute, values, key: key, in: visit) }
        if form["go"] == "skip" {
            return try await show(commute, values, key: key, in: visit) { $0.form.times?.repeats?.beginSkip() }
        }
        await values.lookUp(in: visit)
        let (said, errors) = values.change(of: commute, currency: visit.community.currency, in: visit.words)
        var draft = said
        // An empty departure takes the way back away.
        if commute.ride.returnRide != nil, !values.wayBack.isOn { draft.ride?.returnRide = ReturnDraft(departsAt: "") }
        guard errors.isEmpty else {
            return try await show(commute, values, errors, refusal: .invalid, key: key, in: visit)
        }
        do {
            let reference = RideSeriesReference(id: commute.id)
            _ = try await visit.command(RidesMethods.changeSeries, reference, draft, of: form)
            return visit.redirect(to: commute.path, done: "commute.saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: commute.path, done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            return try await changed(try await visit.ownCommute(), values, key: key, in: visit)
        } catch let error as ServiceError where error.code == .wrongState {
            let problem = visit.words["rides.tooLate"]
            return try await CommutePage.show(try await visit.ownCommute(), problem: problem, visit, status: .conflict)
        } catch let error as ServiceError where ![.unauthenticated, .notFound].contains(error.code) {
            let errors = values.errors(error, in: visit)
            return try await show(commute, values, errors, refusal: error.code, key: key, in: visit) { page in
                if errors.isEmpty { page.problem = visit.toldOfRide(error) }
            }
        }
    }

    /// The form as it was typed, beside what is saved by now. Sent once more, it replaces that.
    private static func changed(
        _ commute: RideSeries, _ typed: OfferValues, key: String, in visit: Visit
    ) async throws -> Response {
        let now = OfferValues(commute, in: visit)
        var values = typed
        (values.version, values.wayBefore) = (now.version, now.wayBefore)
        let kept = OfferFields(now, in: visit).said(besidesWay: true)
        let sent = OfferFields(values, in: visit).said(besidesWay: true)
        return try await show(commute, values, refusal: .changedMeanwhile, key: key, in: visit) { page in
            page.meanwhile = Meanwhile(kept, besides: sent, href: page.action, in: visit.words)
        }
    }

    // MARK: Showing

    private static func show(
        _ commute: RideSeries, _ values: OfferValues, _ errors: FieldErrors? = nil, refusal: ErrorCode? = nil,
        key: String = Visit.newKey(), in visit: Visit, with: (inout CommuteChangePage) -> Void = { _ in }
    ) async throws -> Response {
        var page = CommuteChangePage(commute, values, errors, key: key, in: visit)
        with(&page)
        let frame = PageFrame(
            title: visit.words["commutes.changing.title"], tab: .me, scripts: ["combobox"],
            styles: ["rentals", "rides"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("rides/commute-change", page, frame, status: status)
    }

    private init(_ commute: RideSeries, _ values: OfferValues, _ errors: FieldErrors?, key: String, in visit: Visit) {
        let days = CommuteDays(commute.zone(in: visit), in: visit)
        back = commute.path
        self.commute = CommuteView(commute, in: visit).sentence
        action = "\(commute.path)/change"
        self.key = key
        (version, day, zone, wayBefore) = (values.version, values.day, values.zone, values.wayBefore)
        stay = commute.rides.filter { $0.requests > 0 }.map { CommuteRide($0, days) }
        anyStay = !stay.isEmpty
        form = OfferForm(values, OfferStep.asking, errors, in: visit)
    }
}
