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
        person = PersonView(driver, in: visit)
        guard person.known, visit.takesPart else { return }
        async let known = try? visit.ask(AuthMethods.person, PersonReference(id: driver.id), Nothing(), within: 1)
        async let friends = ride.mine ? nil : MutualFriendsLink(with: driver.id, in: visit)
        if let known = await known {
            since = visit.since(known)
            car = AboutPerson(known, in: words).car
            phoneBadge = visit.phoneBadge(of: known)
        }
        if let friends = await friends { (mutual, mutualHref) = (friends.text, friends.href) }
    }
}
