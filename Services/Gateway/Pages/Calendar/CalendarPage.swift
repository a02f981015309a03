import Hummingbird
import WireProtocol

/// `/me/calendar`: the address at which one's calendar program reads what one rents and lets, drives and rides along in.
struct CalendarPage {
    var key = Visit.newKey()
    /// Nil where there is none.
    var address: Field?
    /// By which programs on this device subscribe at once.
    var webcal: String?
    var made: Moment?

    static func register(on routes: PageRoutes) {
        routes.get("/me/calendar") { visit in
            try visit.context.requirePerson()
            let page = CalendarPage(try await find(visit), in: visit)
            let frame = PageFrame(title: visit.words["calendar.title"], tab: .me, scripts: ["copy"])
            return try await visit.page("calendar/calendar", page, frame)
        }
        routes.post("/me/calendar") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            if form["do"] == "end" {
                _ = try await visit.command(
                    AuthMethods.endCalendarFeed, Nothing(), Nothing(), of: form, doing: "end")
                return visit.redirect(to: "/me/calendar", done: "calendarEnded")
            }
            _ = try await visit.command(
                AuthMethods.renewCalendarFeed, Nothing(), Nothing(), of: form, doing: "renew")
            return visit.redirect(to: "/me/calendar", done: "calendarMade")
        }
    }

    private static func find(_ visit: Visit) async throws -> CalendarFeed? {
        do {
            return try await visit.ask(AuthMethods.calendarFeed, Nothing(), Nothing())
        } catch let error as ServiceError where error.code == .notFound { return nil }
    }

    private init(_ feed: CalendarFeed?, in visit: Visit) {
        guard let feed else { return }
        let url = visit.community.publicURL + feed.path
        address = Field("address", visit.words["calendar.address"]).with {
            $0.value = url
            $0.locked = true
            $0.verbatim = true
            $0.hint = visit.words["calendar.warning"]
        }
        webcal = url.split(separator: "://", maxSplits: 1).last.map { "webcal://\($0)" }
        made = visit.moment(feed.madeAt, .ago)
    }
}
