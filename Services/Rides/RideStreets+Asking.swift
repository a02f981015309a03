import FoundationEssentials
import WireProtocol

// What Places is asked of streets, never while something is locked. Where it does not answer, lines are straight.

/// How far it is along streets from a point to others, or from them to it.
struct StreetsQuestion: Hashable, Sendable {
    /// As many as Places answers at once.
    static let most = 100

    var point: Position
    var others: [Position]
    var isTowards: Bool
    /// Seconds for which an answer is waited for.
    var patience: TimeInterval

    /// Of each of the others the way, nil where there is none along streets.
    typealias Ask = @Sendable (StreetsQuestion) async throws -> [StreetLeg?]
}

/// From each point to the next along streets; nil where some of it is not along streets.
typealias AskForLegs = @Sendable ([Position]) async throws -> [StreetLeg]?

/// Ways that are to be known, as questions: each of them begins or ends at a point of somebody's own.
struct WantedStreets: Hashable, Sendable {
    private struct Side: Hashable {
        var point: Position
        var isTowards: Bool
    }

    private var sides: [Side: Set<Position>] = [:]

    var isEmpty: Bool { sides.isEmpty }
    /// Of the question with the most points.
    var widest: Int { sides.values.map(\.count).max() ?? 0 }

    mutating func insert(_ ways: [(from: Position, to: Position)], around own: Set<Position>) {
        for (from, to) in ways where from != to {
            let isFrom = own.contains(from)
            sides[Side(point: isFrom ? from : to, isTowards: !isFrom), default: []].insert(isFrom ? to : from)
        }
    }

    /// - Throws: where one of them is not answered.
    func ask(_ ask: @escaping StreetsQuestion.Ask, patience: TimeInterval) async throws -> KnownStreets {
        let questions = sides.map { side, others in
            StreetsQuestion(
                point: side.point, others: Array(others.prefix(StreetsQuestion.most)), isTowards: side.isTowards,
                patience: patience)
        }
        return try await withThrowingTaskGroup(of: (StreetsQuestion, [StreetLeg?]).self) { group in
            for question in questions { group.addTask { (question, try await ask(question)) } }
            var known = KnownStreets()
            for try await (question, ways) in group { known.add(ways, to: question) }
            return known
        }
    }
}

extension KnownStreets {
    fileprivate mutating func add(_ ways: [StreetLeg?], to question: StreetsQuestion) {
        for (other, way) in zip(question.others, ways) {
            if question.isTowards { self[other, question.point] = way } else { self[question.point, other] = way }
        }
    }
}

extension [Position] {
    /// Without those that are where the one before is: streets lead from one place to another one.
    var distinct: [Position] { reduce(into: []) { if $0.last != $1 { $0.append($1) } } }

    /// - Parameter legs: those between the distinct ones.
    /// - Returns: the leg to each from the one before it.
    func legs(_ legs: [StreetLeg]) -> [StreetLeg] {
        var rest = legs[...]
        return zip(self, dropFirst()).map { $0 == $1 ? StreetLeg(metres: 0, seconds: 0) : rest.removeFirst() }
    }
}

extension WayPart {
    /// The points of somebody's own, as everybody may know them.
    var ownPoints: Set<Position> {
        Set([boarding, leaving].compactMap { $0.own?.position.onGrid })
    }
}

extension RideUseCases {
    /// The legs of the ways of a draft, by the points through which they lead. What Places does not answer now is asked for later
    /// (`RideRegionRounds`).
    func legs(of draft: RideDraft) async -> [[Position]: [StreetLeg]] {
        let ways = draft.waysAsked.map { $0.compactMap(\.position).filter(\.isValid).map(\.onGrid) }
        return await withTaskGroup(of: ([Position], [StreetLeg]?).self) { group in
            for way in Set(ways.filter { RideLimits.stops.contains($0.count) }) {
                group.addTask { (way, (try? await askForLegs(way)) ?? nil) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// What is known along streets of ways to and from points of somebody's own, who waits for it: a second at most.
    func streets(for parts: [(ride: OfferedRide, part: WayPart)]) async -> KnownStreets {
        var wanted = WantedStreets()
        for (ride, part) in parts { wanted.insert(ride.streets(for: part), around: part.ownPoints) }
        guard !wanted.isEmpty else { return KnownStreets() }
        return (try? await wanted.ask(askForStreets, patience: 1)) ?? KnownStreets()
    }
}
