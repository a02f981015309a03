import Foundation
import WireProtocol

/// The table of Services/Listings/Rentals/README.md, read as it is printed: what people are promised, not what the service happens to do.
struct RentalTable: Sendable {
    struct Rule: Hashable, Sendable {
        var state: RentalState
        var who: RentalModel.Party
        var act: RentalAct
        var condition: Condition
        var next: RentalState
    }

    /// Those under which people act; what time does is in `RentalModel`.
    enum Condition: String, Sendable {
        case always, beforeAnswerIsDue, beforeItEnds, aroundTheBeginning, longAfterTheBeginning, lately, latelyOnceBegun
        case notShownYet, inHand, notAllSaid
    }

    let rules: [Rule]

    /// - Parameter text: of the README.
    init(_ text: String) {
        rules = text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 8, let state = RentalState(rawValue: cells[1]),
                let who = RentalModel.Party(rawValue: cells[2]), let act = RentalAct(rawValue: cells[3]),
                let condition = Condition(rawValue: cells[4]), let next = RentalState(rawValue: cells[5])
            else { return nil }
            return Rule(state: state, who: who, act: act, condition: condition, next: next)
        }
    }

    static func printed() throws -> RentalTable {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Services/Listings/Rentals/README.md")
        return RentalTable(try String(contentsOf: file, encoding: .utf8))
    }
}

extension RentalTable.Condition {
    /// Whether it holds. While nobody knows exactly when the service looked at its clock, it may do one or the other.
    /// - Parameters:
    ///   - kept: as the agreement is before it.
    ///   - shown: whether this party has shown the thing's state at this point.
    ///   - said: how often this party has said something of the dispute.
    func holds(
        for terms: RentalModel.Terms, _ kept: RentalModel.Kept, shown: Bool, said: Int,
        within moments: ClosedRange<Date>
    ) -> Set<Bool> {
        let (start, end) = (terms.startsAt, terms.endsAt)
        let lead: TimeInterval = terms.unit == .hour ? 3600 : 86400
        switch self {
        case .always, .lately: return [true]  // No run takes three days.
        case .latelyOnceBegun: return [kept.endedOnceBegun]
        case .notShownYet: return [!shown]
        case .inHand: return [kept.holds]
        case .notAllSaid: return [said < 5]
        case .beforeAnswerIsDue: return moments.mayLie(from: .distantPast, until: terms.answerBy)
        case .beforeItEnds: return moments.mayLie(from: .distantPast, until: end)
        case .aroundTheBeginning: return moments.mayLie(from: start - lead, until: end)
        // Nobody does anything about a thing for half an hour, since things change hands (`RentalCrowd.patience`); nor does a run take half a day.
        case .longAfterTheBeginning: return [false]
        }
    }
}

extension ClosedRange<Date> {
    /// Whether a moment in it, which nobody knows, is one from the first on and before the last: yes, no, or either.
    func mayLie(from first: Date, until last: Date) -> Set<Bool> {
        Set([lowerBound, upperBound].map { $0 >= first && $0 < last })
    }
}
