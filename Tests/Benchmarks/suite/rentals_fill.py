"""What people would have shared and rented after some years: things of all kinds and agreements about them, the same each time but for the day.

Everything is computed from its number: which thing an agreement is about, whose that is and when it began need no look-up, so that both
tables are written at once, and indexes are made of whole tables, as a restore makes them.
"""

import concurrent.futures
import pathlib
import sys

# People have five things on average; one has the most that anybody may have, and an agreement every six hours about the first of them.
SHARE, MOST_THINGS, LONG_PAST = 5, 50, 10_000
KEEPER, DRIVER = 1, 2
WEST, SOUTH, WIDTH, HEIGHT = 103.62, 1.235, 0.40, 0.225
REGIONS = ("Ang Mo Kio,Bedok,Bishan,Bukit Batok,Bukit Merah,Bukit Panjang,Bukit Timah,Central,Choa Chu Kang,Clementi,Geylang,Hougang,Jurong East,Jurong West,"
           "Kallang,Marine Parade,Novena,Pasir Ris,Punggol,Queenstown,Sembawang,Sengkang,Serangoon,Tampines,Toa Payoh,Woodlands,Yishun,Sentosa")
# From what nearly everybody writes to what hardly anybody does.
WORDS = ("clean near mrt station weekday family quiet automatic boot space covered gate lift access dry child seat petrol included smoking pets allowed "
         "parking school expressway mall hawker centre evening weekend electric charging hybrid diesel manual leather camera bluetooth roof rack bicycle "
         "ladder trolley shelf locker cool humidity insured alarm guard basement attic ground floor wide narrow low ceiling height limit van lorry "
         "motorcycle caravan trailer surfboard piano furniture boxes documents archive wine paint tools workshop garden courtyard driveway carport "
         "concrete gravel slope turning circle neighbour friendly discount monthly deposit flexible early late pickup return airport ferry border "
         "malaysia johor beach park reservoir temple church hospital campus library stadium theatre museum heritage shophouse bungalow condominium "
         "terrace penthouse warehouse depot harbour orchard vintage convertible kayak telescope darkroom kiln harpsichord beekeeping").split()


def person(number):
    return f"01920000-0000-7000-8000-{number:012x}"


def brands():
    file = pathlib.Path(__file__).parents[3] / "Services/Listings/Data/car-models.txt"
    lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return [(brand, [model.strip() for model in models.split(",")]) for brand, models in (line.split(":") for line in lines)]


def quoted(texts):
    return "ARRAY[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"


def fill(stack, things, agreements):
    """Makes both, where there are not as many already, or where they have been left for so long that much is due."""
    have = stack.psql(
        """SELECT (SELECT count(*) FROM listings.things WHERE id::text LIKE '%-bb%'), (SELECT count(*) FROM listings.rentals WHERE id::text LIKE '%-bb%'),
            EXISTS (SELECT FROM listings.rentals WHERE due_at < now() - interval '1 hour')""")
    if have.strip() == f"{things}|{agreements}|f":
        return
    print(f"   filling: {things:,} things, {agreements:,} agreements", file=sys.stderr, flush=True)
    today = stack.psql("SELECT current_date").strip()
    stack.psql(definitions(things, today))
    stack.psql(UNINDEXED)
    fast = "SET search_path = listings, public; SET jit = off; SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '1GB';"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda text: stack.psql(fast + text), [rows_of_things(things), rows_of_agreements(things, agreements, today)]))
        kept = [line.split("|", 1) for line in stack.psql("SELECT step, definition FROM listings.bench_kept ORDER BY step, weight DESC").splitlines()]
        list(pool.map(lambda line: stack.psql(fast + line), [line for step, line in kept if step == "1"]))
    # Keys before those that refer to them; without the look at five million rows that are known to be right.
    for step, line in kept:
        if step != "1":
            stack.psql(fast + line)
    stack.psql("DROP TABLE listings.bench_kept")
    for table in ("things", "rentals", "occupied", "people"):
        stack.psql(f"VACUUM ANALYZE listings.{table}")
    stack.psql("CHECKPOINT")


