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

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}") { visit in
            let caller = try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            async let shelves = visit.eachVertical { try await $0.shelf(of: id, in: visit) }
            async let encounters = visit.askUnlessAway(AuthMethods.encounters, EncounterQuery(with: id, limit: 1))
            async let friendship = id == caller ? nil : FriendPanel.of(id, in: visit)
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            var page = PersonPage(person, mine: person.id == caller, in: visit)
            page.friendship = try await friendship
            page.canReview = try await encounters?.items.isEmpty == false
            let shared = try await shelves.compactMap(\.self)
            if visit.isFragment, visit.fragmentTarget == "more", let more = shared.first(where: { $0.rows != nil }) {
                return visit.fragment(more.rows ?? more.part.template, more.part.model)
            }
            page.shelves = shared.map { shelf in
                let heading = page.mine ? shelf.ownHeading : shelf.heading
                return Shelf(heading: visit.words[heading, ["name": person.name]], part: shelf.part)
            }
            return try await visit.page("me/person", page, PageFrame(title: person.name, tab: page.mine ? .me : nil))
        }
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
        report = mine ? nil : ReportSubject(person: person.id).reportHref
        about = AboutPerson(person, in: words)
    }
}
