extension PlacesSchema {
    /// People are shown names, not keys. Form 3 is a postcode. A place's names are read by their keys now, when it is shown.
    static let written = """
        -- Of another name, and of what is derived from one; null for the place's own and what is derived from that.
        ALTER TABLE names ADD COLUMN written text;
        DROP INDEX names_of_place;
        CREATE INDEX names_of_place ON names (place, key);
        """

    /// The Netherlands are looked for as Netherlands, Niederlande and Holland; California as CA.
    static let regionNames = """
        CREATE TABLE region_names (
            code text NOT NULL REFERENCES regions ON DELETE CASCADE,
            key text COLLATE "C" NOT NULL
        );
        CREATE INDEX region_names_by_key ON region_names (key);
        CREATE INDEX region_names_of_code ON region_names (code);
        CREATE INDEX regions_by_key ON regions (key);
        CREATE INDEX regions_by_short_code ON regions (lower(split_part(code, '.', 2)));
        CREATE INDEX areas_by_key ON areas (key);
        INSERT INTO region_names SELECT code, substr(key, 5) FROM regions WHERE key LIKE 'the %';
        """

    /// The nearest town may be abroad, where the own country is wide and empty (Montana), or may not know its country (OpenStreetMap's).
    static let countries = """
        -- Rings as in `area_shapes`. Outlines that are drawn for the whole world are wrong by some kilometres (`blur`, in metres).
        CREATE TABLE outlines (
            source text NOT NULL REFERENCES sources ON DELETE CASCADE,
            country text NOT NULL,
            part int NOT NULL,
            is_hole boolean NOT NULL,
            ring polygon NOT NULL,
            west float8 NOT NULL,
            south float8 NOT NULL,
            east float8 NOT NULL,
            north float8 NOT NULL,
            extent float8 NOT NULL,
            blur float8 NOT NULL
        );
        CREATE INDEX outlines_on_map ON outlines USING gist (box(point(west, south), point(east, north)));
        CREATE INDEX outlines_of_source ON outlines (source, country, part);

        -- None of these is strict, or PostgreSQL would plan it at each call instead of once with the statement that it stands in.

        -- 180 degrees east and west are one line. Of two that hold a point the smaller one is meant.
        CREATE FUNCTION country_at(at_latitude float8, at_longitude float8)
            RETURNS TABLE (country text, blur float8) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
        BEGIN ATOMIC
            SELECT o.country, o.blur FROM outlines o
            CROSS JOIN (VALUES (at_longitude), (CASE WHEN abs(at_longitude) = 180 THEN -at_longitude END)) AS here (x)
            WHERE NOT o.is_hole
                AND box(point(o.west, o.south), point(o.east, o.north)) @> box(point(here.x, at_latitude), point(here.x, at_latitude))
                AND o.ring @> point(here.x, at_latitude)
                AND NOT EXISTS (
                    SELECT FROM outlines h WHERE h.source = o.source AND h.country = o.country AND h.part = o.part AND h.is_hole
                        AND h.ring @> point(here.x, at_latitude))
            ORDER BY o.extent, o.country LIMIT 1;
        END;

        -- The towns of a point's country within fifty kilometres, and how many of their own radii they are away. The outlines say which country that is,
        -- but where a town of another one is nearer than they are exact: then, and where there are none, the town does, whose radius goes with the
        -- square root of its people (800,000: about 11 km). What a town does not know of itself is as in the next one that does; what it has from others
        -- (`derived`) it does not pass on.
        CREATE FUNCTION towns_about(at_latitude float8, at_longitude float8)
            RETURNS TABLE (id uuid, name text, region text, country text, chord float8, radii float8)
            LANGUAGE sql STABLE PARALLEL SAFE ROWS 20
        BEGIN ATOMIC
            WITH near AS MATERIALIZED (
                SELECT p.id, p.name, CASE WHEN p.derived & 2 = 0 THEN p.region END AS region,
                    CASE WHEN p.derived & 4 = 0 THEN p.country END AS country, p.importance,
                    p.globe <-> ll_to_earth(at_latitude, at_longitude)::cube AS chord
                FROM places p WHERE p.kind = 'town'
                ORDER BY p.globe <-> ll_to_earth(at_latitude, at_longitude)::cube LIMIT 60
            ), close AS MATERIALIZED (
                SELECT n.id, n.name, n.region, n.country, n.chord,
                    n.chord / (12 * power(10, (n.importance * 10 - 1) / 2)) AS radii
                FROM near n WHERE n.chord < 50000
            ), outline AS MATERIALIZED (
                SELECT a.country, a.blur FROM country_at(at_latitude, at_longitude) AS a
            ), here AS MATERIALIZED (
                SELECT coalesce((
                    SELECT o.country FROM outline o
                    WHERE NOT EXISTS (SELECT FROM close c WHERE c.chord < o.blur AND c.country <> o.country)
                ), (
                    -- In doubt the outline counts as much as twice the nearness.
                    SELECT c.country FROM close c LEFT JOIN outline o ON true WHERE c.country IS NOT NULL
                    -- A city reaches less far into another country than within its own.
                    ORDER BY c.radii * c.chord * CASE WHEN c.country = o.country THEN 0.25 ELSE 1 END LIMIT 1
                )) AS country
            )
            SELECT c.id, c.name, coalesce(c.region, (
                    SELECT other.region FROM close other
                    WHERE other.region IS NOT NULL AND other.country IS NOT DISTINCT FROM here.country
                    ORDER BY other.radii LIMIT 1
                )), here.country, c.chord, c.radii
            FROM close c CROSS JOIN here
            WHERE c.country IS NULL OR here.country IS NULL OR c.country = here.country;
        END;

        CREATE OR REPLACE FUNCTION town_around(at_latitude float8, at_longitude float8)
            RETURNS TABLE (name text, region text, country text) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
        BEGIN ATOMIC
            SELECT t.name, t.region, t.country FROM towns_about(at_latitude, at_longitude) AS t ORDER BY t.radii LIMIT 1;
        END;
        """
    /// A function that answers one value is read and planned at each call; one that answers rows, once with the statement that it stands in.
    static let areaAtPoint = """
        -- Drawn before listed. 180 degrees east and west are one line. A row of null where there is none.
        CREATE FUNCTION area_at(at_latitude float8, at_longitude float8, its_town text, its_region text, its_country text)
            RETURNS TABLE (area uuid) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
        BEGIN ATOMIC
            SELECT coalesce((
                SELECT a.id FROM area_shapes s JOIN areas a ON a.id = s.area
                CROSS JOIN (VALUES (at_longitude), (CASE WHEN abs(at_longitude) = 180 THEN -at_longitude END)) AS here (x)
                WHERE NOT s.is_hole AND s.west <= here.x AND s.east >= here.x AND s.south <= at_latitude
                    AND s.north >= at_latitude AND s.ring @> point(here.x, at_latitude)
                    AND NOT EXISTS (
                        SELECT FROM area_shapes h WHERE h.area = s.area AND h.part = s.part AND h.is_hole
                            AND h.ring @> point(here.x, at_latitude))
                ORDER BY a.extent, a.name, a.id LIMIT 1
            ), (
                SELECT w.area FROM area_towns w
                WHERE w.town = name_key(its_town) AND (w.country IS NULL OR w.country = its_country)
                    AND (w.region IS NULL OR w.region = its_region)
                ORDER BY w.area LIMIT 1
            )) AS area;
        END;
        DROP FUNCTION area_of;
        """
}
