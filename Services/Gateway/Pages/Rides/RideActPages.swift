import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rides/{id}/{remove|depart|arrive}`: says to its driver what will happen, and who is told, then does it. `change` is a form of its own.
struct RideActPages {
    var icon: String
    var grave: Bool
    var title: String
    var about: String
    var text: String
    /// Who is told.
    var note: String?
    var problem: String?
    var action: String
    var back: String
    var yes: String
    var no: String
    var key: String
    /// The other one of outward and return, which may be removed with it.
    var other: Other?
    /// Where all of the commute is ended that it is a ride of.
    var commute: String?
    var reason: Field?

    struct Other {
        var text: String
        /// Who is told as well.
        var note: String?
        var chosen: Bool
    }

    private static let acts: [RideAct] = [.remove, .depart, .arrive]

    static func register(on routes: PageRoutes) {
        for act in acts {
            routes.get("/rides/{id}/\(act.rawValue)") { visit in
                let ride = try await visit.ownRide()
                guard ride.possible.contains(act) else { return try await tooLate(ride, visit) }
                return try await show(act, ride, SubmittedForm(), visit)
            }
            routes.post("/rides/{id}/\(act.rawValue)") { visit in
                try visit.context.requirePerson()
                return try await perform(act, try await visit.form(), visit)
            }
        }
    }

    /// The ride as it is now, with a sentence.
    private static func tooLate(_ ride: Ride, _ visit: Visit) async throws -> Response {
        if visit.isFragment { return visit.leave(for: ride.path) }
        return try await RidePage.show(ride, problem: visit.words["rides.tooLate"], visit, status: .conflict)
    }

    private static func perform(_ act: RideAct, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let reference = RideReference(id: try visit.id())
        do {
            switch act {
            case .remove:
                let removal = RideRemoval(
                    reason: form["reason"].nonEmpty, withOther: form["withOther"] == "yes" ? true : nil)
                _ = try await visit.command(RidesMethods.removeRide, reference, removal, of: form)
            case .depart: _ = try await visit.command(RidesMethods.departRide, reference, Nothing(), of: form)
            case .arrive: _ = try await visit.command(RidesMethods.arriveRide, reference, Nothing(), of: form)
            case .change: throw ServiceError.notFound("page")
            }
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was kept.
        } catch let error as ServiceError where error.code == .wrongState {
            return try await tooLate(try await visit.ownRide(), visit)
        } catch let error as ServiceError where error.code == .invalid {
            return try await show(act, try await visit.ownRide(), form, error: error, visit)
        }
        guard act == .remove else {
            return visit.redirect(to: "/rides/\(reference.id)", done: "ride.\(act.rawValue)")
        }
        let isOfBoth = form["withOther"] == "yes"
        return visit.redirect(to: MyRidesPage.path, done: isOfBoth ? "ride.removeBoth" : "ride.remove")
    }

    private static func show(
        _ act: RideAct, _ ride: Ride, _ form: SubmittedForm, error: ServiceError? = nil, _ visit: Visit
    ) async throws -> Response {
        // Who is told can be left out where it is not known now.
        let requests = (try? await RideRequests.asked(for: ride, in: visit)) ?? []
        var page = RideActPages(act, ride, RideRequests(requests, in: visit).concerned, form, error, in: visit)
        if act == .remove { page.other = await other(of: ride, form, visit) }
        if visit.isFragment, error == nil { return visit.fragment("rides/act", page) }
        let status = error.map { ProblemStatus.status(of: $0.code) } ?? .ok
        return try await visit.page("rides/act", page, PageFrame(title: page.title, tab: .home), status: status)
    }

    /// Nil where it has no other way, or that has left.
    private static func other(of ride: Ride, _ form: SubmittedForm, _ visit: Visit) async -> Other? {
        guard let other = ride.other, other.state == .open else { return nil }
        let query = SeatRequestQuery(ride: other.id, limit: 100)
        let requests = (try? await visit.ask(RidesMethods.requests, query, Nothing()))?.items ?? []
        let names = RideRequests(requests, in: visit).concerned.map(\.name)
        let day = CommuteDays(other.zone, in: visit).day(other.departsAt)
        let words = visit.words
        return Other(
            text: words["rides.acts.remove.\(other.isReturn ? "back" : "there")", ["day": day]],
            note: names.isEmpty ? nil : words["rides.acts.told", ["names": words.list(names)]],
            chosen: form["withOther"] == "yes")
    }

    private init(
        _ act: RideAct, _ ride: Ride, _ concerned: [PersonSummary], _ form: SubmittedForm, _ error: ServiceError?,
        in visit: Visit
    ) {
        let (words, topic) = (visit.words, "rides.acts.\(act.rawValue)")
        (icon, grave) = act == .remove ? ("trash", true) : act == .depart ? ("wheel", false) : ("check", false)
        title = words["\(topic).title"]
        about = [ride.title(in: words), RideClock(ride.zone, in: words).moment(ride.departsAt)].joined(separator: ", ")
        text = words["\(topic).text"]
        let names = concerned.map(\.name)
        note = names.isEmpty ? nil : words["rides.acts.told", ["names": words.list(names)]]
        action = "\(ride.path)/\(act.rawValue)"
        back = ride.path
        yes = words["\(topic).yes"]
        no = words["rides.acts.no"]
        key = Visit.key(form)
        guard act == .remove else { return }
        commute = ride.series.map { "\(CommutesPage.path)/\($0)/end" }
        var fields = [
            Field("reason", words["rides.acts.remove.reason"]).with {
                $0.value = form["reason"]
                $0.hint = names.isEmpty ? nil : words["rides.acts.remove.reasonHint"]
                $0.optional = true
            }
        ]
        problem = visit.mark(&fields, by: error, topics: ["reason": "rideReason"])
        reason = fields[0]
    }
}

extension Words {
    /// `Ana, Ben and Maya`
    func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return self["rides.and", ["names": names.dropLast().joined(separator: ", "), "last": last]]
    }
}
