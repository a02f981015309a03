import HTTPTypes
import Hummingbird
import WireProtocol

/// `/things/{id}/edit`: change what one shares. The plate stays where none is typed; what was agreed keeps its terms.
enum EditThingPage {
    static func register(on routes: PageRoutes) {
        routes.get("/things/{id}/edit") { visit in
            let thing = try await visit.ownThing()
            if thing.isDraftSpace {
                return visit.redirect(to: WizardStep.first(lacking: thing, in: visit).path(thing.id))
            }
            return try await show(thing, ThingValues(thing), in: visit)
        }
        routes.post("/things/{id}/edit") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form(members: BodyLimits.photosForm)
            return try await change(try await visit.ownThing(), form, visit)
        }
    }

    private static func change(_ thing: Thing, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = ThingValues(form, thing.kind, changing: thing)
        values.photos = try await PicturesAnswer(form, in: visit)
        let key = Visit.key(form)
        if values.photos.isMoved { return try await show(thing, values, key: key, in: visit) }
        let isFilled = await values.complete(in: visit)
        let (typed, errors) = values.draft(Set(ThingValues.Part.allCases), in: visit)
        guard errors.isEmpty, !isFilled else {
            return try await show(thing, values, errors, refusal: .invalid, key: key, in: visit) { page in
                if errors.isEmpty { page.said = visit.words["sharing.placeNamed"] }
            }
        }
        // A draft is looked after where drafts are: it has no page that others see.
        let path = thing.state == .draft ? MyThingsPage.path : thing.path
        var draft = typed
        draft.version = values.version
        do {
            _ = try await visit.command(ListingsMethods.changeThing, ThingReference(id: thing.id), draft, of: form)
            return visit.redirect(to: path, done: "saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: path, done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            return try await changed(try await visit.ownThing(), values, key: key, in: visit)
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(thing, values, error, key: key, in: visit)
        }
    }

    /// The form as it was typed, beside what is saved by now. Sent once more, it replaces that.
    private static func changed(
        _ thing: Thing, _ typed: ThingValues, key: String, in visit: Visit
    ) async throws -> Response {
        var values = typed
        values.version = thing.version
        let kept = ThingFields(ThingValues(thing), in: visit).said(in: visit)
        let sent = ThingFields(values, in: visit).said(in: visit)
        return try await show(thing, values, refusal: .changedMeanwhile, key: key, in: visit) { page in
            page.meanwhile = Meanwhile(kept, besides: sent, href: page.action, in: visit.words)
        }
    }

    /// The form with what a service said of it.
    static func refused(
        _ thing: Thing, _ values: ThingValues, _ error: ServiceError, key: String = Visit.newKey(), in visit: Visit
    ) async throws -> Response {
        let errors = ThingValues.errors(error, in: visit)
        return try await show(thing, values, errors, refusal: error.code, key: key, in: visit) { page in
            if errors.isEmpty { page.problem = visit.told(error) }
        }
    }

    private static func show(
        _ thing: Thing, _ values: ThingValues, _ errors: FieldErrors? = nil, refusal: ErrorCode? = nil,
        key: String = Visit.newKey(), in visit: Visit, with: (inout ShareThingPage) -> Void = { _ in }
    ) async throws -> Response {
        let models = try await visit.carModels(for: thing.kind)
        var page = ShareThingPage(changing: thing, values, models, errors, key: key, in: visit)
        with(&page)
        let frame = PageFrame(title: page.title, tab: .me, usesMap: true, scripts: ShareThingPage.scripts)
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page(ShareThingPage.template, page, frame, status: status)
    }
}

extension Thing {
    /// What the wizard goes on with.
    var isDraftSpace: Bool { state == .draft && kind.look.hasWizard }
}
