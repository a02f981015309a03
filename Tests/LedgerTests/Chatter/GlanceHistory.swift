import TestKit
import WireProtocol

/// That marks never move back, by what both saw of them while they were at it. Pure.
struct GlanceHistory {
    /// How far somebody had got in a room, as it was answered to either of the two.
    struct Glance: Sendable {
        var room: RoomID
        var of: PersonID
        var read: Int
        /// Nobody is told this of themselves.
        var delivered: Int?
        var askedAt: Duration
        var answeredAt: Duration
    }

    /// What somebody was told to have marked: from then on it is no less.
    struct Mark: Sendable {
        var room: RoomID
        var of: PersonID
        var read = 0
        var delivered = 0
        var answeredAt: Duration
    }

    private struct Whose: Hashable {
        var room: RoomID
        var person: PersonID
    }

    var glances: [Glance]
    var marks: [Mark]

    func findings() -> [Finding] {
        let seen = Dictionary(grouping: glances) { Whose(room: $0.room, person: $0.of) }
        let marked = Dictionary(grouping: marks) { Whose(room: $0.room, person: $0.of) }
        return seen.flatMap { whose, glances in compare(glances, Self.least(glances) + (marked[whose] ?? [])) }
    }

    /// What was seen was so at the latest when it was answered.
    private static func least(_ glances: [Glance]) -> [Mark] {
        glances.map {
            Mark(room: $0.room, of: $0.of, read: $0.read, delivered: $0.delivered ?? 0, answeredAt: $0.answeredAt)
        }
    }

    /// Each question after the answers that came before it was asked.
    private func compare(_ glances: [Glance], _ marks: [Mark]) -> [Finding] {
        let marks = marks.sorted { $0.answeredAt < $1.answeredAt }
        var (next, least) = (0, RoomMarks(delivered: 0, read: 0))
        return glances.sorted { $0.askedAt < $1.askedAt }.compactMap { glance in
            while next < marks.count, marks[next].answeredAt < glance.askedAt {
                least.read = max(least.read, marks[next].read)
                // Who has read something has received it.
                least.delivered = max(least.delivered, marks[next].delivered, marks[next].read)
                next += 1
            }
            guard glance.read < least.read || glance.delivered ?? least.delivered < least.delivered else { return nil }
            return Finding(.disorder, "marks moved back from \(least) to \(glance)")
        }
    }
}
