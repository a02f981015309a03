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

    private static func campus(of viewer: PersonID?) -> SQLQuery { viewer.map { campus(of: "\($0)") } ?? "''" }

    private static func campus(of person: SQLQuery) -> SQLQuery {
        "(SELECT coalesce(belonging.campus, '') FROM people AS belonging WHERE belonging.id = \(person))"
    }
}
