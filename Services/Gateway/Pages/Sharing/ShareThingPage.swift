import HTTPTypes
import Hummingbird
import WireProtocol

/// `/cars/new`, `/private-parking/new`: share a car or a private place to park, on one page. A space has a wizard.
struct ShareThingPage {
    var kinds: [PageLink]
    var back: String?
    var title: String
    var lead: String?
    var action: String
    var submit: String
    var problem: String?
    /// What was done to the form before it is shown again.
    var said: String?
    var key: String
    /// Of what is changed, as the form was made of it.
    var version: String?
    /// What was saved while it was being filled in.
    var meanwhile: Meanwhile?
    var form: ThingForm

    static let template = "sharing/thing"
    static let scripts = ["combobox", "pictures", "sharing"]

    static func register(on routes: PageRoutes) {
        for kind in ThingKind.allCases where !kind.look.hasWizard {
            routes.get("\(kind.path)/new") { visit in
                try visit.context.requirePerson()
                let models = try await visit.carModels(for: kind)
                return try await show(ShareThingPage(ThingValues(kind), models, in: visit), visit)
            }
            routes.post("\(kind.path)/new") { visit in
                try visit.context.requirePerson()
                return try await share(kind, try await visit.form(members: BodyLimits.photosForm), visit)
            }
        }
    }

    private static func share(_ kind: ThingKind, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = ThingValues(form, kind)
        values.photos = try await PicturesAnswer(form, in: visit)
        let models = try await visit.carModels(for: kind)
        func again(_ errors: FieldErrors? = nil) -> ShareThingPage {
            ShareThingPage(values, models, errors, key: Visit.key(form), in: visit)
        }
        if values.photos.isMoved { return try await show(again(), visit) }
        let isFilled = await values.complete(in: visit)
        let (draft, errors) = values.draft(Set(ThingValues.Part.allCases), in: visit)
        guard errors.isEmpty, !isFilled else {
            var page = again(errors)
            if errors.isEmpty { page.said = visit.words["sharing.placeNamed"] }
            return try await show(page, visit, .invalid)
        }
        do {
            let thing = try await visit.command(
                ListingsMethods.postThing, ThingKindParameters(kind: kind), draft, of: form)
            return visit.redirect(to: thing.path, done: "thingShared")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending did arrive: what it shared is among these, with the way to change it.
            return visit.redirect(to: MyThingsPage.path, done: "thingSharedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated {
            let errors = ThingValues.errors(error, in: visit)
            var page = again(errors)
            if errors.isEmpty { page.problem = visit.told(error) }
            return try await show(page, visit, error.code)
        }
    }

    private static func show(
        _ page: ShareThingPage, _ visit: Visit, _ refusal: ErrorCode? = nil
    ) async throws -> Response {
        let frame = PageFrame(title: page.title, tab: .share, usesMap: true, scripts: scripts)
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page(template, page, frame, status: status)
    }

    private init(
        _ values: ThingValues, _ models: CarModels?, _ errors: FieldErrors? = nil, key: String = Visit.newKey(),
        in visit: Visit
    ) {
        let (words, kind) = (visit.words, values.kind)
        kinds = visit.ways(at: kind.sharePath)
        title = words["sharing.new.\(kind.rawValue).title"]
        lead = words["sharing.new.\(kind.rawValue).lead"]
        action = kind.sharePath
        submit = words["sharing.new.\(kind.rawValue).submit"]
        self.key = key
        form = ThingForm(values, models: models, errors: errors, in: visit)
    }

    /// The same page for what is shared already.
    init(
        changing thing: Thing, _ values: ThingValues, _ models: CarModels?, _ errors: FieldErrors? = nil, key: String,
        in visit: Visit
    ) {
        let words = visit.words
        kinds = []
        back = thing.state == .draft ? MyThingsPage.path : thing.path
        title = words["sharing.edit.\(thing.kind.rawValue)"]
        action = "/things/\(thing.id)/edit"
        submit = words["form.save"]
        self.key = key
        version = values.version
        form = ThingForm(values, models: models, errors: errors, in: visit)
    }
}

extension ThingValues {
    /// What the service says of the fields, as the form calls them.
    static func errors(_ error: ServiceError, in visit: Visit) -> FieldErrors {
        var errors = FieldErrors(visit.words)
        for wrong in error.errors {
            let name = names[wrong.field] ?? wrong.field
            errors.add(name, wrong.code, topic: topics[name], otherwise: wrong.message)
        }
        return errors
    }
}
