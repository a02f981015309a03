import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Passkeys in memory: what a browser has made is believed, and the user handle says who comes.
struct PagePasskeys {
    var kept: [PersonID: [Passkey]] = [:]
    var drafts: [PasskeyDraft] = []
    var passwords: [String?] = []
}

extension PageCall {
    func passkeys(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        if method == "auth.signInWithPasskey" { return try enter(&state) }
        let me = try caller.requirePerson()
        var mine = state.passkeys.kept[me] ?? []
        defer { state.passkeys.kept[me] = mine }
        switch method {
        case "auth.passkeys": return (try WireJSON.encode(Page(items: mine)), [])
        case "auth.passkeyOptions":
            let password = try WireJSON.decode(PasskeyRequest.self, from: body).password
            state.passkeys.passwords.append(password)
            guard password == "a walk along the harbour" else {
                throw ServiceError.invalid([FieldError("password", "wrong", "Wrong.")])
            }
            let options = PasskeyCreationOptions(
                rp: .init(id: "share.example", name: "Testholm"),
                user: .init(id: "aGFuZGxl", name: "maya@example.org", displayName: "Maya \"M\" <Tan>"),
                challenge: "Y2hhbGxlbmdl", algorithms: [-7], timeout: 600_000, excludeCredentials: [])
            return (try WireJSON.encode(options), [])
        case "auth.addPasskey":
            let draft = try WireJSON.decode(PasskeyDraft.self, from: body)
            state.passkeys.drafts.append(draft)
            let passkey = Passkey(id: .new(), name: draft.name, synced: mine.isEmpty, addedAt: Date())
            mine.append(passkey)
            return (try WireJSON.encode(passkey), [])
        default:
            let id = try WireJSON.decode(PasskeyReference.self, from: parameters).id
            guard let index = mine.firstIndex(where: { $0.id == id }) else { throw ServiceError.notFound("passkey") }
            if method == "auth.removePasskey" {
                mine.remove(at: index)
                return ([], [])
            }
            let name = try WireJSON.decode(PasskeyName.self, from: body).name
            guard !name.isEmpty else { throw ServiceError.invalid([FieldError("name", "required", "A name.")]) }
            mine[index].name = name
            return (try WireJSON.encode(mine[index]), [])
        }
    }

    private func enter(_ state: inout PageBackend.State) throws -> Outcome {
        let response = try WireJSON.decode(PasskeySignIn.self, from: body).credential.response
        guard let person = state.people.values.first(where: { $0.name == response.userHandle }) else {
            throw ServiceError(
                .passkeyRefused, "Unknown.", errors: [FieldError("credential", "unknown", "Unknown.")])
        }
        return (try WireJSON.encode(SignedIn(tokens: try start(person, &state), person: person)), [])
    }
}
