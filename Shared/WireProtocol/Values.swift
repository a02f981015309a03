// What many messages are made of.

/// An amount of money in minor units (cents), never a floating-point number.
public struct Money: Codable, Hashable, Sendable {
    public var amount: Int
    /// ISO 4217, in capitals.
    public var currency: String

    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}

/// A point on the earth in degrees, WGS 84.
public struct Position: Codable, Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both numbers are finite and within the range that degrees have.
    public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}

/// A rectangle on the map in degrees; `west` may be greater than `east` where it crosses the date line.
public struct BoundingBox: Codable, Hashable, Sendable {
    public var west: Double
    public var south: Double
    public var east: Double
    public var north: Double

    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    public var isValid: Bool {
        abs(west) <= 180 && abs(east) <= 180 && abs(south) <= 90 && abs(north) <= 90 && south <= north
    }

    public func contains(_ position: Position) -> Bool {
        guard position.latitude >= south, position.latitude <= north else { return false }
        if west <= east { return position.longitude >= west && position.longitude <= east }
        return position.longitude >= west || position.longitude <= east
    }

    /// The same as one box, or two that meet at the date line.
    package var parts: [BoundingBox] {
        guard west > east else { return [self] }
        return [
            BoundingBox(west: west, south: south, east: 180, north: north),
            BoundingBox(west: -180, south: south, east: east, north: north),
        ]
    }
}

/// One page of a list; `next` is the cursor of the following page, or nil on the last.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    public var next: String?

    public init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(items, forKey: .items)
        try container.encode(next, forKey: .next)  // null, not absent: the contract names it
    }

    private enum CodingKeys: String, CodingKey { case items, next }
}

/// What is asked of a list that people read a page at a time.
package protocol PagedQuery {
    /// How many at most.
    var limit: Int? { get }
    /// Where the page before ended: its `next`.
    var cursor: String? { get }
}

extension AuditQuery: PagedQuery {}
extension BlockQuery: PagedQuery {}
extension CaseQuery: PagedQuery {}
extension DelivererQuery: PagedQuery {}
extension DeliveryRestaurantQuery: PagedQuery {}
extension EncounterQuery: PagedQuery {}
extension FriendQuery: PagedQuery {}
extension InboxQuery: PagedQuery {}
extension MatchQuery: PagedQuery {}
extension MutualFriendsQuery: PagedQuery {}
extension MyRidesQuery: PagedQuery {}
extension MySeriesQuery: PagedQuery {}
extension NearbyPlaceQuery: PagedQuery {}
extension OrderQuery: PagedQuery {}
extension RentalQuery: PagedQuery {}
extension ReviewQuery: PagedQuery {}
extension RideQuery: PagedQuery {}
extension RideSearchQuery: PagedQuery {}
extension RideSeekersQuery: PagedQuery {}
extension RoomQuery: PagedQuery {}
extension SeatRequestQuery: PagedQuery {}
extension SeekingQuery: PagedQuery {}
extension SpotQuery: PagedQuery {}
extension ThingQuery: PagedQuery {}
extension WantedFindQuery: PagedQuery {}
extension WantedListQuery: PagedQuery {}

/// Nothing to say: an empty body, in either direction.
public struct Nothing: Codable, Hashable, Sendable {
    public init() {}
}
