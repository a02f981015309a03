import FoundationEssentials
import Postgres
import WireProtocol

// An agreement as a row of the table `rentals`, in both directions; what the two showed and said with what they did lies in `rental_evidence`.

extension Agreement {
    static let columns: SQLQuery = """
        id, thing, kind, title, photo, owner, renter, starts, until, zone, starts_at, ends_at, units, price, currency, unit, \
        longest, cancellation, is_instant, message, requested_at, answer_by, state, changed_at, changed_by, reason, share, holds, \
        accepted_at
        """

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        thing = try row.get("thing")
        kind = try ThingKind.stored(row.get("kind"))
        title = try row.get("title")
        photo = try row.get("photo")
        owner = try row.get("owner")
        renter = try row.get("renter")
        period = RentalPeriod(
            from: try row.get("starts"), until: try row.get("until"), zone: try row.get("zone"),
            startsAt: try row.get("starts_at"), endsAt: try row.get("ends_at"), units: try row.get("units"))
        terms = try RentalTerms(row)
        message = try row.get("message")
        requestedAt = try row.get("requested_at")
        answerBy = try row.get("answer_by")
        acceptedAt = try row.get("accepted_at")
        state = try RentalState.stored(row.get("state"))
        changedAt = try row.get("changed_at")
        changedBy = try row.get("changed_by")
        reason = try row.get("reason")
        share = try row.get("share")
        holds = try row.get("holds")
    }

    var insertion: SQLQuery {
        """
        INSERT INTO rentals (\(Self.columns), due_at, remind_at, talk_until, asks_once)
        VALUES (\(id), \(thing), \(kind.rawValue), \(title), \(photo), \(owner), \(renter), \(period.from),
            \(period.until), \(period.zone), \(period.startsAt), \(period.endsAt), \(period.units),
            \(terms.price?.amount ?? 0), \(terms.price?.currency), \(terms.unit.rawValue), \(terms.longest),
            \(terms.cancellation.rawValue), \(terms.isInstant), \(message), \(requestedAt), \(answerBy),
            \(state.rawValue), \(changedAt), \(changedBy), \(reason), \(share), \(holds), \(acceptedAt),
            \(dueAt), \(remindAt), \(talkUntil), true)
        """
    }

    /// Writes all that can change.
    /// - Parameter before: as it was; a reminder is set anew only with a new state.
    func update(after before: Agreement) -> SQLQuery {
        let reminder: SQLQuery = state == before.state ? "remind_at" : "\(remindAt)"
        let talk: SQLQuery = state == before.state ? "talk_until" : "\(talkUntil)"
        return """
            UPDATE rentals
            SET state = \(state.rawValue), changed_at = \(changedAt), changed_by = \(changedBy), reason = \(reason),
                share = \(share), holds = \(holds), due_at = \(dueAt), remind_at = \(reminder),
                talk_until = \(talk), accepted_at = \(acceptedAt)
            WHERE id = \(id)
            """
    }

    /// What was shown and said since. What can be said several times is numbered, for each of the two.
    func showing(after before: Agreement) -> [SQLQuery] {
        evidence.indices.dropFirst(before.evidence.count).map { index -> SQLQuery in
            let shown = evidence[index]
            let number = 1 + evidence[..<index].count { $0.at == shown.at && $0.by == shown.by }
            return """
                INSERT INTO rental_evidence (rental, role, act, number, photos, note, made_at)
                VALUES (\(id), \(shown.by.rawValue), \(shown.at.rawValue), \(number), \(shown.photos), \(shown.note),
                    \(shown.madeAt))
                """
        }
    }
}

extension RentalEvidence {
    init(_ row: PostgresRow) throws {
        self.init(
            by: try RentalRole.stored(row.get("role")), at: try RentalAct.stored(row.get("act")),
            photos: try row.get("photos"), note: try row.get("note"), madeAt: try row.get("made_at"))
    }
}

extension Agreement {
    /// What the two are reminded of in this state.
    var occasion: RentalReminder.Occasion? {
        switch state {
        case .requested: .answer
        case .accepted: .beginning
        case .handedOver: .overdue
        default: nil
        }
    }

    /// When: with a quarter of the time to answer left, a day (an hour) before the beginning, an hour after the end.
    var remindAt: Date? {
        switch state {
        case .requested: requestedAt + answerBy.timeIntervalSince(requestedAt) * 0.75
        case .accepted: max(changedAt + 60, period.startsAt - (terms.unit == .hour ? 3600 : 86400))
        case .handedOver: period.endsAt + 3600
        default: nil
        }
    }
}
