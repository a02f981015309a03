import Hummingbird
import WireProtocol

/// `/people/{id}`: what everybody may see of somebody, and what they share now.
struct PersonPage {
    var name: String
    var initial: String
    var photo: String?
    var photoText: String
    var username: String?
    var region: String?
    var since: String
    var badge: String?
    var mine: Bool
    var about: AboutPerson
    var friendship: FriendPanel?
    var heading: String
    var spots: [SpotCard]
    var more: String?
    var any: Bool
    /// What stands in place of spots: that there are none, or that they can't be had now.
    var none: String

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}") { visit in
            let caller = try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            let query = SpotQuery(by: id, cursor: visit.query("cursor"))
            async let posted = unlessAway { try await visit.ask(ListingsMethods.spots, query, Nothing()) }
            async let friendship = id == caller ? nil : FriendPanel.of(id, in: visit)
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            var page = PersonPage(person, mine: person.id == caller, sharing: try await posted, in: visit)
            page.friendship = try await friendship
            if visit.isFragment, visit.fragmentTarget == "more" { return visit.fragment("parking/rows", page) }
            return try await visit.page("me/person", page, PageFrame(title: person.name, tab: page.mine ? .me : nil))
        }
    }

    /// Who somebody is can be said while the service that knows their spots is away.
    private static func unlessAway(_ found: () async throws -> Page<Spot>) async throws -> Page<Spot>? {
        do {
            return try await found()
        } catch let error as ServiceError where [.unavailable, .internalError].contains(error.code) {
            return nil
        }
    }

    private init(_ person: Person, mine: Bool, sharing found: Page<Spot>?, in visit: Visit) {
        let (view, words) = (PersonView(person), visit.words)
        name = view.name
        initial = view.initial
        photo = view.photo
        photoText = words["spot.photo", ["name": person.name]]
        username = person.username
        region = person.region
        since = visit.since(person)
        badge = visit.badge(of: person.campus)
        self.mine = mine
        about = AboutPerson(person, in: words)
        heading = mine ? words["person.mine"] : words["person.shares", ["name": person.name]]
        spots = found?.items.map { SpotCard($0, from: nil, in: visit) } ?? []
        more = found?.next.map { "/people/\(person.id)?cursor=\(LocalPath.encoded($0))" }
        any = !spots.isEmpty
        none = words[found == nil ? "person.away" : "person.none"]
    }
}
