import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/spaces/new` and `/spaces/{id}/wizard/{step}`: a space is shared step by step. The first Next makes a draft, which each step adds to;
/// nobody else sees it until it is confirmed.
struct WizardPage {
    var kinds: [PageLink]
    /// One for each step: whether it is behind.
    var steps: [Step]
    var progress: String
    var title: String
    var lead: String?
    var action: String
    var next: String
    /// Of the first step a link, since there is nothing to keep.
    var backHref: String?
    var goesBack: Bool
    var cancel: String
    /// Whether there is a draft, about which cancelling asks.
    var isDraft: Bool
    var problem: String?
    var said: String?
    var key: String
    /// Of the draft, as the step was made of it.
    var version: String?
    /// What was saved of the step while it was being filled in.
    var meanwhile: Meanwhile?
    var form: ThingForm
    var summary: ThingSummary?

    struct Step { var done: Bool }

    static func register(on routes: PageRoutes) {
        routes.get("/spaces/new") { visit in
            try visit.context.requirePerson()
            return try await show(.address, ThingValues(.space), nil, in: visit)
        }
        routes.post("/spaces/new") { visit in
            try visit.context.requirePerson()
            return try await begin(try await visit.form(), visit)
        }
        routes.get("/spaces/{id}/wizard/cancel") { visit in try await CancelWizardPage.show(visit) }
        routes.get("/spaces/{id}/wizard/{step}") { visit in
            let (space, step) = try await draft(visit)
            guard space.isDraftSpace else { return visit.redirect(to: space.path) }
            return try await show(step, ThingValues(space), space, in: visit)
        }
        routes.post("/spaces/{id}/wizard/{step}") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form(members: BodyLimits.photosForm)
            let (space, step) = try await draft(visit)
            // Published before, by this form or in another window.
            guard space.isDraftSpace else { return visit.redirect(to: space.path) }
            return step == .confirm
                ? try await publish(space, form, visit) : try await go(on: step, space, form, visit)
        }
    }

    private static func draft(_ visit: Visit) async throws -> (Thing, WizardStep) {
        guard let step = visit.context.parameters.get("step").flatMap({ WizardStep(rawValue: $0) }) else {
            throw ServiceError.notFound("page")
        }
        return (try await visit.ownThing(.space), step)
    }

    /// The first Next.
    private static func begin(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = ThingValues(form, .space)
        let isFilled = await values.complete(in: visit)
        var (draft, errors) = values.draft(WizardStep.address.parts, in: visit)
        guard errors.isEmpty, !isFilled else {
            return try await again(.address, values, nil, form, errors, visit)
        }
        draft.isComplete = false
        do {
            let space = try await visit.command(
                ListingsMethods.postThing, ThingKindParameters(kind: .space), draft, of: form)
            return visit.redirect(to: WizardStep.size.path(space.id))
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: MyThingsPage.path, done: "draftBefore")
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(.address, values, nil, form, error, visit)
        }
    }

    /// Next, or Back, which keeps what can be kept and refuses nothing but to take back what another window has saved.
    private static func go(
        on step: WizardStep, _ space: Thing, _ form: SubmittedForm, _ visit: Visit
    ) async throws -> Response {
        var values = ThingValues(form, .space)
        if step == .photos { values.photos = try await PicturesAnswer(form, in: visit) }
        let goesBack = form["go"] == "back"
        let isFilled = step == .address ? await values.complete(in: visit) : false
        let (typed, errors) = values.draft(step.parts, isWhole: !goesBack, in: visit)
        var draft = typed
        draft.version = values.version
        // What is left out of a step stays as it is: that there is no longest period any more has to be said.
        if step == .price, values.longest.isEmpty { draft.longest = 0 }
        if goesBack {
            return try await goBack(from: step, space, errors.isEmpty ? draft : nil, values, form, visit)
        }
        if values.photos.isMoved { return try await again(step, values, space, form, nil, visit) }
        guard errors.isEmpty, !isFilled else { return try await again(step, values, space, form, errors, visit) }
        let following = visit.query("then") == WizardStep.confirm.rawValue ? .confirm : step.after
        let path = (following ?? .confirm).path(space.id)
        do {
            try await amend(space, draft, form, visit)
            return visit.redirect(to: path)
        } catch let error as ServiceError where Self.isOvertaken(error) {
            return try await changed(step, values, form, error, orTo: path, visit)
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(step, values, space, form, error, visit)
        }
    }

    /// - Parameter draft: nil where what was typed can't be kept.
    private static func goBack(
        from step: WizardStep, _ space: Thing, _ draft: ThingDraft?, _ values: ThingValues, _ form: SubmittedForm,
        _ visit: Visit
    ) async throws -> Response {
        let path = step.before?.path(space.id) ?? MyThingsPage.path
        do {
            if let draft { try await amend(space, draft, form, doing: "back", visit) }
        } catch let error as ServiceError where Self.isOvertaken(error) {
            return try await changed(step, values, form, error, orTo: path, visit)
        } catch let error as ServiceError where error.code != .unauthenticated {
            // What can't be kept holds nobody up.
        }
        return visit.redirect(to: path)
    }

    /// Whether something else is saved by now: by another window, or by this very page, whose answer was lost or to which the browser went back
    /// as it was.
    private static func isOvertaken(_ error: ServiceError) -> Bool {
        [.changedMeanwhile, .idempotencyMismatch].contains(error.code)
    }

    private static func amend(
        _ space: Thing, _ draft: ThingDraft, _ form: SubmittedForm, doing act: String = "", _ visit: Visit
    ) async throws {
        let reference = ThingReference(id: space.id, kind: .space)
        _ = try await visit.command(ListingsMethods.amendThing, reference, draft, of: form, doing: act)
    }

    private static func publish(_ space: Thing, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        if form["go"] == "back" { return visit.redirect(to: WizardStep.photos.path(space.id)) }
        // What is shared is what was looked over.
        if let seen = form["version"].nonEmpty, seen != space.version {
            let values = ThingValues(space)
            return try await show(.confirm, values, space, refusal: .changedMeanwhile, in: visit) { page in
                page.problem = visit.words["sharing.wizard.changed"]
            }
        }
        do {
            let reference = ThingReference(id: space.id, kind: .space)
            let shared = try await visit.command(ListingsMethods.publishThing, reference, Nothing(), of: form)
            return visit.redirect(to: shared.path, done: "thingShared")
        } catch let error as ServiceError where error.code != .unauthenticated {
            // To the first step at which something is wrong, which says what.
            let steps = error.errors.compactMap {
                WizardStep.asking(for: ThingValues.names[$0.field] ?? $0.field)
            }
            let step = WizardStep.allCases.first { steps.contains($0) } ?? .confirm
            return try await refused(step, ThingValues(space), space, form, error, visit)
        }
    }

    // MARK: Showing

    /// The step as it was typed, beside what is saved of it by now. Sent once more, it replaces that.
    /// - Parameter path: where it goes on if what is saved is what was typed, and this page has saved it.
    private static func changed(
        _ step: WizardStep, _ typed: ThingValues, _ form: SubmittedForm, _ error: ServiceError, orTo path: String,
        _ visit: Visit
    ) async throws -> Response {
        let space = try await visit.ownThing(.space)
        guard space.isDraftSpace else { return visit.redirect(to: space.path) }
        var values = typed
        values.version = space.version
        let kept = ThingFields(ThingValues(space), in: visit).said(step.parts, in: visit)
        let sent = ThingFields(values, in: visit).said(step.parts, in: visit)
        let href = address(of: step, space, in: visit)
        let meanwhile = Meanwhile(kept, besides: sent, href: href, in: visit.words)
        // A key that has done something does nothing else.
        let isUsed = error.code == .idempotencyMismatch
        if isUsed, !meanwhile.any { return visit.redirect(to: path) }
        let key = isUsed ? Visit.newKey() : Visit.key(form)
        return try await show(step, values, space, key: key, refusal: .changedMeanwhile, in: visit) { page in
            page.meanwhile = meanwhile
        }
    }

    private static func address(of step: WizardStep, _ space: Thing, in visit: Visit) -> String {
        let isChange = visit.query("then") == WizardStep.confirm.rawValue
        return step.path(space.id) + (isChange ? "?then=confirm" : "")
    }

    private static func refused(
        _ step: WizardStep, _ values: ThingValues, _ space: Thing?, _ form: SubmittedForm, _ error: ServiceError,
        _ visit: Visit
    ) async throws -> Response {
        let errors = ThingValues.errors(error, in: visit)
        return try await show(step, values, space, errors, key: Visit.key(form), refusal: error.code, in: visit) {
            page in
            if errors.isEmpty { page.problem = visit.told(error) }
        }
    }

    /// The step as it was sent, with what is wrong or what was filled in; without errors, since one of its buttons asked for it.
    private static func again(
        _ step: WizardStep, _ values: ThingValues, _ space: Thing?, _ form: SubmittedForm, _ errors: FieldErrors?,
        _ visit: Visit
    ) async throws -> Response {
        let refusal = errors.map { _ in ErrorCode.invalid }
        return try await show(step, values, space, errors, key: Visit.key(form), refusal: refusal, in: visit) { page in
            if errors?.isEmpty == true { page.said = visit.words["sharing.placeNamed"] }
        }
    }

    private static func show(
        _ step: WizardStep, _ values: ThingValues, _ space: Thing?, _ errors: FieldErrors? = nil,
        key: String = Visit.newKey(), refusal: ErrorCode? = nil, in visit: Visit,
        with: (inout WizardPage) -> Void = { _ in }
    ) async throws -> Response {
        var page = WizardPage(step, values, space, errors, key: key, in: visit)
        with(&page)
        let frame = PageFrame(
            title: page.title, tab: .share, usesMap: step.parts.contains(.place), scripts: ShareThingPage.scripts)
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("sharing/wizard", page, frame, status: status)
    }

    private init(
        _ step: WizardStep, _ values: ThingValues, _ space: Thing?, _ errors: FieldErrors?, key: String, in visit: Visit
    ) {
        let words = visit.words
        kinds = space == nil ? visit.ways(at: ThingKind.space.sharePath) : []
        steps = WizardStep.allCases.map { Step(done: $0.number <= step.number) }
        progress =
            words[
                "sharing.wizard.progress", ["n": String(step.number), "of": String(WizardStep.allCases.count)]]
        title = words["sharing.wizard.\(step.rawValue).title"]
        lead = words["sharing.wizard.\(step.rawValue).lead"]
        action = space.map { Self.address(of: step, $0, in: visit) } ?? ThingKind.space.sharePath
        next = words[step == .confirm ? "sharing.wizard.publish" : "sharing.wizard.next"]
        backHref = space == nil ? ThingKind.space.path : nil
        goesBack = space != nil
        cancel = space.map { "/spaces/\($0.id)/wizard/cancel?at=\(step.rawValue)" } ?? ThingKind.space.path
        isDraft = space != nil
        self.key = key
        version = values.version
        form = ThingForm(values, step.parts, errors: errors, in: visit)
        summary = step == .confirm ? space.map { ThingSummary($0, in: visit) } : nil
    }
}
