import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// Rides and requests for seats, as the rides service shows them to whoever asks. What is posted, asked for and done is so from then on; refusals
/// are what a test says.
struct PageCarpool: Sendable {
    let door: PageDoor
    let rides = Mutable<[Ride]>([])
    let requests = Mutable<[SeatRequest]>([])
    /// What a seat may cost at most.
    let highest = Mutable<Money?>(nil)
    let warnings = Mutable<[RideWarning]>([])
    /// How many seats are free on the part that is asked for.
    let free = Mutable(3)

    /// When all rides here leave: a Friday at 17:00 in Helsinki.
    static let departure = WireJSON.date(from: "2027-03-05T15:00:00Z")!
    static let zone = "Europe/Helsinki"

    init(at door: PageDoor) {
        self.door = door
        door.knowPlaces()
        playRides()
        playSeats()
    }

    static func stop(_ name: String, _ at: Int, address: String? = nil) -> RideStop {
        RideStop(
            name: name, address: address, position: Position(latitude: 60.17 + Double(at) / 100_000, longitude: 24.95),
            isExact: true, at: at, time: departure + Double(at) / 20)
    }

    /// A ride of three stops that somebody drives.
    @discardableResult
    func drive(_ driver: Person, _ change: (inout Ride) -> Void = { _ in }) -> Ride {
        var ride = Ride(
            id: .new(), state: .open, driver: driver.summary,
            stops: [
                Self.stop("Mill Lane, Testholm", 0, address: "Mill Lane 7, Testholm"), Self.stop("Harbour", 30_000),
                Self.stop("Old Town", 60_000),
            ], departsAt: Self.departure, arrivesAt: Self.departure + 3000, zone: Self.zone, seats: 3, free: [3, 3],
            cost: Money(amount: 1200, currency: "EUR"), length: 60_000, maxDetour: 5000, detourLeft: 5000,
            luggage: .small, accepts: .nobody, notes: "No smoking, please.", postedAt: Date(), mine: false,
            action: .ask, version: "1")
        change(&ride)
        rides.mutate { [ride] in $0.append(ride) }
        return ride
    }

    /// A request of somebody for a seat all the way.
    @discardableResult
    func ask(
        _ ride: Ride, _ rider: Person, _ state: SeatState = .pending, _ change: (inout SeatRequest) -> Void = { _ in }
    ) -> SeatRequest {
        var request = SeatRequest(
            id: .new(), ride: Self.requested(ride), driver: ride.driver, rider: rider.summary, role: nil, state: state,
            seats: 1, boarding: Self.point(ride.stops[0], 0), leaving: Self.point(ride.stops[2], 2),
            cost: ride.cost, askedAt: Date(), answerBy: state == .pending ? Date() + 7200 : nil, changedAt: Date())
        change(&request)
        requests.mutate { [request] in $0.append(request) }
        return request
    }

    func change(_ id: SeatRequestID, _ change: (inout SeatRequest) -> Void) {
        requests.mutate { all in
            for index in all.indices where all[index].id == id { change(&all[index]) }
        }
    }

    static func requested(_ ride: Ride) -> RequestedRide {
        RequestedRide(
            id: ride.id, state: ride.state, from: ride.stops.first?.name ?? "", to: ride.stops.last?.name ?? "",
            departsAt: ride.departsAt, arrivesAt: ride.arrivesAt, zone: ride.zone)
    }

    static func point(_ stop: RideStop, _ number: Int?) -> SeatPoint {
        SeatPoint(
            name: stop.name, address: stop.address, position: stop.position, isExact: true, stop: number, at: stop.at,
            time: stop.time)
    }

    // MARK: Rides

