import TestKit
import WireProtocol

/// Rides and the seats in them, lived again by their events: nothing is told that cannot follow what was told before, and what is told to be free
/// is what those who have a seat leave.
struct RideLives {
    /// Those that can be found, as everybody was told of them last.
    private(set) var shown: [RideID: PublicRide] = [:]
    /// Those that can be found no more, as it was told.
    private(set) var gone: [RideID: RideState] = [:]
    private(set) var states: [SeatRequestID: SeatState] = [:]
    /// What has brought two together.
    private(set) var met: Set<String> = []
    private var open: [Pair: Set<SeatRequestID>] = [:]
    /// By their rides: which part each is for does not change.
    private let parts: [RideID: [RideHistory.SeatRow]]
    /// What one transaction told of seats.
    private let together: [Int64: [SeatNews]]
    private let isAsked: (PublishedEvent) -> Bool

    private struct Pair: Hashable {
        var ride: RideID
        var rider: PersonID
    }

    init(
        of seats: [RideHistory.SeatRow], _ events: [PublishedEvent], isAsked: @escaping (PublishedEvent) -> Bool
    ) {
        parts = Dictionary(grouping: seats, by: \.ride)
        together = Dictionary(grouping: events, by: \.mark).mapValues { $0.compactMap(\.seat) }
        self.isAsked = isAsked
    }

    /// Goes on by one event.
    mutating func take(_ event: PublishedEvent) -> Finding? {
        let wrong: (rule: Finding.Rule, why: String)? =
            switch event.type {
            case RidePosted.type, RideChanged.type: event.ride.flatMap { take($0, event) }
            case RideRemoved.type: event.decoded(as: RideRemoved.self).flatMap { take($0) }
            case SeatRequested.type, SeatAnswered.type, SeatChanged.type: event.seat.flatMap { take($0, event) }
            case EncounterCompleted.type:
                met.insert(event.aggregate).inserted ? nil : (.doubled, "they have met already")
            default: nil
            }
        return wrong.map {
            Finding($0.rule, "\(event.aggregate): \(event.type) at \(event.position ?? -1), although \($0.why)")
        }
    }

    /// Seats that are free from each stop to the next; less than none where more ride along than there are seats.
    func free(in ride: PublicRide) -> [Int] {
        let riding = parts[ride.id, default: []].filter { states[$0.id] == .accepted }
        return zip(ride.stops, ride.stops.dropFirst()).map { stop, next in
            let points = [stop.at] + riding.map(\.start).filter { stop.at < $0 && $0 < next.at }
            return ride.seats - (points.map { RideHistory.load(of: riding, at: $0) }.max() ?? 0)
        }
    }

    // MARK: Rides

    private mutating func take(_ ride: PublicRide, _ event: PublishedEvent) -> (Finding.Rule, String)? {
        let before = shown.updateValue(ride, forKey: ride.id)
        if event.type == RidePosted.type, before != nil || gone[ride.id] != nil { return (.disorder, "it was posted") }
        if event.type == RideChanged.type, before == nil { return (.disorder, "nobody can find it") }
        let free = free(in: ride)
        if free.contains(where: { $0 < 0 }) { return (.doubled, "\(free) are free: more ride along than have a seat") }
        if free != ride.free { return (.rowsDiffer, "\(free) are free by its requests, not \(ride.free)") }
        let hasCause = isAsked(event) || together[event.mark, default: []].contains { $0.ride.id == ride.id }
        return hasCause || before != ride ? nil : (.doubled, "nothing became of it")
    }

    private mutating func take(_ end: RideRemoved) -> (Finding.Rule, String)? {
        gone[end.id] = end.state
        return shown.removeValue(forKey: end.id) == nil ? (.disorder, "nobody could find it") : nil
    }

    // MARK: Seats

    private mutating func take(_ news: SeatNews, _ event: PublishedEvent) -> (Finding.Rule, String)? {
        let before = states.updateValue(news.state, forKey: news.id)
        guard Self.leads(event.type, event.seatChange, from: before, to: news.state) else {
            return (.disorder, "it was \(before.map(\.rawValue) ?? "never asked for") and is \(news.state)")
        }
        let pair = Pair(ride: news.ride.id, rider: news.rider.id)
        if news.state.isOver { open[pair]?.remove(news.id) } else { open[pair, default: []].insert(news.id) }
        if let all = open[pair], all.count > 1 { return (.doubled, "\(news.rider.id) has \(all) in one ride") }
        if before == nil, shown[news.ride.id] == nil { return (.disorder, "nobody can find the ride") }
        if event.seatChange == .withdrawn, !isAsked(event), !hasSeatElsewhere(news, event) {
            return (.doubled, "nobody has withdrawn it, and its rider got no seat elsewhere")
        }
        return nil
    }

    /// Who gets a seat is asked about for no other one at that time.
    private func hasSeatElsewhere(_ news: SeatNews, _ event: PublishedEvent) -> Bool {
        together[event.mark, default: []].contains {
            $0.rider.id == news.rider.id && $0.ride.id != news.ride.id && $0.state == .accepted
        }
    }

    private static let running: Set<SeatState> = [.pending, .waiting, .accepted]

    /// Whether that may become of a request, as the table in `Services/Rides/README.md` says.
    private static func leads(
        _ type: String, _ what: SeatChanged.Change?, from before: SeatState?, to state: SeatState
    ) -> Bool {
        guard let before else { return type == SeatRequested.type && running.contains(state) }
        if type == SeatAnswered.type {
            return before == .pending && [.accepted, .rejected, .expired].contains(state)
                || before == .waiting && [.rejected, .expired].contains(state)
        }
        return switch what {
        case .withdrawn: [.pending, .waiting].contains(before) && state == .withdrawn
        case .left: before == .accepted && state == .left
        case .removed: before == .accepted && state == .removed
        case .promoted: before == .waiting && [.accepted, .pending].contains(state)
        case .approved: before == .waiting && state == .waiting
        case .lapsed: before == .accepted && state == .expired
        case .kept, .rideMoved, .departed: before == .accepted && state == .accepted
        case .rideChanged: running.contains(before) && state == before
        case .rideRemoved: running.contains(before) && state == .removed
        case .completed: before == .accepted && state == .rode
        // Nobody reports, disputes, settles, blocks or is suspended here.
        case .noShow, .disputed, .settled, .ended, nil: false
        }
    }
}