def definitions(things, today):
    """Whatever is asked of a number, as functions; and the people."""
    models = [f"{brand}|{model}" for brand, all in brands() for model in all]
    words = " || ' ' || ".join(f"({quoted(WORDS)})[1 + floor(power(bench_chance(n, {100 + number}), 2.2) * {len(WORDS)})::int]" for number in range(13))
    functions = {
        "bench_chance(n bigint, salt int) RETURNS float8": "(hashint8extended(n, salt) & 9007199254740991) / 9007199254740992.0",
        "bench_tenant(n bigint) RETURNS uuid": "('01920000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid",
        "bench_owner(n bigint) RETURNS bigint": f"CASE WHEN n <= {MOST_THINGS} THEN {KEEPER} ELSE 10 + floor(bench_chance(n, 1) * {max(1, things // SHARE)})::bigint END",
        "bench_kind(n bigint) RETURNS text": "CASE n % 4 WHEN 0 THEN 'space' WHEN 1 THEN 'parking' ELSE 'car' END",
        # A UUID of its time, with a mark of ours.
        "bench_id(at bigint, n bigint) RETURNS uuid": "(lpad(to_hex(at), 12, '0') || '7000bb' || lpad(to_hex(n), 14, '0'))::uuid",
        # One after the other, over three years.
        "bench_posted(n bigint) RETURNS bigint": f"(extract(epoch FROM date '{today}') * 1000)::bigint - ({things} - n) * {94_608_000_000 // things} - 3600000",
        "bench_thing(n bigint) RETURNS uuid": "bench_id(bench_posted(n), n)",
        # A few are half of all cars, and many are rare.
        "bench_model(n bigint) RETURNS text": f"({quoted(models)})[1 + floor(power(bench_chance(n, 2), 3) * {len(models)})::int * 101 % {len(models)}]",
        "bench_region(n bigint) RETURNS text": f"({quoted(REGIONS.split(','))})[1 + floor(power(bench_chance(n, 3), 1.7) * 28)::int]",
        "bench_words(n bigint) RETURNS text": words,
        "bench_title(n bigint) RETURNS text": "CASE bench_kind(n) WHEN 'car' THEN replace(bench_model(n), '|', ' ') WHEN 'space' THEN 'Store room ' || n % 997 ELSE 'Driveway ' || n % 991 END "
            "|| ' in ' || bench_region(n)",
        "bench_price(n bigint) RETURNS bigint": "CASE WHEN bench_chance(n, 4) < 0.02 THEN 0 ELSE CASE bench_kind(n) "
            "WHEN 'car' THEN 3000 + 500 * floor(power(bench_chance(n, 5), 2) * 50)::bigint + CASE WHEN n % 7 = 0 THEN n % 490 ELSE 0 END "
            "WHEN 'space' THEN 300 + 100 * floor(bench_chance(n, 5) * 40)::bigint ELSE 100 + 20 * floor(bench_chance(n, 5) * 40)::bigint END END",
        "bench_policy(n bigint) RETURNS text": "(ARRAY['flexible', 'moderate', 'strict'])[1 + n % 3]",
    }
    made = "".join(f"CREATE OR REPLACE FUNCTION {name} LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT {body} $$;\n" for name, body in functions.items())
    return f"""
        SET search_path = listings, public;
        SET synchronous_commit = off;
        {made}
        INSERT INTO people (id, name, generation)
        SELECT bench_tenant(n), 'Tenant ' || n, generation FROM generate_series(1, {things // SHARE + 11}) n, people_snapshot ON CONFLICT DO NOTHING;
        """


# Empties the tables (which are locked while they are filled: what is not committed would be read and left out every second), and takes their indexes away, which are made again of all rows; constraints go before the indexes that they need.
UNINDEXED = """
    SET search_path = listings, public;
    TRUNCATE occupied, rental_evidence, calendar_entries, rentals, things;
    CREATE TABLE IF NOT EXISTS bench_kept (step int, weight int, of text, name text, definition text);
    INSERT INTO bench_kept
    SELECT CASE contype WHEN 'f' THEN 3 ELSE 2 END, 0, conrelid::regclass::text, conname,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype IN ('p', 'u', 'x', 'f')
        AND (conrelid IN ('things'::regclass, 'rentals'::regclass, 'occupied'::regclass) OR confrelid IN ('things'::regclass, 'rentals'::regclass))
    UNION ALL
    -- First those by which the service looks every second what is due: without them it would read everything, beside this. Then what takes long.
    SELECT 1, CASE WHEN indexname ~ '_(due|to_remind|talk_ends|withheld)$' THEN 3 WHEN indexdef LIKE '%gin%' THEN 2 WHEN indexdef LIKE '%gist%' THEN 1 ELSE 0 END, tablename, indexname, indexdef || ';' FROM pg_indexes
    WHERE schemaname = 'listings' AND tablename IN ('things', 'rentals', 'occupied')
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname AND connamespace = 'listings'::regnamespace);
    DO $$ DECLARE one bench_kept; BEGIN
        FOR one IN SELECT * FROM bench_kept ORDER BY step DESC LOOP
            IF one.step = 1 THEN EXECUTE format('DROP INDEX IF EXISTS %I', one.name);
            ELSE EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', one.of, one.name); END IF;
        END LOOP;
    END $$;"""


