import Hummingbird
import WireProtocol

/// `/suspended`: why, and until when; and what somebody who is suspended can still do, which is to take what is theirs, or to erase it.
struct SuspendedPage {
    var told: String

    static let path = "/suspended"

    static func register(on routes: PageRoutes) {
        routes.get("/suspended", forSuspended: true) { visit in
            try visit.context.requirePerson()
            guard !visit.takesPart else { return visit.redirect(to: "/me") }
            do {
                let suspension = try await visit.ask(AuthMethods.suspension, Nothing(), Nothing())
                return try await visit.page(
                    "me/suspended", SuspendedPage(suspension, in: visit),
                    PageFrame(title: visit.words["error.suspended"]))
            } catch let error as ServiceError where error.code == .notFound {
                // It is over: the next session is as anybody's.
                var response = visit.redirect(to: "/sign-in", done: "reinstated")
                visit.site.services.sessions.end(on: &response)
                return response
            }
        }
    }

    /// Where the pages about what is one's own lead back to.
    static func back(in visit: Visit) -> String { visit.takesPart ? "/me" : path }

    private init(_ suspension: Suspension, in visit: Visit) {
        told = visit.told(.suspended(until: suspension.until, reason: suspension.reason))
    }
}
