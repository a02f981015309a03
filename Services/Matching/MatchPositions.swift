import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

// Where the deliverer is, while they show it, and how the two reach each other. Of points the last one alone is kept, and goes with the delivery.

extension DeliveryUseCases {
    /// Where it is brought from now on, as its deliverer shows it.
    func movePosition(_ id: MatchID, to draft: MatchPositionDraft, _ request: RequestContext) async throws {
        let errors = draft.errors
        guard errors.isEmpty else { throw DeliveryError.invalid(errors) }
        _ = try await store.command(request) { deliveries, person in
            let held = try await deliveries.inHands(id, of: person)
            if let decision = try held.match.share(true, at: deliveries.now) {
                try await deliveries.keep(decision, of: held)
            }
            if try await deliveries.keep(draft, of: id) {
                let moved = MatchMoved(match: id, at: deliveries.now)
                deliveries.publish(moved, about: held.match, to: [held.match.orderer])
            }
            return Nothing()
        }
    }

    func hidePosition(_ id: MatchID, _ request: RequestContext) async throws {
        _ = try await store.command(request) { deliveries, person in
            let held = try await deliveries.inHands(id, of: person)
            if let decision = try held.match.share(false, at: deliveries.now) {
                try await deliveries.keep(decision, of: held)
            }
            return Nothing()
        }
    }

    /// To the two, while it is shown. They may be apart since: then it is as if it were not shown.
    func position(_ id: MatchID, for caller: Caller) async throws -> MatchPosition {
        let match = try await own(id, caller)
        guard match.now.mayShare else { throw DeliveryError.wrongState(match.possible) }
        guard match.now.isShared, try await store.areTogether(match.now.orderer, match.now.deliverer),
            let shown = try await store.position(of: id)
        else { throw ServiceError.notFound("position") }
        let (here, there) = (shown.position, match.now.dropOff.position)
        let others = try await store.dropOffs(with: match.now.deliverer, besides: id)
        let straight = here.metres(to: there)
        let way = try? await askForWays(here, [there]).first
        let isKnown = way?.isAlongStreets ?? false
        let metres = way?.metres ?? Int(straight.rounded())
        return MatchPosition(
            position: here, accuracy: shown.accuracy, at: shown.at, metres: metres,
            seconds: isKnown ? Int((Double(metres) / KnownWay.pace).rounded()) : nil,
            // The nearest first.
            stopsBefore: others.count { here.metres(to: $0) < straight })
    }

    /// The other one's telephone number, from the acceptance until it is over. The two may be apart since: then none is told, as if none were given.
    func contact(_ id: MatchID, for caller: Caller) async throws -> MatchContact {
        let match = try await own(id, caller)
        guard match.now.mayCall else { throw DeliveryError.wrongState(match.possible) }
        let other = match.now.person(match.role == .orderer ? .deliverer : .orderer)
        let person = try caller.requirePerson()
        guard other != .nobody, try await store.areTogether(person, other) else { return MatchContact() }
        return MatchContact(phone: try await askForPhone(other))
    }

    /// One that the caller is one of the two of, as it is by now.
    private func own(_ id: MatchID, _ caller: Caller) async throws -> OwnMatch {
        let person = try caller.requirePerson()
        guard let stored = try await store.match(id), let role = stored.role(of: person) else {
            throw DeliveryError.matchNotFound
        }
        let now = clock()
        let match = stored.pass(at: now)?.match ?? stored
        return OwnMatch(
            now: match, role: role, possible: match.possible(for: MatchParty(role, isModerator: false), at: now))
    }
}

private struct OwnMatch {
    var now: MatchAgreement
    var role: MatchRole
    /// What they may do with it instead.
    var possible: [MatchAct]
}

extension MatchPositionDraft {
    fileprivate static let accuracies = 0...100_000

    fileprivate var errors: [FieldError] {
        var errors = DeliveryRules.errors(in: position, at: "position")
        if let accuracy, !Self.accuracies.contains(accuracy) {
            errors.append(FieldError("accuracy", "out_of_range", "Up to 100 kilometres."))
        }
        return errors
    }
}

// MARK: The table

/// The last point of who shows where they are.
private struct ShownPosition {
    var position: Position
    var accuracy: Int?
    var at: Date
}

extension DeliveryStore {
    fileprivate func position(of match: MatchID) async throws -> ShownPosition? {
        try await database.read(
            "SELECT latitude, longitude, accuracy, at FROM positions WHERE match = \(match)"
        ).first.map { row in
            ShownPosition(
                position: Position(latitude: try row.get("latitude"), longitude: try row.get("longitude")),
                accuracy: try row.get("accuracy"), at: try row.get("at"))
        }
    }

    /// Where else somebody brings what they have picked up.
    fileprivate func dropOffs(with deliverer: PersonID, besides match: MatchID) async throws -> [Position] {
        try await database.read(
            """
            SELECT drop_latitude, drop_longitude FROM matches
            WHERE deliverer = \(deliverer) AND state = 'pickedUp' AND id <> \(match)
            """
        ).map { Position(latitude: try $0.get("drop_latitude"), longitude: try $0.get("drop_longitude")) }
    }

    /// Whether neither of the two has blocked the other.
    fileprivate func areTogether(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        try await database.read(
            "SELECT \(BlockProjection.isTogetherHere("\(other)", with: one)) AS together")[0].get("together")
    }
}

extension DeliveryTransaction {
    /// How often the orderer is told that there is a new one, at most.
    private static let toldEvery: TimeInterval = 5

    /// Locked; what time has ended is in nobody's hands any more.
    fileprivate func inHands(_ id: MatchID, of person: PersonID) async throws -> LockedMatch {
        guard let held = try await locked([id]).first, let role = held.match.role(of: person) else {
            throw DeliveryError.matchNotFound
        }
        guard role == .deliverer else {
            throw ServiceError(.forbidden, "Only who brings it shows where they are.")
        }
        if let passed = held.match.pass(at: now)?.match {
            throw DeliveryError.wrongState(passed.possible(for: .deliverer, at: now))
        }
        return held
    }

    /// In place of the last one.
    /// - Returns: whether that is to be told.
    fileprivate func keep(_ draft: MatchPositionDraft, of match: MatchID) async throws -> Bool {
        let (position, due) = (draft.position, now - Self.toldEvery)
        return try await transaction.query(
            """
            INSERT INTO positions (match, latitude, longitude, accuracy, at, told_at)
            VALUES (\(match), \(position.latitude), \(position.longitude), \(draft.accuracy), \(now), \(now))
            ON CONFLICT (match) DO UPDATE
            SET latitude = excluded.latitude, longitude = excluded.longitude, accuracy = excluded.accuracy, at = excluded.at,
                told_at = CASE WHEN positions.told_at <= \(due) THEN excluded.told_at ELSE positions.told_at END
            RETURNING told_at = \(now) AS told
            """)[0].get("told")
    }
}
