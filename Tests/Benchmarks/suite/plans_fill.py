"""What years leave behind: a million rows in the tables that grow, and people who were there all along."""

SIZE = 1_000_000
ENDED = SIZE // 2


def regulars(stack):
    """(id, email) of those who were there all along; none where the tables are not filled."""
    last = stack.psql(
        f"""SELECT (SELECT count(*) FROM auth.known_addresses) >= {SIZE} AND EXISTS (SELECT FROM listings.spots WHERE name LIKE 'Ended street %')""")
    if last != "t\n":
        return []
    found = stack.psql("SELECT id, email FROM auth.accounts WHERE name LIKE 'Regular %' ORDER BY joined_at DESC, name LIMIT 2")
    return [tuple(line.split("|")) for line in found.splitlines()]


def fill(stack, regulars):
    """Beside the free spots as many ended ones, and a long past of those few people (ids) through whom statements are run."""
    stack.psql(spots(regulars))
    stack.psql(messaging())
    stack.psql(auth(regulars))
    stack.psql(friendships(regulars))
    stack.psql(reviews(regulars))
    stack.psql(blocks(regulars))
    for schema in ("listings", "auth"):
        tables = stack.psql(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'").split()
        for table in tables:
            stack.psql(f"VACUUM ANALYZE {schema}.{table}")


def spots(regulars):
    """Half of the ended ones were claimed. Each regular has 20,000 of either kind: one who posts and one who drives."""
    array = ", ".join(f"'{person}'" for person in regulars)
    moment = f"(extract(epoch FROM now() - interval '1 day') * 1000)::bigint - ({ENDED} - n) * 100"
    return f"""
        SET search_path = listings, public;
        DELETE FROM spots WHERE name LIKE 'Ended %';
        INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, claimed_by, claimed_at, parked_at, there, gone, map, globe)
        SELECT (lpad(to_hex(at), 12, '0') || '7' || substr(md5('e' || n), 1, 3) || '8' || substr(md5('e' || n), 4, 15))::uuid,
            CASE WHEN n % 25 = 0 THEN regulars[n / 25 % {len(regulars)} + 1] ELSE somebody(n % 10000 + 1) END,
            to_timestamp(at / 1000.0), 'Ended street ' || n, 'street', y, x, to_timestamp(at / 1000.0) + interval '30 minutes',
            CASE WHEN n % 2 = 1 THEN 'claimed' ELSE 'expired' END,
            CASE WHEN n % 2 = 1 THEN CASE WHEN n % 25 = 1 THEN regulars[n / 25 % {len(regulars)} + 1] ELSE somebody(n % 9999 + 2) END END,
            CASE WHEN n % 2 = 1 THEN to_timestamp(at / 1000.0) + interval '5 minutes' END,
            CASE WHEN n % 2 = 1 THEN to_timestamp(at / 1000.0) + interval '9 minutes' END, 0, 0,
            cube(ARRAY[x, y, at]::float8[]), ll_to_earth(y, x)::cube
        FROM (SELECT n, {moment} AS at, 24.8 + random() * 0.5 AS x, 60.1 + random() * 0.2 AS y,
                ARRAY[{array}]::uuid[] AS regulars FROM generate_series(1, {ENDED}) n) AS made;
        -- Those whose time is over and who wait for the sweep.
        INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, there, gone, map, globe)
        SELECT gen_random_uuid(), posted_by, posted_at, 'Ended just now ' || name, kind, latitude, longitude, now(), 'free', 0, 0, map, globe
        FROM spots WHERE name LIKE 'Ended street %' LIMIT 1000;
        TRUNCATE observations;
        INSERT INTO observations (spot, person, state, seen_at)
        SELECT id, somebody(n), 'there', posted_at FROM spots, generate_series(1, 2) n WHERE state = 'free' LIMIT {SIZE};
        INSERT INTO people (id, name) SELECT somebody(n), 'Person ' || n FROM generate_series(1, {SIZE}) n ON CONFLICT DO NOTHING;
        """.replace("somebody(", "listings.bench_somebody(").replace(
        "SET search_path = listings, public;",
        """SET search_path = listings, public;
        CREATE OR REPLACE FUNCTION listings.bench_somebody(n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
            $$ SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;""")


def messaging():
    """Copies of a real event and a real answer: as many, as long and as well-formed as they would be."""
    return f"""
        SET search_path = listings, public;
        SELECT FROM outbox_head FOR UPDATE;
        INSERT INTO outbox (position, header, payload, numbered_at)
        SELECT (SELECT head FROM outbox_head) + n, header, payload, now()
        FROM generate_series(1, {SIZE}) n, (SELECT header, payload FROM outbox WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1) AS real;
        UPDATE outbox_head SET head = (SELECT max(position) FROM outbox);
        INSERT INTO requests (caller, id, digest, reply)
        SELECT 'gateway/' || bench_somebody(n), gen_random_uuid(), digest, reply
        FROM generate_series(1, {SIZE}) n, (SELECT digest, reply FROM requests LIMIT 1) AS real;
        INSERT INTO refusals (caller, id, digest, refusal, until)
        SELECT 'gateway/' || bench_somebody(n), gen_random_uuid(), digest, reply, now() + n * interval '1 millisecond'
        FROM generate_series(1, {SIZE}) n, (SELECT digest, reply FROM requests LIMIT 1) AS real;
        -- Past their time: what house-keeping finds.
        INSERT INTO requests (caller, id, digest, reply, answered_at)
        SELECT 'gateway/' || bench_somebody(n), gen_random_uuid(), digest, reply, now() - interval '5 days'
        FROM generate_series(1, 5000) n, (SELECT digest, reply FROM requests LIMIT 1) AS real;
        """


def dead_letters():
    """Some events that were set aside, each of another person and all well-formed."""
    return f"""
        SET search_path = listings, public;
        INSERT INTO dead_letters (publisher, epoch, position, aggregate, header, payload, reason, attempts)
        SELECT 'auth', (SELECT epoch FROM offsets WHERE publisher = 'auth'), -n, 'account/' || bench_somebody(n), header, payload, 'bench', 5
        FROM generate_series(1, 300) n, (SELECT header, payload FROM auth.outbox WHERE header->>'type' = 'personChanged' LIMIT 1) AS real
        ON CONFLICT DO NOTHING;
        """


def snapshot():
    """As if listings had stopped three pages before the end of asking for everybody and for all blocks: it goes on when it starts."""
    return """
        UPDATE listings.people_snapshot
        SET is_complete = false, reached = (SELECT id FROM auth.accounts ORDER BY id DESC OFFSET 1200 LIMIT 1);
        UPDATE listings.blocks_snapshot SET is_complete = false, (reached_low, reached_high) = (
            SELECT least(blocker, blocked), greatest(blocker, blocked) FROM auth.blocks ORDER BY 1 DESC, 2 DESC OFFSET 1200 LIMIT 1);
        """


def friendships(regulars):
    """Ten for each of a million, and 1,500 of each regular, among whom the regulars share 1,000."""
    few = " UNION ALL ".join(
        f"SELECT '{person}'::uuid AS one, listings.bench_somebody(n) AS other FROM generate_series({500 * number + 1}, {500 * number + 1500}) n"
        for number, person in enumerate(regulars))
    return f"""
        SET search_path = auth, public;
        TRUNCATE friendships;
        INSERT INTO friendships (low, high, low_asked, accepted, since)
        SELECT least(one, other), greatest(one, other), random() < 0.5, random() < 0.95, now() - random() * interval '700 days'
        FROM (
            {few} UNION ALL
            SELECT listings.bench_somebody(n), listings.bench_somebody(1 + ((n::bigint * 7919 + step * 104729) % {SIZE})::int)
            FROM generate_series(1, {SIZE}) n, generate_series(1, 5) step
        ) AS made WHERE one <> other
        ON CONFLICT DO NOTHING;
        """


def reviews(regulars):
    """A million encounters of the last year with a review of each, 10,000 about each regular; the last ones are not published yet."""
    array = ", ".join(f"'{person}'" for person in regulars)
    return f"""
        SET search_path = auth, public;
        TRUNCATE encounters CASCADE;
        CREATE TEMPORARY TABLE made AS
        SELECT gen_random_uuid() AS subject, listings.bench_somebody(n) AS author, now() - n * interval '30 seconds' AS at, n,
            CASE WHEN n % 50 = 0 THEN (ARRAY[{array}]::uuid[])[n / 50 % {len(regulars)} + 1] ELSE listings.bench_somebody(n % 9999 + 2) END AS about
        FROM generate_series(1, {SIZE}) n;
        DELETE FROM made WHERE author = about;
        INSERT INTO encounters (kind, subject, low, high, title, completed_at)
        SELECT 'spot', subject, least(author, about), greatest(author, about), 'Street ' || n, at FROM made;
        INSERT INTO reviews (id, kind, subject, author, about, rating, text, written_at, opens_at, published_at)
        SELECT gen_random_uuid(), 'spot', subject, author, about, 1 + n % 5, 'As one would expect, ' || n, at, at + interval '14 days',
            CASE WHEN at < now() - interval '14 days' THEN at + interval '14 days' END
        FROM made;
        """


def blocks(regulars):
    """One for each of a million, and 1,000 of each regular, none of them friends; and the same as listings knows it."""
    few = " UNION ALL ".join(
        f"SELECT '{person}'::uuid AS one, listings.bench_somebody(n) AS other FROM generate_series({1000 * number + 5001}, {1000 * number + 5999}) n"
        for number, person in enumerate(regulars))
    return f"""
        SET search_path = auth, public;
        TRUNCATE blocks, listings.blocks;
        INSERT INTO blocks (blocker, blocked, since)
        SELECT one, other, now() - random() * interval '700 days'
        FROM (
            {few} UNION ALL
            SELECT listings.bench_somebody(n), listings.bench_somebody(1 + ((n::bigint * 7907 + 611953) % {SIZE})::int) FROM generate_series(1, {SIZE}) n
        ) AS made
        WHERE one <> other AND NOT EXISTS (SELECT FROM friendships WHERE low = least(one, other) AND high = greatest(one, other))
        ON CONFLICT DO NOTHING;
        INSERT INTO listings.blocks (person, other, generation)
        SELECT person, other, generation
        FROM listings.blocks_snapshot, blocks CROSS JOIN LATERAL (VALUES (blocker, blocked), (blocked, blocker)) AS direction (person, other);
        """


def auth(regulars):
    """A million accounts, each with a session of long ago or of today; attempts to sign in of the last minutes."""
    array = ", ".join(f"'{person}'" for person in regulars)
    return f"""
        SET search_path = auth, public;
        INSERT INTO accounts (id, email, email_digest, password_hash, name, joined_at)
        SELECT listings.bench_somebody(n), 'person' || n || '@example.org', decode(md5('d' || n), 'hex'), decode(md5('h' || n), 'hex'), 'Person ' || n, now()
        FROM generate_series(1, {SIZE}) n ON CONFLICT DO NOTHING;
        DELETE FROM sessions WHERE device = 'Filled';
        INSERT INTO sessions (id, person, device, seed, generation, token_digest, started_at, last_used_at, expires_at, access_until, ended_at)
        SELECT gen_random_uuid(), CASE WHEN n % 1000 = 0 THEN regulars[n / 1000 % {len(regulars)} + 1] ELSE listings.bench_somebody(n) END, 'Filled',
            decode(md5('s' || n), 'hex'), 1, decode(md5('t' || n), 'hex'), now() - interval '20 days', now() - interval '10 days',
            now() + (n % 30) * interval '1 day' + interval '1 hour', now() - interval '10 days' + n * interval '1 ms', NULL
        FROM (SELECT n, ARRAY[{array}]::uuid[] AS regulars FROM generate_series(1, {SIZE}) n) AS made;
        -- Ended, and some of them so lately that their access tokens still live: what a gateway asks for when it starts.
        UPDATE sessions SET ended_at = now() - interval '1 minute', access_until = now() + interval '1 hour'
        WHERE id IN (SELECT id FROM sessions WHERE device = 'Filled' LIMIT 500);
        UPDATE sessions SET ended_at = now() - interval '9 days' WHERE id IN (SELECT id FROM sessions WHERE device = 'Filled' AND ended_at IS NULL LIMIT 5000);
        INSERT INTO attempts (key, attempt, at)
        SELECT decode(md5('k' || n % 300000), 'hex'), gen_random_uuid(), now() - n * interval '1 ms' FROM generate_series(1, {SIZE}) n;
        INSERT INTO known_addresses (key, until) SELECT decode(md5('a' || n), 'hex'), now() + interval '30 days' FROM generate_series(1, {SIZE}) n
        ON CONFLICT DO NOTHING;
        """
