import HTTPTypes
import Hummingbird
import WireProtocol

// What was looked over is sent; what comes in its way is said.

extension AskPage {
    static func send(
        _ ride: Ride, _ values: AskValues, _ form: SubmittedForm, _ visit: Visit
    ) async throws -> Response {
        do {
            let draft = values.draft(waits: form["do"] == "wait")
            let request = try await visit.command(
                RidesMethods.requestSeat, RideReference(id: ride.id), draft, of: form, doing: form["do"])
            return visit.redirect(to: "/seats/\(request.id)", done: "seat.\(Self.done(request.state))")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept, with another part of the way.
            return visit.redirect(to: elsewhere(from: ride) ?? ride.path, done: "seat.askedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            return try await refused(try await Self.ride(visit), values, form, error, visit)
        }
    }

    private static func done(_ state: SeatState) -> String {
        state == .accepted ? "had" : state == .waiting ? "waits" : "asked"
    }

    private static func refused(
        _ ride: Ride, _ values: AskValues, _ form: SubmittedForm, _ error: ServiceError, _ visit: Visit
    ) async throws -> Response {
        switch error.code {
        case .soldOut, .termsChanged:
            return try await review(ride, values, form, refusal: error.code, visit) { page in
                page.problem = visit.words["seats.ask.\(error.code == .soldOut ? "soldOut" : "changed")"]
            }
        case .invalid, .malformed:
            let errors = values.errors(error, in: visit)
            var page = AskPage(ride, values, nil, errors, form, in: visit)
            if errors.isEmpty { page.problem = visit.toldOfRide(error) }
            return try await show(page, visit, error.code)
        default:
            return try await review(ride, values, form, refusal: error.code, visit) { page in
                page.problem = visit.toldOfRide(error)
                page.other = ride.request.map { "/seats/\($0)" } ?? Self.other(error)
            }
        }
    }

    /// What the refusal names as in the way.
    private static func other(_ error: ServiceError) -> String? {
        for wrong in error.errors {
            if wrong.field == "ride", let id = RideID(wrong.code) { return "/rides/\(id)" }
            if wrong.field == "request", let id = SeatRequestID(wrong.code) { return "/seats/\(id)" }
        }
        return nil
    }

    /// All of it, with what it costs; where the service refuses that, the form.
    static func review(
        _ ride: Ride, _ values: AskValues, _ form: SubmittedForm, refusal: ErrorCode? = nil, _ visit: Visit,
        with: (inout AskPage) -> Void
    ) async throws -> Response {
        do {
            let quote = try await Self.quote(ride, values, visit)
            var page = AskPage(ride, values, quote, nil, form, isReview: true, in: visit)
            with(&page)
            return try await show(page, visit, refusal)
        } catch let error as ServiceError where error.code != .unauthenticated && error.code != .notFound {
            let errors = values.errors(error, in: visit)
            var page = AskPage(ride, values, nil, errors, form, in: visit)
            if errors.isEmpty { page.problem = visit.toldOfRide(error) }
            return try await show(page, visit, refusal ?? error.code)
        }
    }
}
