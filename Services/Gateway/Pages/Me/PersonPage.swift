import Hummingbird
import WireProtocol

/// `/people/{id}`: what everybody may see of somebody, and what they share now.
struct PersonPage {
    var id: String
    var name: String
    var initial: String
    var photo: String?
    var photoText: String
    var username: String?
    var region: String?
    var since: String
    var badge: String?
    var phoneBadge: String?
    var reputation: ReputationView?
    /// Whether the two have completed something that can still be reviewed.
    var canReview = false
    var mine: Bool
    var about: AboutPerson
    var friendship: FriendPanel?
    /// To somebody else.
    var message: MessageButton?
    /// Where somebody else can be blocked.
    var block: String?
    /// Where they can be reported.
    var report: String?
    var heading: String
    var spots: [SpotCard]
    var more: String?
    var any: Bool
    /// What they let, beside spots.
    var rentHeading: String
    var things: [ThingCard] = []
    var anyThings = false
    var moreThings: String?
    /// What stands in place of spots: that there are none, or that they can't be had now.
    var none: String

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}") { visit in
            let caller = try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            async let posted = visit.shelf(ShelfQuery(of: id, .spot, cursor: visit.query("cursor")))
            async let things = visit.shelf(ShelfQuery(of: id, .thing, limit: 12, cursor: visit.query("things")))
            async let encounters = visit.askUnlessAway(AuthMethods.encounters, EncounterQuery(with: id, limit: 1))
            async let friendship = id == caller ? nil : FriendPanel.of(id, in: visit)
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            var page = PersonPage(person, mine: person.id == caller, sharing: try await posted, in: visit)
            page.friendship = try await friendship
            page.canReview = try await encounters?.items.isEmpty == false
            page.show(try await things, in: visit)
            if visit.isFragment, visit.fragmentTarget == "more" { return visit.fragment("parking/rows", page) }
            return try await visit.page("me/person", page, PageFrame(title: person.name, tab: page.mine ? .me : nil))
        }
    }

    private init(_ person: Person, mine: Bool, sharing found: Page<ShelfItem>?, in visit: Visit) {
        let (view, words) = (PersonView(person), visit.words)
        (id, name) = (view.id, view.name)
        initial = view.initial
        photo = view.photo
        photoText = words["spot.photo", ["name": person.name]]
        username = person.username
        region = person.region
        since = visit.since(person)
        badge = visit.badge(of: person.campus)
        phoneBadge = visit.phoneBadge(of: person)
        reputation = ReputationView(person.reputation, in: words)
        self.mine = mine
        message = mine ? nil : .to(person, in: visit)
        block = mine ? nil : "/people/\(person.id)/block"
        report = mine ? nil : Subject(person.id).reportHref
        about = AboutPerson(person, in: words)
        heading = mine ? words["person.mine"] : words["person.shares", ["name": person.name]]
        spots = found?.items.compactMap(\.spot).map { SpotCard($0, from: nil, in: visit) } ?? []
        more = found?.next.map { "/people/\(person.id)?cursor=\(LocalPath.encoded($0))" }
        any = !spots.isEmpty
        rentHeading = words[mine ? "things.ofMine" : "things.of", ["name": person.name]]
        none = words[found == nil ? "person.away" : "person.none"]
    }
    /// What they let; a list without it where listings is away.
    private mutating func show(_ found: Page<ShelfItem>?, in visit: Visit) {
        things = found?.items.compactMap(\.thing).map { ThingCard($0, isMixed: true, in: visit) } ?? []
        anyThings = !things.isEmpty
        moreThings = found?.next.map { "/people/\(id)?things=\(LocalPath.encoded($0))#lets" }
    }
}

extension Visit {
    /// Nil where whoever has it is away.
    fileprivate func shelf(_ query: ShelfQuery) async throws -> Page<ShelfItem>? {
        try await askUnlessAway(query.kind.service.methods.shelf, query)
    }
}
