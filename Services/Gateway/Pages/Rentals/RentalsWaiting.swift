import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of one's agreements waits for one: requests to answer, what begins soon, what is to be given back, what one has not back in time. Of each,
/// what is due first.
struct RentalsWaiting {
    private var requested: [Rental]
    private var accepted: [Rental]
    private var running: [Rental]
    private var lent: [Rental]

    /// How long before it something is said.
    private static let soon = 48 * 60 * 60.0
    /// How many of each are said.
    private static let most = 10

    /// Nil where listings is away.
    static func asked(by visit: Visit) async throws -> RentalsWaiting? {
        async let requested = visit.rentals(RentalQuery(role: .owner, state: .requested))
        async let accepted = visit.rentals(RentalQuery(state: .accepted))
        async let running = visit.rentals(RentalQuery(role: .renter, state: .handedOver))
        async let lent = visit.rentals(RentalQuery(role: .owner, state: .handedOver))
        do {
            return RentalsWaiting(
                requested: try await requested, accepted: try await accepted, running: try await running,
                lent: try await lent)
        } catch let error as ServiceError where [.unavailable, .internalError].contains(error.code) {
            return nil
        }
    }

    func rows(in visit: Visit) -> [HomePage.Waiting] {
        let soon = visit.now.addingTimeInterval(Self.soon)
        let words = visit.words
        func row(_ rental: Rental, _ icon: String, _ status: String, _ time: Moment?) -> HomePage.Waiting {
            .init(href: "/rentals/\(rental.id)", icon: icon, name: rental.thing.title, status: status, time: time)
        }
        func turn(_ rental: Rental, _ icon: String, _ turn: RentalDue.Turn) -> HomePage.Waiting {
            let due = RentalDue(turn, of: rental, at: visit.now, in: words)
            return row(rental, icon, due.text, due.moment)
        }
        let toAnswer = first(requested) { $0.answerBy ?? $0.requestedAt }.map {
            row(
                $0, "hand", words["things.waiting.requested", ["name": $0.renter.name]],
                visit.moment($0.answerBy ?? $0.requestedAt, $0.answerBy == nil ? .ago : .until))
        }
        let toBegin = first(accepted.filter { $0.startsAt < soon }) { $0.startsAt }.map {
            turn($0, $0.thing.kind.icon, .begins)
        }
        let toEnd = first(running.filter { $0.endsAt < soon }) { $0.endsAt }.map { turn($0, "undo", .ends) }
        let overdue = first(lent.filter { $0.endsAt <= visit.now }) { $0.endsAt }.map {
            turn($0, "hourglass", .overdue)
        }
        return toAnswer + overdue + toBegin + toEnd
    }

    private func first(_ rentals: [Rental], by due: (Rental) -> Date) -> [Rental] {
        Array(rentals.sorted { due($0) < due($1) }.prefix(Self.most))
    }
}
