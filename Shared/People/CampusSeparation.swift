package import Postgres
package import WireProtocol

/// Whether the community keeps people of different campuses apart, and conditions that do so by the table `people`.
///
/// Who belongs to no campus is together with others who belong to none; so are strangers. Of whom nothing is known, nothing is known here
/// either: they are together with nobody.
package struct CampusSeparation: Hashable, Sendable {
    package static let off = CampusSeparation(isOn: false)

    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    /// "And this column, which says where somebody belongs (empty: nowhere), says the viewer's campus"; nothing where campuses are not kept apart.
    /// The viewer is looked up once for a statement.
    package func condition(_ campus: SQLQuery, isOf viewer: PersonID?) -> SQLQuery {
        isOn ? "AND \(campus) = \(Self.campus(of: viewer))" : ""
    }

    /// The same of the person whom a column names, who is looked up as well: for a row or two.
    package func condition(_ person: SQLQuery, isTogetherWith viewer: PersonID?) -> SQLQuery {
        isOn ? "AND \(Self.campus(of: person)) = \(Self.campus(of: viewer))" : ""
    }

    /// Who hears of what somebody shares, and of which campus they have to be. Besides, nobody hears of it who is apart from its owner, whom the event
    /// names.
    /// - Parameter known: what is known of the owner, which only a community asks that keeps its campuses apart.
    package func audience(
        of owner: PersonID, _ known: () async throws -> KnownPeople
    ) async throws -> (audience: Audience, campus: String?) {
        guard isOn else { return (.everyone, nil) }
        let people = try await known()
        return (people.knows(owner) ? .everyone : .nobody, people[owner].campus ?? "")
    }

    private static func campus(of viewer: PersonID?) -> SQLQuery { viewer.map { campus(of: "\($0)") } ?? "''" }

    private static func campus(of person: SQLQuery) -> SQLQuery {
        "(SELECT coalesce(belonging.campus, '') FROM people AS belonging WHERE belonging.id = \(person))"
    }
}
