import FoundationEssentials
import WireProtocol

/// All rides that have not left, by the day on which they leave.
struct BoardContent: Sendable {
    struct Key: Hashable, Sendable {
        var day: UInt16
        var stops: UInt8
    }

    /// Where a ride is.
    private struct Place: Hashable, Sendable {
        var key: Key
        var number: UInt32
    }

    private var lots: [Key: BoardLot] = [:]
    private var places: [RideID: Place] = [:]
    /// Numbers of campuses, after those of drivers of whom nobody knows where they belong, and of those who belong to none.
    private var campuses: [String: UInt16] = ["": 1]
    /// Seconds that any way takes at most.
    private var longest: TimeInterval = 0

    var count: Int { places.count }

    mutating func put(_ ride: BoardRide) {
        guard (RideLimits.stops).contains(ride.way.count) else { return remove(ride.id) }
        let key = Key(day: Self.day(of: ride.departsAt), stops: UInt8(ride.way.count))
        let entry = BoardEntry(ride, campus: number(of: ride.campus))
        longest = max(longest, entry.seconds)
        if let place = places[ride.id] {
            if place.key == key {
                lots[key]?.replace(Int(place.number), with: entry)
                return
            }
            remove(ride.id)
        }
        let number = lots[key, default: BoardLot(stops: ride.way.count)].append(entry)
        places[ride.id] = Place(key: key, number: UInt32(number))
    }

    mutating func remove(_ id: RideID) {
        guard let place = places.removeValue(forKey: id) else { return }
        if let moved = lots[place.key]?.remove(Int(place.number)) { places[moved] = place }
        if lots[place.key]?.count == 0 { lots[place.key] = nil }
    }

    /// Takes away those that have left.
    mutating func removeDeparted(by now: Date) {
        let today = Self.day(of: now)
        let departed = lots.filter { $0.key.day <= today }.values.flatMap { lot in
            lot.segments.flatMap { segment in
                zip(segment.ids, segment.lines).filter { $1.leavesBy <= now }.map { id, _ in id }
            }
        }
        for id in departed { remove(id) }
    }

    /// The lots in which there may be rides that are passed by somebody between these times.
    func lots(around times: ClosedRange<Date>) -> [BoardLot] {
        let earliest = times.lowerBound - longest - RideLimits.longestDeparture
        let days = Self.day(of: earliest)...Self.day(of: times.upperBound)
        return days.flatMap { day in
            RideLimits.stops.compactMap { lots[Key(day: day, stops: UInt8($0))] }
        }
    }

    /// The numbers of those whose rides are asked for; nil where there are no such rides.
    func campuses(_ query: BoardQuery) -> ClosedRange<UInt16>? {
        guard let name = query.campus else { return query.onlyVerified ? 2...(.max) : 0...(.max) }
        guard let number = campuses[name], !query.onlyVerified || number > 1 else { return nil }
        return number...number
    }

    private mutating func number(of campus: String?) -> UInt16 {
        guard let campus else { return 0 }
        if let number = campuses[campus] { return number }
        let number = UInt16(clamping: campuses.count + 1)
        campuses[campus] = number
        return number
    }

    private static func day(of moment: Date) -> UInt16 {
        UInt16(clamping: Int((moment.timeIntervalSince1970 / 86_400).rounded(.down)))
    }
}
