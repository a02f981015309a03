#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Events of the listings service, and what everybody sees of a spot by them.

package enum ListingsEvents {
    package static let stream = PublishedStream(of: .listings)
}

/// What everybody sees of a spot: no claim, nothing that depends on who looks.
public struct PublicSpot: Codable, Hashable, Sendable {
    public var id: SpotID
    public var name: String
    public var position: Position
    public var kind: SpotKind
    public var photo: String?
    public var price: Money?
    public var postedBy: PersonSummary
    public var postedAt: Date
    public var expiresAt: Date
    public var likelyGone: Bool

    public init(
        id: SpotID, name: String, position: Position, kind: SpotKind, photo: String?, price: Money?,
        postedBy: PersonSummary, postedAt: Date, expiresAt: Date, likelyGone: Bool
    ) {
        self.id = id
        self.name = name
        self.position = position
        self.kind = kind
        self.photo = photo
        self.price = price
        self.postedBy = postedBy
        self.postedAt = postedAt
        self.expiresAt = expiresAt
        self.likelyGone = likelyGone
    }
}

/// A free spot appeared: posted, or given back by the one who had claimed it.
public struct SpotAdded: Codable, Hashable, Sendable {
    public var spot: PublicSpot
    public init(spot: PublicSpot) { self.spot = spot }
}

/// A free spot's words, picture, price or time changed.
public struct SpotChanged: Codable, Hashable, Sendable {
    public var spot: PublicSpot
    public init(spot: PublicSpot) { self.spot = spot }
}

/// A spot left the map because someone took it.
public struct SpotClaimed: Codable, Hashable, Sendable {
    public var id: SpotID
    public var position: Position
    public init(id: SpotID, position: Position) {
        self.id = id
        self.position = position
    }
}

/// Who has what to do with a spot has changed: somebody took it, or gave it back. For services: everybody else hears that it came or went.
package struct ClaimChanged: Event {
    package static let type = "claimChanged"
    package var spot: SpotID
    /// What the spot is called.
    package var name: String
    package var owner: PersonID
    package var claimer: PersonID
    package var change: Change

    package enum Change: String, Codable, Hashable, Sendable {
        case made, released
    }

    package init(spot: SpotID, name: String, owner: PersonID, claimer: PersonID, change: Change) {
        self.spot = spot
        self.name = name
        self.owner = owner
        self.claimer = claimer
        self.change = change
    }
}

/// A spot left the map without being taken, or left its place on it.
public struct SpotRemoved: Codable, Hashable, Sendable {
    public var id: SpotID
    public var position: Position
    public var reason: Reason

    public enum Reason: String, Codable, Hashable, Sendable {
        case removed, expired, gone
        /// It stands elsewhere now; `spotAdded` says where.
        case moved
    }

    public init(id: SpotID, position: Position, reason: Reason) {
        self.id = id
        self.position = position
        self.reason = reason
    }
}

extension SpotAdded: Event { package static let type = "spotAdded" }
extension SpotChanged: Event { package static let type = "spotChanged" }
extension SpotClaimed: Event { package static let type = "spotClaimed" }
extension SpotRemoved: Event { package static let type = "spotRemoved" }
