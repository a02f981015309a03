import FoundationEssentials
package import Postgres
package import WireProtocol

/// Ids are bound and read as the UUIDs that they are.
extension ID: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { UUID.postgresType }
    package static var postgresArrayType: PostgresType { UUID.postgresArrayType }
    package var postgresParameter: PostgresParameter { uuid.postgresParameter }
    package init?(postgresText text: String) { self.init(text) }
}
