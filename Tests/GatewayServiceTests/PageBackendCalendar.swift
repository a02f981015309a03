import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Auth and listings as far as the calendar feed needs them: a token is `of-<person>-<number>`.
extension PageCall {
    func calendar(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        switch method {
        case "auth.calendarOwner":
            let token = try WireJSON.decode(CalendarToken.self, from: parameters).token
            guard let owner = state.calendars.first(where: { $0.value.path == "/calendar/\(token).ics" })?.key else {
                throw ServiceError.notFound("calendar")
            }
            return (try WireJSON.encode(CalendarOwner(person: owner, language: "de")), [])
        case "listings.calendarEntries":
            return (try WireJSON.encode(Page(items: state.calendarEntries)), [])
        default: break
        }
        let me = try caller.requirePerson()
        switch method {
        case "auth.renewCalendarFeed":
            state.calendarsMade += 1
            state.calendars[me] = CalendarFeed(
                path: "/calendar/of-\(me)-\(state.calendarsMade).ics", madeAt: Date(timeIntervalSince1970: 1_790_000_000))
        case "auth.endCalendarFeed":
            state.calendars[me] = nil
            return (try WireJSON.encode(Nothing()), [])
        default: break
        }
        guard let feed = state.calendars[me] else { throw ServiceError.notFound("calendar") }
        return (try WireJSON.encode(feed), [])
    }
}
