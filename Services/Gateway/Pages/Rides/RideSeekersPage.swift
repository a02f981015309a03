import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/rides/{id}/seekers`: who seeks a ride along the way of one's own, the fewest extra metres first. Its driver invites them by
/// `POST /rides/{id}/seekers/{seeker}/invite`; to everybody else there is no such page.
struct RideSeekersPage {
    /// A form that is shown again, with its key.
    private struct Sent {
        var seeker: WantedID
        var key: String
    }

    private static let limit = 20
    /// What the page says itself of an invitation.
    private static let shown: Set<ErrorCode> = [
        .notFound, .wrongState, .tooManyInvitations, .unavailable, .outcomeUnknown,
    ]

    var ride: RideView
    var problem: String?
    /// That nobody can ride along any more.
    var closed: String?
    var list: SeekerList

    static func path(_ ride: RideID, from cursor: String? = nil) -> String {
        "/rides/\(ride)/seekers" + (cursor.map { "?cursor=\(LocalPath.encoded($0))" } ?? "")
    }

    static func register(on routes: PageRoutes) {
        routes.get("/rides/{id}/seekers") { visit in
            let (ride, cursor) = (try await driven(visit), visit.query("cursor"))
            guard visit.isFragment, visit.fragmentTarget == "more" else { return try await show(ride, cursor, visit) }
            let found = try await seekers(along: ride, cursor, visit)
            return visit.fragment("rides/seeker-rows", list(found, of: ride, cursor, nil, in: visit))
        }
        routes.post("/rides/{id}/seekers/{seeker}/invite") { visit in
            try visit.context.requirePerson()
            return try await invite(try await visit.form(), visit)
        }
    }

    /// - Throws: `unauthenticated`, `notFound` also where somebody else drives it.
    private static func driven(_ visit: Visit) async throws -> Ride {
        try visit.context.requirePerson()
        let ride = try await RidePage.ride(visit)
        guard ride.mine else { throw ServiceError.notFound("page") }
        return ride
    }

    /// Nobody where matching does not know the ride yet, or any more.
    private static func seekers(along ride: Ride, _ cursor: String?, _ visit: Visit) async throws -> Page<SeekerAlong> {
        let query = RideSeekersQuery(ride: ride.id, limit: limit, cursor: cursor)
        do {
            return try await visit.ask(MatchingMethods.rideSeekers, query, Nothing())
        } catch let error as ServiceError where error.code == .notFound {
            return Page(items: [])
        }
    }

    private static func invite(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let ride: RideID = try visit.id()
        guard let seeker = visit.context.parameters.get("seeker").flatMap({ WantedID($0) }) else {
            throw ServiceError.notFound("page")
        }
        let cursor = form["cursor"].nonEmpty
        do {
            _ = try await visit.command(
                MatchingMethods.inviteSeeker, SeekerReference(ride: ride, seeker: seeker), Nothing(), of: form)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending of this form was done.
        } catch let error as ServiceError where shown.contains(error.code) {
            let problem = error.code == .notFound ? visit.words["seeking.gone"] : visit.told(error)
            return try await show(
                try await driven(visit), cursor, problem: problem, sent: Sent(seeker: seeker, key: Visit.key(form)),
                visit, status: ProblemStatus.status(of: error.code))
        }
        return visit.redirect(to: path(ride, from: cursor), done: "seeking.invited")
    }

    // MARK: Showing

    /// - Parameters:
    ///   - problem: why what was wanted did not happen.
    ///   - sent: the form that was to do it.
    private static func show(
        _ ride: Ride, _ cursor: String?, problem: String? = nil, sent: Sent? = nil, _ visit: Visit,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let noted: Void = visit.markRead(about: Subject(ride.id))
        let found = try await seekers(along: ride, cursor, visit)
        let page = RideSeekersPage(
            ride: RideView(ride, in: visit), problem: problem,
            closed: ride.state == .open ? nil : visit.words["rides.notice.\(ride.state.rawValue)"],
            list: list(found, of: ride, cursor, sent, in: visit))
        // Before the bell is counted.
        await noted
        let frame = PageFrame(
            title: visit.words["seeking.title"], tab: .home, width: "middle", scripts: ["elsewhere"],
            styles: ["rides"])
        return try await visit.page("rides/seekers", page, frame, status: status)
    }

    private static func list(
        _ found: Page<SeekerAlong>, of ride: Ride, _ cursor: String?, _ sent: Sent?, in visit: Visit
    ) -> SeekerList {
        let rows = found.items.map { along in
            let key = sent?.seeker == along.seeker.id ? sent?.key : nil
            return SeekerRow(along, of: ride, cursor: cursor, key: key ?? Visit.newKey(), in: visit)
        }
        return SeekerList(rows, more: found.next.map { path(ride.id, from: $0) })
    }
}
