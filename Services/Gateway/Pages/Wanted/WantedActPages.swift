import HTTPTypes
import Hummingbird
import WireProtocol

/// What is done with a search: `POST /wanted/{id}/pause`, `…/go-on`, `…/renew`; `/wanted/{id}/delete` asks once; `POST /wanted/{id}/found` ends it from the
/// page of what it has found.
struct WantedActPages {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.post("/wanted/{id}/pause") { visit in
            try await perform("paused", visit) { form, wanted in
                _ = try await visit.command(
                    MatchingMethods.changeWanted, wanted, WantedChange(isPaused: true), of: form, doing: "pause")
            }
        }
        routes.post("/wanted/{id}/go-on") { visit in
            try await perform("goOn", visit) { form, wanted in
                _ = try await visit.command(
                    MatchingMethods.changeWanted, wanted, WantedChange(isPaused: false), of: form, doing: "goOn")
            }
        }
        routes.post("/wanted/{id}/renew") { visit in
            try await perform("renewed", visit) { form, wanted in
                _ = try await visit.command(MatchingMethods.renewWanted, wanted, Nothing(), of: form)
            }
        }
        routes.get("/wanted/{id}/delete") { visit in try await askFirst(visit) }
        routes.post("/wanted/{id}/delete") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let reference = WantedReference(id: try visit.id())
            _ = try await visit.command(MatchingMethods.removeWanted, reference, Nothing(), of: form)
            return visit.redirect(to: WantedPages.path, done: "wanted.removed")
        }
        routes.post("/wanted/{id}/found") { visit in
            try visit.context.requirePerson()
            return try await end(try await visit.form(), visit)
        }
    }

    /// Does it, and shows the search as it is then; where it can't be done, why.
    private static func perform(
        _ done: String, _ visit: Visit, _ act: (SubmittedForm, WantedReference) async throws -> Void
    ) async throws -> Response {
        try visit.context.requirePerson()
        let form = try await visit.form()
        let reference = WantedReference(id: try visit.id())
        do {
            try await act(form, reference)
            return visit.redirect(to: "\(WantedPages.path)/\(reference.id)", done: "wanted.\(done)")
        } catch let error as ServiceError where Self.shown.contains(error.code) {
            let wanted = try await visit.ownWanted()
            return try await WantedPage.show(
                wanted, problem: try await why(error, wanted, visit),
                mine: error.code == .tooManyWanted ? WantedPages.path : nil, visit,
                status: ProblemStatus.status(of: error.code))
        }
    }

    /// What the page of the search says itself.
    private static let shown: Set<ErrorCode> = [
        .wrongState, .tooManyWanted, .invalid, .changedMeanwhile, .unavailable, .outcomeUnknown,
    ]

    private static func why(_ error: ServiceError, _ wanted: Wanted, _ visit: Visit) async throws -> String {
        guard error.code == .invalid, var search = try? await WantedSearch(wanted.query, in: visit) else {
            return visit.told(error)
        }
        search.refuse(error)
        return search.errors.messages.sorted { $0.key < $1.key }.map(\.value).first ?? visit.told(error)
    }

    private static func askFirst(_ visit: Visit) async throws -> Response {
        let wanted = try await visit.ownWanted()
        var ask = Ask(
            "wanted.delete", icon: "trash", action: "\(wanted.path)/delete", cancel: wanted.path, in: visit.words)
        ask.grave = true
        ask.note = await visit.sentence(of: wanted.query)
        let page = WantedActPages(ask: ask)
        if visit.isFragment { return visit.fragment("wanted/ask", page) }
        return try await visit.page("wanted/ask", page, PageFrame(title: ask.title, tab: .me))
    }

    /// They have what they looked for: back to where they found it.
    private static func end(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let reference = WantedReference(id: try visit.id())
        do {
            // Several may have found the same: each has its button in one form's key.
            _ = try await visit.command(
                MatchingMethods.removeWanted, reference, Nothing(), of: form, doing: reference.id.description)
        } catch let error as ServiceError where error.code == .notFound {
            // It is gone already, or was never theirs: either way nothing is looked for by it.
        }
        return visit.redirect(to: LocalPath.from(form["page"]) ?? WantedPages.path, done: "wanted.found")
    }
}
