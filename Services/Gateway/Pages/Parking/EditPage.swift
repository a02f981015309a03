import HTTPTypes
import Hummingbird
import WireProtocol

/// `/spots/{id}/edit`: change one's own free spot.
struct EditPage {
    var id: String
    var problem: String?
    /// What was done to the form before it is shown again.
    var said: String?
    var key: String
    /// Of the spot, as the form was made of it.
    var version: String?
    /// What was saved while it was being filled in.
    var meanwhile: Meanwhile?
    var photo: String?
    var fileError: String?
    var fields: SpotForm

    static func register(on routes: PageRoutes) {
        routes.get("/spots/{id}/edit") { visit in
            let spot = try await own(visit)
            guard spot.state == .free else { return visit.redirect(to: "/spots/\(spot.id)") }
            return try await show(EditPage(spot, .init(spot), in: visit), visit)
        }
        routes.post("/spots/{id}/edit") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(try await own(visit), form, visit)
        }
    }

    private static func own(_ visit: Visit) async throws -> Spot {
        try visit.context.requirePerson()
        let spot = try await SpotPage.spot(visit)
        guard spot.mine else { throw ServiceError(.forbidden, "Only the one who posted this spot may do that.") }
        return spot
    }

    private static func change(_ spot: Spot, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = SpotForm.Values(form, changing: true)
        await values.complete(in: visit)
        var page = EditPage(spot, values, in: visit, key: Visit.key(form))
        do {
            page.photo = try await PictureField.stored(from: form, in: visit)
            let (draft, errors) = SpotForm.draft(values, currency: visit.community.currency, in: visit.words)
            guard var draft, values.name == form["name"] else {
                page = page.refused(errors, values, in: visit)
                if errors.isEmpty { page.said = visit.words["share.named"] }
                return try await show(page, visit, .invalid)
            }
            (draft.photo, draft.version) = (page.photo, values.version)
            _ = try await visit.command(ListingsMethods.changeSpot, SpotReference(id: spot.id), draft, of: form)
            return visit.redirect(to: "/spots/\(spot.id)", done: "saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: "/spots/\(spot.id)", done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            let now = try await own(visit)
            page.version = now.version
            page.meanwhile = Meanwhile(
                SpotForm.said(.init(now), photo: now.photo, in: visit),
                besides: SpotForm.said(values, photo: page.photo, in: visit), href: "/spots/\(spot.id)/edit",
                in: visit.words)
            return try await show(page, visit, error.code)
        } catch let error as ServiceError where error.code != .unauthenticated {
            var errors = FieldErrors(error, visit.words, names: SpotForm.bodyNames, topics: SpotForm.topics)
            if errors.isEmpty, form.files["file"] != nil, PictureField.codes.contains(error.code) {
                errors.add("file", error.code.rawValue)
            }
            page = page.refused(errors, values, in: visit)
            if errors.isEmpty { page.problem = visit.told(error) }
            return try await show(page, visit, error.code)
        }
    }

    private static func show(_ page: EditPage, _ visit: Visit, _ refusal: ErrorCode? = nil) async throws -> Response {
        let frame = PageFrame(
            title: visit.words["edit.title"], tab: .map, usesMap: true, scripts: ["combobox", "spotpin"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("parking/edit", page, frame, status: status)
    }

    private init(_ spot: Spot, _ values: SpotForm.Values, in visit: Visit, key: String = Visit.newKey()) {
        id = spot.id.description
        self.key = key
        version = values.version
        photo = spot.photo
        fields = SpotForm(values, nil, in: visit)
    }

    private func refused(_ errors: FieldErrors, _ values: SpotForm.Values, in visit: Visit) -> EditPage {
        var page = self
        page.fields = SpotForm(values, errors, in: visit)
        page.fileError = errors.messages["file"]
        return page
    }
}
