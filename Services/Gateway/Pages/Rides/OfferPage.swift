import FoundationEssentials
import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rides/new`: offers seats in a ride, step by step; with its way back, or each week. What other steps say is kept in the page; nothing is kept
/// elsewhere until all of it was looked over and is posted. With `?back=` it begins with the way back of a ride of one's own, with `?repeat=yes` as a commute,
/// with `?from=&to=&day=` as a ride that somebody seeks.
struct OfferPage {
    var kinds: [PageLink]
    var steps: [Step]
    var progress: String
    var title: String
    var lead: String
    var action: String
    var step: String
    var next: String
    /// What Next does.
    var go: String
    /// Of the first step a link, since there is nothing to keep.
    var backHref: String?
    var goesBack: Bool
    var problem: String?
    /// The ride that is in the way.
    var ride: String?
    var key: String
    /// Whether all of it was looked over before, so that Next leads there again.
    var isWhole: Bool
    var kept: [OfferValues.Kept]
    var form: OfferForm
    var summary: OfferSummary?

    struct Step { var done: Bool }

    static func register(on routes: PageRoutes) {
        routes.get("/rides/new") { visit in
            try visit.context.requirePerson()
            return try await show(OfferState(.place, try await begun(visit), SubmittedForm()), visit)
        }
        routes.post("/rides/new") { visit in
            try visit.context.requirePerson()
            return try await go(on: OfferState(try await visit.form()), visit)
        }
    }

    private static func begun(_ visit: Visit) async throws -> OfferValues {
        var values = OfferValues()
        values.repeats.isOn = visit.query("repeat") == "yes"
        (values.from, values.to) = (place("from", visit), place("to", visit))
        values.day = visit.query("day").flatMap { CivilDay($0) }?.text ?? ""
        guard let id = visit.query("back").flatMap({ RideID($0) }) else { return values }
        let ride = try await visit.ask(RidesMethods.ride, RideReference(id: id), Nothing())
        return ride.mine ? OfferValues(backOf: ride) : values
    }

    private static func place(_ name: String, _ visit: Visit) -> PlaceAnswer {
        visit.query(name).flatMap { PlaceChoice(written: $0) }.map { PlaceAnswer(chosen: $0) } ?? PlaceAnswer()
    }

    /// Where one offers a ride that somebody seeks. A place of which the name is not known is left to who offers it.
    static func path(for seeker: Seeker, in visit: Visit) -> String {
        func end(_ end: SeekingEnd) -> String {
            end.name?.nonEmpty.map { PlaceChoice(position: end.position, label: $0).written } ?? ""
        }
        let middle = seeker.after + seeker.before.timeIntervalSince(seeker.after) / 2
        let day = WallTime(at: max(middle, visit.now), in: visit.community.zone).day
        let pairs = [("from", end(seeker.from)), ("to", end(seeker.to)), ("day", day.text)].filter { !$0.1.isEmpty }
        return "\(OfferPages.path)?" + pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }

    /// One of the form's buttons. All but Next and Submit only show something else of what was typed.
    private static func go(on sent: OfferState, _ visit: Visit) async throws -> Response {
        var state = sent
        if state.values.changeStops(state.go) { return try await show(state.at(.place), visit) }
        switch state.go {
        case "back": return try await show(state.at(state.step.before), visit)
        case "skip":
            return try await show(state.at(.when), visit) { $0.form.times?.repeats?.beginSkip() }
        case "submit" where state.step == .summary: return try await post(state, visit)
        case let go: return try await next(state, OfferStep(rawValue: go), visit)
        }
    }

    /// - Parameter chosen: the step that is to be changed; nil for the one that follows.
    private static func next(
        _ sent: OfferState, _ chosen: OfferStep?, _ visit: Visit
    ) async throws -> Response {
        var state = sent
        if let chosen, state.step == .summary { return try await show(state.at(chosen), visit) }
        await state.values.lookUp(in: visit)
        let following = state.isWhole ? .summary : state.step.after
        // What is shown last was right when it was left, or is looked at once more.
        let steps = following == .summary ? OfferStep.asking : [state.step]
        let errors = state.values.draft(steps, currency: visit.community.currency, in: visit.words).1
        guard errors.isEmpty else { return try await show(state.failed(errors, .invalid), visit) }
        guard following == .summary else { return try await show(state.at(following), visit) }
        return try await lookOver(state, visit)
    }

    // MARK: Showing

    static func show(
        _ state: OfferState, quote: OfferQuote? = nil, refusal: ErrorCode? = nil, _ visit: Visit,
        with: (inout OfferPage) -> Void = { _ in }
    ) async throws -> Response {
        var page = OfferPage(state, quote, in: visit)
        with(&page)
        let frame = PageFrame(
            title: page.title, tab: .share, scripts: ["combobox"], styles: ["rentals", "rides"])
        let status = (refusal ?? state.refusal).map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("rides/offer", page, frame, status: status)
    }

    private init(_ state: OfferState, _ quote: OfferQuote?, in visit: Visit) {
        let (words, shown) = (visit.words, state.step)
        kinds = shown == .place ? visit.ways(at: OfferPages.path) : []
        steps = OfferStep.asking.map { Step(done: $0.number <= shown.number) }
        let numbers = ["n": String(shown.number), "of": String(OfferStep.asking.count)]
        progress = words[shown == .summary ? "offer.progressSummary" : "offer.progress", numbers]
        title = words["offer.\(shown.rawValue).title"]
        lead = words["offer.\(shown.rawValue).lead"]
        action = OfferPages.path
        step = shown.rawValue
        go = shown == .summary ? "submit" : "next"
        next = words["offer.\(shown == .summary ? state.values.submit : "next")"]
        backHref = shown == .place ? RidesVertical.path : nil
        goesBack = shown != .place
        key = Visit.key(state.form)
        isWhole = state.isWhole || shown == .summary
        kept = state.values.kept(showing: shown)
        form = OfferForm(state.values, [shown], state.errors, in: visit)
        summary = quote.map { OfferSummary($0, state.values, in: visit) }
    }
}
