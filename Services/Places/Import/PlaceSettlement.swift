import Postgres

/// What places do not know from their sources: the town that they belong to (of a town its state and country), and the region of the community that they are
/// in. Both change when towns, countries or regions come, move or go, whichever import brought the places.
struct PlaceSettlement: Sendable {
    let transaction: PostgresTransaction

    /// Before anything changes.
    func begin() async throws {
        _ = try await transaction.query("CREATE TEMP TABLE moved (globe cube) ON COMMIT DROP")
    }

    /// Where towns are that come, change or go; before they do, and after.
    /// - Parameter towns: a condition on `places`.
    func note(_ towns: SQLQuery) async throws {
        _ = try await transaction.query(
            "INSERT INTO moved SELECT globe FROM places WHERE kind = 'town' AND (\(towns))")
    }

    /// Says which town a place belongs to, where its source does not (`derived`), and in which region it is: for places that are new or changed, and for all
    /// around towns that were noted.
    /// - Parameter places: a condition on `places`: those that are new or changed.
    func settle(_ places: SQLQuery = "false") async throws {
        // Each step has a table of its own that is counted: what PostgreSQL knows of `places` is older than this import, and by it nothing
        // would be without its town.
        _ = try await transaction.pipeline([
            "CREATE INDEX ON moved USING gist (globe)", "ANALYZE moved",
            """
            CREATE TEMP TABLE unsettled ON COMMIT DROP AS
            SELECT id, derived, round(latitude::numeric, 2)::float8 AS latitude, round(longitude::numeric, 2)::float8 AS longitude
            FROM places JOIN (
                SELECT id FROM places WHERE \(places)
                UNION SELECT p.id FROM places p WHERE p.derived <> 0
                    AND EXISTS (SELECT FROM moved m WHERE m.globe <@ earth_box(p.globe::earth, 51000))
            ) AS changed USING (id)
            """, "ANALYZE unsettled",
            """
            CREATE TEMP TABLE around ON COMMIT DROP AS
            SELECT square.*, town.name, town.region, town.country
            FROM (SELECT DISTINCT latitude, longitude FROM unsettled WHERE derived <> 0) AS square
            LEFT JOIN LATERAL town_around(square.latitude, square.longitude) AS town ON true
            """, "ANALYZE around",
            """
            UPDATE places p SET locality = said.locality, region = said.region, country = said.country
            FROM (
                SELECT p.id, CASE WHEN p.derived & 1 > 0 THEN town.name ELSE p.locality END AS locality,
                    CASE WHEN p.derived & 2 > 0 THEN town.region ELSE p.region END AS region,
                    CASE WHEN p.derived & 4 > 0 THEN town.country ELSE p.country END AS country
                FROM unsettled u JOIN around town USING (latitude, longitude) JOIN places p USING (id)
                WHERE u.derived <> 0
            ) AS said
            WHERE p.id = said.id
                AND (p.locality, p.region, p.country) IS DISTINCT FROM (said.locality, said.region, said.country)
            """,
        ])
        try await assignAreas("p.id IN (SELECT id FROM unsettled)")
    }

    /// In which drawn or listed region places are.
    /// - Parameter places: a condition on `places p`.
    func assignAreas(_ places: SQLQuery = "true") async throws {
        _ = try await transaction.query(
            """
            UPDATE places p SET area = now.area
            FROM (
                SELECT p.id, here.area FROM places p
                CROSS JOIN LATERAL area_at(p.latitude, p.longitude,
                    CASE WHEN p.kind = 'town' THEN p.name ELSE p.locality END, p.region, p.country) AS here
                WHERE (\(places)) AND (p.area IS NOT NULL OR EXISTS (SELECT FROM areas))
            ) AS now
            WHERE p.id = now.id AND p.area IS DISTINCT FROM now.area
            """)
    }
}
