import Postgres
import WireProtocol

/// Who is not there for whom, as conditions of statements: people with a block between them, and in a community that keeps its campuses
/// apart, people of another campus. Who belongs to no campus is there for others who belong to none, strangers among them; moderators see
/// the people of all.
struct Apartness: Hashable, Sendable {
    var betweenCampuses = false

    /// "And the two are not apart", of one row of `accounts` under its own name. Nothing where nobody is kept from the viewer.
    /// - Parameter viewer: Nil is a stranger.
    func here(from viewer: PersonID?) -> SQLQuery {
        let campus = campus(of: "accounts", for: viewer)
        guard let viewer = viewer?.uuid else { return campus }
        // Two looks into an index.
        return """
            AND NOT EXISTS (SELECT FROM blocks WHERE blocker = \(viewer) AND blocked = accounts.id)
            AND NOT EXISTS (SELECT FROM blocks WHERE blocker = accounts.id AND blocked = \(viewer)) \(campus)
            """
    }

    /// The same for each of a page, of whoever `person` names (a column that is never NULL).
    ///
    /// As in `BlockProjection.isTogether`: with `NOT EXISTS` PostgreSQL joined all whom somebody has blocked to each row of a page.
    func each(_ person: SQLQuery, from viewer: PersonID?) -> SQLQuery {
        let campus = ofOneCampus(person, with: viewer)
        guard let viewer = viewer?.uuid else { return campus }
        return """
            AND \(person) NOT IN (
                SELECT blocked FROM blocks WHERE blocker = \(viewer)
                UNION ALL SELECT blocker FROM blocks WHERE blocked = \(viewer)) \(campus)
            """
    }

    /// The same without blocks, where there are none: between friends.
    func ofOneCampus(_ person: SQLQuery, with viewer: PersonID?) -> SQLQuery {
        guard betweenCampuses else { return "" }
        // The OFFSET keeps it a look for each row, which leaves the statement the order of its index.
        return """
            AND EXISTS (
                SELECT FROM accounts AS others WHERE others.id = \(person) \(campus(of: "others", for: viewer)) OFFSET 0)
            """
    }

    private func campus(of person: SQLQuery, for viewer: PersonID?) -> SQLQuery {
        guard betweenCampuses else { return "" }
        guard let viewer = viewer?.uuid else { return "AND \(person).campus IS NULL" }
        return """
            AND EXISTS (
                SELECT FROM accounts AS viewers
                WHERE viewers.id = \(viewer) AND (viewers.campus IS NOT DISTINCT FROM \(person).campus
                    OR \(PersonRole.moderator.rawValue) = ANY(viewers.roles)) OFFSET 0)
            """
    }
}
