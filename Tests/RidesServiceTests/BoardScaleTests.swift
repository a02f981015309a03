import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

/// `KAMPONG_RIDES_MANY=1000000,500` holds so many rides on a board, and so many searches of it against looking at every ride; and prints what they took.
@Suite("The board with many rides", .enabled(if: Many.ofThisRun != nil, "KAMPONG_RIDES_MANY says how many"))
struct BoardScaleTests {
    @Test func findsWhatLookingAtEveryRideFinds() throws {
        let many = try #require(Many.ofThisRun)
        var random = RandomRides(seed: 100)
        random.days = 60
        let rides = (0..<many.rides).map { _ in random.ride() }
        let (before, started) = (Memory.resident, ContinuousClock.now)
        let board = try RideBoard.holding(rides)
        let filled = ContinuousClock.now - started
        print("\(many.rides) rides on the board after \(filled), \((Memory.resident - before) / many.rides) bytes each")
        let every = EveryRide(rides)
        var times: [Duration] = []
        for number in 0..<many.searches {
            let query = BoardQuery(wish: random.wish(), now: noon, limit: 24)
            let asked = ContinuousClock.now
            let found = try board.found(query).found
            times.append(ContinuousClock.now - asked)
            #expect(found == every.found(query), "search \(number)")
        }
        times.sort()
        let (half, most) = (times[times.count / 2], times[times.count * 99 / 100])
        print("\(many.searches) searches: \(half) at the median, \(most) at the 99th percentile")
    }
}

/// What the environment asks for.
private struct Many: Sendable {
    static let ofThisRun = Many(ProcessInfo.processInfo.environment["KAMPONG_RIDES_MANY"])

    let rides: Int
    let searches: Int

    init?(_ text: String?) {
        let numbers = (text ?? "").split(separator: ",").map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        (rides, searches) = (numbers[0], numbers[1])
    }
}

private enum Memory {
    /// Bytes of this process.
    static var resident: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
    }
}
