import Hummingbird
import WireProtocol

/// `/people/{id}/block`: says what it means, asks once, then blocks somebody. `/people/{id}/unblock`: lifts it, without asking.
struct BlockPage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}/block") { visit in
            let me = try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            guard id != me else { return visit.redirect(to: "/people/\(id)") }
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            var ask = Ask(
                "block", icon: "block", action: "/people/\(id)/block", cancel: "/people/\(id)", name: person.name,
                in: visit.words)
            ask.grave = true
            if visit.isFragment { return visit.fragment("me/block", BlockPage(ask: ask)) }
            return try await visit.page("me/block", BlockPage(ask: ask), PageFrame(title: visit.words["block.page"]))
        }
        routes.post("/people/{id}/block") { visit in
            try await change(AuthMethods.block, done: "blocked", visit)
        }
        routes.post("/people/{id}/unblock") { visit in
            try await change(AuthMethods.unblock, done: "unblocked", visit)
        }
    }

    /// To the list in either case: the page of somebody who is blocked is there no more.
    private static func change<Reply: Codable & Sendable>(
        _ method: Method<PersonReference, Nothing, Reply>, done: String, _ visit: Visit
    ) async throws -> Response {
        try visit.context.requirePerson()
        let (form, id) = (try await visit.form(), try visit.id(PersonID.self))
        _ = try await visit.command(method, PersonReference(id: id), Nothing(), of: form, doing: id.description)
        return visit.redirect(to: "/me/blocks", done: done)
    }
}
