import Hummingbird
import WireProtocol

/// `/rentals/{id}/print`: the agreement on paper.
struct RentalPrintPage {
    struct Party {
        var role: String
        var name: String
        var phone: String?
    }

    var id: String
    var heading: String
    var title: String
    var state: String
    var address: String?
    var parties: [Party]
    var facts: RentalFacts
    var steps: [RentalStep]
    var proofs: [RentalProof]
    var printed: Moment

    static func register(on routes: PageRoutes) {
        routes.get("/rentals/{id}/print") { visit in
            try visit.context.requirePerson()
            let rental = try await RentalPage.rental(visit)
            let phone = await RentalPage.contact(of: rental, visit)
            let page = RentalPrintPage(rental, phone, in: visit)
            let frame = PageFrame(title: page.heading, width: "middle print", scripts: ["rental"], styles: ["rentals"])
            return try await visit.page("rentals/print", page, frame)
        }
    }

    private init(_ rental: Rental, _ phone: String?, in visit: Visit) {
        let words = visit.words
        id = rental.id.description
        heading = words["rentals.print.title", ["title": rental.thing.title]]
        title = rental.thing.title
        state = rental.stateText(in: words)
        address = rental.thing.address
        parties = [(rental.owner, "owner"), (rental.renter, "renter")].map { person, role in
            Party(
                role: words["rentals.role.\(role)"], name: person.name,
                phone: rental.role != nil && person.id == rental.other.id ? phone : nil)
        }
        facts = RentalFacts(rental, in: visit)
        steps = RentalStep.steps(of: rental, in: visit)
        proofs = RentalProof.all(of: rental, in: visit)
        printed = visit.moment(visit.now, .date)
    }
}
