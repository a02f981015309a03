import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// A spot as a row of the table `spots`, in both directions.

extension ParkingSpot {
    static let columns: SQLQuery = """
        id, posted_by, posted_at, name, kind, latitude, longitude, photo, price, currency, expires_at, state, claimed_by, \
        claimed_at, parked_at, there, gone, hidden_at, hidden_reason, withheld
        """

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        postedBy = try row.get("posted_by")
        postedAt = try row.get("posted_at")
        details = try SpotDetails(row)
        expiresAt = try row.get("expires_at")
        state = try State(row)
        observations = ObservationCount(there: try row.get("there"), gone: try row.get("gone"))
        isWithheld = try row.get("withheld")
        let reason: String? = try row.get("hidden_reason")
        if let reason { hidden = Hiding(at: try row.get("hidden_at"), reason: reason) }
    }

    var insertion: SQLQuery {
        """
        INSERT INTO spots (\(Self.columns), map, globe)
        VALUES (\(id), \(postedBy), \(postedAt), \(details.name), \(details.kind.rawValue),
            \(details.position.latitude), \(details.position.longitude), \(details.photo),
            \(details.price?.amount), \(details.price?.currency), \(expiresAt), \(state.name), \(claimer),
            \(state.claimedAt), \(state.parkedAt), \(observations.there), \(observations.gone), \(hidden?.at),
            \(hidden?.reason), \(isWithheld), \(map), \(details.position.globe))
        """
    }

    /// Writes all that can change.
    var update: SQLQuery {
        """
        UPDATE spots
        SET name = \(details.name), kind = \(details.kind.rawValue), latitude = \(details.position.latitude),
            longitude = \(details.position.longitude), photo = \(details.photo), price = \(details.price?.amount),
            currency = \(details.price?.currency), expires_at = \(expiresAt), state = \(state.name),
            claimed_by = \(claimer), claimed_at = \(state.claimedAt), parked_at = \(state.parkedAt),
            there = \(observations.there), gone = \(observations.gone), hidden_at = \(hidden?.at),
            hidden_reason = \(hidden?.reason), withheld = \(isWithheld), map = \(map), globe = \(details.position.globe)
        WHERE id = \(id)
        """
    }

    /// Where it stands in the index of the newest within a box.
    private var map: SQLQuery {
        "cube(ARRAY[\(details.position.longitude), \(details.position.latitude), \(id.milliseconds)]::float8[])"
    }
}

extension FoundSpot {
    init(_ row: PostgresRow, in selection: SpotSelection) throws {
        spot = try ParkingSpot(row)
        guard case .near = selection else { return }
        distance = Distance(chord: try row.get("chord"), ground: try row.get("ground"))
    }
}

extension SpotDetails {
    fileprivate init(_ row: PostgresRow) throws {
        let price: Int? = try row.get("price")
        let currency: String? = try row.get("currency")
        self.init(
            name: try row.get("name"),
            position: Position(latitude: try row.get("latitude"), longitude: try row.get("longitude")),
            kind: try SpotKind.stored(row.get("kind")), photo: try row.get("photo"),
            price: price.flatMap { amount in currency.map { Money(amount: amount, currency: $0) } })
    }
}

extension ParkingSpot.State {
    fileprivate init(_ row: PostgresRow) throws {
        switch try SpotState.stored(row.get("state")) {
        case .free: self = .free
        case .claimed:
            self = .claimed(
                by: try row.get("claimed_by"), at: try row.get("claimed_at"), parked: try row.get("parked_at"))
        case .expired: self = .expired
        case .removed: self = .removed
        }
    }

    var name: String { SpotState(self).rawValue }

    var claimedAt: Date? {
        if case .claimed(_, let time, _) = self { time } else { nil }
    }

    var parkedAt: Date? {
        if case .claimed(_, _, let time) = self { time } else { nil }
    }
}

extension SpotID {
    /// The Unix milliseconds that a UUID of version 7 begins with.
    var milliseconds: Double { Double(Frame.uuid(uuid).prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
}
