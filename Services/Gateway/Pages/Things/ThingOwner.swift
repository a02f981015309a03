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
        let owner = thing.owner
        person = PersonView(owner, in: visit)
        guard person.known, visit.takesPart else { return }
        async let known = try? visit.ask(AuthMethods.person, PersonReference(id: owner.id), Nothing(), within: 1)
        async let friends = thing.mine ? nil : MutualFriendsLink(with: owner.id, in: visit)
        since = await known.map { visit.since($0) }
        if let friends = await friends { (mutual, mutualHref) = (friends.text, friends.href) }
    }
}
