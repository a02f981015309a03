import FoundationEssentials
import WireProtocol

/// Of each kind of what waits of somebody's agreements, as much as is said.
private enum RentalsWaiting {
    static let most = 10
    /// How long before it something is said.
    static let soon: TimeInterval = 48 * 60 * 60
    /// What is due first may have been asked for last: so many pages are looked through.
    static let pages = 3
}

extension RentalUseCases {
    /// What of one's agreements waits for one: requests to answer, what one has not back in time, what begins soon, what is to be given back. Of
    /// each, what is due first.
    /// - Parameter page: how many agreements are read at once.
    func waiting(for caller: Caller, by page: Int = 100) async throws -> [WaitingItem] {
        let now = clock()
        let soon = now + RentalsWaiting.soon
        async let asked = all(RentalQuery(role: .owner, state: .requested), for: caller, by: page)
        async let lent = all(RentalQuery(role: .owner, state: .handedOver), for: caller, by: page)
        async let accepted = all(RentalQuery(state: .accepted), for: caller, by: page)
        async let running = all(RentalQuery(role: .renter, state: .handedOver), for: caller, by: page)
        let requested = try await asked.map { WaitingItem(.requested, of: $0, at: $0.answerBy ?? $0.requestedAt) }
        let overdue = try await lent.filter { $0.endsAt <= now }.map {
            WaitingItem(.overdue, of: $0, at: $0.endsAt, day: $0.until)
        }
        let begins = try await accepted.filter { $0.startsAt < soon }.map {
            WaitingItem(.begins, of: $0, at: $0.startsAt, day: $0.from)
        }
        let ends = try await running.filter { $0.endsAt < soon }.map {
            WaitingItem(.ends, of: $0, at: $0.endsAt, day: $0.until)
        }
        return [requested, overdue, begins, ends].flatMap { items in
            items.sorted { $0.at < $1.at }.prefix(RentalsWaiting.most)
        }
    }

    private func all(_ query: RentalQuery, for caller: Caller, by limit: Int) async throws -> [Rental] {
        var (found, query): ([Rental], RentalQuery) = ([], query)
        query.limit = limit
        for _ in 0..<RentalsWaiting.pages {
            let page = try await rentals(query, for: caller)
            found += page.items
            guard let next = page.next else { break }
            query.cursor = next
        }
        return found
    }
}

extension WaitingItem {
    /// - Parameter day: the day at which it is, of what is let by the day.
    fileprivate init(_ kind: Kind, of rental: Rental, at moment: Date, day: String? = nil) {
        let isByDay = rental.terms.unit == .day
        self.init(
            kind, Subject(rental.id), title: rental.thing.title, with: rental.renter, at: moment,
            day: isByDay ? day.map { Day($0, in: rental.zone) } : nil, thing: rental.thing.kind)
    }
}
