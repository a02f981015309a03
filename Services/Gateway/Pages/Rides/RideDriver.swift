import WireProtocol

/// Who drives a ride, as its page says it (`rides/driver`).
struct RideDriver {
    var person: PersonView
    var since: String?
    /// `Toyota Yaris, blue, 2015`
    var car: String?
    /// That their telephone number is theirs.
    var phoneBadge: String?
    /// Whom both know, and where they are listed.
    var mutual: String?
    var mutualHref: String?

    /// Auth knows more than the ride says; the page does without it where auth is slow or away.
    init(of ride: Ride, in visit: Visit) async {
        let (driver, words) = (ride.driver, visit.words)
        person = PersonView(
            driver, badge: visit.badge(of: driver.campus), reputation: ReputationView(driver.reputation, in: words))
        guard person.known, visit.takesPart else { return }
        async let known = try? visit.ask(AuthMethods.person, PersonReference(id: driver.id), Nothing(), within: 1)
        async let friends =
            ride.mine
            ? nil
            : try? visit.ask(
                AuthMethods.mutualFriends, MutualFriendsQuery(id: driver.id, limit: 1), Nothing(), within: 1)
        if let known = await known {
            since = visit.since(known)
            car = AboutPerson(known, in: words).car
            phoneBadge = visit.phoneBadge(of: known)
        }
        if let friends = await friends, friends.count > 0 {
            mutual = words["friends.mutual", count: friends.count]
            mutualHref = "/people/\(driver.id)/mutual-friends"
        }
    }
}
