import WireProtocol

/// The steps in which a ride is offered; after them all of it is looked over.
enum OfferStep: String, CaseIterable, Sendable {
    case place = "where"
    case when, seats, summary

    /// Those that ask for something.
    static let asking: [OfferStep] = [.place, .when, .seats]

    var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    var before: OfferStep { Self.allCases[max(0, number - 2)] }
    var after: OfferStep { Self.allCases[min(number, Self.allCases.count - 1)] }

    /// At which step a field is, of those that the form calls so.
    static func asking(for field: String) -> OfferStep {
        switch field {
        case "day", "time", "until", "weekdays", "last", "backDay", "backTime", "backUntil": .when
        case "seats", "cost", "detour", "luggage", "accepts", "notes", "backSeats", "backCost": .seats
        case let name: name.hasPrefix("skip") ? .when : .place
        }
    }
}
