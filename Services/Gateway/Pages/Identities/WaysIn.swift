import WireProtocol

/// The ways in beside email and password: a button for each identity provider.
struct WaysIn {
    struct Way {
        var href: String
        var text: String
    }

    var ways: [Way] = []
    var any = false
    /// Whether one may join with a password.
    var passwords = true

    /// Where auth is slow or away, the page does without them.
    static func here(next: String?, in visit: Visit) async -> WaysIn {
        let found = try? await visit.ask(AuthMethods.identityProviders, Nothing(), Nothing(), within: 1)
        guard let found else { return WaysIn() }
        return WaysIn(
            ways: found.items.map { provider in
                Way(
                    href: "/v1/identity-providers/\(provider.id)/authorize\(LocalPath.query(next: next))",
                    text: visit.words["identities.signInWith", ["provider": provider.name]])
            }, any: !found.items.isEmpty, passwords: found.passwords)
    }
}
