import Hummingbird
import WireProtocol

/// `/people/{id}/mutual-friends`: whom both know.
struct MutualFriendsPage {
    var back: String
    var backText: String
    var heading: String
    var people: [PersonView]
    var any: Bool
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}/mutual-friends") { visit in
            try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            let query = MutualFriendsQuery(id: id, limit: 20, cursor: visit.query("cursor"))
            async let found = visit.ask(AuthMethods.mutualFriends, query, Nothing())
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            let page = MutualFriendsPage(try await found, with: person, in: visit)
            return try await visit.page("me/mutual-friends", page, PageFrame(title: page.heading))
        }
    }

    private init(_ found: MutualFriends, with person: Person, in visit: Visit) {
        back = "/people/\(person.id)"
        backText = person.name
        heading = visit.words["friends.mutual", count: found.count]
        people = found.items.map { PersonView($0) }
        any = !people.isEmpty
        more = found.next.map { "\(back)/mutual-friends?cursor=\(LocalPath.encoded($0))" }
    }
}
