import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What the database lets the role do that a service runs as, on processes and on containers: to change rows of its own, and nothing else.
    @Suite struct DatabaseRoleTests {
        @Test(arguments: PeerRole.stateful) func rows_are_changed_and_tables_are_not(_ service: PeerRole) async throws {
            let schema = service.rawValue
            try await expectAllowed(
                [
                    "SELECT count(*) FROM \(schema).requests", "DELETE FROM \(schema).requests WHERE false",
                    "UPDATE \(schema).requests SET digest = digest WHERE false",
                    "INSERT INTO \(schema).offsets (publisher, epoch, position) VALUES ('nobody', gen_random_uuid(), 1)",
                    "SELECT count(*) FROM \(schema).schema_migrations",
                    // It is not a member of the owner's role, and cannot become the owner: it would divide by nothing.
                    """
                    SELECT 1 / (CASE WHEN pg_has_role(relowner, 'MEMBER') THEN 0 ELSE 1 END) FROM pg_class
                    WHERE relname = 'requests'
                    """,
                ], by: service)
            try await expectDenied(
                [
                    "CREATE TABLE \(schema).more ()", "CREATE TEMPORARY TABLE more ()", "CREATE TABLE public.more ()",
                    "CREATE SCHEMA more", "CREATE FUNCTION \(schema).more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                    "ALTER TABLE \(schema).requests ADD COLUMN more int", "DROP TABLE \(schema).requests",
                    "CREATE INDEX ON \(schema).requests (digest)", "TRUNCATE \(schema).requests",
                    "ALTER SCHEMA \(schema) RENAME TO more", "DROP SCHEMA \(schema) CASCADE",
                    "DELETE FROM \(schema).schema_migrations", "UPDATE \(schema).schema_migrations SET name = ''",
                    "INSERT INTO \(schema).schema_migrations (component, number, name, checksum) VALUES ('more', 1, '', '')",
                    "CREATE ROLE more", "SELECT rolpassword FROM pg_authid", "SELECT pg_read_file('/etc/passwd')",
                    "COPY (SELECT 1) TO PROGRAM 'true'",
                ], by: service)
        }

        @Test(arguments: PeerRole.stateful) func no_other_schema_is_read(_ service: PeerRole) async throws {
            let others = PeerRole.stateful.filter { $0 != service }.map(\.rawValue)
            try await expectDenied(
                others.flatMap { other in
                    [
                        "SELECT FROM \(other).outbox", "SELECT FROM \(other).schema_migrations",
                        "INSERT INTO \(other).offsets VALUES ('nobody', gen_random_uuid(), 1)",
                        "DELETE FROM \(other).requests",
                    ]
                }, by: service)
        }

        @Test func the_audit_log_is_added_to_and_read() async throws {
            try await expectAllowed(
                [
                    "SELECT count(*) FROM auth.audit_log",
                    """
                    INSERT INTO auth.audit_log (id, at, act, person, before, after)
                    VALUES (gen_random_uuid(), now(), 'hide', gen_random_uuid(), '{}', '{}')
                    """,
                ], by: .auth)
            try await expectDenied(
                [
                    "UPDATE auth.audit_log SET reason = NULL", "UPDATE auth.audit_log SET reason = NULL WHERE false",
                    "DELETE FROM auth.audit_log", "TRUNCATE auth.audit_log", "DROP TABLE auth.audit_log",
                    "SELECT FROM auth.audit_log FOR UPDATE", "ALTER TABLE auth.audit_log DISABLE TRIGGER ALL",
                    "DROP TRIGGER audit_log_is_append_only ON auth.audit_log",
                    "SET LOCAL session_replication_role = replica",
                    """
                    CREATE OR REPLACE FUNCTION auth.refuse_changes_of_the_audit_log() RETURNS trigger LANGUAGE plpgsql
                    AS 'BEGIN END'
                    """,
                ], by: .auth)
        }

        private func expectAllowed(_ statements: [String], by service: PeerRole) async throws {
            try await expect(nil, of: statements, by: service)
        }

        private func expectDenied(_ statements: [String], by service: PeerRole) async throws {
            try await expect("42501", of: statements, by: service)
        }

        private func expect(_ expected: String?, of statements: [String], by service: PeerRole) async throws {
            let refusals = try await Community.stack.refusals(of: statements, by: service)
            try #require(refusals.count == statements.count)
            for (statement, refusal) in zip(statements, refusals) {
                #expect(refusal == expected, "\(service.rawValue): \(statement)")
            }
        }
    }
}
