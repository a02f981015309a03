import FoundationEssentials
import WireProtocol

/// Of each kind of what waits of somebody's rides, as much as is said.
private enum RidesWaiting {
    static let most = 10
    /// How long before it leaves something is said.
    static let soon: TimeInterval = 24 * 60 * 60
    /// How many are looked at, of which both lists have those first that are due first.
    static let looked = 100
}

extension RideUseCases {
    /// What of rides waits for one: requests to answer, seats that one has to say one keeps, rides that leave soon. Of each, what is due first.
    func waiting(for caller: Caller) async throws -> [WaitingItem] {
        let person = try caller.requirePerson()
        let soon = clock() + RidesWaiting.soon
        let pending = try await mine(.pending, of: person)
        let current = try await mine(.current, of: person)
        let asked = pending.filter { !$0.isWayBackOfBoth }.compactMap { own in
            own.request.flatMap { request in
                request.role == .driver && request.state == .pending
                    ? WaitingItem(.seatAsked, request, with: request.rider, at: request.answerBy) : nil
            }
        }
        let unsaid = current.compactMap { own in
            own.request.flatMap { request in
                request.possible.contains(.keep)
                    ? WaitingItem(.seatToKeep, request, with: request.driver, at: request.confirmBy) : nil
            }
        }
        let driving = current.filter { $0.ride.mine && $0.ride.departsAt < soon }.map { WaitingItem(driving: $0.ride) }
        let riding = current.compactMap { own in
            own.request.flatMap { request in
                request.boarding.time < soon ? WaitingItem(.riding, request, with: request.driver) : nil
            }
        }
        return [asked, unsaid, driving, riding].flatMap { items in
            items.sorted { $0.at < $1.at }.prefix(RidesWaiting.most)
        }
    }

    private func mine(_ tab: MyRidesTab, of person: PersonID) async throws -> [MyRide] {
        let page = MyRidesPage(tab, of: person, limit: RidesWaiting.looked)
        return try await own(Array(try await store.mine(page).prefix(page.limit)), of: person)
    }
}

extension MyRide {
    /// Both ways are answered at once, so the way there stands for both.
    fileprivate var isWayBackOfBoth: Bool { request?.together != nil && ride.other?.isReturn == false }
}

extension WaitingItem {
    /// - Parameter moment: where it is not when one gets in.
    fileprivate init(_ kind: Kind, _ request: SeatRequest, with other: PersonSummary, at moment: Date? = nil) {
        self.init(
            kind, Subject(request.id), title: "\(request.ride.from) → \(request.ride.to)", with: other,
            at: moment ?? request.boarding.time, day: Day(request.boarding.time, in: request.ride.zone))
    }

    fileprivate init(driving ride: Ride) {
        self.init(
            .driving, Subject(ride.id), title: ride.title, at: ride.departsAt, day: Day(ride.departsAt, in: ride.zone))
    }
}

extension WaitingItem.Day {
    /// Nil where there is no such zone any more.
    fileprivate init?(_ moment: Date, in zone: String) {
        guard let clocks = Zone.named(zone) else { return nil }
        self.init(clocks.wallTime(at: moment).day.text, in: zone)
    }
}

extension Ride {
    /// `From → To`
    var title: String { "\(stops.first?.name ?? "") → \(stops.last?.name ?? "")" }
}
