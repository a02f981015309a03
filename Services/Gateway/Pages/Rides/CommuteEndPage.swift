import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rides/commutes/{id}/end`: names what will be removed, asks what becomes of rides that somebody has asked for, then ends the commute.
struct CommuteEndPage {
    var back: String
    var commute: String
    var action: String
    var problem: String?
    var key: String
    /// Those that nobody has asked for.
    var removed: [CommuteRide]
    var anyRemoved: Bool
    var removedTitle: String
    var asked: [CommuteRide]
    var anyAsked: Bool
    var keeps: Bool
    var reason: Field

    static func register(on routes: PageRoutes) {
        routes.get("/rides/commutes/{id}/end") { visit in
            let commute = try await visit.ownCommute()
            guard !commute.isOver else { return try await tooLate(commute, visit) }
            return try await show(commute, SubmittedForm(), visit)
        }
        routes.post("/rides/commutes/{id}/end") { visit in
            try visit.context.requirePerson()
            return try await end(try await visit.form(), visit)
        }
    }

    /// The commute as it is now, with a sentence.
    private static func tooLate(_ commute: RideSeries, _ visit: Visit) async throws -> Response {
        try await CommutePage.show(commute, problem: visit.words["rides.tooLate"], visit, status: .conflict)
    }

    private static func end(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        // Who asks while the page is looked at loses nothing that was not named there.
        let ending = RideSeriesEnding(reason: form["reason"].nonEmpty, keepsAsked: form["asked"] != "remove")
        do {
            let reference = RideSeriesReference(id: try visit.id())
            _ = try await visit.command(RidesMethods.endSeries, reference, ending, of: form)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
        } catch let error as ServiceError where error.code == .wrongState {
            return try await tooLate(try await visit.ownCommute(), visit)
        } catch let error as ServiceError where error.code == .invalid {
            return try await show(try await visit.ownCommute(), form, error: error, visit)
        }
        return visit.redirect(to: CommutesPage.path, done: "commute.end")
    }

    private static func show(
        _ commute: RideSeries, _ form: SubmittedForm, error: ServiceError? = nil, _ visit: Visit
    ) async throws -> Response {
        let page = CommuteEndPage(commute, form, error, in: visit)
        let status = error.map { ProblemStatus.status(of: $0.code) } ?? .ok
        let frame = PageFrame(title: visit.words["commutes.end.title"], tab: .me, styles: ["rentals", "rides"])
        return try await visit.page("rides/commute-end", page, frame, status: status)
    }

    private init(_ commute: RideSeries, _ form: SubmittedForm, _ error: ServiceError?, in visit: Visit) {
        let (words, days) = (visit.words, CommuteDays(commute.zone(in: visit), in: visit))
        back = commute.path
        self.commute = CommuteView(commute, in: visit).sentence
        action = "\(commute.path)/end"
        key = Visit.key(form)
        removed = commute.rides.filter { $0.requests == 0 }.map { CommuteRide($0, days) }
        anyRemoved = !removed.isEmpty
        removedTitle = words["commutes.end.removed", count: removed.count]
        asked = commute.rides.filter { $0.requests > 0 }.map { CommuteRide($0, days) }
        let hasAsked = !asked.isEmpty
        anyAsked = hasAsked
        keeps = form["asked"] != "remove"
        var fields = [
            Field("reason", words["rides.acts.remove.reason"]).with {
                $0.value = form["reason"]
                $0.hint = hasAsked ? words["rides.acts.remove.reasonHint"] : nil
                $0.optional = true
            }
        ]
        problem = visit.mark(&fields, by: error, topics: ["reason": "rideReason"])
        reason = fields[0]
    }
}
