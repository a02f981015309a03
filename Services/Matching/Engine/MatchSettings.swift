/// What counts how much. Everything is in metres of way, as walking is what it costs.
package struct MatchSettings: Hashable, Sendable {
    /// An order that is brought. Far more than any way, so that as many are served as can be; with 1,000 some 1.5 % were left over for shorter ways.
    package var served = 4000.0
    /// For each second waited, and at most.
    package var waited = 0.25
    package var mostWaited = 300.0
    /// For each credit, of which `mostCredit` count, and which halve in `creditHalfLife` seconds.
    package var credit = 20.0
    package var mostCredit = 3.0
    package var creditHalfLife = 7 * 86_400.0
    /// Taken off for each hand that is full.
    package var fullHand = 40.0
    /// Where something in hand goes to the same building.
    package var sameBuilding = 60.0

    /// So many deliverers are looked at for each order: the best.
    package var edges = 16
    /// A way along streets of unknown length, for each metre in a straight line.
    package var streetsForStraight = 1.3
    /// Metres a second on foot.
    package var pace = 1.3
    /// How many lengths of ways are asked for at once.
    package var questions = 100

    /// What an order may miss, as a share of the greatest value: in rounds of `fineRound` orders or fewer, and in larger ones.
    package var fineRound = 5000
    package var fine = 0.0005
    package var coarse = 0.01

    package init() {}

    /// What an order of a round may miss, in units. Greater where there are many orders: it is the price of time.
    package func epsilon(for problem: AssignmentProblem) -> Int32 {
        let share = problem.orderCount <= fineRound ? fine : coarse
        return max(1, Int32(Double(problem.greatestValue) * share))
    }

    /// Values are counted in sixteenths of a metre, so that sums are exact and the same in whatever order they are made.
    package static let unit = 16.0

    static func units(_ metres: Double) -> Int32 { Int32((metres * unit).rounded()) }
}
