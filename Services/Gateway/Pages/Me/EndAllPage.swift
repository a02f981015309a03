import Hummingbird
import WireProtocol

/// `/me/sessions/end-all`: asks once, then signs out everywhere, here too.
struct EndAllPage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/me/sessions/end-all") { visit in
            try visit.context.requirePerson()
            var ask = Ask(
                "endAll", icon: "out", action: "/me/sessions/end-all", cancel: "/me/sessions", in: visit.words)
            ask.grave = true
            if visit.isFragment { return visit.fragment("me/end-all", EndAllPage(ask: ask)) }
            let frame = PageFrame(title: visit.words["endAll.page"], tab: .me)
            return try await visit.page("me/end-all", EndAllPage(ask: ask), frame)
        }
        routes.post("/me/sessions/end-all") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            _ = try await visit.command(AuthMethods.endAllSessions, Nothing(), Nothing(), of: form)
            var response = visit.redirect(to: "/", done: "signedOut")
            visit.site.services.sessions.end(on: &response)
            return response
        }
    }
}
