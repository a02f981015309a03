import TestKit
import WireProtocol

/// Rides by their events and by their rows: on no part ride more along than there are seats, what is summed up is what it is the sum of, and each
/// ride and request ends where its row is.
struct RideHistory {
    struct RideRow: Decodable {
        var id: RideID
        var state: RideState
        var seats: Int
        /// How many ride along from each of the marks on.
        var marks: [Int]
        var load: [Int]
        var detourUsed: Int
        var maxDetour: Int
    }

    struct SeatRow: Decodable {
        var id: SeatRequestID
        var ride: RideID
        var state: SeatState
        var seats: Int
        /// Metres along the way.
        var start: Int
        var end: Int
        var detour: Int
    }

    let rides: [RideRow]
    let seats: [SeatRow]
    let events: [PublishedEvent]
    /// Whether it is what a command asked for, not what that brought to others.
    let isAsked: (PublishedEvent) -> Bool

    /// How many ride along at a point of the way.
    static func load(of riding: [SeatRow], at point: Int) -> Int {
        riding.filter { $0.start <= point && point < $0.end }.reduce(0) { $0 + $1.seats }
    }

    func findings() -> [Finding] {
        var lives = RideLives(of: seats, events, isAsked: isAsked)
        let told = events.sorted { $0.position ?? .max < $1.position ?? .max }.compactMap { lives.take($0) }
        let seatsOf = Dictionary(grouping: seats, by: \.ride)
        return told + rides.flatMap { sums($0, seatsOf[$0.id] ?? []) + ends($0, seatsOf[$0.id] ?? [], lives) }
            + seats.flatMap { ends($0, lives) } + strangers(lives)
    }

    /// What was acknowledged to be the end of a ride is its end.
    func compare(_ ends: [(entry: LedgerEntry, ride: RideID, state: RideState)]) -> [Finding] {
        let states = Dictionary(rides.map { ($0.id, $0.state) }) { one, _ in one }
        return ends.compactMap { end in
            guard states[end.ride] != end.state else { return nil }
            return Finding(.lost, "\(end.entry), and it is \(String(describing: states[end.ride]))")
        }
    }

    /// Made anew of the requests.
    private func sums(_ ride: RideRow, _ seats: [SeatRow]) -> [Finding] {
        let riding = seats.filter { $0.state == .accepted }
        let marks = Set(riding.flatMap { [$0.start, $0.end] }).sorted()
        let load = marks.map { Self.load(of: riding, at: $0) }
        let detour = riding.reduce(0) { $0 + $1.detour }
        var findings: [Finding] = []
        if load.contains(where: { $0 > ride.seats }) || detour > ride.maxDetour {
            findings.append(
                Finding(.doubled, "\(ride) has too much to carry: \(load), and \(detour) m"))
        }
        if (ride.marks, ride.load, ride.detourUsed) != (marks, load, detour) {
            findings.append(Finding(.rowsDiffer, "\(ride), and by its requests \(marks), \(load) and \(detour) m"))
        }
        return findings
    }

    private func ends(_ ride: RideRow, _ seats: [SeatRow], _ lives: RideLives) -> [Finding] {
        let left = seats.filter { seat in
            switch ride.state {
            case .open: false
            case .departed: [.pending, .waiting].contains(seat.state)
            case .completed, .removed: !seat.state.isOver
            }
        }
        var findings = left.map { Finding(.halfDone, "seat/\($0.id) is \($0.state) in a ride that is \(ride.state)") }
        if let shown = lives.shown[ride.id] {
            if ride.state != .open || shown.seats != ride.seats {
                findings.append(Finding(.rowsDiffer, "\(ride), and by its events it is open, with \(shown.seats)"))
            }
            if lives.free(in: shown) != shown.free {
                findings.append(Finding(.lost, "nobody was told what is free in ride/\(ride.id): \(shown.free) before"))
            }
        } else if let gone = lives.gone[ride.id] {
            // What becomes of it after it has left nobody else is told.
            if ride.state == .open || gone == .removed && ride.state != .removed {
                findings.append(Finding(.rowsDiffer, "ride/\(ride.id) is \(ride.state), and by its events \(gone)"))
            }
        } else {
            findings.append(Finding(.halfDone, "ride/\(ride.id) has a row and no event"))
        }
        return findings
    }

    private func ends(_ seat: SeatRow, _ lives: RideLives) -> [Finding] {
        var findings: [Finding] = []
        let told = lives.states[seat.id]
        if told != seat.state {
            findings.append(
                Finding(.rowsDiffer, "seat/\(seat.id) is \(seat.state), and by its events \(String(describing: told))"))
        }
        if (seat.state == .rode) != lives.met.contains("seat/\(seat.id)") {
            findings.append(
                Finding(.halfDone, "seat/\(seat.id) is \(seat.state), and its encounter says something else"))
        }
        return findings
    }

    private func strangers(_ lives: RideLives) -> [Finding] {
        let rides = Set(lives.shown.keys).union(lives.gone.keys).subtracting(rides.map(\.id)).map { "ride/\($0)" }
        let seats = Set(lives.states.keys).subtracting(seats.map(\.id)).map { "seat/\($0)" }
        return (rides + seats).map { Finding(.halfDone, "\($0) has events and no row") }
    }
}
