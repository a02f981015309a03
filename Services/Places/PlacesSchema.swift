import Postgres

/// The schema `places`: numbered, append-only. What is here is never changed, only added to.
enum PlacesSchema {
    static let migrations = [
        Migration(1, "how names are compared", keys), Migration(2, "places", places), Migration(3, "names", names),
        Migration(4, "street networks", streets), Migration(5, "regions that are drawn or listed", areas),
        Migration(6, "towns that come later", derived),
        Migration(7, "names in order", order),
        Migration(8, "joining words", joiners),
        Migration(9, "candidates from indexes alone", covering),
        Migration(10, "what is around a point, of all kinds at once", surroundings),
        Migration(11, "names as they are written", written),
        Migration(12, "other names of regions", regionNames),
        Migration(13, "the country of a point", countries),
        Migration(14, "the region of a point, planned with what asks", areaAtPoint),
    ]

    /// One function for what is typed and what is kept. Compatibility forms first (full width, ligatures), then marks that writers leave
    /// out (accents, Arabic and Hebrew vowel signs, the kashida), then letters that have no decomposition (ß, æ, ø, ł), then all that is no
    /// letter or digit is a space, but apostrophes nothing. Vowel signs of Indian and South-East Asian scripts are letters of their words.
    private static let keys = #"""
        CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public;
        CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
        RETURN btrim(regexp_replace(
            lower(public.unaccent('public.unaccent'::regdictionary,
                -- Most names are ASCII, which spares them the rest.
                CASE WHEN name ~ '^[ -~]*$' THEN translate(name, '''`', '') ELSE
                    normalize(regexp_replace(lower(normalize(name, NFKD)),
                        '[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670''`\u2018\u2019\u02b9-\u02bf\u00b4]', '', 'g'), NFC)
                END)),
            '[^[:alnum:]\u0900-\u0dff\u0e00-\u109f\u1780-\u17ff]+', ' ', 'g'));
        """#

    /// `globe` is the point on the earth in metres, as in listings. `digest` is of what the source says, so that an import knows what has
    /// changed. Kind first in the index: nobody asks for what is near of all kinds.
    private static let places = """
        CREATE EXTENSION IF NOT EXISTS cube SCHEMA public;
        CREATE EXTENSION IF NOT EXISTS earthdistance SCHEMA public;
        CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;

        CREATE TABLE sources (
            name text PRIMARY KEY CHECK (name <> ''),
            licence text NOT NULL,
            attribution text NOT NULL,
            url text,
            -- Of the file's bytes, and of how this program reads them.
            digest text NOT NULL,
            imported_at timestamptz NOT NULL,
            places bigint NOT NULL,
            left_out bigint NOT NULL
        );

        -- Names of countries (FI) and of their states and provinces (FI.01).
        CREATE TABLE regions (
            code text PRIMARY KEY,
            name text NOT NULL CHECK (name <> ''),
            key text COLLATE "C" NOT NULL
        );

        CREATE TABLE places (
            id uuid PRIMARY KEY,
            source text NOT NULL REFERENCES sources,
            source_id text NOT NULL,
            kind text NOT NULL,
            name text NOT NULL CHECK (name <> ''),
            names jsonb,
            address text,
            postcode text,
            locality text,
            -- Codes of `regions`.
            region text,
            country text,
            importance real NOT NULL CHECK (importance BETWEEN 0 AND 1),
            latitude float8 NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude float8 NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            globe cube NOT NULL,
            digest text NOT NULL
        );
        CREATE INDEX places_nearest ON places USING gist (kind, globe);
        CREATE INDEX places_of_source ON places (source);

        -- Points along what is long, a stone's throw apart: a street is near wherever one of them is.
        CREATE TABLE anchors (
            place uuid NOT NULL,
            globe cube NOT NULL
        );
        CREATE INDEX anchors_nearest ON anchors USING gist (globe);
        CREATE INDEX anchors_of_place ON anchors (place);
        """

    /// A row for each name by which a place is looked for. `form` is 0 for its own name, 1 for another one, 2 for its own from a later word
    /// on. `rank` is the importance of the place, less for a lesser form. Keys compare byte by byte, so that a beginning is a range.
    ///
    /// So many names begin with two or three letters that they are taken in the order of their rank until there are enough; with more letters
    /// they are few, but for some ("sant", "sain", "new yo"), which have indexes of four and six letters.
    private static let names = """
        CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;

        -- No foreign key: only imports write here, a million rows at once, together with the places.
        CREATE TABLE names (
            place uuid NOT NULL,
            key text COLLATE "C" NOT NULL,
            kind text NOT NULL,
            form smallint NOT NULL,
            rank real NOT NULL,
            cell int NOT NULL
        );
        CREATE INDEX names_of_place ON names (place);
        CREATE INDEX names_by_key ON names (key);
        CREATE INDEX names_best_of_2 ON names (left(key, 2), rank DESC);
        CREATE INDEX names_best_of_3 ON names (left(key, 3), rank DESC);
        CREATE INDEX names_best_of_4 ON names (left(key, 4), rank DESC);
        CREATE INDEX names_best_of_6 ON names (left(key, 6), rank DESC);
        -- All but towns, which nearly all the world's names are of.
        CREATE INDEX names_of_kind ON names (kind, key) WHERE kind <> 'town';
        CREATE INDEX names_in_cell ON names (cell, key);
        CREATE INDEX names_alike ON names USING gin (key gin_trgm_ops) WHERE form < 2;

        -- The threshold is a setting, not an argument; a function has its own.
        CREATE FUNCTION names_like(wanted text, most int)
            RETURNS TABLE (place uuid, key text, form smallint, rank real, likeness real)
            LANGUAGE sql STABLE STRICT SET pg_trgm.similarity_threshold = 0.45
        BEGIN ATOMIC
            SELECT n.place, n.key, n.form, n.rank, similarity(n.key, wanted) AS likeness FROM names n
            WHERE n.form < 2 AND n.key % wanted
            ORDER BY similarity(n.key, wanted) + n.rank DESC LIMIT most;
        END;
        """

    /// A source's street network is a file; here is which.
    private static let streets = """
        CREATE TABLE streets (
            source text PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
            -- Of the file's bytes: what it is called in the folder of the settings.
            file text NOT NULL CHECK (file ~ '^[0-9a-f]{64}$'),
            -- Of the text that it was made of, and of the file's format.
            digest text NOT NULL,
            bytes bigint NOT NULL,
            built_at timestamptz NOT NULL
        );
        """

    /// Regions of the community (`areas`), beside the names of states (`regions`), which belong to a source now as everything does.
    private static let areas = """
        INSERT INTO sources (name, licence, attribution, url, digest, imported_at, places, left_out)
            SELECT 'regions', 'CC BY 4.0', 'GeoNames', 'https://www.geonames.org', '', now(), 0, 0 WHERE EXISTS (SELECT FROM regions)
            ON CONFLICT DO NOTHING;
        ALTER TABLE regions ADD COLUMN source text REFERENCES sources ON DELETE CASCADE;
        UPDATE regions SET source = 'regions';
        ALTER TABLE regions ALTER COLUMN source SET NOT NULL;
        CREATE INDEX regions_of_source ON regions (source);

        CREATE TABLE areas (
            id uuid PRIMARY KEY,
            source text NOT NULL REFERENCES sources ON DELETE CASCADE,
            name text NOT NULL CHECK (name <> ''),
            key text COLLATE "C" NOT NULL,
            -- Of two that hold a point the smaller one is meant.
            extent float8 NOT NULL
        );
        CREATE INDEX areas_of_source ON areas (source);

        -- Rings, on a map of degrees. A part of an area is what is in its outer ring and in none of its holes.
        CREATE TABLE area_shapes (
            area uuid NOT NULL REFERENCES areas ON DELETE CASCADE,
            part int NOT NULL,
            is_hole boolean NOT NULL,
            ring polygon NOT NULL,
            west float8 NOT NULL,
            south float8 NOT NULL,
            east float8 NOT NULL,
            north float8 NOT NULL
        );
        CREATE INDEX area_shapes_of_area ON area_shapes (area);

        CREATE TABLE area_towns (
            area uuid NOT NULL REFERENCES areas ON DELETE CASCADE,
            town text COLLATE "C" NOT NULL,
            country text,
            region text
        );
        CREATE INDEX area_towns_of_area ON area_towns (area);
        CREATE INDEX area_towns_by_name ON area_towns (town);

        -- No foreign key: only imports write here, and they look at all of it when areas change.
        ALTER TABLE places ADD COLUMN area uuid;

        -- Drawn before listed. 180 degrees east and west are one line.
        CREATE FUNCTION area_of(at_latitude float8, at_longitude float8, its_town text, its_region text, its_country text)
            RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
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
            ));
        END;
        """

    /// `derived` says what of a place is not from its source but from the town around it: 1 the locality, 2 the region, 4 the country.
    private static let derived = """
        ALTER TABLE places ADD COLUMN derived smallint NOT NULL DEFAULT 0;

        -- Of the towns around a point the one that is the fewest of its own radii away. The radius goes with the square root of the people (800,000:
        -- about 11 km), as the ground does that they cover.
        CREATE FUNCTION town_around(at_latitude float8, at_longitude float8)
            RETURNS TABLE (name text, region text, country text) LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 1
        BEGIN ATOMIC
            SELECT near.name, near.region, near.country FROM (
                SELECT p.name, p.region, p.country, p.importance,
                    p.globe <-> ll_to_earth(at_latitude, at_longitude)::cube AS chord
                FROM places p WHERE p.kind = 'town'
                ORDER BY p.globe <-> ll_to_earth(at_latitude, at_longitude)::cube LIMIT 60
            ) AS near
            WHERE near.chord < 50000
            ORDER BY near.chord / (12 * power(10, (near.importance * 10 - 1) / 2)) LIMIT 1;
        END;
        """

    /// The best of one name first, and all that a candidate is made of in the index: a beginning or a square may have thousands, and a row of
    /// the table for each would be read from as many blocks.
    private static let order = """
        DROP INDEX names_by_key;
        CREATE INDEX names_by_key ON names (key, rank DESC) INCLUDE (place, form, kind);
        DROP INDEX names_in_cell;
        CREATE INDEX names_in_cell ON names (cell, key) INCLUDE (place, form, rank, kind);
        DROP INDEX names_best_of_4;
        CREATE INDEX names_best_of_4 ON names (left(key, 4), rank DESC) INCLUDE (place, key, form, kind);
        DROP INDEX names_best_of_6;
        CREATE INDEX names_best_of_6 ON names (left(key, 6), rank DESC) INCLUDE (place, key, form, kind);

        -- What is much alike is looked for among names that begin alike.
        DROP FUNCTION names_like;
        DROP INDEX names_alike;
        """

    /// "&" and "and" are one word, in whichever language: between two others it is left out of keys. At the end it stays, where it may be the
    /// beginning of another one ("Stoke Et…"), and at the beginning, where it may be a name. What was kept by the older rule follows.
    private static let joiners = #"""
        CREATE FUNCTION unjoined(key text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN CASE WHEN key ~ ' (and|und|et|och|ja) ' THEN regexp_replace(key, ' (and|und|et|och|ja)(?= )', '', 'g') ELSE key END;

        CREATE OR REPLACE FUNCTION name_key(name text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
        RETURN unjoined(btrim(regexp_replace(
            lower(public.unaccent('public.unaccent'::regdictionary,
                -- Most names are ASCII, which spares them the rest.
                CASE WHEN name ~ '^[ -~]*$' THEN translate(name, '''`', '') ELSE
                    normalize(regexp_replace(lower(normalize(name, NFKD)),
                        '[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670''`\u2018\u2019\u02b9-\u02bf\u00b4]', '', 'g'), NFC)
                END)),
            '[^[:alnum:]\u0900-\u0dff\u0e00-\u109f\u1780-\u17ff]+', ' ', 'g')));

        -- The later words of "Marks and Spencer" are "spencer" alone now.
        DELETE FROM names WHERE form = 2 AND key ~ '^(and|und|et|och|ja) ';
        CREATE TEMP TABLE rejoined ON COMMIT DROP AS SELECT DISTINCT place FROM names WHERE key <> unjoined(key);
        UPDATE names SET key = unjoined(key) WHERE key <> unjoined(key);
        -- Two names of a place may have become one.
        DELETE FROM names n USING rejoined, names other
            WHERE n.place = rejoined.place AND other.place = n.place AND other.key = n.key
                AND (other.form, other.ctid) < (n.form, n.ctid);
        UPDATE regions SET key = unjoined(key) WHERE key <> unjoined(key);
        UPDATE areas SET key = unjoined(key) WHERE key <> unjoined(key);
        UPDATE area_towns SET town = unjoined(town) WHERE town <> unjoined(town);
        """#

    /// All that a candidate is made of in each index by which candidates are found: their rows lie anywhere in the table.
    private static let covering = """
        DROP INDEX names_best_of_2;
        CREATE INDEX names_best_of_2 ON names (left(key, 2), rank DESC) INCLUDE (place, key, form, kind);
        DROP INDEX names_best_of_3;
        CREATE INDEX names_best_of_3 ON names (left(key, 3), rank DESC) INCLUDE (place, key, form, kind);
        DROP INDEX names_of_kind;
        CREATE INDEX names_of_kind ON names (kind, key) INCLUDE (place, form, rank, cell) WHERE kind <> 'town';
        -- An index tells what is in a row only where the page is known to be visible to all, which vacuuming finds out: soon after an import.
        ALTER TABLE names SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
        """

    /// `places_nearest` finds one kind at a time, and compares the names of kinds on its way; a point is named after the nearest of a dozen. Towns, of
    /// which one is looked for however far it is, have an index of their own.
    private static let surroundings = """
        CREATE INDEX places_on_map ON places USING gist (point(longitude, latitude))
            INCLUDE (id, kind, latitude, longitude) WHERE kind NOT IN ('town', 'street');
        CREATE INDEX towns_nearest ON places USING gist (globe) WHERE kind = 'town';
        """
}
