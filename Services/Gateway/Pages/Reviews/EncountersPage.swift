import Hummingbird
import WireProtocol

/// `/me/encounters`: whom one may still review, and for what.
struct EncountersPage {
    struct Row {
        var person: PersonView
        var title: String
        var kind: String
        var until: String
        var href: String
        var label: String
    }

    var rows: [Row]
    var any: Bool
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/me/encounters") { visit in
            try visit.context.requirePerson()
            let found = try await visit.ask(
                AuthMethods.encounters, EncounterQuery(cursor: visit.query("cursor")), Nothing())
            let page = EncountersPage(found, in: visit)
            let frame = PageFrame(title: visit.words["review.waiting"], tab: .me)
            return try await visit.page("reviews/encounters", page, frame)
        }
    }

    private init(_ found: Page<Encounter>, in visit: Visit) {
        let words = visit.words
        rows = found.items.map { encounter in
            let (person, subject) = (encounter.with, encounter.subject)
            return Row(
                person: PersonView(person), title: encounter.title, kind: words["review.kind.\(subject.kind.rawValue)"],
                until: words["review.until", ["date": visit.moment(encounter.reviewsUntil, .date).text]],
                href: subject.reviewPath(of: person.id),
                label: words["review.writeOf", ["name": person.name]])
        }
        any = !rows.isEmpty
        more = found.next.map { "/me/encounters?cursor=\(LocalPath.encoded($0))" }
    }
}
