import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// A thing as a row of the table `things`, in both directions.

extension RentableThing {
    static let columns: SQLQuery = """
        id, kind, owner, posted_at, state, title, description, brand, model, plate, size, region, place, address, latitude, \
        longitude, photos, available_from, available_until, price, currency, unit, longest, cancellation, is_instant, zone, hidden_at, hidden_reason, withheld
        """

    init(_ row: PostgresRow, _ seal: PlateSeal) throws {
        id = try row.get("id")
        kind = try ThingKind.stored(row.get("kind"))
        owner = try row.get("owner")
        postedAt = try row.get("posted_at")
        state = try ThingState.stored(row.get("state"))
        let (latitude, longitude): (Double?, Double?) = (try row.get("latitude"), try row.get("longitude"))
        let sealed: [UInt8]? = try row.get("plate")
        let plate = sealed.flatMap { [id] sealed in seal.open(sealed, of: id) }
        details = ThingDetails(
            title: try row.get("title"), description: try row.get("description"), brand: try row.get("brand"),
            model: try row.get("model"), plate: plate, isPlateUnreadable: sealed != nil && plate == nil,
            size: try row.get("size"), region: try row.get("region"), place: try row.get("place"),
            address: try row.get("address"),
            position: latitude.flatMap { north in longitude.map { Position(latitude: north, longitude: $0) } },
            photos: try row.get("photos"),
            available: LetDays(
                first: try row.get("available_from", as: String?.self).flatMap { CivilDay($0) },
                last: try row.get("available_until", as: String?.self).flatMap { CivilDay($0) }))
        terms = try RentalTerms(row)
        isWithheld = try row.get("withheld")
        let reason: String? = try row.get("hidden_reason")
        if let reason { hidden = Hiding(at: try row.get("hidden_at"), reason: reason) }
    }

    func insertion(_ seal: PlateSeal) throws -> SQLQuery {
        let (plate, digest) = try sealed(seal)
        return """
            INSERT INTO things (\(Self.columns), plate_digest, globe, newness)
            VALUES (\(id), \(kind.rawValue), \(owner), \(postedAt), \(state.rawValue), \(details.title),
                \(details.description), \(details.brand), \(details.model), \(plate), \(details.size),
                \(details.region), \(details.place), \(details.address), \(details.position?.latitude),
                \(details.position?.longitude), \(details.photos),
                \(firstDay), \(lastDay), \(terms.price?.amount ?? 0), \(terms.price?.currency),
                \(terms.unit.rawValue), \(terms.longest), \(terms.cancellation.rawValue), \(terms.isInstant),
                \(terms.zone), \(hidden?.at), \(hidden?.reason), \(isWithheld), \(digest), \(globe), \(newness))
            """
    }

    /// Writes all that can change.
    func update(_ seal: PlateSeal) throws -> SQLQuery {
        let plate = try plateChange(seal)
        return """
            UPDATE things
            SET posted_at = \(postedAt), state = \(state.rawValue), title = \(details.title),
                description = \(details.description), brand = \(details.brand), model = \(details.model),
                \(plate) size = \(details.size), region = \(details.region),
                place = \(details.place), address = \(details.address), latitude = \(details.position?.latitude),
                longitude = \(details.position?.longitude), globe = \(globe), photos = \(details.photos),
                available_from = \(firstDay), available_until = \(lastDay),
                price = \(terms.price?.amount ?? 0), currency = \(terms.price?.currency), longest = \(terms.longest),
                cancellation = \(terms.cancellation.rawValue), is_instant = \(terms.isInstant), zone = \(terms.zone),
                hidden_at = \(hidden?.at), hidden_reason = \(hidden?.reason), withheld = \(isWithheld),
                newness = \(newness)
            WHERE id = \(id)
            """
    }

    /// Its place among the newest: milliseconds.
    private var newness: Int { Int((postedAt.timeIntervalSince1970 * 1000).rounded(.down)) }

    private var globe: SQLQuery { details.position.map { $0.onGrid.globe } ?? "NULL" }

    private var firstDay: SQLQuery { "\(details.available?.first?.text)::text::date" }
    private var lastDay: SQLQuery { "\(details.available?.last?.text)::text::date" }

    /// What can't be read stays as it lies there.
    private func plateChange(_ seal: PlateSeal) throws -> SQLQuery {
        if details.isPlateUnreadable { return "" }
        let (plate, digest) = try sealed(seal)
        return "plate = \(plate), plate_digest = \(digest),"
    }

    private func sealed(_ seal: PlateSeal) throws -> (plate: [UInt8]?, digest: [UInt8]?) {
        guard let plate = details.plate else { return (nil, nil) }
        return (try seal.seal(plate, of: id), seal.digest(plate))
    }
}

extension RentalTerms {
    init(_ row: PostgresRow) throws {
        let currency: String? = try row.get("currency")
        let amount: Int = try row.get("price")
        self.init(
            price: currency.map { Money(amount: amount, currency: $0) }, unit: try RentalUnit.stored(row.get("unit")),
            longest: try row.get("longest"), cancellation: try CancellationPolicy.stored(row.get("cancellation")),
            isInstant: try row.get("is_instant"), zone: try row.get("zone"))
    }
}

/// A thing that somebody looks at, with what is between it and them.
struct SeenThing: Hashable, Sendable {
    var thing: RentableThing
    /// The latest agreement of the one who looks that has not ended.
    var rental: RentalID?
    var rentalState: RentalState?
    /// Its renter may still call it off.
    var mayCancel = false
    /// Somebody has it now, or the last day on which it is let is over there.
    var isTaken = false
    var distance: Distance?
    /// Its place among the newest, as the table has it.
    var newness = 0
}

extension SeenThing {
    init(_ row: PostgresRow, _ seal: PlateSeal, at now: Date, measured: Bool = false) throws {
        thing = try RentableThing(row, seal)
        rental = try row.get("rental")
        rentalState = try row.get("rental_state", as: String?.self).map { try RentalState.stored($0) }
        mayCancel = try row.get("may_cancel")
        let (isHeld, isOver): (Bool, Bool) = (try row.get("is_taken"), thing.isOver(at: now))
        isTaken = isHeld || isOver
        newness = try row.get("newness")
        if measured, let chord = try row.get("chord", as: Double?.self),
            let ground = try row.get("ground", as: Double?.self)
        {
            distance = Distance(chord: chord, ground: ground)
        }
    }

    /// The one that was asked for.
    /// - Throws: `RentalError.notFound` where there is none, or it is of another kind.
    init(_ rows: PostgresRows, as kind: ThingKind?, _ seal: PlateSeal, at now: Date) throws {
        guard let row = rows.first else { throw RentalError.notFound }
        try self.init(row, seal, at: now)
        guard isOf(kind) else { throw RentalError.notFound }
    }

    func isOf(_ kind: ThingKind?) -> Bool { kind == nil || kind == thing.kind }

    /// Its door is told to its owner, and to who has it.
    func showsDoor(to viewer: PersonID?) -> Bool {
        viewer != nil && viewer == thing.owner || rentalState.map { $0 != .requested } ?? false
    }

    func action(for viewer: PersonID?) -> ThingAction {
        if viewer != nil, viewer == thing.owner { return .own }
        if mayCancel { return .cancel }
        return thing.isLet && !isTaken && rentalState == nil ? .rent : .unavailable
    }
}
