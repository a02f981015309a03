import Hummingbird
import WireProtocol

/// `/people/{id}`: what everybody may see of somebody.
struct PersonPage {
    var name: String
    var initial: String
    var photo: String?
    var photoText: String
    var username: String?
    var region: String?
    var since: String
    var mine: Bool
    var about: AboutPerson

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}") { visit in
            let caller = try visit.context.requirePerson()
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: visit.id()), Nothing())
            let page = PersonPage(person, mine: person.id == caller, in: visit)
            return try await visit.page("me/person", page, PageFrame(title: person.name, tab: page.mine ? .me : nil))
        }
    }

    private init(_ person: Person, mine: Bool, in visit: Visit) {
        let view = PersonView(person)
        name = view.name
        initial = view.initial
        photo = view.photo
        photoText = visit.words["spot.photo", ["name": person.name]]
        username = person.username
        region = person.region
        since = visit.since(person)
        self.mine = mine
        about = AboutPerson(person, in: visit.words)
    }
}
