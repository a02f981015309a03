import Hummingbird
import ServiceKit
import WireProtocol

/// `/me/passkeys`: the passkeys with which one may sign in, and the way to one more.
struct PasskeysPage {
    struct Row {
        var id: String
        var name: String
        var place: String
        /// That it leads in no more, and where it did.
        var elsewhere: String?
        var added: Moment
        var used: Moment?
        var renameLabel: String
        var removeLabel: String
    }

    var rows: [Row]
    /// Whether this community can have any.
    var on: Bool
    var party: String
    /// Whether some lead in no more.
    var anyElsewhere: Bool

    static func register(on routes: PageRoutes) {
        routes.get("/me/passkeys") { visit in
            try visit.context.requirePerson()
            let passkeys = try await visit.ask(AuthMethods.passkeys, Nothing(), Nothing()).items
            let page = PasskeysPage(
                rows: passkeys.map { Row($0, in: visit) }, on: visit.community.passkeys != nil,
                party: visit.community.passkeys?.id ?? "", anyElsewhere: passkeys.contains { $0.elsewhere != nil })
            let frame = PageFrame(title: visit.words["passkeys.title"], tab: .me, scripts: ["passkey"])
            return try await visit.page("passkeys/passkeys", page, frame)
        }
        routes.get("/me/passkeys/{id}/remove") { visit in
            try visit.context.requirePerson()
            let passkey = try await own(visit)
            var ask = Ask(
                "passkeyRemove", icon: "trash", action: "/me/passkeys/\(passkey.id)/remove", cancel: "/me/passkeys",
                name: passkey.name, in: visit.words)
            ask.grave = true
            if visit.isFragment { return visit.fragment("passkeys/remove", Removal(ask: ask)) }
            let frame = PageFrame(title: visit.words["passkeys.remove"], tab: .me)
            return try await visit.page("passkeys/remove", Removal(ask: ask), frame)
        }
        routes.post("/me/passkeys/{id}/remove") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(PasskeyID.self))
            _ = try await visit.command(
                AuthMethods.removePasskey, PasskeyReference(id: id), Nothing(), of: form, doing: id.description)
            return visit.redirect(to: "/me/passkeys", done: "passkeyRemoved")
        }
    }

    private struct Removal { var ask: Ask }

    /// The one in the address.
    static func own(_ visit: Visit) async throws -> Passkey {
        let id = try visit.id(PasskeyID.self)
        let all = try await visit.ask(AuthMethods.passkeys, Nothing(), Nothing()).items
        guard let passkey = all.first(where: { $0.id == id }) else { throw ServiceError.notFound("page") }
        return passkey
    }
}

extension PasskeysPage.Row {
    fileprivate init(_ passkey: Passkey, in visit: Visit) {
        id = passkey.id.description
        name = passkey.name
        place = visit.words[passkey.synced ? "passkeys.synced" : "passkeys.device"]
        elsewhere = passkey.elsewhere.map { visit.words["passkeys.elsewhere", ["host": $0]] }
        added = visit.moment(passkey.addedAt, .date)
        used = passkey.lastUsedAt.map { visit.moment($0, .ago) }
        renameLabel = visit.words["passkeys.renameOf", ["name": passkey.name]]
        removeLabel = visit.words["passkeys.removeOf", ["name": passkey.name]]
    }
}
