import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// The statements that answer a page of things, and one thing.

extension ThingPage {
    /// Answers the first `limit` + 1.
    /// - Parameter viewer: Who asks: nobody who is apart from them is found.
    func statement(for viewer: PersonID?, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let (sorted, key, beyond) = sequence
        let most: SQLQuery = "FETCH FIRST \(unescaped: "\(limit + 1)") ROWS"
        let found: SQLQuery = "FROM things WHERE \(condition(for: viewer, campuses)) \(beyond) ORDER BY \(key)"
        let shown: SQLQuery = "\(RentableThing.columns), quarter, newness"
        let page: SQLQuery
        switch (order, near) {
        case (.nearest, let near?):
            // The index has them by their distance alone, and is used for nothing more: the order of those in one field of the grid comes afterwards,
            // and the rows of those that are on the page last.
            page = """
                SELECT \(shown), chord, sec_to_gc(chord) AS ground FROM (
                    SELECT * FROM (SELECT id, \(near.chord) AS chord \(found) \(most) WITH TIES) AS tied
                    ORDER BY chord, id \(most) ONLY
                ) AS nearest JOIN things USING (id)
                """
        case (_, let near?):
            page = "SELECT \(shown), \(near.chord) AS chord, sec_to_gc(\(near.chord)) AS ground \(found) \(most) ONLY"
        case (_, nil):
            page = "SELECT \(shown) \(found) \(most) ONLY"
        }
        let statement: SQLQuery = """
            SELECT page.*, \(ThingViewer.relation(viewer, at: now)) FROM (\(page)) AS page \(ThingViewer.join(viewer, "page.id"))
            ORDER BY \(sorted)
            """
        return isFiltered ? statement.plannedAnew : statement
    }

    /// Few or many may be found, so that what is best for one brand, word or place takes seconds for another.
    private var isFiltered: Bool {
        region != nil || brand != nil || highestPrice != nil || free != nil || !words.isEmpty
    }

    /// Which things are found, whatever their order.
    func condition(for viewer: PersonID?, _ campuses: CampusSeparation) -> SQLQuery {
        let condition = conditionAtAnyTime(for: viewer, campuses)
        return isFree.map { "\(condition) AND \($0)" } ?? condition
    }

    /// Those that would be found if all were free.
    func conditionAtAnyTime(for viewer: PersonID?, _ campuses: CampusSeparation) -> SQLQuery {
        var condition: SQLQuery
        switch whose {
        case .own(let person):
            condition = "owner = \(person)"
            if let state { condition += " AND state = \(state.rawValue)" }
        case .everybody, .listed:
            let apart: SQLQuery = viewer.map { "AND \(BlockProjection.isTogether("owner", with: $0))" } ?? ""
            condition = "listed \(apart) \(campuses.condition("campus", isOf: viewer))"
            if case .listed(let person) = whose { condition += " AND owner = \(person)" }
        }
        if let kind { condition += " AND kind = \(kind.rawValue)" }
        if let region { condition += " AND quarter = \(region)" }
        if let brand { condition += " AND kind = 'car' AND brand = \(brand)" }
        if let model { condition += " AND model = \(model)" }
        if let highestPrice { condition += " AND price <= \(highestPrice)" }
        if !words.isEmpty { condition += search }
        return condition
    }

    /// What booking asks of a thing and its period, each by its own clock: moments are compared, and days with days. It stays a condition of each
    /// row (`OFFSET 0`), so that the index of the order is followed. Nil where any time will do.
    var isFree: SQLQuery? {
        guard free != nil else { return nil }
        let (clocks, periods) = (wanted.map(\.clock), wanted.map(\.period))
        let (kinds, zones) = (clocks.map(\.kind.rawValue), clocks.map(\.zone))
        let (begins, ends, units) = (periods.map(\.startsAt), periods.map(\.endsAt), periods.map(\.units))
        let firstDays = periods.map { $0.firstDay?.text }
        let lastDays = periods.map { $0.lastDay?.text }
        return """
            EXISTS (
                SELECT FROM unnest(\(kinds)::text[], \(zones)::text[], \(begins)::timestamptz[], \(ends)::timestamptz[], \(units)::bigint[],
                    \(firstDays)::text[]::date[], \(lastDays)::text[]::date[])
                    AS wanted (kind, zone, starts_at, ends_at, units, first_day, last_day)
                WHERE wanted.kind = things.kind AND wanted.zone = things.zone
                    AND (things.longest IS NULL OR things.longest >= wanted.units)
                    AND (things.available_from IS NULL OR things.available_from <= wanted.first_day)
                    AND (things.available_until IS NULL OR things.available_until >= wanted.last_day)
                    AND NOT EXISTS (
                        SELECT FROM occupied
                        WHERE occupied.thing = things.id AND occupied.period && tstzrange(wanted.starts_at, wanted.ends_at))
                OFFSET 0)
            """
    }