    private func playRides() {
        let services = door.services
        services.answer(RidesMethods.regions, Page(items: []))
        services.on(RidesMethods.quoteRide) { quote($0.content) }
        services.on(RidesMethods.postRide) { request in
            let (draft, driver) = (request.content, try door.summary(of: request.caller))
            let person = try door.person(driver.name)
            return seen(drive(person) { $0.take(draft) }, by: request.caller)
        }
        services.on(RidesMethods.ride) { try ride($0.parameters.id, $0.caller) }
        services.on(RidesMethods.changeRide) { request in
            var ride = try ride(request.parameters.id, request.caller)
            if let seen = request.content.version, seen != ride.version {
                throw ServiceError.changedMeanwhile(ride.version)
            }
            ride.take(request.content)
            ride.version = (ride.version ?? "") + "1"
            rides.mutate { [ride] in $0 = $0.map { $0.id == ride.id ? ride : $0 } }
            return ride
        }
        services.on(RidesMethods.myRides) { request in
            let (query, caller) = (request.parameters, request.caller)
            let found = try own(query.tab ?? .current, caller)
            // Small, so that there are several pages.
            return Page(found, from: query.cursor, size: 3)
        }
    }

    private func quote(_ draft: RideDraft) -> RideQuote {
        let stops = (draft.stops ?? []).enumerated().map { index, stop in
            Self.stop(stop.name, index * 10_000, address: stop.address)
        }
        let cost = draft.cost ?? Money(amount: 0, currency: "EUR")
        let parts = max(1, stops.count - 1)
        return RideQuote(
            stops: stops, departsAt: Self.departure, arrivesAt: Self.departure + 3000, zone: Self.zone, length: 60_000,
            costs: (0..<parts).map { _ in Money(amount: cost.amount / parts, currency: cost.currency) },
            highestCost: highest.value, warnings: warnings.value)
    }

    func ride(_ id: RideID, _ caller: Caller) throws -> Ride {
        guard let ride = rides.value.first(where: { $0.id == id }) else { throw ServiceError.notFound("ride") }
        return seen(ride, by: caller)
    }

    private func seen(_ ride: Ride, by caller: Caller) -> Ride {
        var ride = ride
        ride.mine = ride.driver.id == caller.person
        ride.request =
            requests.value.first { request in
                request.ride.id == ride.id && request.rider.id == caller.person && !request.state.isOver
            }?.id
        if ride.mine { (ride.action, ride.possible) = (.own, [.change, .remove]) } else { ride.version = nil }
        return ride
    }

    private func own(_ tab: MyRidesTab, _ caller: Caller) throws -> [MyRide] {
        let person = try caller.requirePerson()
        let mine = rides.value.map { seen($0, by: caller) }
        let asked = requests.value.compactMap { Self.seen($0, by: caller) }
        func pairs(_ states: Set<SeatState>, _ role: SeatRole?) -> [MyRide] {
            asked.filter { states.contains($0.state) && (role ?? $0.role) == $0.role }.compactMap { request in
                mine.first { $0.id == request.ride.id }.map { MyRide(ride: $0, request: request) }
            }
        }
        switch tab {
        case .current:
            let driven = mine.filter { $0.driver.id == person && $0.state == .open }
            return driven.map { MyRide(ride: $0) } + pairs([.accepted], .rider)
        case .past:
            let driven = mine.filter { $0.driver.id == person && $0.state == .completed }
            return driven.map { MyRide(ride: $0) } + pairs([.rode, .left, .removed, .rejected], .rider)
        case .saved: return mine.filter(\.isSaved).map { MyRide(ride: $0) }
        case .pending: return pairs([.pending, .waiting], nil)
        }
    }
}

extension Ride {
    /// What a draft says of it; what it leaves out stays.
    fileprivate mutating func take(_ draft: RideDraft) {
        if let said = draft.stops {
            stops = said.enumerated().map { PageCarpool.stop($1.name, $0 * 10_000, address: $1.address) }
        }
        seats = draft.seats ?? seats
        if let said = draft.cost { cost = said.amount == 0 ? nil : said }
        (maxDetour, luggage) = (draft.maxDetour ?? maxDetour, draft.luggage ?? luggage)
        (accepts, notes) = (draft.accepts ?? accepts, draft.notes ?? notes)
    }
}

extension String {
    /// What all hidden fields of a page have, but its token and its sender.
    var kept: [String: String] {
        var fields: [String: String] = [:]
        for match in matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)"/#) {
            let marks = [("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&quot;", "\""), ("&amp;", "&")]
            let value = marks.reduce(String(match.2)) { $0.replacing($1.0, with: $1.1) }
            fields[String(match.1)] = value
        }
        for name in ["csrf", "sender"] { fields[name] = nil }
        return fields
    }
}
