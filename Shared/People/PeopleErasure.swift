package import DurableMessaging
package import Postgres
package import WireProtocol

/// What every service that keeps something about people does when one of them erases themselves: the projections forget the person, the
/// service does its own part, and says so. All of it in one transaction, which comes again until it is done.
package enum PeopleErasure {
    /// A service's own part.
    /// - Returns: what it did, and the pictures that nothing of the person needs any more.
    package typealias Erase =
        @Sendable (PersonID, CommandTransaction) async throws -> (
            records: [ErasedRecords], photos: [String]
        )

    /// The constraint that guarded tables name.
    package static let constraint = "people_not_erased"

    /// What it means that a guarded table refuses a row, for whoever asked (`Database.command(meaning:)`).
    @Sendable package static func refusal(of error: PostgresError) -> (any Refusal)? {
        error.constraint == constraint ? ServiceError(.unauthenticated, "This account is erased.") : nil
    }

    /// Makes the table of those who are erased: of each nothing but the id, so that nothing that comes late brings them back.
    package static func migration(number: Int) -> Migration {
        Migration(
            number, "erased people",
            """
            CREATE TABLE people_erased (id uuid PRIMARY KEY);
            """)
    }

    /// SQL of a trigger that refuses rows with somebody who is erased in one of these columns: what comes late with a token that is still
    /// good must not stay behind for ever.
    package static func guarding(_ table: String, columns: [String]) -> String {
        """
        CREATE FUNCTION \(table)_refuse_the_erased() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM people_erased WHERE id IN (\(columns.map { "NEW.\($0)" }.joined(separator: ", ")))) THEN
                RAISE EXCEPTION 'somebody has erased themselves'
                    USING ERRCODE = 'check_violation', CONSTRAINT = '\(constraint)';
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER \(table)_refuse_the_erased BEFORE INSERT OR UPDATE OF \(columns.joined(separator: ", ")) ON \(table)
            FOR EACH ROW EXECUTE FUNCTION \(table)_refuse_the_erased();
        """
    }

    /// Keeps what auth says, for a service with `PeopleProjection`, `BlockProjection` and `SuspensionProjection`.
    package static func follow(on consumer: DurableConsumer, erase: @escaping Erase) {
        consumer.on(PersonErased.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            // Commands of this person that are under way end first, and later ones are refused by the last statement. No page of a snapshot
            // is taken over meanwhile.
            try await transaction.pipeline([
                .lock("person", event.person),
                "SELECT FROM people_snapshot FOR SHARE",
                "SELECT FROM blocks_snapshot FOR SHARE",
                "SELECT FROM suspensions_snapshot FOR SHARE",
                "DELETE FROM people WHERE id = \(event.person)",
                """
                DELETE FROM blocks USING blocks AS own
                WHERE own.person = \(event.person) AND blocks.person = own.other AND blocks.other = \(event.person)
                """,
                "DELETE FROM blocks WHERE person = \(event.person)",
                "DELETE FROM suspensions WHERE person = \(event.person)",
            ])
            let (records, photos) = try await erase(event.person, transaction)
            try await transaction.query(
                "INSERT INTO people_erased (id) VALUES (\(event.person)) ON CONFLICT DO NOTHING")
            transaction.publish(
                PersonalDataErased(erasure: event.erasure, records: records, photos: photos),
                about: "erasure/\(event.erasure)", to: .nobody)
        }
    }
}