    /// All of the words, of which the last may be but begun.
    private var search: SQLQuery {
        let kinds = (kind.map { [$0] } ?? ThingKind.allCases).map(\.rawValue)
        return """
             AND words @@ thing_search(\(kinds)::text[], \(words), false)
            AND (words @@ thing_search(\(kinds)::text[], \(words), true)) IS NOT FALSE
            """
    }

    /// The order of the answer, that of the index, and what comes after the last one of the page before.
    private var sequence: (order: SQLQuery, key: SQLQuery, beyond: SQLQuery) {
        switch order {
        case .newest:
            var beyond: SQLQuery = ""
            if case .newest(let number, let id) = after { beyond = "AND (newness, id) < (\(number), \(id))" }
            return ("newness DESC, id DESC", "newness DESC, id DESC", beyond)
        case .price:
            var beyond: SQLQuery = ""
            if case .price(let price, let id, _) = after { beyond = "AND (price, id) > (\(price), \(id))" }
            return ("price, id", "price, id", beyond)
        case .highestPrice:
            var beyond: SQLQuery = ""
            if case .price(let price, let id, _) = after { beyond = "AND (price, id) < (\(price), \(id))" }
            return ("price DESC, id DESC", "price DESC, id DESC", beyond)
        case .region:
            var beyond: SQLQuery = ""
            if case .region(let name, let id) = after { beyond = "AND (quarter, id) > (\(name), \(id))" }
            return ("quarter, id", "quarter, id", beyond)
        case .nearest:
            guard let near else { return ("id", "id", "AND false") }
            var beyond: SQLQuery = "AND globe IS NOT NULL"
            if case .nearest(let chord, let id) = after { beyond += " \(near.beyond(DistanceCursor(chord, id.uuid)))" }
            return ("chord, id", near.chord, beyond)
        }
    }
}

/// Who looks at a thing.
struct ThingViewer: Hashable, Sendable {
    /// Nil for somebody who is not signed in.
    var person: PersonID?
    /// The service itself.
    var seesEverything = false
    /// Moderators: what is hidden or withdrawn is there for them. Drafts are their owners' alone.
    var seesHidden = false

    static let everything = ThingViewer(person: nil, seesEverything: true)

    /// What is between the one who looks and a thing.
    static func relation(_ viewer: PersonID?, at now: Date, _ id: SQLQuery = "page.id") -> SQLQuery {
        let taken: SQLQuery = """
            EXISTS (SELECT FROM occupied WHERE occupied.thing = \(id) AND occupied.period @> \(now)) AS is_taken
            """
        return viewer == nil
            ? "NULL::uuid AS rental, NULL::text AS rental_state, false AS may_cancel, \(taken)"
            : """
            running.id AS rental, running.state AS rental_state,
            coalesce(running.state = 'requested' OR running.state = 'accepted' AND running.ends_at > \(now), false) AS may_cancel, \(taken)
            """
    }

    static func join(_ viewer: PersonID?, _ id: SQLQuery) -> SQLQuery {
        guard let viewer else { return "" }
        return """
            LEFT JOIN LATERAL (
                SELECT rentals.id, rentals.state, rentals.ends_at FROM rentals
                WHERE rentals.thing = \(id) AND rentals.renter = \(viewer)
                    AND rentals.state IN ('requested', 'accepted', 'handedOver', 'disputed')
                ORDER BY rentals.state = 'requested', rentals.id DESC LIMIT 1
            ) AS running ON true
            """
    }

    /// Locks one thing, and answers it by the second statement.
    func locked(_ id: ThingID, at now: Date, _ campuses: CampusSeparation) -> [SQLQuery] {
        ["SELECT FROM things WHERE id = \(id) FOR NO KEY UPDATE", thing(id, at: now, campuses)]
    }

    /// One thing, if there is one for this person.
    func thing(_ id: ThingID, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        things("page.id = \(id)", at: now, campuses)
    }

    /// Those of a few things (`page`) that there are for this person: who has one, or has asked for it, goes on seeing it.
    func things(_ which: SQLQuery, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        var visible: SQLQuery = "true"
        if !seesEverything {
            let sameCampus = campuses.condition("page.owner", isTogetherWith: person)
            visible = seesHidden ? "page.state <> 'draft'" : "page.listed \(sameCampus)"
            if let person {
                visible = """
                    (page.owner = \(person) OR running.id IS NOT NULL
                        OR \(visible) AND \(BlockProjection.isTogetherHere("page.owner", with: person)))
                    """
            }
        }
        return """
            SELECT page.*, \(Self.relation(person, at: now)) FROM things AS page \(Self.join(person, "page.id"))
            WHERE \(which) AND \(visible)
            """
    }
}
