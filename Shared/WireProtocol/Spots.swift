#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Parking spots that are seen: requests and replies of the listings service.

public typealias SpotID = ID<Spot>

/// A parking spot that someone saw or offers.
public struct Spot: Codable, Hashable, Sendable {
    public var id: SpotID
    public var name: String
    public var position: Position
    public var kind: SpotKind
    public var state: SpotState
    /// A photo's id, shown at `/photos/{id}/{thumb|medium|full}`.
    public var photo: String?
    /// Nil where it costs nothing.
    public var price: Money?
    public var postedBy: PersonSummary
    public var postedAt: Date
    public var expiresAt: Date
    /// Seconds since posting, when this answer was made.
    public var age: Int
    /// Metres from the point that was asked for; nil where none was.
    public var distance: Int?
    /// An address that opens the person's own map application (RFC 5870).
    public var directions: String
    /// What passers-by said since it was posted.
    public var observations: ObservationCount
    /// The passers-by who say that it is gone outnumber those who say that it is there.
    public var likelyGone: Bool
    /// Whether the caller posted it.
    public var mine: Bool
    /// Only to the one who claimed it and to the one who posted it.
    public var claim: SpotClaim?
    /// Where moderators have hidden it: only to the one who posted it, and to moderators. Nobody else finds such a spot.
    public var hidden: Hiding?
    /// Names what the one who posted it says of it, but for its time; to them alone.
    public var version: String?

    public init(
        id: SpotID, name: String, position: Position, kind: SpotKind, state: SpotState, photo: String?, price: Money?,
        postedBy: PersonSummary, postedAt: Date, expiresAt: Date, age: Int, distance: Int?, directions: String,
        observations: ObservationCount, likelyGone: Bool, mine: Bool, claim: SpotClaim?, hidden: Hiding? = nil,
        version: String? = nil
    ) {
        self.id = id
        self.name = name
        self.position = position
        self.kind = kind
        self.state = state
        self.photo = photo
        self.price = price
        self.postedBy = postedBy
        self.postedAt = postedAt
        self.expiresAt = expiresAt
        self.age = age
        self.distance = distance
        self.directions = directions
        self.observations = observations
        self.likelyGone = likelyGone
        self.mine = mine
        self.claim = claim
        self.hidden = hidden
        self.version = version
    }
}

public enum SpotKind: String, Codable, CaseIterable, Hashable, Sendable {
    case street, garage, `private`
}

public enum SpotState: String, Codable, Hashable, Sendable {
    case free, claimed
    /// Its time ran out, or passers-by found it gone.
    case expired
    /// Taken back by the one who posted it.
    case removed
}

public struct SpotClaim: Codable, Hashable, Sendable {
    public var by: PersonSummary
    public var at: Date
    /// Whether the caller is the one who claimed it.
    public var mine: Bool
    /// When the two were through with it: the one who claimed it said "there", or two hours had passed.
    public var parkedAt: Date?

    public init(by: PersonSummary, at: Date, mine: Bool, parkedAt: Date? = nil) {
        self.by = by
        self.at = at
        self.mine = mine
        self.parkedAt = parkedAt
    }
}

public struct ObservationCount: Codable, Hashable, Sendable {
    public var there: Int
    public var gone: Int

    public init(there: Int, gone: Int) {
        self.there = there
        self.gone = gone
    }
}

public enum ObservedState: String, Codable, Hashable, Sendable {
    case there, gone
}

/// `POST /v1/spots`, `PUT /v1/spots/{id}`.
public struct SpotDraft: Codable, Hashable, Sendable {
    /// 1 to 120 characters.
    public var name: String
    public var position: Position
    public var photo: String?
    public var price: Money?
    /// Until when: at most the community's limit from now. For a time that the person knows ("until six"); what they say as a
    /// duration is `lifetime`.
    public var expiresAt: Date?
    /// For how long, counted by the server's clock. The same draft sent again is the same request, as a time that was
    /// reckoned anew would not be. Not together with `expiresAt`; where both are absent, a new spot gets the longest time, and
    /// a changed one keeps what it has.
    public var lifetime: SpotLifetime?
    /// `street` where absent.
    public var kind: SpotKind?
    /// Of a change: that of the spot as it was when the change was made up. Where it is another one by now, nothing is changed
    /// (`changed_meanwhile`).
    public var version: String?

    public init(
        name: String, position: Position, photo: String? = nil, price: Money? = nil, expiresAt: Date? = nil,
        lifetime: SpotLifetime? = nil, kind: SpotKind? = nil, version: String? = nil
    ) {
        self.name = name
        self.position = position
        self.photo = photo
        self.price = price
        self.expiresAt = expiresAt
        self.lifetime = lifetime
        self.kind = kind
        self.version = version
    }
}

/// How long a spot stays on the map from the moment at which it is posted or changed. In JSON a number of minutes, or `"longest"`.
public enum SpotLifetime: Codable, Hashable, Sendable {
    case minutes(Int)
    /// As long as the community allows its kind.
    case longest

    private static let longestName = "longest"

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let minutes = try? container.decode(Int.self) {
            self = .minutes(minutes)
        } else if try container.decode(String.self) == Self.longestName {
            self = .longest
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither minutes nor longest")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .minutes(let minutes): try container.encode(minutes)
        case .longest: try container.encode(Self.longestName)
        }
    }
}

public struct SpotReference: Codable, Hashable, Sendable {
    public var id: SpotID
    public init(id: SpotID) { self.id = id }
}

/// `POST /v1/spots/{id}/claim`.
package struct SpotClaiming: Codable, Hashable, Sendable {
    package var id: SpotID
    /// What it costs as it was shown, in minor units, 0 for nothing: where it costs something else by now it is not claimed. Any price will do
    /// where absent.
    package var expectedPrice: Int?

    package init(id: SpotID, expectedPrice: Int? = nil) {
        self.id = id
        self.expectedPrice = expectedPrice
    }
}

/// `POST /v1/spots/{id}/observations`.
public struct SpotObservation: Codable, Hashable, Sendable {
    public var state: ObservedState
    public init(state: ObservedState) { self.state = state }
}

/// `GET /v1/spots`: by box, or by distance from a point, or one person's. Exactly one of `bbox`, `near`, `of`, `by` is given;
/// free spots only, except that `of` lists the caller's own in every state.
public struct SpotQuery: Codable, Hashable, Sendable {
    public var bbox: BoundingBox?
    public var near: Position?
    /// Metres; 1,000 where absent, 50,000 at most.
    public var radius: Int?
    public var of: SpotOwnership?
    /// Who posted them; newest first.
    public var by: PersonID?
    public var limit: Int?
    public var cursor: String?

    public init(
        bbox: BoundingBox? = nil, near: Position? = nil, radius: Int? = nil, of: SpotOwnership? = nil,
        by: PersonID? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.bbox = bbox
        self.near = near
        self.radius = radius
        self.of = of
        self.by = by
        self.limit = limit
        self.cursor = cursor
    }
}

/// The caller's own spots: those they posted, or those they claimed. Newest first.
public enum SpotOwnership: String, Codable, Hashable, Sendable {
    case posted, claimed
}
