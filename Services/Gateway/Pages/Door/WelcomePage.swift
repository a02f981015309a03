import Hummingbird
import WireProtocol

/// `/` for someone who is not signed in.
struct WelcomePage {
    var lead: String
    /// What there is to look at.
    var verticals: [PageLink]

    static func register(on routes: PageRoutes) {
        routes.post("/sign-out", forSuspended: true) { visit in
            _ = try await visit.form()
            try await visit.site.services.sessions.signOut(in: visit.context)
            var response = visit.redirect(to: "/", done: "signedOut")
            visit.site.services.sessions.end(on: &response)
            visit.forgetSearches(on: &response)
            visit.site.services.sessions.forgetKeptForm(of: visit.request, on: &response)
            return response
        }
    }

    static func answer(_ visit: Visit) async throws -> Response {
        let lead = visit.words["door.welcome.lead", ["community": visit.community.name]]
        let page = WelcomePage(lead: lead, verticals: visit.lists())
        return try await visit.page("door/welcome", page, PageFrame(title: visit.words["door.welcome.page"]))
    }
}
