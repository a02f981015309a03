package import WireProtocol

/// What the shell has to do.
package enum Directive: Hashable, Sendable {
    case offer(Proposal)
    case keepWaiting(WaitingOrder.ID, WaitingReason)
    case lapse(WaitingOrder.ID, LapseReason)
    /// Ways whose lengths were guessed; to be told by `learn(_:metres:)`.
    case ask([Hop])
}

/// An order that one deliverer is to be asked to bring.
package struct Proposal: Hashable, Sendable {
    /// What made it this deliverer.
    package enum Reason: Hashable, Sendable {
        /// Nobody else could.
        case onlyOne
        /// The least way, or goods for the same building in hand.
        case nearest
        /// Somebody else was nearer, and had more of their share already.
        case turn
    }

    package var order: WaitingOrder.ID
    package var deliverer: FreeDeliverer.ID
    package var restaurant: PlaceID
    /// Whole metres.
    package var detour: Int
    package var reason: Reason
    /// Who could have been asked, and has a chance more on account of it; none where there was no choice.
    package var chances: [PersonID]
}

package enum WaitingReason: Hashable, Sendable {
    /// Nobody with a free hand is at any of the restaurants.
    case nobodyThere
    /// Whoever is there goes elsewhere, wants more, was asked already, or is not to meet the orderer.
    case nobodyFits
    /// Those who fit bring something else.
    case othersFirst
    /// Who was asked by name does not bring it, and the orderer says whether others may be.
    case asksWhetherToRollOn
}

package enum LapseReason: Hashable, Sendable {
    case timeIsUp
    /// Every restaurant that it could come from is closed.
    case allClosed
}
