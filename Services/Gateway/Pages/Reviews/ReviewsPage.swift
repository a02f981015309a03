import Hummingbird
import WireProtocol

/// `/people/{id}/reviews`: what people who dealt with somebody say of them.
struct ReviewsPage {
    var id: String
    var heading: String
    var reputation: ReputationView?
    var reviews: [ReviewCard]
    var any: Bool
    var more: String?
    var emptyText: String

    static func register(on routes: PageRoutes) {
        routes.get("/people/{id}/reviews") { visit in
            let caller = try visit.context.requirePerson()
            let id: PersonID = try visit.id()
            async let found = visit.ask(
                AuthMethods.reviews, ReviewQuery(id: id, cursor: visit.query("cursor")), Nothing())
            let person = try await visit.ask(AuthMethods.person, PersonReference(id: id), Nothing())
            let page = ReviewsPage(try await found, of: person, mine: id == caller, in: visit)
            return try await visit.page("reviews/reviews", page, PageFrame(title: page.heading, tab: nil))
        }
    }

    private init(_ found: Page<Review>, of person: Person, mine: Bool, in visit: Visit) {
        let words = visit.words
        id = person.id.description
        heading = mine ? words["review.mine"] : words["review.of", ["name": person.name]]
        reputation = ReputationView(person.reputation, in: words)
        reviews = found.items.map { ReviewCard($0, about: person.name, in: visit) }
        any = !reviews.isEmpty
        more = found.next.map { "/people/\(person.id)/reviews?cursor=\(LocalPath.encoded($0))" }
        emptyText = mine ? words["review.noneOfMine"] : words["review.noneOf", ["name": person.name]]
    }
}