def rows_of_things(things):
    # Around thirty quarters, and a fifth anywhere.
    within = lambda salt: (f"CASE WHEN n % 5 = 0 THEN bench_chance(n, {salt}) "
                           f"ELSE least(0.999, greatest(0, bench_chance(n % 30, {salt + 1}) + (bench_chance(n, {salt}) - 0.5) / 8)) END")
    return f"""
        LOCK TABLE things;
        INSERT INTO things (id, kind, owner, posted_at, state, title, description, brand, model, size, region, place, address, latitude, longitude, globe, photos,
            price, currency, unit, cancellation, is_instant, zone, hidden_at, hidden_reason, campus, newness)
        SELECT bench_id(at, n), kind, bench_tenant(bench_owner(n)), to_timestamp(at / 1000.0),
            CASE WHEN n % 40 = 7 THEN 'draft' WHEN n % 40 = 8 THEN 'withdrawn' ELSE 'listed' END, bench_title(n), bench_words(n),
            CASE kind WHEN 'car' THEN split_part(model, '|', 1) END, CASE kind WHEN 'car' THEN split_part(model, '|', 2) END,
            CASE kind WHEN 'space' THEN 1 + n % 30 END, bench_region(n), 'Lorong ' || n % 512, n % 300 || ' Lorong ' || n % 512, latitude, longitude,
            ll_to_earth(floor(latitude / 0.005) * 0.005 + 0.0025, floor(longitude / 0.005) * 0.005 + 0.0025)::cube, ARRAY[md5('a' || n), md5('b' || n)],
            price, CASE WHEN price > 0 THEN 'SGD' END, CASE kind WHEN 'parking' THEN 'hour' ELSE 'day' END, bench_policy(n), n % 5 = 2, 'Asia/Singapore',
            CASE WHEN n % 200 = 9 THEN now() END, CASE WHEN n % 200 = 9 THEN 'bench' END, '', at
        FROM (SELECT n, bench_kind(n) AS kind, bench_posted(n) AS at, bench_price(n) AS price, bench_model(n) AS model,
                {SOUTH} + {HEIGHT} * {within(6)} AS latitude, {WEST} + {WIDTH} * {within(8)} AS longitude
              FROM generate_series(1, {things}) n OFFSET 0) AS made;"""


