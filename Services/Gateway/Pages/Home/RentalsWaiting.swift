import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of one's agreements waits for one: requests to answer, what begins soon, what is to be given back.
struct RentalsWaiting {
    private var requested: [Rental]
    private var accepted: [Rental]
    private var running: [Rental]

    /// How long before it something is said.
    private static let soon = 48 * 60 * 60.0

    /// Nothing where listings is away for it.
    static func asked(by visit: Visit) async throws -> RentalsWaiting {
        func ask(_ role: RentalRole?, _ state: RentalState) async throws -> [Rental] {
            try await visit.askUnlessAway(
                ListingsMethods.rentals, RentalQuery(role: role, state: state, limit: 10))?.items ?? []
        }
        async let requested = ask(.owner, .requested)
        async let accepted = ask(nil, .accepted)
        async let running = ask(.renter, .handedOver)
        return RentalsWaiting(requested: try await requested, accepted: try await accepted, running: try await running)
    }

    func rows(in visit: Visit) -> [HomePage.Waiting] {
        let soon = visit.now.addingTimeInterval(Self.soon)
        let words = visit.words
        func row(_ rental: Rental, _ icon: String, _ status: String, _ time: Moment) -> HomePage.Waiting {
            .init(href: "/rentals/\(rental.id)", icon: icon, name: rental.thing.title, status: status, time: time)
        }
        return requested.map {
            row(
                $0, "hand", words["things.waiting.requested", ["name": $0.renter.name]],
                visit.moment($0.answerBy ?? $0.requestedAt, $0.answerBy == nil ? .ago : .until))
        }
            + accepted.filter { $0.startsAt < soon }.map {
                row($0, $0.thing.kind.icon, words["things.waiting.begins"], visit.moment($0.startsAt, .until))
            }
            + running.filter { $0.endsAt < soon }.map {
                row($0, "undo", words["things.waiting.ends"], visit.moment($0.endsAt, .until))
            }
    }
}
