import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// The statements that answer a page of rides, some rides by their ids, and how many there are in each region.

/// Who looks at a ride.
struct RideViewer: Hashable, Sendable {
    /// Nil for somebody who is not signed in.
    var person: PersonID?
    /// Moderators: what is hidden or over is there for them.
    var seesHidden = false
    /// Whatever is asked for is the viewer's own, or was looked through already.
    var seesOwn = false

    /// Those of them that there are for this person, in the order in which they are named. Who rides along goes on seeing a ride, and so does
    /// who has asked for it unless the two are apart.
    func rides(_ ids: [RideID], _ campuses: CampusSeparation) -> SQLQuery {
        """
        SELECT page.*, \(Self.relation(person)) FROM unnest(\(ids)) WITH ORDINALITY AS wanted (id, number)
        JOIN rides AS page ON page.id = wanted.id \(Self.join(person))
        WHERE \(visible(campuses)) ORDER BY wanted.number
        """
    }

    /// Locks one with its other way, and answers it by the second statement.
    func locked(_ id: RideID, _ campuses: CampusSeparation) -> [SQLQuery] {
        [OfferedRide.locking("\([id])"), rides([id], campuses)]
    }

    /// The other ones of outward and return of some rides, as far as there are any for this person.
    func others(of rides: [RideID], _ campuses: CampusSeparation) -> SQLQuery {
        """
        SELECT page.*, \(Self.relation(person)) FROM rides AS page \(Self.join(person))
        WHERE page.id = ANY(
                ARRAY(SELECT id FROM rides WHERE return_of = ANY(\(rides)))
                || ARRAY(SELECT return_of FROM rides WHERE id = ANY(\(rides)) AND return_of IS NOT NULL))
            AND \(visible(campuses))
        """
    }

    private func visible(_ campuses: CampusSeparation) -> SQLQuery {
        if seesOwn { return "true" }
        let sameCampus = campuses.condition("page.driver", isTogetherWith: person)
        let shown: SQLQuery = "page.hidden_at IS NULL AND NOT page.withheld \(sameCampus)"
        let found: SQLQuery = seesHidden ? "true" : "page.state IN ('open', 'departed') AND \(shown)"
        guard let person else { return found }
        return """
            (page.driver = \(person) OR running.id IS NOT NULL
                OR (\(found) OR saved.ride IS NOT NULL AND \(shown)
                    OR EXISTS (SELECT FROM seat_requests WHERE ride = page.id AND rider = \(person) OFFSET 0))
                AND \(BlockProjection.isTogetherHere("page.driver", with: person)))
            """
    }

    /// What is between the one who looks and a ride.
    static func relation(_ viewer: PersonID?) -> SQLQuery {
        viewer == nil
            ? "NULL::uuid AS request, NULL::text AS request_state, false AS is_saved"
            : "running.id AS request, running.state AS request_state, saved.ride IS NOT NULL AS is_saved"
    }

    static func join(_ viewer: PersonID?) -> SQLQuery {
        guard let viewer else { return "" }
        return """
            LEFT JOIN LATERAL (
                SELECT seat_requests.id, seat_requests.state FROM seat_requests
                WHERE seat_requests.ride = page.id AND seat_requests.rider = \(viewer)
                    AND seat_requests.state IN ('pending', 'waiting', 'accepted', 'disputed')
                ORDER BY seat_requests.state = 'disputed', seat_requests.id DESC LIMIT 1
            ) AS running ON true
            LEFT JOIN saved_rides AS saved ON saved.ride = page.id AND saved.person = \(viewer)
            """
    }
}

extension RidePage {
    /// Answers the first `limit` + 1.
    /// - Parameter viewer: who asks: nobody who is apart from them is found.
    func statement(for viewer: PersonID?, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let most: SQLQuery = "LIMIT \(unescaped: "\(limit + 1)")"
        let shown = RideListing.condition(for: viewer, at: now, campuses)
        let page: SQLQuery
        if let region {
            page = """
                SELECT rides.* FROM (
                    SELECT ride, departs_at FROM ride_regions
                    WHERE region = \(region) AND direction = \(direction.rawValue) AND \(shown) \(beyond("ride"))
                    ORDER BY departs_at, ride \(most)
                ) AS found JOIN rides ON rides.id = found.ride
                """
        } else {
            let whose: SQLQuery = driver.map { "AND state = 'open' AND driver = \($0)" } ?? ""
            let ofSeries: SQLQuery = series.map { "AND series = \($0)" } ?? ""
            page =
                "SELECT * FROM rides WHERE listed \(whose) \(ofSeries) AND \(shown) \(beyond("id")) ORDER BY departs_at, id \(most)"
        }
        return """
            SELECT page.*, \(RideViewer.relation(viewer)) FROM (\(page)) AS page \(RideViewer.join(viewer))
            ORDER BY page.departs_at, page.id
            """
    }

    private func beyond(_ id: SQLQuery) -> SQLQuery {
        after.map { "AND (departs_at, \(id)) > (\($0.time), \($0.id))" } ?? ""
    }
}

// What lists of rides, the counts of their regions, and searches have in common.
extension RideListing {
    /// How many are counted at most.
    private static let most = 99

    /// Those that have not left, of nobody who is apart from the viewer. The earliest is said besides, since lists are ordered by when rides may
    /// leave.
    static func condition(for viewer: PersonID?, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        let earliest = now - RideLimits.longestDeparture
        let apart: SQLQuery = viewer.map { "AND \(BlockProjection.isTogether("driver", with: $0))" } ?? ""
        return """
            departs_at > \(earliest) AND leaves_by > \(now) \(apart) \(campuses.condition("campus", isOf: viewer))
            """
    }

    /// From one region to the next by their index, and in each no more than are counted.
    static func counts(for viewer: PersonID?, at now: Date, _ campuses: CampusSeparation) -> SQLQuery {
        func count(_ direction: RideDirection) -> SQLQuery {
            """
            (SELECT count(*) FROM (
                SELECT FROM ride_regions WHERE region = names.name AND direction = \(direction.rawValue)
                    AND \(condition(for: viewer, at: now, campuses))
                LIMIT \(unescaped: "\(most)")) AS counted)
            """
        }
        return """
            WITH RECURSIVE names AS (
                SELECT min(region) AS name FROM ride_regions
                UNION ALL
                SELECT (SELECT min(region) FROM ride_regions WHERE region > names.name) FROM names WHERE names.name IS NOT NULL
            ), counts AS MATERIALIZED (
                SELECT name, \(count(.from)) AS departing, \(count(.to)) AS arriving FROM names WHERE name IS NOT NULL
            )
            SELECT name, departing, arriving FROM counts WHERE departing + arriving > 0 ORDER BY name
            """
    }
}