def rows_of_agreements(things, agreements, today):
    """`OFFSET 0` keeps PostgreSQL from computing what is named once wherever the name stands.

    Each thing has one to come, one of these days, and others before, in slots that cannot overlap. The keeper's first has a long past instead.
    """
    past = min(LONG_PAST, agreements // 100)
    slots = max(3, -(-(agreements - past) // (things - 1)))
    every = max(1, agreements // LONG_PAST)
    state = """
        CASE WHEN slot = 0 THEN CASE WHEN chance < 0.3 THEN 'requested' WHEN chance < 0.7 THEN 'accepted' WHEN chance < 0.85 THEN 'cancelled' ELSE 'declined' END
            WHEN slot = 1 AND starts_at > now() + interval '2 hours' THEN CASE WHEN chance < 0.7 THEN 'accepted' ELSE 'declined' END
            WHEN slot = 1 AND ends_at > now() + interval '2 hours' THEN CASE WHEN chance < 0.9 THEN 'handedOver' ELSE 'returned' END
            WHEN chance < 0.7 THEN 'returned' WHEN chance < 0.8 THEN 'cancelled' WHEN chance < 0.88 THEN 'declined' WHEN chance < 0.96 THEN 'lapsed'
            WHEN chance < 0.98 THEN 'noShow' WHEN chance < 0.9995 THEN 'settled' ELSE 'disputed' END"""
    columns = """id, thing, kind, title, owner, renter, starts, until, zone, starts_at, ends_at, units, price, currency, unit, cancellation, is_instant, message,
            requested_at, answer_by, state, changed_at, changed_by, share, holds, due_at, remind_at"""
    wall = lambda moment: f"to_char({moment} AT TIME ZONE 'Asia/Singapore', CASE kind WHEN 'parking' THEN 'YYYY-MM-DD\"T\"HH24:MI' ELSE 'YYYY-MM-DD' END)"
    return f"""
        LOCK TABLE rentals, occupied;
        INSERT INTO rentals ({columns})
        SELECT bench_id((extract(epoch FROM requested_at) * 1000)::bigint, n), bench_thing(thing), kind, bench_title(thing), bench_tenant(bench_owner(thing)),
            bench_tenant(renter + (renter = bench_owner(thing))::int), {wall("starts_at")}, {wall("(CASE kind WHEN 'parking' THEN ends_at ELSE ends_at - interval '1 day' END)")}, 'Asia/Singapore', starts_at, ends_at,
            length, price, CASE WHEN price > 0 THEN 'SGD' END, CASE kind WHEN 'parking' THEN 'hour' ELSE 'day' END, bench_policy(thing), false, 'Hello, is it free then?',
            requested_at, starts_at, state, requested_at + interval '3 hours', NULL, 100, state IN ('accepted', 'handedOver'),
            CASE state WHEN 'requested' THEN starts_at WHEN 'accepted' THEN ends_at + interval '1 day' WHEN 'handedOver' THEN ends_at + interval '7 days' END,
            CASE state WHEN 'requested' THEN starts_at - interval '6 hours' WHEN 'accepted' THEN greatest(starts_at - interval '1 day', now() + interval '1 hour')
                WHEN 'handedOver' THEN ends_at + interval '1 hour' END
        FROM (SELECT *, {state} AS state, bench_price(thing) AS price, least(starts_at - interval '5 days', now() - bench_chance(n, 24) * interval '10 days') AS requested_at
              FROM (SELECT *, starts_at + length * CASE kind WHEN 'parking' THEN interval '1 hour' ELSE interval '1 day' END AS ends_at
                    FROM (SELECT n, thing, slot, bench_kind(thing) AS kind, bench_chance(n, 20) AS chance, 1 + floor(bench_chance(n, 23) * 12)::int AS length,
                            CASE WHEN n % {every} = 0 THEN {DRIVER} ELSE 10 + floor(bench_chance(n, 21) * {max(1, things // SHARE)})::bigint END AS renter,
                            (date '{today}' + CASE slot WHEN 0 THEN 25 + floor(bench_chance(n, 22) * 40) WHEN 1 THEN floor(bench_chance(n, 22) * 20) - 10
                                ELSE floor(bench_chance(n, 22) * 30) - 40 * slot + 20 END::int)::timestamp AT TIME ZONE 'Asia/Singapore'
                                + CASE bench_kind(thing) WHEN 'parking' THEN interval '9 hours' ELSE interval '0' END AS starts_at
                          FROM (SELECT n, 2 + (n - {past + 1}) % {things - 1} AS thing, {slots - 1} - (n - {past + 1}) / {things - 1} AS slot
                                FROM generate_series({past + 1}, {agreements}) n OFFSET 0) AS numbered OFFSET 0) AS begun OFFSET 0) AS placed OFFSET 0) AS made;
        INSERT INTO rentals ({columns})
        SELECT bench_id((extract(epoch FROM starts_at - interval '60 days') * 1000)::bigint, n), bench_thing(1), 'parking', bench_title(1), bench_tenant({KEEPER}),
            bench_tenant(10 + n % {max(1, things // SHARE)}), to_char(starts_at AT TIME ZONE 'Asia/Singapore', 'YYYY-MM-DD"T"HH24:MI'),
            to_char((starts_at + interval '3 hours') AT TIME ZONE 'Asia/Singapore', 'YYYY-MM-DD"T"HH24:MI'), 'Asia/Singapore', starts_at, starts_at + interval '3 hours', 3,
            bench_price(1), CASE WHEN bench_price(1) > 0 THEN 'SGD' END, 'hour', bench_policy(1), false, NULL, starts_at - interval '60 days', starts_at, state, starts_at - interval '59 days', NULL, 100,
            state = 'accepted', CASE state WHEN 'accepted' THEN starts_at + interval '27 hours' END, NULL
        FROM (SELECT *, CASE WHEN starts_at > now() + interval '2 hours' THEN 'accepted' ELSE 'returned' END AS state
              FROM (SELECT n, (date '{today}' + 50)::timestamp AT TIME ZONE 'Asia/Singapore' - n * interval '6 hours' AS starts_at
                    FROM generate_series(1, {past}) n OFFSET 0) AS begun OFFSET 0) AS made;
        INSERT INTO occupied (id, thing, rental, starts, until, period, zone)
        SELECT id, thing, id, starts, until, tstzrange(starts_at, ends_at), zone FROM rentals WHERE holds
        UNION ALL
        SELECT bench_id(bench_posted(n) + 1, n), bench_thing(n), NULL, (date '{today}' + 80)::text, (date '{today}' + 84)::text,
            tstzrange((date '{today}' + 80)::timestamp AT TIME ZONE 'Asia/Singapore', (date '{today}' + 85)::timestamp AT TIME ZONE 'Asia/Singapore'), 'Asia/Singapore'
        FROM generate_series(2, {things}, 10) n WHERE bench_kind(n) <> 'parking';"""
