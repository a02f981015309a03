import FoundationEssentials
import WireProtocol

// The times of a series: those of its first day, on the wall of its zone, and what they are on others. No I/O and no clock.

extension Zone {
    /// What a time says there, or a moment: to the minute.
    func wallTime(in text: String) -> WallTime? {
        WallTime(minutes: text)
            ?? WireJSON.date(from: text).map { WallTime(seconds: wallTime(at: $0).seconds / 60 * 60) }
    }
}

extension RideDraft {
    /// With times on the wall, so many days later. What is no time stays, for whoever checks it.
    func onWall(of clocks: Zone, later days: Int) -> RideDraft {
        func moved(_ text: String?) -> String? {
            text.map { text in clocks.wallTime(in: text)?.later(by: days).text ?? text }
        }
        var draft = self
        (draft.departsAt, draft.leavesBy) = (moved(departsAt), moved(leavesBy))
        draft.returnRide?.departsAt = moved(returnRide?.departsAt)
        draft.returnRide?.leavesBy = moved(returnRide?.leavesBy)
        return draft
    }

    /// The day on which its way back leaves.
    func dayBack(on clocks: Zone) -> CivilDay? {
        returnRide?.departsAt.flatMap { clocks.wallTime(in: $0)?.day }
    }

    /// The way back leaves on this day, at the time of day that it says.
    func withWayBack(on day: CivilDay, of clocks: Zone) -> RideDraft {
        guard let said = dayBack(on: clocks) else { return self }
        let moved = RideDraft(returnRide: returnRide).onWall(of: clocks, later: day.number - said.number)
        var draft = self
        draft.returnRide = moved.returnRide
        return draft
    }

    /// With the moments that its times on the wall are so many days later: 8:00 is 8:00 there.
    /// - Returns: Nil where clocks pass one of them over.
    func moments(on clocks: Zone, later days: Int) -> RideDraft? {
        guard let there = WallDeparture(departsAt, leavesBy, on: clocks, later: days) else { return nil }
        var draft = self
        (draft.departsAt, draft.leavesBy) = (there.departsAt, there.leavesBy)
        guard let way = returnRide else { return draft }
        guard let back = WallDeparture(way.departsAt, way.leavesBy, on: clocks, later: days) else { return nil }
        draft.returnRide?.departsAt = back.departsAt
        draft.returnRide?.leavesBy = back.leavesBy
        return draft
    }
}

/// The moments of a departure, as texts.
private struct WallDeparture {
    let departsAt: String
    let leavesBy: String?

    /// Of a time that clocks show twice the first is meant, of the end of a departure the first that is not before it.
    init?(_ departsAt: String?, _ leavesBy: String?, on clocks: Zone, later days: Int) {
        func moments(_ text: String) -> [Date] {
            WallTime(minutes: text).map { clocks.moments(of: $0.later(by: days)) } ?? []
        }
        guard let departure = departsAt.flatMap({ moments($0).first }) else { return nil }
        self.departsAt = WireJSON.text(of: departure)
        guard let leavesBy else {
            self.leavesBy = nil
            return
        }
        guard let end = moments(leavesBy).first(where: { $0 >= departure }) else { return nil }
        // Where clocks are put back in between, an hour more would pass than a departure may take.
        self.leavesBy = WireJSON.text(of: min(end, departure + RideLimits.longestDeparture))
    }
}

extension WallTime {
    fileprivate func later(by days: Int) -> WallTime { WallTime(seconds: seconds + days * 86_400) }
}
