import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// A standing search as it is kept.
struct WantedSearch: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    /// Who reads it and judges by it.
    var service: PeerRole
    /// As its service has read it.
    var query: WantedQuery
    /// Those of one of its anchors: whatever it finds has one of them.
    var keys: [SearchKey]
    /// Those of its other anchors that have one key alone: whatever it finds has each of them.
    var required: [SearchKey] = []
    /// Where all that it finds lies, as its service says it.
    var around: ReadSearch.Circle?
    var state: WantedState
    let createdAt: Date
    var changedAt: Date
    /// When it ends unless it is renewed.
    var expiresAt: Date
    /// When it ends; once it has ended, when it is forgotten.
    var dueAt: Date
    /// When its person is asked whether they still look for it; nil where they are not, or were.
    var remindAt: Date?
    /// Whether it is known what was there when it began.
    var isSettled: Bool
    /// What others may know of it; nil where they do not see it.
    var seeking: Seeking?
    /// When it is asked again in which regions it begins and ends; nil where that is known.
    var regionsDue: Date?
    /// When drivers are told of it; nil where they were, or are not.
    var announceDue: Date?
    /// What is counted and told of it, which the rounds write.
    var found = 0
    var lastFoundAt: Date?
    var lastToldAt: Date?
    /// When it is told next what was not told one by one; nil where there is nothing of that.
    var digestAt: Date?
    /// When that was told last.
    var digestedAt: Date?
    /// Whether somebody looks at what is told is counted from then on, or from what was seen last.
    var seenAt: Date?
}

// A search as a row of the table `wanted`, in both directions.

extension WantedSearch {
    static let columns: SQLQuery = """
        wanted.id, wanted.person, wanted.service, wanted.query, wanted.keys, wanted.required, wanted.near_latitude, \
        wanted.near_longitude, wanted.near_radius, wanted.state, wanted.created_at, wanted.changed_at, \
        wanted.expires_at, wanted.due_at, wanted.remind_at, wanted.is_settled, wanted.seeking, wanted.regions_due, \
        wanted.announce_due, wanted.found, wanted.last_found_at, wanted.last_told_at, wanted.digest_at, wanted.digested_at, \
        wanted.seen_at
        """

    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), person: try row.get("person"),
            service: try PeerRole.stored(row.get("service")),
            query: try row.get("query", as: JSON<WantedQuery>.self).value,
            keys: try row.get("keys", as: [String].self).map(SearchKey.init(rawValue:)),
            required: try row.get("required", as: [String].self).map(SearchKey.init(rawValue:)),
            around: try ReadSearch.Circle(near: row),
            state: try WantedState.stored(row.get("state")), createdAt: try row.get("created_at"),
            changedAt: try row.get("changed_at"), expiresAt: try row.get("expires_at"), dueAt: try row.get("due_at"),
            remindAt: try row.get("remind_at"), isSettled: try row.get("is_settled"),
            seeking: try row.get("seeking", as: JSON<Seeking>?.self)?.value, regionsDue: try row.get("regions_due"),
            announceDue: try row.get("announce_due"), found: try row.get("found"),
            lastFoundAt: try row.get("last_found_at"), lastToldAt: try row.get("last_told_at"),
            digestAt: try row.get("digest_at"), digestedAt: try row.get("digested_at"),
            seenAt: try row.get("seen_at"))
    }

    var insertion: SQLQuery {
        """
        INSERT INTO wanted (id, person, service, query, keys, required, near_latitude, near_longitude, near_radius, state,
            created_at, changed_at, expires_at, due_at, remind_at, is_settled, seeking, seeks_before, regions_due, announce_due, seen_at)
        VALUES (\(id), \(person), \(service.rawValue), \(JSON(query)), \(keys.map(\.rawValue)),
            \(required.map(\.rawValue)), \(around?.middle.latitude), \(around?.middle.longitude), \(around?.radius), \(state.rawValue), \(createdAt),
            \(changedAt), \(expiresAt), \(dueAt), \(remindAt), \(isSettled),
            \(seeking.map { JSON($0) }), \(seeking?.before), \(regionsDue), \(announceDue), \(seenAt))
        """
    }

    /// Writes all that its person, or time, can change. What is counted and told of it stays as it is there.
    var update: SQLQuery {
        """
        UPDATE wanted
        SET service = \(service.rawValue), query = \(JSON(query)), keys = \(keys.map(\.rawValue)),
            required = \(required.map(\.rawValue)), near_latitude = \(around?.middle.latitude), near_longitude = \(around?.middle.longitude),
            near_radius = \(around?.radius), state = \(state.rawValue), changed_at = \(changedAt), expires_at = \(expiresAt), due_at = \(dueAt),
            remind_at = \(remindAt), is_settled = \(isSettled), digest_at = \(digestAt), seeking = \(seeking.map { JSON($0) }),
            seeks_before = \(seeking?.before), regions_due = \(regionsDue), announce_due = \(announceDue),
            seen_at = \(seenAt)
        WHERE id = \(id)
        """
    }
}

extension ReadSearch.Circle {
    /// The columns `near_…` of a row; nil where they are empty.
    fileprivate init?(near row: PostgresRow) throws {
        guard let radius: Int = try row.get("near_radius") else { return nil }
        let middle = Position(latitude: try row.get("near_latitude"), longitude: try row.get("near_longitude"))
        self.init(middle: middle, radius: radius)
    }
}

extension Subject {
    /// The columns `kind` and `subject` of a row.
    init(_ row: PostgresRow) throws {
        self.init(kind: try SubjectKind.stored(row.get("kind")), id: try row.get("subject"))
    }
}

extension WantedQuery {
    /// What is looked for by each of the forms that are given. A vertical more adds its form here.
    var forms: [SubjectKind] {
        [
            spots.map { _ in SubjectKind.spot }, things.map { _ in SubjectKind.thing },
            rides.map { _ in SubjectKind.ride }, deliverers.map { _ in SubjectKind.availability },
        ].compactMap { $0 }
    }

    /// Who reads it and judges by it; nil where it does not have exactly one form.
    var service: PeerRole? { forms.count == 1 ? forms[0].service : nil }
}
