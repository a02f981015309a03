import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// A match as a row of the table `matches`, in both directions.

extension MatchAgreement {
    static let columns: SQLQuery = """
        id, "order", availability, orderer, deliverer, restaurant, restaurant_name, restaurant_address, restaurant_latitude, \
        restaurant_longitude, items, drop_place, drop_name, drop_address, drop_latitude, drop_longitude, goes_place, goes_name, \
        goes_address, goes_latitude, goes_longitude, fee, spend_limit, currency, paid_by, is_prepaid, detour, detour_seconds, walk, \
        is_turn, chances, code, offered_at, expires_at, accepted_at, expected_at, picked_up_at, spent, receipt, tip, share, is_shared, \
        is_undone, wrong_codes, state, changed_at, changed_by, reason, statements
        """

    init(_ row: PostgresRow, _ words: SealedWords) throws {
        let id: MatchID = try row.get("id")
        self.init(
            id: id, order: try row.get("order"), availability: try row.get("availability"),
            orderer: try row.get("orderer"), deliverer: try row.get("deliverer"),
            restaurant: try DeliveryPlace(row, "restaurant", id: "restaurant"), items: try row.get("items"),
            dropOff: try DeliveryPlace(row, "drop", id: "drop_place"),
            destination: try DeliveryPlace(row, "goes", id: "goes_place"), terms: try OrderTerms(row),
            detour: try row.get("detour"), detourSeconds: try row.get("detour_seconds"), walk: try row.get("walk"),
            isTurn: try row.get("is_turn"), chances: try row.get("chances"),
            code: words.open(try row.get("code"), as: .digits(id)) ?? Self.unreadableCode,
            offeredAt: try row.get("offered_at"), expiresAt: try row.get("expires_at"),
            acceptedAt: try row.get("accepted_at"), expectedAt: try row.get("expected_at"),
            pickedUpAt: try row.get("picked_up_at"), spent: try Money(row, "spent"), receipt: try row.get("receipt"),
            tip: try Money(row, "tip"), share: try row.get("share"), isShared: try row.get("is_shared"),
            isUndone: try row.get("is_undone"), wrongCodes: try row.get("wrong_codes"),
            state: try MatchState.stored(row.get("state")), changedAt: try row.get("changed_at"),
            changedBy: try row.get("changed_by"), reason: try row.get("reason"),
            statements: try row.get("statements", as: JSON<[StoredRemark]>.self).value.map(MatchRemark.init))
    }

    /// Others in place of digits that can't be read: nobody knows them, and both may still complete it without.
    private static var unreadableCode: String {
        var chance = SystemRandomNumberGenerator()
        return code(using: &chance)
    }

    func insertion(_ words: SealedWords, at now: Date) throws -> SQLQuery {
        """
        INSERT INTO matches (\(Self.columns), due_at, remind_at, talk_until)
        VALUES (\(id), \(order), \(availability), \(orderer), \(deliverer), \(restaurant.values), \(items),
            \(dropOff.values), \(destination.values), \(terms.fee?.amount), \(terms.limit?.amount), \(currency),
            \(terms.paidBy.rawValue), \(terms.isPrepaid), \(detour), \(detourSeconds), \(walk), \(isTurn), \(chances),
            \(try words.seal(code, as: .digits(id))), \(offeredAt), \(expiresAt), \(acceptedAt), \(expectedAt),
            \(pickedUpAt), \(spent?.amount), \(receipt), \(tip?.amount), \(share), \(isShared), \(isUndone),
            \(wrongCodes), \(state.rawValue), \(changedAt), \(changedBy), \(reason), \(remarks), \(dueAt), \(remindAt(after: now)),
            \(talkUntil))
        """
    }

    /// Writes all that can change. Until when the two may write to each other is said anew only with a new state: it is gone once that was told.
    func update(at now: Date) -> SQLQuery {
        """
        UPDATE matches
        SET spend_limit = \(terms.limit?.amount), currency = \(currency), chances = \(chances),
            accepted_at = \(acceptedAt), expected_at = \(expectedAt), picked_up_at = \(pickedUpAt),
            spent = \(spent?.amount), receipt = \(receipt), tip = \(tip?.amount), share = \(share),
            is_shared = \(isShared), is_undone = \(isUndone), state = \(state.rawValue), changed_at = \(changedAt),
            changed_by = \(changedBy), reason = \(reason), statements = \(remarks), due_at = \(dueAt),
            remind_at = \(remindAt(after: now)),
            talk_until = CASE WHEN state = \(state.rawValue) THEN talk_until ELSE \(talkUntil) END
        WHERE id = \(id)
        """
    }

    private var remarks: JSON<[StoredRemark]> { JSON(statements.map(StoredRemark.init)) }

    /// Of all amounts; nil where there are none.
    private var currency: String? { terms.currency ?? spent?.currency ?? tip?.currency }
}

/// What was said of a dispute, as the column `statements` has it.
private struct StoredRemark: Codable, Sendable {
    var by: MatchRole
    var text: String
    var at: Date

    init(_ remark: MatchRemark) { (by, text, at) = (remark.by, remark.text, remark.at) }
}

extension MatchRemark {
    fileprivate init(_ stored: StoredRemark) { self.init(by: stored.by, text: stored.text, at: stored.at) }
}

// MARK: Which of them

extension MatchAgreement {
    /// Offered, or gone for, or brought.
    static let isHeld: SQLQuery = "state IN ('offered', 'accepted', 'pickedUp')"

    /// Whether somebody could have been asked too, while that may be given back. As its index has it.
    static func hasChance(_ person: PersonID) -> SQLQuery {
        "fills_hand AND chances <> '{}' AND chances @> ARRAY[\(person)]::uuid[]"
    }
}
