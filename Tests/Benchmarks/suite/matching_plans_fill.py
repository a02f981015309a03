"""What years of standing searches and of deliveries leave behind: a million searches with what they found, a million orders with who brought them, and 20,000 people who can bring something now.

One regular has 200 searches and 10,000 things of which they told, and has had 10,000 orders brought; the other one has invited 10,000 people to rides and has brought 10,000 orders. Nobody else has an account.
"""

import sys

# Restaurants stand in rows of forty, half a kilometre from each other.
SOUTH, WEST, ROW = 61.12, 26.62, 40
SOURCE, LIVE = "bench_plans", 20
PAST, SEARCHES = 10_000, 200
# Of these no number is needed again, and none is another's.
PERSON, WANTED, RESTAURANT, BUILDING, AVAILABILITY, ORDER, MATCH, OWN, FOUND = range(9)


def uid(kind, number):
    """As `pg_temp.uid` has it."""
    return f"0197bb0{kind}-0000-7000-8000-{number:012x}"


def restaurant(number):
    """Where it is."""
    return SOUTH + number // ROW * 0.005, WEST + number % ROW * 0.01


def sizes(rows):
    """By what the statements call them. A try with fewer rows has fewer of everything."""
    rows = max(1000, rows // 20 * 20)
    return {
        "rows": rows, "people": rows // 5, "past": min(PAST, rows // 10), "restaurants": max(40, rows // 1000), "offered": rows // 5, "open": rows // 50,
        "waiting": max(600, rows // 500), "hops": rows // 10, "own": SEARCHES, "live": LIVE, "first": SEARCHES - LIVE, "south": SOUTH, "west": WEST, "row": ROW, "source": SOURCE,
    }


def fill(stack, people):
    """Makes it, where it is not there already, or where too much of it has ended since."""
    (seeker, _), (driver, _) = people
    values = sizes(stack.rows) | {"seeker": seeker, "driver": driver}
    if stack.psql(IS_FILLED.format(**values)) == "t\n":
        return
    print(f"   filling: {values['rows']:,} searches, and as many orders", file=sys.stderr, flush=True)
    for step in (EMPTY, PEOPLE, RESTAURANTS, SEARCHES_OF_ALL, SEARCHES_OF_ONE, KEYS, SEARCHABLES, FINDS, HITS, SEEKING, OFFERED, ORDERS, MATCHES, WAITING, KNOWN):
        stack.psql(PRELUDE + step.format(**values))
    tables = stack.psql("SELECT tablename FROM pg_tables WHERE schemaname = 'matching'").split()
    for table in [f"matching.{table}" for table in tables] + ["places.places"]:
        stack.psql(f"VACUUM ANALYZE {table}")
    stack.psql("CHECKPOINT")


IS_FILLED = """
    SET search_path = matching, public;
    SELECT (SELECT count(*) >= 0.7 * {rows} FROM wanted WHERE state = 'live' AND due_at > now())
        AND (SELECT count(*) >= 0.8 * {open} FROM availabilities WHERE state = 'available' AND until > now() + interval '1 hour')
        AND (SELECT count(*) >= {rows} FROM orders)
        AND (SELECT count(*) >= 0.9 * {past} FROM hits WHERE person = '{seeker}') AND (SELECT count(*) >= 0.9 * {past} FROM matches WHERE deliverer = '{driver}')"""

# Without the triggers, which would do each row by itself what a statement does for all.
PRELUDE = """
    SET search_path = matching, public; SET session_replication_role = replica; SET synchronous_commit = off; SET gin_pending_list_limit = '256MB';
    SELECT setseed(0.5);
    CREATE FUNCTION pg_temp.uid(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
        $$ SELECT ('0197bb0' || kind::text || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
    CREATE FUNCTION pg_temp.word(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT translate(substr(md5((n % 5000)::text), 1, 8), '0123456789', 'ghijklmnop') $$;
    CREATE FUNCTION pg_temp.moment(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') $$;
    CREATE FUNCTION pg_temp.point(latitude float8, longitude float8) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
        $$ SELECT jsonb_build_object('latitude', round(latitude::numeric, 6), 'longitude', round(longitude::numeric, 6)) $$;
    -- Names of the cells that a cube around a point touches, as services have them.
    CREATE FUNCTION pg_temp.cells(begins text, middle cube, reach float8, level int, width float8) RETURNS text[] LANGUAGE sql STABLE AS $$
        SELECT array_agg(DISTINCT begins || level::text || ':' || floor((cube_ll_coord(middle, 1) + x * reach) / width)::bigint::text || ','
            || floor((cube_ll_coord(middle, 2) + y * reach) / width)::bigint::text || ',' || floor((cube_ll_coord(middle, 3) + z * reach) / width)::bigint::text)
        FROM generate_series(-1, 1, 2) AS x, generate_series(-1, 1, 2) AS y, generate_series(-1, 1, 2) AS z $$;
    -- The one in which the point itself is.
    CREATE FUNCTION pg_temp.cell(begins text, middle cube, level int, width float8) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT begins || level::text || ':' || floor(cube_ll_coord(middle, 1) / width)::bigint::text || ',' || floor(cube_ll_coord(middle, 2) / width)::bigint::text || ','
            || floor(cube_ll_coord(middle, 3) / width)::bigint::text $$;
    CREATE FUNCTION pg_temp.area(latitude float8, longitude float8) RETURNS bigint LANGUAGE sql IMMUTABLE AS
        $$ SELECT (floor((latitude + 90) * 10) * 3600 + floor((longitude + 180) * 10))::bigint $$;
    CREATE FUNCTION pg_temp.day(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$ SELECT floor(extract(epoch FROM at) / 86400)::bigint::text $$;
    """

EMPTY = """
    TRUNCATE wanted, wanted_keys, wanted_there, looks, searchables, finds, hits, invitations, announcements, availabilities, orders, matches, positions, credits, hops, restaurants,
        restaurants_told, marks;
    DELETE FROM places.places WHERE source = '{source}'; DELETE FROM places.sources WHERE name = '{source}';"""

# Of whom services have heard; the regulars are apart from a thousand, and few may not take part.
PEOPLE = """
    INSERT INTO people (id, name, generation) SELECT pg_temp.uid(0, n), 'Person ' || n, generation FROM generate_series(1, {people}) AS n, people_snapshot ON CONFLICT DO NOTHING;
    INSERT INTO blocks (person, other, generation)
    SELECT CASE side WHEN 1 THEN '{seeker}' ELSE pg_temp.uid(0, n) END, CASE side WHEN 1 THEN pg_temp.uid(0, n) ELSE '{seeker}' END, generation
    FROM generate_series({people} - least(1000, {people} / 10), {people}) AS n, generate_series(1, 2) AS side, blocks_snapshot ON CONFLICT DO NOTHING;
    INSERT INTO suspensions (person, until, generation)
    SELECT pg_temp.uid(0, {people} - n), CASE WHEN n % 5 = 0 THEN now() + interval '300 days' ELSE now() - interval '3 days' END, generation
    FROM generate_series(1, least(1000, {people} / 10)) AS n, suspensions_snapshot ON CONFLICT DO NOTHING;"""

# One more than there is anybody at.
RESTAURANTS = """
    INSERT INTO places.sources (name, licence, attribution, digest, imported_at, places, left_out) VALUES ('{source}', 'CC0', 'nobody', '', now(), 0, 0);
    INSERT INTO places.places (id, source, source_id, kind, name, importance, latitude, longitude, globe, digest)
    SELECT id, '{source}', kind || ' ' || n, kind, 'Plans ' || kind || ' ' || n, 0.1, latitude, longitude, ll_to_earth(latitude, longitude)::cube, ''
    FROM (
        SELECT pg_temp.uid(2, n) AS id, 'restaurant' AS kind, n, {south}::float8 + n / {row} * 0.005 AS latitude, {west}::float8 + n % {row} * 0.01 AS longitude
        FROM generate_series(0, {restaurants}) AS n
        UNION ALL SELECT pg_temp.uid(3, n), 'building', n, {south}::float8 + n / 10 * 0.01 + 0.002, {west}::float8 + n % 10 * 0.03 FROM generate_series(0, 99) AS n) AS known;
    INSERT INTO restaurants (id, name, latitude, longitude, globe, until)
    SELECT id, name, latitude, longitude, globe, now() + interval '30 days' FROM places.places WHERE source = '{source}' AND kind = 'restaurant' AND id < pg_temp.uid(2, {restaurants});
    INSERT INTO restaurants_told (restaurant, campus, area, place)
    SELECT id, '', pg_temp.area(latitude, longitude), jsonb_build_object('place', id, 'name', name, 'position', pg_temp.point(latitude, longitude)) FROM restaurants;"""

# Spots, spaces, rides and deliverers in turns. Two of five who look for a ride let others see it; of twenty searches seventeen are live, two have ended, and one
# is paused. A tenth of those who look for deliverers look at the restaurants at which most are.
SEARCHES_OF_ALL = """
    INSERT INTO wanted (id, person, service, query, keys, state, created_at, changed_at, expires_at, due_at, remind_at, is_settled, found, last_found_at, last_told_at, digest_at,
        seen_at, campus, seeking, seeks_before, seeks_campus)
    SELECT pg_temp.uid(1, n), pg_temp.uid(0, 1 + n % {people}), CASE form WHEN 2 THEN 'rides' WHEN 3 THEN 'matching' ELSE 'listings' END,
        CASE form
            WHEN 0 THEN jsonb_build_object('spots', jsonb_build_object('near', pg_temp.point(north, east), 'radius', 250))
            WHEN 1 THEN jsonb_build_object('things', jsonb_build_object('kind', 'space', 'q', pg_temp.word(n)))
            WHEN 2 THEN jsonb_build_object('rides', jsonb_build_object('from', pg_temp.point(at_north, at_east), 'to', pg_temp.point(at_north + 1, at_east + 2),
                'after', pg_temp.moment(leaves - interval '6 hours'), 'before', pg_temp.moment(leaves)))
            ELSE jsonb_build_object('deliverers', CASE WHEN luck % 2 = 0 THEN jsonb_build_object('restaurant', pg_temp.uid(2, place))
                ELSE jsonb_build_object('near', pg_temp.point({south} + place / {row} * 0.005, {west} + place % {row} * 0.01), 'radius', 200) END) END,
        CASE form
            WHEN 0 THEN pg_temp.cells('spot/', ll_to_earth(north, east), 250.01, 0, 512)
            WHEN 1 THEN ARRAY['space/word:' || pg_temp.word(n)]
            WHEN 2 THEN pg_temp.cells('ride/' || pg_temp.day(leaves) || '/', ll_to_earth(at_north, at_east), 20000, 2, 128000)
                || pg_temp.cell('ride/' || pg_temp.day(leaves - interval '1 day') || '/', ll_to_earth(at_north, at_east), 2, 128000)
            ELSE CASE WHEN luck % 2 = 0 THEN ARRAY['restaurant/' || pg_temp.uid(2, place)]
                ELSE pg_temp.cells('deliverer/', ll_to_earth({south} + place / {row} * 0.005, {west} + place % {row} * 0.01), 200.01, 0, 512) END END,
        state, began, began, CASE WHEN state = 'ended' THEN forgotten - interval '30 days' WHEN form = 2 THEN leaves ELSE ends END,
        CASE WHEN state = 'ended' THEN forgotten WHEN form = 2 THEN leaves ELSE ends END, CASE WHEN state <> 'ended' AND form <> 2 THEN ends - interval '3 days' END,
        true, 2, now() - interval '2 days', now() - interval '2 days', CASE WHEN state = 'live' AND n % 25 = 3 THEN digest END, began, '',
        CASE WHEN form = 2 AND n % 5 < 2 THEN jsonb_build_object(
            'from', jsonb_build_object('name', 'Town', 'region', 'Region ' || 1 + n / 20 % 36, 'position', pg_temp.point(at_north, at_east)),
            'to', jsonb_build_object('name', 'City', 'region', 'Region ' || 1 + n / 40 % 36, 'position', pg_temp.point(at_north + 1, at_east + 2)),
            'after', pg_temp.moment(leaves - interval '6 hours'), 'before', pg_temp.moment(leaves), 'seats', 1) END,
        CASE WHEN form = 2 AND n % 5 < 2 THEN leaves END, ''
    FROM (
        SELECT n, n % 4 AS form, n / 20 % 20 AS luck, CASE WHEN n / 400 % 10 = 0 THEN n / 4000 % 10 ELSE n / 400 % {restaurants} END AS place, CASE n / 20 % 20 WHEN 17 THEN 'paused' WHEN 18 THEN 'ended' WHEN 19 THEN 'ended' ELSE 'live' END AS state,
            60 + random() AS north, 24 + 2 * random() AS east, 25 + 30 * random() AS at_north, -125 + 60 * random() AS at_east,
            date_trunc('second', now() + (5 + 55 * random()) * interval '1 day') AS leaves, now() + (20 + 40 * random()) * interval '1 day' AS ends,
            now() + (1 + 28 * random()) * interval '1 day' AS forgotten, now() - 20 * random() * interval '1 day' AS began, now() + (6 + 18 * random()) * interval '1 hour' AS digest
        FROM generate_series(0, {rows} - 1) AS n) AS drawn;"""

SEARCHES_OF_ONE = """
    INSERT INTO wanted (id, person, service, query, keys, state, created_at, changed_at, expires_at, due_at, remind_at, is_settled, found, last_found_at, last_told_at, seen_at, campus,
        seeks_campus)
    SELECT pg_temp.uid(7, n), '{seeker}', 'listings',
        CASE WHEN n % 2 = 0 THEN jsonb_build_object('spots', jsonb_build_object('near', pg_temp.point(north, 24.5), 'radius', 250))
            ELSE jsonb_build_object('things', jsonb_build_object('kind', 'space', 'q', pg_temp.word(n))) END,
        CASE WHEN n % 2 = 0 THEN pg_temp.cells('spot/', ll_to_earth(north, 24.5), 250.01, 0, 512) ELSE ARRAY['space/word:' || pg_temp.word(n)] END,
        CASE WHEN n < {first} THEN 'ended' ELSE 'live' END, now() - interval '59 days', now() - interval '59 days', CASE WHEN n < {first} THEN now() - interval '1 day' ELSE now() + interval '60 days' END,
        CASE WHEN n < {first} THEN now() + interval '29 days' ELSE now() + interval '60 days' END, CASE WHEN n >= {first} THEN now() + interval '57 days' END,
        true, 500, now() - interval '2 days', now() - interval '2 days', now() - interval '59 days', '', ''
    FROM (SELECT n, 60 + n / {own}::float8 AS north FROM generate_series(0, {own} - 1) AS n) AS drawn;"""

KEYS = "INSERT INTO wanted_keys (key, wanted) SELECT DISTINCT one, id FROM wanted CROSS JOIN unnest(keys) AS one WHERE state = 'live' ORDER BY one, id;"

# Deliverers are those of `OFFERED`.
SEARCHABLES = """
    INSERT INTO searchables (kind, subject, owner, title, thing, keys, globe, is_for_one, appeared_at, changed_at, is_there, gone_at)
    SELECT CASE form WHEN 0 THEN 'spot' WHEN 1 THEN 'thing' WHEN 2 THEN 'ride' ELSE 'availability' END, CASE form WHEN 3 THEN pg_temp.uid(4, n / 4) ELSE pg_temp.uid(8, n) END,
        pg_temp.uid(0, 1 + n / 4 % {people}), 'Something ' || n, CASE form WHEN 1 THEN 'space' END,
        CASE form
            WHEN 1 THEN ARRAY['space/*', 'space/word:' || pg_temp.word(n), 'space/word:' || pg_temp.word(n / 4)]
            WHEN 2 THEN ARRAY(SELECT pg_temp.cell('ride/' || pg_temp.day(leaves) || '/', point, level, 32000 * 2 ^ level) FROM generate_series(2, 4) AS level)
            ELSE CASE form WHEN 0 THEN ARRAY['spot/*'] ELSE ARRAY['deliverer/*', 'restaurant/' || pg_temp.uid(2, n / 4 % {restaurants})] END || ARRAY(
                SELECT pg_temp.cell(CASE form WHEN 0 THEN 'spot/' ELSE 'deliverer/' END, point, level, 512 * 2 ^ level) FROM generate_series(0, 8) AS level) END,
        CASE WHEN form <> 2 THEN point END, form = 0 OR form = 3 AND n % 8 = 3, appeared, appeared, is_there, CASE WHEN NOT is_there THEN now() - 25 * random() * interval '1 day' END
    FROM (
        SELECT n, form, appeared, is_there, leaves, CASE form
            WHEN 0 THEN ll_to_earth(60 + north, 24 + 2 * east) WHEN 3 THEN ll_to_earth({south} + n / 4 % {restaurants} / {row} * 0.005, {west} + n / 4 % {restaurants} % {row} * 0.01)
            ELSE ll_to_earth(25 + 30 * north, -125 + 60 * east) END::cube AS point
        FROM (
            SELECT n, n % 4 AS form, now() - 60 * random() * interval '1 day' AS appeared, n / 4 % 10 < 7 AS is_there, now() + (5 + 55 * random()) * interval '1 day' AS leaves,
                random() AS north, random() AS east
            FROM generate_series(0, {rows} - 1) AS n) AS drawn) AS made;"""

# What each search has found is of the kind that it looks for. Half of them began with something there.
FINDS = """
    INSERT INTO finds (wanted, kind, subject, found_at, is_new)
    SELECT wanted, CASE m % 4 WHEN 0 THEN 'spot' WHEN 1 THEN 'thing' WHEN 2 THEN 'ride' ELSE 'availability' END, CASE m % 4 WHEN 3 THEN pg_temp.uid(4, m / 4) ELSE pg_temp.uid(8, m) END,
        now() - (2 + 40 * random()) * interval '1 day', is_new
    FROM (
        SELECT pg_temp.uid(1, n) AS wanted, (n + 52 + 31676 * step) % {rows} AS m, step = 0 OR n % 2 = 0 AS is_new FROM generate_series(0, {rows} - 1) AS n, generate_series(0, 1) AS step
        UNION ALL SELECT pg_temp.uid(7, {first} + own), (4 * n + own % 2) % {rows}, true
        FROM generate_series(0, {past} - 1) AS n CROSS JOIN LATERAL (SELECT CASE WHEN n % 2 = 0 THEN 0 ELSE n / 2 % {live} END AS own) AS search
    ) AS found ON CONFLICT DO NOTHING;
    INSERT INTO wanted_there (wanted, kind, subjects, at)
    SELECT wanted, kind, array_agg(subject), min(found_at) FROM finds JOIN wanted ON id = wanted WHERE NOT is_new AND NOT is_visible GROUP BY wanted, kind;
    DELETE FROM finds USING wanted_there AS there WHERE finds.wanted = there.wanted AND finds.kind = there.kind AND NOT is_new;
    -- The regular's began when as much was there as is kept.
    INSERT INTO wanted_there (wanted, kind, subjects, at)
    SELECT id, 'spot', ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 1000) WHERE id IS NOT NULL), created_at FROM wanted WHERE id >= pg_temp.uid(7, {first}) AND id < pg_temp.uid(8, 0) ON CONFLICT DO NOTHING;"""

# Most were told; of those that wait for a digest the searches have one. Who is told later of what only one can have has no place in the row.
HITS = """
    INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at, told_at)
    SELECT finds.kind, finds.subject, person, id, made.state, found_at, CASE WHEN made.state = 'waiting' THEN 'infinity' ELSE found_at END,
        CASE WHEN made.state = 'told' THEN found_at + interval '1 minute' END
    FROM (
        SELECT id, person, CASE WHEN digest_at IS NOT NULL THEN 'late' WHEN n % 1000 = 7 THEN 'waiting' WHEN n % 10 < 7 THEN 'told' ELSE 'gone' END AS state, (n + 52) % {rows} AS m
        FROM generate_series(0, {rows} - 1) AS n JOIN wanted ON id = pg_temp.uid(1, n)) AS made
    JOIN finds ON finds.wanted = id AND finds.subject = CASE m % 4 WHEN 3 THEN pg_temp.uid(4, m / 4) ELSE pg_temp.uid(8, m) END
    ON CONFLICT DO NOTHING;
    INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at, told_at)
    SELECT kind, subject, '{seeker}', wanted, 'told', found_at, found_at, found_at + interval '1 minute' FROM finds WHERE wanted >= pg_temp.uid(7, 0) AND wanted < pg_temp.uid(8, 0)
    ON CONFLICT DO NOTHING;"""

SEEKING = """
    INSERT INTO invitations (ride, wanted, driver, at)
    SELECT pg_temp.uid(8, (n + 52) % {rows}), pg_temp.uid(1, n), CASE WHEN n / 20 < {past} THEN '{driver}' ELSE pg_temp.uid(0, 1 + n / 4 % {people}) END, now() - (2 + 60 * random()) * interval '1 day'
    FROM generate_series(0, {rows} - 1) AS n WHERE n % 4 = 2 AND n % 5 < 2 AND n % 8 = 2;
    INSERT INTO announcements (ride, wanted, at)
    SELECT pg_temp.uid(8, (n + 52) % {rows}), pg_temp.uid(1, n), now() - 60 * random() * interval '1 day' FROM generate_series(0, {rows} - 1) AS n WHERE n % 4 = 2 AND n % 5 < 2 AND n % 8 = 6;"""

# A tenth of those who are there are at ten restaurants.
OFFERED = """
    INSERT INTO availabilities (id, person, began_at, state, restaurant, restaurant_name, restaurant_latitude, restaurant_longitude, drop_name, drop_latitude, drop_longitude,
        trip_metres, trip_along_streets, capacity, detour, until, is_listed, unanswered, changed_at, area, globe, campus, due_at)
    SELECT pg_temp.uid(4, n), CASE WHEN n >= {open} AND n < {open} + {past} THEN '{driver}' ELSE pg_temp.uid(0, 1 + n % {people}) END, began,
        CASE WHEN n < {open} THEN 'available' ELSE 'ended' END, restaurants.id, restaurants.name, latitude, longitude, 'Hall ' || n % 500, latitude + 0.003, longitude + 0.002 * (n % 5 - 2) / 2,
        450, false, 1 + n % 4, (ARRAY[0, 150, 300, 500])[1 + n / 4 % 4], CASE WHEN n < {open} THEN now() + interval '30 days' ELSE began + interval '1 hour' END, n % 10 <> 9, 0, began,
        pg_temp.area(latitude, longitude), globe, '', CASE WHEN n < {open} THEN now() + interval '30 days' END
    FROM (SELECT n, now() - CASE WHEN n < {open} THEN 0 ELSE 1 + 700 * random() END * interval '1 day' AS began FROM generate_series(0, {offered} - 1) AS n) AS drawn
    JOIN restaurants ON restaurants.id = pg_temp.uid(2, CASE WHEN n < {open} AND n % 10 = 0 THEN n / 10 % 10 ELSE n % {restaurants} END)
    ORDER BY n;"""

# The first of them are of one regular, brought by the other; then come as many that only the one has ordered, and as many that only the other one has brought.
ORDERS = """
    INSERT INTO orders (id, orderer, placed_at, state, wanted, drop_name, drop_latitude, drop_longitude, fee, spend_limit, currency, paid_by, is_prepaid, rolls_on, waits_until, changed_at,
        areas, restaurants, campus)
    SELECT pg_temp.uid(5, n), CASE WHEN n < {past} THEN '{seeker}' ELSE pg_temp.uid(0, 1 + n % {people}) END, at, CASE n % 10 WHEN 8 THEN 'cancelled' WHEN 9 THEN 'lapsed' ELSE 'completed' END,
        jsonb_build_array(jsonb_build_object('restaurant', jsonb_build_object('place', restaurants.id, 'name', name, 'position', pg_temp.point(latitude, longitude)), 'items', 'Soup')),
        'Annex', latitude + 0.003, longitude, 200, 1500, 'EUR', 'cash', false, false, at + interval '1 hour', at, ARRAY[pg_temp.area(latitude, longitude)], ARRAY[restaurants.id], ''
    FROM (SELECT n, now() - (1 + 700 * random()) * interval '1 day' AS at FROM generate_series(0, {rows} - 1) AS n) AS drawn JOIN restaurants ON restaurants.id = pg_temp.uid(2, n % {restaurants})
    ORDER BY n;"""

MATCHES = """
    INSERT INTO matches (id, "order", availability, orderer, deliverer, restaurant, restaurant_name, restaurant_latitude, restaurant_longitude, items, drop_name, drop_latitude,
        drop_longitude, goes_name, goes_latitude, goes_longitude, fee, spend_limit, currency, paid_by, is_prepaid, detour, walk, is_turn, chances, code, offered_at, expires_at,
        accepted_at, picked_up_at, spent, receipt, share, is_shared, is_undone, state, changed_at, changed_by, reason, statements)
    SELECT pg_temp.uid(6, n), orders.id, pg_temp.uid(4, {open} + CASE WHEN is_regular THEN n % {past} ELSE {past} + n % ({offered} - {open} - {past}) END), orderer,
        CASE WHEN is_regular THEN '{driver}' ELSE pg_temp.uid(0, 1 + (n + 77) % {people}) END, restaurants.id, name, latitude, longitude, 'Soup', drop_name, drop_latitude, drop_longitude,
        'Hall', latitude + 0.003, longitude, fee, spend_limit, currency, paid_by, false, 0, 300, false, ARRAY[]::uuid[], '', placed_at, placed_at + interval '1 minute',
        CASE WHEN n % 10 < 9 THEN placed_at END, CASE WHEN n % 10 < 8 THEN placed_at + interval '10 minutes' END, CASE WHEN n % 10 < 8 THEN 900 END,
        CASE WHEN n % 100 = 0 THEN 'receipt-' || n END, 100, false, false,
        CASE n % 10 WHEN 8 THEN 'cancelled' WHEN 9 THEN (ARRAY['declined', 'expired', 'withdrawn'])[1 + n / 10 % 3] ELSE CASE WHEN n % 1000 = 0 THEN 'settled' ELSE 'completed' END END,
        placed_at, CASE WHEN n % 1000 = 0 THEN pg_temp.uid(0, 1) END, CASE WHEN n % 1000 = 0 THEN 'Half of it.' END, '[]'
    FROM (SELECT n, n < {past} / 2 OR n >= {past} AND n < {past} + {past} / 2 AS is_regular FROM generate_series(0, {rows} - 1) AS n) AS drawn
    JOIN orders ON orders.id = pg_temp.uid(5, n) JOIN restaurants ON restaurants.id = orders.restaurants[1]
    ORDER BY n;"""

# For restaurants at which nobody is: more than one round looks at.
WAITING = """
    INSERT INTO orders (id, orderer, placed_at, state, wanted, drop_name, drop_latitude, drop_longitude, spend_limit, currency, paid_by, is_prepaid, rolls_on, waits_until, changed_at,
        areas, restaurants, campus, due_at)
    SELECT pg_temp.uid(5, {rows} + n), pg_temp.uid(0, 1 + n % {people}), now(), 'waiting', jsonb_build_array(jsonb_build_object('restaurant',
            jsonb_build_object('place', pg_temp.uid(2, 1000000 + n % 50), 'name', 'Closed', 'position', pg_temp.point({south}, {west})), 'items', 'Soup')),
        'Annex', {south} + 0.003, {west}, 1500, 'EUR', 'cash', false, false, now() + interval '30 days', now(), ARRAY[pg_temp.area({south}, {west})], ARRAY[pg_temp.uid(2, 1000000 + n % 50)], '',
        now() + interval '30 days'
    FROM generate_series(1, {waiting}) AS n;"""

KNOWN = """
    INSERT INTO credits (person, credit, as_of) SELECT pg_temp.uid(0, n), random() - 0.5, now() - 10 * random() * interval '1 day' FROM generate_series(1, {people}) AS n;
    INSERT INTO hops (one, other, one_latitude, one_longitude, other_latitude, other_longitude, area, metres, along_streets, asked_at)
    SELECT one.id, other.id, one.latitude, one.longitude, other.latitude, other.longitude, pg_temp.area(one.latitude, one.longitude), round(1.3 * earth_distance(one.globe, other.globe)), true,
        now() - 5 * random() * interval '1 day'
    FROM places.places AS one CROSS JOIN places.places AS other WHERE one.source = '{source}' AND other.source = '{source}' AND one.kind = 'restaurant' AND other.kind = 'building' LIMIT {hops};"""
