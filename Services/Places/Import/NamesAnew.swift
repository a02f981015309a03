import Postgres

/// The table of names made anew beside the one that people search in, and put in its place at the end: a million rows that come one by one into
/// eight indexes that hold millions take hours, and their making as a whole takes minutes.
///
/// Only imports write names, one after the other (`PostgresPlaceImport.lock`), so nothing can be missed. Readers go on with the old table until
/// the last statement before COMMIT, wait for that moment, and then find the new one: what they have prepared is planned again.
struct NamesAnew: Sendable {
    let transaction: PostgresTransaction
    static let table = "names_anew"

    /// An empty table without indexes, for the rows of this import.
    func begin() async throws {
        try await transaction.query(
            "CREATE TABLE \(unescaped: Self.table) (LIKE names INCLUDING ALL EXCLUDING INDEXES)")
        // What `LIKE` leaves out: how often it is vacuumed.
        let rows = try await transaction.query(
            "SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = 'names'::regclass")
        if let options: String = try rows.first?.get("options") {
            try await transaction.query("ALTER TABLE \(unescaped: Self.table) SET (\(unescaped: options))")
        }
    }

    /// Takes over what the import has left of the old rows, and makes the indexes.
    func fill() async throws {
        try await transaction.query("INSERT INTO \(unescaped: Self.table) SELECT * FROM names")
        for index in try await indexes() {
            try await transaction.query("\(unescaped: index.definition(on: Self.table, called: index.name + "_anew"))")
        }
        try await transaction.query("ANALYZE \(unescaped: Self.table)")
    }

    /// The last thing in a transaction: from here on readers wait for its end.
    func swap() async throws {
        let indexes = try await indexes()
        // Who reads has it for milliseconds. A backup may have it for minutes: while somebody waits for the table, nobody reads any more, so
        // this waits in short turns, and readers go on between them.
        try await transaction.query("SELECT set_config('lock_timeout', '2s', true)")
        try await transaction.query(
            """
            DO $$
            DECLARE turns int := 0;
            BEGIN
                LOOP
                    BEGIN
                        LOCK TABLE names IN ACCESS EXCLUSIVE MODE;
                        RETURN;
                    EXCEPTION WHEN lock_not_available THEN
                        turns := turns + 1;
                        IF turns >= 120 THEN RAISE; END IF;
                    END;
                    PERFORM pg_sleep(3);
                END LOOP;
            END $$
            """)
        try await transaction.pipeline(
            ["DROP TABLE names", "ALTER TABLE \(unescaped: Self.table) RENAME TO names"]
                + indexes.map { "ALTER INDEX \(unescaped: $0.name)_anew RENAME TO \(unescaped: $0.name)" })
    }

    private struct Index {
        var name: String
        /// As PostgreSQL writes it, with the name of the index and that of the table at its beginning.
        var text: String

        func definition(on table: String, called name: String) -> String {
            let rest = text.split(separator: " USING ", maxSplits: 1)[1]
            return "CREATE INDEX \(name) ON \(table) USING \(rest)"
        }
    }

    private func indexes() async throws -> [Index] {
        try await transaction.query(
            """
            SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
            FROM pg_index i WHERE i.indrelid = 'names'::regclass ORDER BY 1
            """
        ).map { Index(name: try $0.get("name"), text: try $0.get("definition")) }
    }
}
