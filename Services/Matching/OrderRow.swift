import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// An order as a row of the table `orders`, in both directions.

extension PlacedOrder {
    static let columns: SQLQuery = """
        id, orderer, placed_at, state, wanted, around, drop_place, drop_name, drop_address, drop_latitude, drop_longitude, door, fee, \
        spend_limit, currency, paid_by, is_prepaid, pick_up_code, asked, rolls_on, waits_until, changed_at
        """

    init(_ row: PostgresRow, _ words: SealedWords) throws {
        let id: OrderID = try row.get("id")
        self.init(
            id: id, orderer: try row.get("orderer"), placedAt: try row.get("placed_at"),
            state: try OrderState.stored(row.get("state")),
            from: try row.get("wanted", as: JSON<[OrderedFrom]>.self).value.map(WantedFrom.init(stored:)),
            around: try row.get("around", as: JSON<OrderedAround>?.self)?.value,
            dropOff: try DeliveryPlace(row, "drop", id: "drop_place"),
            door: words.open(try row.get("door"), as: .door(id)), terms: try OrderTerms(row),
            pickUpCode: words.open(try row.get("pick_up_code"), as: .pickUpCode(id)), asked: try row.get("asked"),
            rollsOn: try row.get("rolls_on"), waitsUntil: try row.get("waits_until"),
            changedAt: try row.get("changed_at"))
    }

    func insertion(_ words: SealedWords) throws -> SQLQuery {
        """
        INSERT INTO orders (\(Self.columns), areas, restaurants, due_at, middle, radius)
        VALUES (\(id), \(orderer), \(placedAt), \(state.rawValue), \(wanted), \(around.map { JSON($0) }), \(dropOff.values),
            \(try words.seal(door, as: .door(id))), \(terms.fee?.amount), \(terms.limit?.amount), \(terms.currency),
            \(terms.paidBy.rawValue), \(terms.isPrepaid), \(try words.seal(pickUpCode, as: .pickUpCode(id))), \(asked),
            \(rollsOn), \(waitsUntil), \(changedAt), \(areas), \(restaurants), \(dueAt), \(circle))
        """
    }

    /// Writes all that can change.
    /// - Parameter before: as it was: words that did not change stay as they lie there, also where they can't be read.
    func update(after before: PlacedOrder, _ words: SealedWords) throws -> SQLQuery {
        var sealed: SQLQuery = ""
        if door != before.door { sealed += "door = \(try words.seal(door, as: .door(id)))," }
        // Goods that are bought now have none, whether or not it could be read.
        if pickUpCode != before.pickUpCode || !terms.isPrepaid {
            sealed += " pick_up_code = \(try words.seal(pickUpCode, as: .pickUpCode(id))),"
        }
        return """
            UPDATE orders
            SET state = \(state.rawValue), wanted = \(wanted), around = \(around.map { JSON($0) }),
                (drop_place, drop_name, drop_address, drop_latitude, drop_longitude) = (\(dropOff.values)), \(sealed)
                fee = \(terms.fee?.amount), spend_limit = \(terms.limit?.amount), currency = \(terms.currency),
                paid_by = \(terms.paidBy.rawValue), is_prepaid = \(terms.isPrepaid), asked = \(asked),
                rolls_on = \(rollsOn), waits_until = \(waitsUntil), changed_at = \(changedAt), areas = \(areas),
                restaurants = \(restaurants), due_at = \(dueAt), (middle, radius) = (\(circle))
            WHERE id = \(id)
            """
    }

    private var wanted: JSON<[OrderedFrom]> {
        JSON(from.map { OrderedFrom(restaurant: $0.restaurant.shown, items: $0.items) })
    }

    /// Where somebody may be who brings it, while they are looked for.
    private var circle: SQLQuery {
        guard [.waiting, .asking, .offered].contains(state), let around else { return "NULL, NULL" }
        return "\(around.position.globe), \(around.radius)"
    }

    /// From which alone it may come; none where from any of a circle.
    private var restaurants: [PlaceID] { around == nil ? from.map(\.restaurant.id) : [] }
}

extension WantedFrom {
    fileprivate init(stored: OrderedFrom) throws {
        let shown = stored.restaurant
        guard let id = shown.place else {
            throw PostgresError(.unexpectedValue, debugDetail: "an order from a restaurant without an id")
        }
        self.init(
            restaurant: KnownPlace(id: id, name: shown.name, address: shown.address, position: shown.position),
            items: stored.items)
    }
}

extension OrderTerms {
    init(_ row: PostgresRow) throws {
        self.init(
            fee: try Money(row, "fee"), limit: try Money(row, "spend_limit"),
            paidBy: try OrderPayment.stored(row.get("paid_by")), isPrepaid: try row.get("is_prepaid"))
    }

    /// Of all amounts; nil where there are none.
    var currency: String? { fee?.currency ?? limit?.currency }
}
