import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/things/{id}/calendar`: when what one shares is taken and by whom, and the days or hours in which one does not let it.
struct OwnCalendarPage {
    var title: String
    var path: String
    var key: String
    var action: String
    var problem: String?
    var hint: String
    /// Of hours: whole ones.
    var step: Int?
    var from: Field
    var until: Field
    var months: MonthsView

    static func register(on routes: PageRoutes) {
        routes.get("/things/{id}/calendar") { visit in try await show(try await visit.ownThing(), in: visit) }
        routes.post("/things/{id}/calendar") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await block(try await visit.ownThing(), form, visit)
        }
        routes.get("/things/{id}/calendar/{block}") { visit in
            let (thing, block) = (try await visit.ownThing(), try block(visit))
            let ask = Ask(
                "sharing.unblock", icon: "undo", action: "\(path(thing))/\(block)", cancel: path(thing),
                name: visit.name(of: thing), in: visit.words)
            if visit.isFragment { return visit.fragment("sharing/ask", ThingStatePage(ask: ask)) }
            let frame = PageFrame(title: visit.words["sharing.unblock.page"], tab: .me)
            return try await visit.page("sharing/ask", ThingStatePage(ask: ask), frame)
        }
        routes.post("/things/{id}/calendar/{block}") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let (thing, block) = (try await visit.ownThing(), try block(visit))
            do {
                _ = try await visit.command(
                    ListingsMethods.unblockDates, DateBlockReference(id: block), Nothing(), of: form)
            } catch let error as ServiceError where error.code == .notFound {}  // it is free already
            return visit.redirect(to: path(thing), done: "datesFree")
        }
    }

    private static func path(_ thing: Thing) -> String { "/things/\(thing.id)/calendar" }

    private static func block(_ visit: Visit) throws -> DateBlockID {
        guard let id = visit.context.parameters.get("block").flatMap({ DateBlockID($0) }) else {
            throw ServiceError.notFound("page")
        }
        return id
    }

    private static func block(_ thing: Thing, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        // One day, where only one is said.
        let isDay = thing.terms.unit == .day
        let draft = PeriodDraft(
            from: form["from"], until: form["until"].nonEmpty ?? (isDay ? form["from"] : ""))
        do {
            _ = try await visit.command(ListingsMethods.blockDates, ThingReference(id: thing.id), draft, of: form)
            return visit.redirect(to: "\(path(thing))?month=\(draft.from.prefix(7))", done: "datesBlocked")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: path(thing), done: "savedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await show(thing, form, error, in: visit)
        }
    }

    private static func show(
        _ thing: Thing, _ form: SubmittedForm? = nil, _ error: ServiceError? = nil, in visit: Visit
    ) async throws -> Response {
        let asked = MonthsWindow(of: thing, chosen: form?["from"].nonEmpty, reach: .owning, in: visit)
        let agreed = RentalQuery(role: .owner, thing: thing.id, limit: 100)
        async let shown = visit.calendar(asked)
        async let rentals = visit.askUnlessAway(ListingsMethods.rentals, agreed)
        let renters = Dictionary(
            (try await rentals?.items ?? []).map { ($0.id, $0.renter.name) }, uniquingKeysWith: { first, _ in first })
        let (calendar, window) = try await shown
        let page = OwnCalendarPage(thing, calendar, window, renters, form, error, in: visit)
        let frame = PageFrame(
            title: visit.words["sharing.calendar.page"], tab: .me, width: "middle",
            scripts: ["months"], styles: ["rentals"])
        let status = error.map { ProblemStatus.status(of: $0.code) } ?? .ok
        return try await visit.page("sharing/calendar", page, frame, status: status)
    }

    private init(
        _ thing: Thing, _ calendar: ThingCalendar, _ window: MonthsWindow, _ renters: [RentalID: String],
        _ form: SubmittedForm?, _ error: ServiceError?, in visit: Visit
    ) {
        let (words, base) = (visit.words, Self.path(thing))
        title = words["sharing.calendar.title", ["name": visit.name(of: thing)]]
        path = thing.path
        action = base
        key = form.map { Visit.key($0) } ?? Visit.newKey()
        let unit = thing.terms.unit
        hint = words["sharing.calendar.hint.\(unit.rawValue)"]
        step = unit == .hour ? 3600 : nil
        var fields = ["from", "until"].map { name in
            Field(name, words["sharing.calendar.\(name).\(unit.rawValue)"]).with {
                $0.type = unit == .day ? "date" : "datetime-local"
                $0.value = form?[name] ?? ""
            }
        }
        problem =
            error?.code == .overlaps
            ? words["sharing.calendar.overlaps"]
            : visit.mark(&fields, by: error, topics: ["from": "days", "until": "days"])
        (from, until) = (fields[0], fields[1])
        let free = words["sharing.calendar.free"]
        months = MonthsView(
            calendar, window,
            .own { period in
                if let block = period.block { return .init(href: "\(base)/\(block)", text: free) }
                return period.rental.map { rental in
                    .init(href: "/rentals/\(rental)", text: renters[rental] ?? words["sharing.calendar.agreement"])
                }
            }, here: base, in: words)
    }
}
