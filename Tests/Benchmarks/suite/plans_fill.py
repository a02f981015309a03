"""What years leave behind: a million rows in the tables that grow, and people who were there all along."""

SIZE = 1_000_000
ENDED = SIZE // 2
# What moderators did, archives and erasures: fewer than there are people.
FEWER = SIZE // 5


def resize(rows):
    """For a try with fewer, whose plans say less."""
    global SIZE, ENDED, FEWER
    SIZE, ENDED, FEWER = rows, rows // 2, rows // 5



def regulars(stack):
    """(id, email) of those who were there all along; none where the tables are not filled."""
    last = stack.psql(
        f"""SELECT (SELECT count(*) FROM auth.known_addresses) >= {SIZE} AND EXISTS (SELECT FROM listings.spots WHERE name LIKE 'Ended street %')
            AND (SELECT count(*) FROM auth.reports) >= {FEWER}""")
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
    stack.psql(moderation(regulars))
    stack.psql(own_data())
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
        TRUNCATE friendships, blocks;
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


def moderation(regulars):
    """Decided cases with a report each, of which every fiftieth is by a regular; what was told of them; and the log, which only grows."""
    array = ", ".join(f"'{person}'" for person in regulars)
    return f"""
        SET search_path = auth, public;
        TRUNCATE cases CASCADE;
        CREATE TEMPORARY TABLE made AS
        SELECT gen_random_uuid() AS id, listings.bench_somebody(n) AS person, now() - n * interval '1 minute' AS at, n,
            CASE WHEN n % 50 = 0 THEN (ARRAY[{array}]::uuid[])[n / 50 % {len(regulars)} + 1] ELSE listings.bench_somebody(n + 1) END AS other
        FROM generate_series(1, {FEWER}) n;
        INSERT INTO cases (id, kind, subject, person, title, reports, opened_at, reported_at, version, decision, decided_by, decided_at)
        SELECT id, 'person', person, person, 'Person ' || n, 1, at, at, 1, 'warn', other, at + interval '1 hour' FROM made;
        INSERT INTO reports (id, case_id, reporter, reason, text, reported_at, owner, title)
        SELECT gen_random_uuid(), id, other, 'spam', 'Look at this.', at, person, 'Person ' || n FROM made;
        INSERT INTO notices (id, person, kind, text, at, read_at) SELECT gen_random_uuid(), other, 'warning', 'As one would expect.', at, at + interval '1 day' FROM made;
        INSERT INTO hidden_subjects (kind, subject, hidden_at, reason) SELECT 'spot', gen_random_uuid(), at, 'As one would expect.' FROM made;
        INSERT INTO audit_log (id, at, actor, act, person, kind, subject, case_id, reason, before, after)
        SELECT gen_random_uuid(), at, other, 'warn', person, 'person', person, id, 'As one would expect.', '{{}}', '{{}}' FROM made;
        """


def own_data():
    """Archives that are ready, receipts of those who are gone, and identities at a provider."""
    return f"""
        SET search_path = auth, public;
        TRUNCATE exports, erasures, identities CASCADE;
        INSERT INTO exports (id, person, requested_at, ready_at, expires_at)
        SELECT gen_random_uuid(), listings.bench_somebody(n), now() - interval '1 hour', now(), now() + interval '2 days' + n * interval '1 ms' FROM generate_series(1, {FEWER}) n;
        INSERT INTO export_parts (export, service, pages, records, due_at, done_at)
        SELECT id, service, 1, 10, now(), now() FROM exports, (VALUES ('auth'), ('listings')) AS services (service);
        INSERT INTO export_pages (export, service, number, sealed) SELECT export, service, 0, decode(md5(export::text), 'hex') FROM export_parts;
        INSERT INTO erasures (id, requested_at, completed_at) SELECT gen_random_uuid(), now() - n * interval '1 s', now() - n * interval '1 s' FROM generate_series(1, {FEWER}) n;
        INSERT INTO erasure_parts (erasure, service, done_at, records)
        SELECT id, service, completed_at, '[]' FROM erasures, (VALUES ('auth'), ('listings'), ('gateway')) AS services (service);
        INSERT INTO revoked_sessions (id, access_until) SELECT gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, 500);
        INSERT INTO identities (id, person, provider, issuer, digest, gives_name, linked_at, last_used_at)
        SELECT gen_random_uuid(), listings.bench_somebody(n), 'campus', 'https://id.example.org', decode(md5('i' || n), 'hex'), false, now(), now()
        FROM generate_series(1, {FEWER}) n;
        INSERT INTO listings.people_erased (id) SELECT gen_random_uuid() FROM generate_series(1, {FEWER});
        """
