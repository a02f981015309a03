/// How far agreements are: the states that belong together where one looks over one's own.
public enum RentalStage: String, Codable, CaseIterable, Hashable, Sendable {
    /// Asked for, and not answered.
    case waiting
    /// Agreed, and not handed over.
    case upcoming
    /// Handed over and not back, or disputed.
    case inHand
    case over

    /// Each state belongs to one.
    public var states: [RentalState] {
        RentalState.allCases.filter { Self(of: $0) == self }
    }

    public init(of state: RentalState) {
        switch state {
        case .requested: self = .waiting
        case .accepted: self = .upcoming
        case .handedOver, .disputed: self = .inHand
        case .returned, .declined, .lapsed, .cancelled, .noShow, .settled: self = .over
        }
    }
}
