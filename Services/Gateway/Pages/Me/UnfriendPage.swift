import Hummingbird
import WireProtocol

/// `/people/{id}/befriend`: asks somebody, or accepts. `/people/{id}/unfriend`: asks once, then ends a friendship; takes a question
/// back, or declines one, without asking.
struct UnfriendPage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.post("/people/{id}/befriend") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(PersonID.self))
            let friend = try await visit.command(
                AuthMethods.befriend, PersonReference(id: id), Nothing(), of: form, doing: id.description)
            return visit.redirect(
                to: target(of: form, id), done: friend.state == .friends ? "befriended" : "friendAsked")
        }
        routes.get("/people/{id}/unfriend") { visit in
            try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            let friend = try await visit.ask(AuthMethods.friend, PersonReference(id: id), Nothing())
            guard friend.state == .friends else { return visit.redirect(to: "/people/\(id)") }
            var ask = Ask(
                "unfriend", icon: "friends", action: "/people/\(id)/unfriend", cancel: "/people/\(id)",
                name: friend.person.name, in: visit.words)
            ask.grave = true
            if visit.isFragment { return visit.fragment("me/unfriend", UnfriendPage(ask: ask)) }
            let frame = PageFrame(title: visit.words["unfriend.page"])
            return try await visit.page("me/unfriend", UnfriendPage(ask: ask), frame)
        }
        routes.post("/people/{id}/unfriend") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(PersonID.self))
            // The question that is asked before a friendship ends carries none.
            let state = FriendState(rawValue: form["state"]) ?? .friends
            _ = try await visit.command(
                AuthMethods.unfriend, FriendEnding(id: id, state: state), Nothing(), of: form, doing: id.description)
            let done = state == .asked ? "takenBack" : state == .waiting ? "declined" : "unfriended"
            return visit.redirect(to: target(of: form, id), done: done)
        }
    }

    /// Back to the list that the form stood in, or to the person.
    private static func target(of form: SubmittedForm, _ id: PersonID) -> String {
        LocalPath.from(form["next"]) ?? "/people/\(id)"
    }
}
