import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/wanted/{id}/edit`: changes what a search looks for, in the fields by which its vertical is searched.
struct WantedEditPage {
    var back: String
    /// What it looks for as it is kept.
    var sentence: String
    var problem: String?
    var action: String
    var key: String
    /// Of the search, as the form was made of it.
    var version: String
    /// What was saved while it was being filled in.
    var meanwhile: Meanwhile?
    /// One of them. A vertical more adds its fields here.
    var spots: WantedSpotsForm?
    var things: WantedThingsForm?
    var rides: WantedRidesForm?
    var deliverers: WantedDeliverersForm?

    static func register(on routes: PageRoutes) {
        routes.get("/wanted/{id}/edit") { visit in
            let wanted = try await visit.ownWanted()
            guard wanted.state != .ended else { return visit.redirect(to: wanted.path) }
            var search = try await WantedSearch(wanted.query, in: visit)
            search.isVisible = wanted.isVisible
            // Nobody has sent a day that is over.
            if case .rides(var rides) = search {
                rides.errors = FieldErrors(visit.words)
                search = .rides(rides)
            }
            return try await show(wanted, search, visit)
        }
        routes.post("/wanted/{id}/edit") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(try await visit.ownWanted(), form, visit)
        }
    }

    private static func change(_ wanted: Wanted, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        // What kind of thing it looks for stays.
        let of = wanted.query.pairs(currency: visit.community.currency).filter { $0.0 == "of" }
        var search = try await WantedSearch(SubmittedForm(form.fields.map { ($0.key, $0.value) } + of), in: visit)
        let (key, version) = (Visit.key(form), form["version"])
        guard let query = search.query else {
            return try await show(wanted, search, visit, key: key, version: version, refusal: .invalid)
        }
        do {
            let change = WantedChange(query: query, isVisible: search.isVisible, version: version.nonEmpty)
            _ = try await visit.command(
                MatchingMethods.changeWanted, WantedReference(id: wanted.id), change, of: form)
            return visit.redirect(to: wanted.path, done: "wanted.changed")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: wanted.path, done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            let now = try await visit.ownWanted()
            let label = visit.words["wanted.looksFor"]
            let said = await visit.sentences(of: [now.query, query])
            let meanwhile = Meanwhile(
                [Meanwhile.Said(label, said[0])], besides: [Meanwhile.Said(label, said[1])],
                href: "\(wanted.path)/edit", in: visit.words)
            return try await show(now, search, visit, key: key, refusal: error.code) { $0.meanwhile = meanwhile }
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            search.refuse(error)
            let problem = search.errors.isEmpty ? visit.told(error) : nil
            return try await show(wanted, search, visit, key: key, version: version, refusal: error.code) {
                $0.problem = problem
            }
        }
    }

    /// - Parameter version: as the form said it; that of the search where nil.
    private static func show(
        _ wanted: Wanted, _ search: WantedSearch, _ visit: Visit, key: String = Visit.newKey(),
        version: String? = nil, refusal: ErrorCode? = nil, with: (inout WantedEditPage) -> Void = { _ in }
    ) async throws -> Response {
        var page = WantedEditPage(
            back: wanted.path, sentence: await visit.sentence(of: wanted.query), action: "\(wanted.path)/edit",
            key: key, version: version ?? wanted.version)
        switch search {
        case .spots(let spots): page.spots = WantedSpotsForm(spots, in: visit)
        case .things(let things): page.things = try await WantedThingsForm(things, in: visit)
        case .rides(let rides): page.rides = WantedRidesForm(rides, in: visit)
        case .deliverers(var deliverers):
            await deliverers.nameRestaurant(in: visit)
            page.deliverers = WantedDeliverersForm(deliverers, in: visit)
        }
        with(&page)
        let frame = PageFrame(
            title: visit.words["wanted.edit.title"], tab: .me, scripts: page.things == nil ? ["combobox"] : [],
            styles: page.deliverers == nil ? [] : ["deliveries"])
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("wanted/edit", page, frame, status: status)
    }
}

/// The fields of things that are looked for (`wanted/things`): those of their list, without what only orders it.
struct WantedThingsForm {
    var filters: ThingFilters
    var car: WantedCarField?

    init(_ search: ThingSearch, in visit: Visit) async throws {
        let models = try await visit.carModels(for: search.kind)
        filters = ThingFilters(search, models, in: visit)
        car = search.kind.look.isVehicle ? WantedCarField(search, filters, models, in: visit.words) : nil
    }
}

/// Which cars are looked for (`wanted/car`): one list, grouped by brand, so that it needs no script.
struct WantedCarField {
    struct Brand {
        var name: String
        var models: [Field.Option]
    }

    var field: Field
    var brands: [Brand]

    init(_ search: ThingSearch, _ filters: ThingFilters, _ models: CarModels?, in words: Words) {
        let (brand, model) = (filters.brand, filters.model?.field)
        field = Field("car", words["wanted.edit.car"]).with {
            $0.error = brand?.error ?? model?.error
            $0.focus = brand?.focus == true || model?.focus == true
        }
        var known = models?.brands ?? []
        // What is looked for stays, though the catalogue has it no more, or is away.
        if !search.brand.isEmpty, !known.contains(where: { $0.name == search.brand }) {
            known.append(CarBrand(name: search.brand, models: []))
        }
        brands = known.map { brand in
            let isChosen = brand.name == search.brand
            let isGone = isChosen && !search.model.isEmpty && !brand.models.contains(search.model)
            let every = Field.Option(
                value: brand.name, text: words["wanted.edit.everyModel", ["brand": brand.name]],
                chosen: isChosen && search.model.isEmpty)
            let each = (brand.models + (isGone ? [search.model] : [])).map { model in
                Field.Option(
                    value: "\(brand.name)\(CarModelField.between)\(model)", text: model,
                    chosen: isChosen && model == search.model)
            }
            return Brand(name: brand.name, models: [every] + each)
        }
    }
}
