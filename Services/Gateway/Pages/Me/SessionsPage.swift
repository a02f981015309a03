import Hummingbird
import WireProtocol

/// `/me/sessions`: where one is signed in.
struct SessionsPage {
    struct Row {
        var id: String
        var device: String
        var current: Bool
        var used: Moment
        var started: Moment
        var endLabel: String
    }

    var sessions: [Row]
    var key = Visit.newKey()

    static func register(on routes: PageRoutes) {
        routes.get("/me/sessions") { visit in
            try visit.context.requirePerson()
            let frame = PageFrame(title: visit.words["sessions.title"], tab: .me)
            return try await visit.page("me/sessions", try await load(visit), frame)
        }
        routes.post("/me/sessions/{id}/end") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(SessionID.self))
            _ = try await visit.command(
                AuthMethods.endSession, SessionReference(id: id), Nothing(), of: form, doing: id.description)
            if visit.isFragment { return visit.fragment("me/session-list", try await load(visit)) }
            return visit.redirect(to: "/me/sessions", done: "ended")
        }
    }

    private static func load(_ visit: Visit) async throws -> SessionsPage {
        let sessions = try await visit.ask(AuthMethods.sessions, Nothing(), Nothing()).items
        return SessionsPage(sessions: sessions.map { Row($0, in: visit) })
    }
}

extension SessionsPage.Row {
    fileprivate init(_ session: Session, in visit: Visit) {
        let name = Device.name(session.device ?? "", in: visit.words)
        id = session.id.description
        device = name
        current = session.current
        used = visit.moment(session.lastUsedAt, .ago)
        started = visit.moment(session.startedAt, .ago)
        endLabel = visit.words["sessions.endOf", ["device": name]]
    }
}

/// What people call a device, from what its browser calls itself.
enum Device {
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
        ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    static func name(_ agent: String, in words: Words) -> String {
        let browser = browsers.first { agent.contains($0.0) }?.1
        let system = systems.first { agent.contains($0.0) }?.1
        if let browser, let system { return words["sessions.device", ["browser": browser, "system": system]] }
        let product = agent.prefix { !" /(;".contains($0) }
        return browser ?? system ?? (product.isEmpty ? words["sessions.unknown"] : String(product))
    }
}
