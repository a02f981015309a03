import FoundationEssentials
import WireProtocol

/// Why something about a delivery is refused.
enum DeliveryError: Error, Hashable, Sendable {
    case orderNotFound, matchNotFound, delivererNotFound
    case invalid([FieldError])
    /// What is possible instead.
    case wrongState([MatchAct])
    case orderOver([OrderAct])
    case notOffering([AvailabilityAct])
    case offerGone(OfferEnd)
    /// The fields that differ from what was expected.
    case termsChanged([FieldError])
    case tooManyOrders(limit: Int)
    /// The one who was asked for has no free hand, or is not there.
    case handsFull, notThere
    /// Nobody brings something to themselves.
    case yourOwn
    /// Whoever has something to bring from a restaurant stays there.
    case restaurantStays
}

extension DeliveryError {
    /// The digits that came with a completion are others.
    static let wrongCode = DeliveryError.invalid([
        FieldError("code", "wrong", "These are not the orderer's digits.")
    ])
}

/// Why an offer can't be answered any more.
enum OfferEnd: String, CaseIterable, Hashable, Sendable {
    /// By the orderer.
    case takenBack = "taken_back"
    case expired
    /// The deliverer has declined it already.
    case declined
    /// The deliverer is not there any more, or the two are apart.
    case ended
}
