import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension WantedUseCases {
    /// Whom somebody has invited to rides of theirs, without a name.
    var ownInvitations: [PersonalSections.Section] {
        [
            .init("invitations") { person, cursor in
                let found = try await store.database.read(
                    SentInvitation.statement(of: person, after: cursor.flatMap { MomentCursor($0) })
                ).map(SentInvitation.init)
                return Page(
                    items: try found.map { try PersonalRecord("invitations", $0) },
                    next: found.count == PageSize.largest ? found.last?.cursor.text : nil)
            }
        ]
    }
}

/// An invitation as it stands in the archive of who sent it.
private struct SentInvitation: Encodable {
    let ride: RideID
    let seeker: WantedID
    let at: Date

    init(_ row: PostgresRow) throws {
        (ride, seeker, at) = (try row.get("ride"), try row.get("wanted"), try row.get("at"))
    }

    static func statement(of driver: PersonID, after: MomentCursor?) -> SQLQuery {
        let earlier: SQLQuery = after.map { "AND (at, wanted) < (\($0.time), \($0.id))" } ?? ""
        return """
            SELECT ride, wanted, at FROM invitations WHERE driver = \(driver) \(earlier)
            ORDER BY at DESC, wanted DESC LIMIT \(unescaped: "\(PageSize.largest)")
            """
    }

    var cursor: MomentCursor { MomentCursor(at, seeker.uuid) }
}
