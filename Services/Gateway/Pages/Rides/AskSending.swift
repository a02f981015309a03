import HTTPTypes
import Hummingbird
import WireProtocol

// What was looked over is sent; what comes in its way is said.

extension AskPage {
    static func send(_ values: AskValues, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let id: RideID = try visit.id()
        let waits = form["do"] == "wait"
        do {
            let request = try await visit.command(
                RidesMethods.requestSeat, RideReference(id: id), values.draft(waits: waits), of: form,
                doing: form["do"])
            guard !waits, !values.days.isEmpty else {
                return visit.redirect(to: request.path, done: "seat.\(done(request))")
            }
            let others = try await AskedDay.ask(values, form, visit)
            return visit.redirect(to: AskedDaysPage.path(of: id, [AskedDay(request)] + others))
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept, with another part of the way.
            let ride = try await Self.ride(visit)
            return visit.redirect(to: elsewhere(from: ride) ?? ride.path, done: "seat.askedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            return try await refused(try await AskRides.asked(visit), values, form, error, visit)
        }
    }

    private static func done(_ request: SeatRequest) -> String {
        switch request.state {
        case .waiting: "waits"
        case .accepted: request.together == nil ? "had" : "hadBoth"
        default: request.together == nil ? "asked" : "askedBoth"
        }
    }

    private static func refused(
        _ rides: AskRides, _ sent: AskValues, _ form: SubmittedForm, _ error: ServiceError, _ visit: Visit
    ) async throws -> Response {
        var values = sent
        // The other way may be gone.
        values.fill(for: rides)
        switch error.code {
        case .soldOut, .termsChanged:
            return try await review(rides, values, form, refusal: error.code, visit) { page in
                let sentence = error.code == .termsChanged ? "changed" : sent.isBoth ? "soldOutBoth" : "soldOut"
                page.problem = visit.words["seats.ask.\(sentence)"]
            }
        case .invalid, .malformed:
            let errors = values.errors(error, in: visit)
            var page = AskPage(rides, values, nil, errors, form, in: visit)
            if errors.isEmpty { page.problem = visit.toldOfRide(error) }
            return try await show(page, rides, visit, error.code)
        default:
            return try await review(rides, values, form, refusal: error.code, visit) { page in
                page.problem = visit.toldOfRide(error)
                page.other = rides.ride.request.map { "/seats/\($0)" } ?? Self.other(error)
            }
        }
    }

    /// What the refusal names as in the way.
    private static func other(_ error: ServiceError) -> String? {
        for wrong in error.errors {
            let field = wrong.field.split(separator: ".").last ?? ""
            if field == "ride", let id = RideID(wrong.code) { return "/rides/\(id)" }
            if field == "request", let id = SeatRequestID(wrong.code) { return "/seats/\(id)" }
        }
        return nil
    }

    /// All of it, with what it costs; where the service refuses that, the form.
    static func review(
        _ rides: AskRides, _ values: AskValues, _ form: SubmittedForm, refusal: ErrorCode? = nil, _ visit: Visit,
        with: (inout AskPage) -> Void
    ) async throws -> Response {
        do {
            let quote = try await Self.quote(rides.ride, values, visit)
            var page = AskPage(rides, values, quote, nil, form, isReview: true, in: visit)
            with(&page)
            return try await show(page, rides, visit, refusal)
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            let errors = values.errors(error, in: visit)
            var page = AskPage(rides, values, nil, errors, form, in: visit)
            if errors.isEmpty { page.problem = visit.toldOfRide(error) }
            return try await show(page, rides, visit, refusal ?? error.code)
        }
    }
}
