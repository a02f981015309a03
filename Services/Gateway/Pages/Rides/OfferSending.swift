import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// What the service makes of what is offered.
struct OfferQuote {
    /// Of a commute its first ride.
    var ride: RideQuote
    var commute: RideSeriesQuote?
}

// What the wizard asks of the service: what it would be, and that it is posted.

extension OfferPage {
    /// The summary of what the service makes of it, or the step at which something is wrong.
    static func lookOver(_ state: OfferState, _ visit: Visit) async throws -> Response {
        do {
            return try await show(state.at(.summary), quote: try await quote(of: state, visit), visit)
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(state, error, visit)
        }
    }

    static func post(_ state: OfferState, _ visit: Visit) async throws -> Response {
        let (draft, errors) = state.values.offer(currency: visit.community.currency, in: visit.words)
        guard errors.isEmpty else { return try await show(state.failed(errors, .invalid), visit) }
        do {
            let path = try await post(draft, of: state.form, visit)
            return visit.redirect(to: "\(path)/offered")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending did arrive: what it offered is among these, with the way to change it.
            return visit.redirect(to: MyRidesPage.path, done: "offer.before")
        } catch let error as ServiceError where error.code != .unauthenticated {
            return try await refused(state, error, visit)
        }
    }

    /// One form makes a ride or a commute, never both: each is asked for under the same id.
    /// - Returns: where it is.
    private static func post(_ draft: OfferDraft, of form: SubmittedForm, _ visit: Visit) async throws -> String {
        let id = try visit.requestID(form, doing: RidesMethods.postRide.name)
        switch draft {
        case .ride(let draft): return try await visit.ask(RidesMethods.postRide, Nothing(), draft, id: id).path
        case .commute(let draft): return try await visit.ask(RidesMethods.postSeries, Nothing(), draft, id: id).path
        }
    }

    /// At its field on the step where it is; else above what was sent.
    private static func refused(
        _ state: OfferState, _ error: ServiceError, _ visit: Visit
    ) async throws -> Response {
        let isOther = error.code == .duplicate || error.code == .overlaps
        let errors = isOther ? FieldErrors(visit.words) : state.values.errors(error, in: visit)
        guard errors.isEmpty else {
            let highest = await highestCosts(on: state, error, visit)
            return try await show(state.failed(errors, error.code), visit) { page in
                page.form.terms?.say(highest)
            }
        }
        let quote: OfferQuote? = state.step == .summary ? try? await quote(of: state, visit) : nil
        // Without what it would be there is nothing to look over.
        let shown = state.step == .summary && quote == nil ? state.at(.seats) : state
        return try await show(shown, quote: quote, refusal: error.code, visit) { page in
            page.problem = visit.toldOfRide(error)
            page.ride = error.errors.lazy.compactMap { RideID($0.code) }.first.map { "/rides/\($0)" }
        }
    }

    private static func quote(of state: OfferState, _ visit: Visit) async throws -> OfferQuote {
        switch state.values.offer(currency: visit.community.currency, in: visit.words).0 {
        case .ride(let draft):
            return OfferQuote(ride: try await visit.ask(RidesMethods.quoteRide, Nothing(), draft))
        case .commute(let draft):
            let quote = try await visit.ask(RidesMethods.quoteSeries, Nothing(), draft)
            return OfferQuote(ride: quote.ride, commute: quote)
        }
    }

    /// What a seat may cost on each of the two ways, where that is less than was asked for.
    private static func highestCosts(
        on state: OfferState, _ error: ServiceError, _ visit: Visit
    ) async -> [String: String] {
        guard error.errors.contains(where: { $0.code == "too_dear" }) else { return [:] }
        var state = state
        (state.values.cost, state.values.wayBack.cost) = ("", "")
        guard let quote = try? await quote(of: state, visit).ride else { return [:] }
        let highest = ["cost": quote.highestCost, "backCost": quote.returnRide?.highestCost]
        return highest.compactMapValues { cost in
            cost.map { visit.words["offer.highest", ["cost": Price.text($0, in: visit.words)]] }
        }
    }
}

extension OfferForm.Terms {
    /// Puts what is wrong with a cost into words that say the highest.
    fileprivate mutating func say(_ highest: [String: String]) {
        if let highest = highest["cost"], cost.error != nil { cost.error = highest }
        if let highest = highest["backCost"], wayBack?.cost.error != nil { wayBack?.cost.error = highest }
    }
}
