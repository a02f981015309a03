import WireProtocol

/// Whose a thing is, as its page says it (`things/owner`).
struct ThingOwner {
    var person: PersonView
    var since: String?
    /// Whom both know, and where they are listed.
    var mutual: String?
    var mutualHref: String?

    /// Auth knows the rest; the page does without it where auth is slow or away.
    init(of thing: Thing, in visit: Visit) async throws {
        let (owner, words) = (thing.owner, visit.words)
        person = PersonView(
            owner, badge: visit.badge(of: owner.campus), reputation: ReputationView(owner.reputation, in: words))
        guard person.known, visit.takesPart else { return }
        async let known = try? visit.ask(AuthMethods.person, PersonReference(id: owner.id), Nothing(), within: 1)
        async let friends =
            thing.mine
            ? nil
            : try? visit.ask(
                AuthMethods.mutualFriends, MutualFriendsQuery(id: owner.id, limit: 1), Nothing(), within: 1)
        since = await known.map { visit.since($0) }
        if let friends = await friends, friends.count > 0 {
            mutual = words["friends.mutual", count: friends.count]
            mutualHref = "/people/\(owner.id)/mutual-friends"
        }
    }
}
