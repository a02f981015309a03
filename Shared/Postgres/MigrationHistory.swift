/// What a schema remembers of the steps that it has run, and what a program's own steps are beside that.
struct MigrationHistory: Sendable {
    let schema: String
    let component: String
    let migrations: [Migration]

    /// No row where the schema is missing; `remembers`: whether it has the table.
    var presence: SQLQuery {
        """
        SELECT to_regclass(quote_ident(nspname) || '.schema_migrations') IS NOT NULL AS remembers
        FROM pg_namespace WHERE nspname = \(schema)
        """
    }

    /// The table that remembers.
    var table: SQLQuery {
        """
        CREATE TABLE \(unescaped: schema).schema_migrations (
            component text NOT NULL, number int NOT NULL, name text NOT NULL, checksum text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (component, number))
        """
    }

    func record(of step: Migration) -> SQLQuery {
        """
        INSERT INTO \(unescaped: schema).schema_migrations (component, number, name, checksum)
        VALUES (\(component), \(step.number), \(step.name), encode(sha256(convert_to(\(step.sql), 'UTF8')), 'hex'))
        """
    }

    /// The steps that were run, and whether each reads the same in this program.
    var steps: SQLQuery {
        """
        SELECT done.number, done.name, done.checksum = encode(sha256(convert_to(known.sql, 'UTF8')), 'hex') AS same
        FROM \(unescaped: schema).schema_migrations done
        LEFT JOIN unnest(\(migrations.map(\.number)), \(migrations.map(\.sql))::text[]) AS known (number, sql)
            USING (number)
        WHERE done.component = \(component)
        ORDER BY done.number
        """
    }

    /// What was not run yet, in order, after the rows that `steps` answered.
    /// - Throws: `MigrationError` where history was changed.
    func missing(after rows: PostgresRows) throws -> ArraySlice<Migration> {
        for row in rows {
            let (number, name) = (try row.get("number", as: Int.self), try row.get("name", as: String.self))
            switch try row.get("same", as: Bool?.self) {
            case nil: throw MigrationError.unknown(number: number, name: name)
            case false?: throw MigrationError.changed(number: number, name: name)
            case true?: continue
            }
        }
        return migrations.dropFirst(rows.count)
    }
}
