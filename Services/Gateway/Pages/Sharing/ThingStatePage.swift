import Hummingbird
import WireProtocol

/// `/things/{id}/withdraw` and `/things/{id}/publish`: asks once, then takes something off the lists, deletes a draft, or lists it again.
struct ThingStatePage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/things/{id}/withdraw") { visit in
            let thing = try await visit.ownThing()
            return try await show(thing, thing.state == .draft ? "delete" : "withdraw", "withdraw", visit)
        }
        routes.post("/things/{id}/withdraw") { visit in
            try visit.context.requirePerson()
            return try await withdraw(try await visit.form(), visit)
        }
        routes.get("/things/{id}/publish") { visit in
            let thing = try await visit.ownThing()
            if thing.isDraftSpace { return visit.leave(for: WizardStep.confirm.path(thing.id)) }
            return try await show(thing, "publish", "publish", visit)
        }
        routes.post("/things/{id}/publish") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await publish(try await visit.ownThing(), form, visit)
        }
    }

    private static func show(_ thing: Thing, _ topic: String, _ act: String, _ visit: Visit) async throws -> Response {
        let words = visit.words
        var ask = Ask(
            "sharing.\(topic)", icon: act == "publish" ? "check" : topic == "delete" ? "trash" : "archive",
            action: "/things/\(thing.id)/\(act)", cancel: thing.state == .draft ? MyThingsPage.path : thing.path,
            name: visit.name(of: thing), in: words)
        ask.grave = topic == "delete"
        let page = ThingStatePage(ask: ask)
        if visit.isFragment { return visit.fragment("sharing/ask", page) }
        return try await visit.page("sharing/ask", page, PageFrame(title: words["sharing.\(topic).page"], tab: .me))
    }

    private static func withdraw(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let reference = ThingReference(id: try visit.id())
        do {
            let isDraft = try await visit.ownThing().state == .draft
            _ = try await visit.command(ListingsMethods.withdrawThing, reference, Nothing(), of: form)
            return visit.redirect(to: MyThingsPage.path, done: isDraft ? "draftDeleted" : "thingWithdrawn")
        } catch let error as ServiceError where error.code == .notFound {
            // A draft that is gone already, by this form sent twice say.
            return visit.redirect(to: MyThingsPage.path)
        }
    }

    private static func publish(_ thing: Thing, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            let reference = ThingReference(id: thing.id)
            let listed = try await visit.command(ListingsMethods.publishThing, reference, Nothing(), of: form)
            return visit.redirect(to: listed.path, done: "thingPublished")
        } catch let error as ServiceError where error.code == .invalid {
            // Something is missing by now, a region say: the form says what.
            return try await EditThingPage.refused(thing, ThingValues(thing), error, in: visit)
        }
    }
}
