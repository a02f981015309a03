#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Events about orders and who brings them. No door, no code and no point where somebody is: those are asked for.

/// What the two of a match are told of it.
public struct MatchNews: Codable, Hashable, Sendable {
    public var id: MatchID
    public var order: OrderID
    public var state: MatchState
    /// The order's, once this has happened.
    public var orderState: OrderState
    public var orderer: PersonSummary
    public var deliverer: PersonSummary
    /// Its name, and that of where it is brought.
    public var restaurant: String
    public var dropOff: String
    public var expiresAt: Date?
    public var expectedAt: Date?
    /// Who did it; absent where time did.
    public var by: PersonID?

    public init(
        id: MatchID, order: OrderID, state: MatchState, orderState: OrderState, orderer: PersonSummary,
        deliverer: PersonSummary, restaurant: String, dropOff: String, expiresAt: Date? = nil,
        expectedAt: Date? = nil, by: PersonID? = nil
    ) {
        self.id = id
        self.order = order
        self.state = state
        self.orderState = orderState
        self.orderer = orderer
        self.deliverer = deliverer
        self.restaurant = restaurant
        self.dropOff = dropOff
        self.expiresAt = expiresAt
        self.expectedAt = expectedAt
        self.by = by
    }
}

/// An order is offered to somebody. On the deliverer's stream.
public struct NewMatch: Codable, Hashable, Sendable {
    public var match: MatchNews

    public init(match: MatchNews) { self.match = match }
}

/// Something became of a match. On the streams of the two.
public struct MatchUpdate: Codable, Hashable, Sendable {
    public var match: MatchNews
    public var what: Change

    public enum Change: String, Codable, CaseIterable, Hashable, Sendable {
        case accepted, declined, expired
        /// The orderer took it back, or the deliverer went.
        case withdrawn
        case cancelled, pickedUp, givenUp, postponed, delivered, received, completed, undone
        case lapsed, noShow, disputed, explained, settled, tipped, limitRaised
        /// The two are apart, or one of them can't take part any more.
        case ended
        /// The deliverer begins to show where they are, or shows it no more.
        case shared, hidden
    }

    public init(match: MatchNews, what: Change) {
        self.match = match
        self.what = what
    }
}

/// The deliverer is somewhere else: where, is asked for. On the orderer's stream, at most every five seconds, and not again after a gap.
public struct MatchMoved: Codable, Hashable, Sendable {
    public var match: MatchID
    public var at: Date

    public init(match: MatchID, at: Date) {
        self.match = match
        self.at = at
    }
}

/// Nobody could bring it in time.
public struct OrderLapsed: Codable, Hashable, Sendable {
    public var order: OrderID
    public var dropOff: String
    public var orderer: PersonID

    public init(order: OrderID, dropOff: String, orderer: PersonID) {
        self.order = order
        self.dropOff = dropOff
        self.orderer = orderer
    }
}

/// Whether anybody is at a restaurant to bring something, or nobody any more: for everybody of the campus who is near. Nobody is named.
public struct RestaurantsChanged: Codable, Hashable, Sendable {
    public var restaurant: DeliveryPlace
    public var deliverers: Int

    public init(restaurant: DeliveryPlace, deliverers: Int) {
        self.restaurant = restaurant
        self.deliverers = deliverers
    }
}

/// Something became of what somebody offers to bring along: by themselves, or by time. On their own stream.
public struct AvailabilityChanged: Codable, Hashable, Sendable {
    public var id: AvailabilityID
    public var person: PersonID
    public var restaurant: String
    public var what: Change

    public enum Change: String, Codable, CaseIterable, Hashable, Sendable {
        case began, changed, paused, endsSoon, ended
    }

    public init(id: AvailabilityID, person: PersonID, restaurant: String, what: Change) {
        self.id = id
        self.person = person
        self.restaurant = restaurant
        self.what = what
    }
}

/// Something is due: told once for each.
public struct MatchReminder: Codable, Hashable, Sendable {
    public var match: MatchNews
    public var about: Occasion

    public enum Occasion: String, Codable, CaseIterable, Hashable, Sendable {
        /// It was accepted half an hour ago, and is not picked up.
        case pickUp
        /// It was picked up three quarters of an hour ago, and neither has said that it is there.
        case complete
    }

    public init(match: MatchNews, about: Occasion) {
        self.match = match
        self.about = about
    }
}

extension NewMatch: Event { package static let type = "newMatch" }
extension MatchUpdate: Event { package static let type = "matchUpdate" }
extension MatchMoved: Event { package static let type = "matchMoved" }
extension OrderLapsed: Event { package static let type = "orderLapsed" }
extension RestaurantsChanged: Event { package static let type = "restaurantsChanged" }
extension AvailabilityChanged: Event { package static let type = "availabilityChanged" }
extension MatchReminder: Event { package static let type = "matchReminder" }
