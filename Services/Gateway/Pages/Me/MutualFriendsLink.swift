import WireProtocol

/// `3 mutual friends`, and where they are listed.
struct MutualFriendsLink {
    var text: String
    var href: String

    /// Nil where there are none, or auth is slow or away.
    init?(with person: PersonID, in visit: Visit) async {
        let query = MutualFriendsQuery(id: person, limit: 1)
        let found = try? await visit.ask(AuthMethods.mutualFriends, query, Nothing(), within: 1)
        guard let found, found.count > 0 else { return nil }
        text = visit.words["friends.mutual", count: found.count]
        href = "/people/\(person)/mutual-friends"
    }
}
