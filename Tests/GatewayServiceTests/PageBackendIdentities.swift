import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One identity provider, and who comes back from it: the code says who.
struct PageIdentities {
    static let campus = IdentityProvider(id: "campus", name: "Campus Login")

    var providers: [IdentityProvider] = []
    var passwords = true
    /// The email address of somebody who is known: the code of whom the provider sends.
    var known: [String: PersonID] = [:]
    var hasAccount = false
    var linked: [PersonID: Bool] = [:]
    var picture: [UInt8] = []
    var starts: [IdentityStart] = []
    var returns: [IdentityReturn] = []
}

extension PageCall {
    static let linked = LinkedIdentity(
        provider: PageIdentities.campus, account: "maya@campus.example.org", name: true, since: Date(),
        lastUsedAt: Date())

    func identities(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        switch method {
        case "auth.identityProviders":
            let identities = state.identities
            return (
                try WireJSON.encode(IdentityProviders(items: identities.providers, passwords: identities.passwords)), []
            )
        case "auth.startIdentity":
            let start = try WireJSON.decode(IdentityStart.self, from: body)
            guard start.provider == "campus" else { throw ServiceError.notFound("identity provider") }
            if start.link { _ = try caller.requirePerson() }
            state.identities.starts.append(start)
            return (try WireJSON.encode(IdentityRedirect(url: "https://id.example.org/authorize?state=s")), [])
        case "auth.finishIdentity": return try finish(&state)
        case "auth.identityProposal":
            try check()
            return (
                try WireJSON.encode(
                    IdentityProposal(
                        provider: PageIdentities.campus, name: "Maya Tan", email: "maya@campus.example.org",
                        username: "maya.tan", picture: !state.identities.picture.isEmpty,
                        hasAccount: state.identities.hasAccount, next: "/parking")), []
            )
        case "auth.identityPicture":
            try check()
            guard !state.identities.picture.isEmpty else { throw ServiceError.notFound("picture") }
            let text = Data(state.identities.picture).base64EncodedString()
            return (try WireJSON.encode(IdentityPicture(base64: text)), [])
        case "auth.signUpWithIdentity": return try join(&state)
        default: return try own(method, &state)
        }
    }

    /// Tickets are all called the same.
    private func check() throws {
        guard
            try WireJSON.decode(IdentityTicket.self, from: body).ticket
                == Base64URL.encode(Array("a good ticket in here".utf8))
        else { throw ServiceError(.identityStale, "Begin again.") }
    }

    private func finish(_ state: inout PageBackend.State) throws -> Outcome {
        let came = try WireJSON.decode(IdentityReturn.self, from: body)
        state.identities.returns.append(came)
        guard came.state == String(repeating: "s", count: 64) else {
            throw ServiceError(.identityStale, "Begin again.")
        }
        if came.error != nil { throw ServiceError(.identityDenied, "You said no.") }
        if came.code == "bad" { throw ServiceError(.identityRefused, "Not to be trusted.") }
        var outcome = IdentityOutcome(link: came.code == "link", next: state.identities.starts.last?.next)
        if let id = state.identities.known[came.code ?? ""], let person = state.people[id] {
            outcome.signedIn = SignedIn(tokens: try start(person, &state), person: person)
        } else {
            outcome.ticket = Base64URL.encode(Array("a good ticket in here".utf8))
        }
        return (try WireJSON.encode(outcome), [])
    }

    private func join(_ state: inout PageBackend.State) throws -> Outcome {
        let given = try WireJSON.decode(IdentitySignUp.self, from: body)
        guard given.email.contains(".") else {
            throw ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
        }
        if state.taken(given.username, besides: nil) { throw PageBackend.usernameTaken }
        let person = Person(
            id: .new(), name: "Maya Tan", username: given.username, email: given.email, memberSince: Date())
        state.people[person.id] = person
        state.identities.linked[person.id] = false
        return (try WireJSON.encode(NewAccount(person: person, session: try start(person, &state))), [])
    }

    private func own(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        switch method {
        case "auth.identities":
            let items = state.identities.linked[me] == nil ? [] : [Self.linked]
            return (try WireJSON.encode(Page(items: items)), [])
        case "auth.linkIdentity":
            try check()
            guard state.identities.linked[me] == nil else { throw ServiceError(.identityTaken, "Taken.") }
            state.identities.linked[me] = true
            return (try WireJSON.encode(Self.linked), [])
        default:
            // True where there is a password besides.
            guard state.identities.linked[me] == true else { throw ServiceError(.lastWayIn, "The only way in.") }
            state.identities.linked[me] = nil
            return ([], [])
        }
    }
}
