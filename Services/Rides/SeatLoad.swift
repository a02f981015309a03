import WireProtocol

/// How many people ride along on each part of the way. The database makes it of the accepted requests, and refuses what exceeds the seats.
struct SeatLoad: Hashable, Sendable {
    /// Metres from the start at which somebody gets in or out, in order.
    var marks: [Int] = []
    /// How many ride along from each mark to the next.
    var people: [Int] = []

    /// The most who ride along anywhere on a part of the way.
    func most(from start: Int, to end: Int) -> Int {
        var most = 0
        for (index, mark) in marks.enumerated() {
            let next = index + 1 < marks.count ? marks[index + 1] : Int.max
            if mark < end, next > start { most = max(most, people[index]) }
        }
        return most
    }

    /// Whether nowhere on the way more ride along than by another one.
    func isWithin(_ other: SeatLoad) -> Bool {
        Set(marks + other.marks).allSatisfy { most(from: $0, to: $0 + 1) <= other.most(from: $0, to: $0 + 1) }
    }

    /// The same with others who get in and out.
    func adding(_ seats: Int, from start: Int, to end: Int) -> SeatLoad {
        let all = Set(marks).union([start, end]).sorted()
        return SeatLoad(
            marks: all,
            people: all.map { mark in most(from: mark, to: mark + 1) + (start <= mark && mark < end ? seats : 0) })
    }
}
