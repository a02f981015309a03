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
    var shelves: [Shelf] = []

    /// What they share of one vertical.
    struct Shelf {
        var heading: String
        var part: PagePart
    }

    private struct Shared {
        var of: ProfileShelf
        var part: PagePart
    }

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}") { visit in
            let caller = try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            async let shelves = Self.shared(by: id, visit)
            async let encounters = visit.askUnlessAway(AuthMethods.encounters, EncounterQuery(with: id, limit: 1))
            async let friendship = id == caller ? nil : FriendPanel.of(id, in: visit)
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            var page = PersonPage(person, mine: person.id == caller, in: visit)
            page.friendship = try await friendship
            page.canReview = try await encounters?.items.isEmpty == false
            let shared = try await shelves
            if visit.isFragment, visit.fragmentTarget == "more", let more = shared.first(where: { $0.of.rows != nil }) {
                return visit.fragment(more.of.rows ?? more.part.template, more.part.model)
            }
            page.shelves = shared.map { shelf in
                let heading = page.mine ? shelf.of.ownHeading : shelf.of.heading
                return Shelf(heading: visit.words[heading, ["name": person.name]], part: shelf.part)
            }
            let frame = PageFrame(title: person.name, tab: page.mine ? .me : nil, styles: ["rides"])
            return try await visit.page("me/person", page, frame)
        }
    }

    /// Of each vertical, as whoever has it tells; without those that have nothing to show.
    private static func shared(by person: PersonID, _ visit: Visit) async throws -> [Shared] {
        let shelves = try await visit.eachVertical { vertical -> Shared? in
            guard let shelf = vertical.shelf else { return nil }
            let query = ShelfQuery(of: person, shelf.kind, limit: shelf.limit, cursor: visit.query(shelf.cursor))
            let found = try await visit.askUnlessAway(shelf.kind.service.methods.shelf, query)
            return vertical.part(of: found, by: person, in: visit).map { Shared(of: shelf, part: $0) }
        }
        return shelves.compactMap { $0 }
    }

    private init(_ person: Person, mine: Bool, in visit: Visit) {
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
    }
}
