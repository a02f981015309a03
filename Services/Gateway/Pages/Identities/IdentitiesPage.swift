import Hummingbird
import WireProtocol

/// `/me/identities`: the providers with which one may sign in, and those that could be linked.
struct IdentitiesPage {
    struct Row {
        var id: String
        var name: String
        var account: String?
        var since: Moment
        var unlinkLabel: String
    }

    var rows: [Row]
    var ways: [WaysIn.Way]
    var lead: String

    static func register(on routes: PageRoutes) {
        routes.get("/me/identities") { visit in
            try visit.context.requirePerson()
            let frame = PageFrame(title: visit.words["identities.title"], tab: .me)
            return try await visit.page("identities/identities", try await load(visit), frame)
        }
        routes.get("/me/identities/{id}/unlink") { visit in
            try visit.context.requirePerson()
            let identity = try await linked(visit)
            var ask = Ask(
                "unlink", icon: "lock", action: "/me/identities/\(identity.provider.id)/unlink",
                cancel: "/me/identities", name: identity.provider.name, in: visit.words)
            ask.grave = true
            if visit.isFragment { return visit.fragment("identities/ask", LinkIdentityPage(ask: ask)) }
            let frame = PageFrame(title: visit.words["unlink.page"], tab: .me)
            return try await visit.page("identities/ask", LinkIdentityPage(ask: ask), frame)
        }
        routes.post("/me/identities/{id}/unlink") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            let id = visit.context.parameters.get("id") ?? ""
            _ = try await visit.command(
                AuthMethods.unlinkIdentity, IdentityProviderReference(id: id), Nothing(), of: form, doing: id)
            return visit.redirect(to: "/me/identities", done: "unlinked")
        }
    }

    private static func linked(_ visit: Visit) async throws -> LinkedIdentity {
        let all = try await visit.ask(AuthMethods.identities, Nothing(), Nothing()).items
        guard let identity = all.first(where: { $0.provider.id == visit.context.parameters.get("id") }) else {
            throw ServiceError.notFound("page")
        }
        return identity
    }

    private static func load(_ visit: Visit) async throws -> IdentitiesPage {
        let linked = try await visit.ask(AuthMethods.identities, Nothing(), Nothing()).items
        let known = try await visit.ask(AuthMethods.identityProviders, Nothing(), Nothing()).items
        guard !known.isEmpty || !linked.isEmpty else { throw ServiceError.notFound("page") }
        return IdentitiesPage(
            rows: linked.map { Row($0, in: visit) },
            ways: known.filter { provider in !linked.contains { $0.provider.id == provider.id } }.map { provider in
                WaysIn.Way(
                    href: "/v1/identity-providers/\(provider.id)/authorize?link=true",
                    text: visit.words["identities.linkWith", ["provider": provider.name]])
            }, lead: visit.words["identities.lead", ["community": visit.community.name]])
    }
}

extension IdentitiesPage.Row {
    fileprivate init(_ identity: LinkedIdentity, in visit: Visit) {
        id = identity.provider.id
        name = identity.provider.name
        account = identity.account
        since = visit.moment(identity.since, .date)
        unlinkLabel = visit.words["identities.unlinkOf", ["provider": identity.provider.name]]
    }
}

/// `/me/identities/link`: asks once whether the identity that a provider has just confirmed shall lead into this account. A link that
/// somebody else had made up ends here, at a name that is not one's own.
struct LinkIdentityPage {
    var ask: Ask

    static func register(on routes: PageRoutes) {
        routes.get("/me/identities/link") { visit in
            try visit.context.requirePerson()
            let proposal = try await JoinWithPage.proposal(visit)
            let frame = PageFrame(title: visit.words["link.page"], tab: .me)
            return try await visit.page("identities/ask", LinkIdentityPage(ask: question(proposal, visit)), frame)
        }
        routes.post("/me/identities/link") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            _ = try await visit.command(
                AuthMethods.linkIdentity, Nothing(), IdentityTicket(ticket: visit.identityTicket), of: form)
            var response = visit.redirect(to: "/me/identities", done: "linked")
            visit.identityCookies.forgetTicket(on: &response)
            return response
        }
    }

    private static func question(_ proposal: IdentityProposal, _ visit: Visit) -> Ask {
        let provider = proposal.provider.name
        var ask = Ask(
            "link", icon: "lock", action: "/me/identities/link", cancel: "/me/identities", name: provider,
            in: visit.words)
        ask.text =
            visit.words[
                proposal.name == nil ? "link.text" : "link.textName",
                [
                    "provider": provider, "account": proposal.email ?? proposal.username ?? "",
                    "name": proposal.name ?? "",
                ]]
        return ask
    }
}
