"""Profiles and mutual friends among a million people with twenty million friendships, at a steady rate."""

import random
import sys

from figures import alone

RATE, CONNECTIONS = 300, 64
# Of each person in the crowd (20 with those before and after, 20 by chance), of those who look, and the most that anybody may have.
AROUND, CHANCE, LOOKERS, MOST = 10, 10, 20, 2000


def run(stack):
    fill(stack)
    # Filling may take longer than a token lives.
    stack.forget_people()
    accounts = stack.people()
    lookers, one, other = accounts[:LOOKERS], accounts[LOOKERS], accounts[LOOKERS + 1]
    dice = random.Random(1)
    near = [(token, person(at + dice.randrange(1, 2 * AROUND))) for number, (_, token) in enumerate(lookers) for at in [place(stack, number)] for _ in range(50)]
    sides = {
        "profile": [(None, person(dice.randrange(stack.crowd))) for _ in range(20_000)],
        "profile of somebody with 2,000 friends": [(one[1], other[0]), (other[1], one[0])],
        "mutual friends": [(token, f"{id}/mutual-friends") for token, id in near],
        "mutual friends of two with 2,000": [(one[1], f"{other[0]}/mutual-friends"), (other[1], f"{one[0]}/mutual-friends?limit=100")],
    }
    check(stack, near[0], one, other)
    figures = []
    for name, asked in sides.items():
        paths = "".join(f"/v1/people/{path}" + (f"\t{token}" if token else "") + "\n" for token, path in asked)
        measure = lambda seconds, paths=paths: ask(stack, paths, seconds)
        measure(2)
        results = [measure(max(5, stack.seconds)) for _ in range(stack.rounds)]
        figures += [
            alone(f"{name}, {RATE}/s open loop: p50", "ms", results, "p50"),
            alone("  p99", "ms", results, "p99", "≤ 20 ms", "≤ 5 ms"), alone("  p99.9", "ms", results, "p999"),
        ]
    return figures


def person(number):
    return f"01910000-0000-7000-8000-{number:012x}"


def place(stack, number):
    """Where in the crowd somebody who looks has their friends."""
    return (number + 1) * stack.crowd // (LOOKERS + 2)


def check(stack, near, one, other):
    """What is measured is what one thinks."""
    ordinary = stack.ask("GET", f"/v1/people/{near[1]}/mutual-friends", token=near[0])
    most = stack.ask("GET", f"/v1/people/{other[0]}/mutual-friends", token=one[1])
    if not AROUND <= ordinary["count"] <= 4 * AROUND or most["count"] != MOST // 2:
        raise RuntimeError(f"{ordinary['count']} and {most['count']} mutual friends are not what was filled in")


def ask(stack, paths, seconds):
    result = stack.measured(stack.home / "peers/openloop", stack.port, RATE, seconds, CONNECTIONS, input=paths)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} answers were refusals")
    return result | {key: result[key] / 1000 for key in ("p50", "p99", "p999")}


def fill(stack):
    """Made once. Accounts that other groups made stay; friendships do not."""
    own = [id for id, _ in stack.people()[:LOOKERS + 2]]
    have = stack.psql(f"""
        SELECT (SELECT count(*) FROM auth.accounts WHERE name LIKE 'Crowd %'),
            (SELECT count(*) >= {MOST} FROM auth.friendships WHERE low = '{own[-1]}' OR high = '{own[-1]}'),
            (SELECT count(*) FROM auth.friendships WHERE low = '{person(1)}' OR high = '{person(1)}') > {AROUND}""")
    if have.strip() == f"{stack.crowd}|t|t":
        return
    print(f"   filling: {stack.crowd:,} people, {(AROUND + CHANCE) * stack.crowd:,} friendships", file=sys.stderr, flush=True)
    some = " UNION ALL ".join(
        [f"SELECT '{id}'::uuid AS one, bench_crowd(n) AS other FROM generate_series({place(stack, number)}, {place(stack, number) + 4 * AROUND}) n"
         for number, id in enumerate(own[:LOOKERS])]
        + [f"SELECT '{id}'::uuid, bench_crowd(n) FROM generate_series({1 + number * MOST // 2}, {MOST + number * MOST // 2}) n"
           for number, id in enumerate(own[LOOKERS:])])
    stack.psql(f"""
        SET search_path = auth, public;
        SET synchronous_commit = off;
        CREATE OR REPLACE FUNCTION bench_crowd(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
            $$ SELECT ('01910000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
        INSERT INTO accounts (id, email, email_digest, password_hash, name, username, bio, joined_at)
        SELECT bench_crowd(n), 'crowd' || n || '@example.org', decode(md5('cd' || n), 'hex'), decode(md5('ch' || n), 'hex'), 'Crowd ' || n, 'crowd' || n,
            'One of many.', now()
        FROM generate_series(0, {stack.crowd - 1}) n ON CONFLICT DO NOTHING;
        -- Twenty million rows with random keys: the indexes are made of them afterwards, in a minute, as a restore makes them.
        CREATE TEMPORARY TABLE kept AS SELECT indexdef FROM pg_indexes WHERE schemaname = 'auth' AND tablename = 'friendships' AND indexname <> 'friendships_pkey';
        TRUNCATE friendships;
        SET maintenance_work_mem = '1GB';
        SET work_mem = '512MB';
        SET session_replication_role = replica;
        ALTER TABLE friendships DROP CONSTRAINT friendships_pkey;
        DROP INDEX friendships_of_low, friendships_of_high;
        INSERT INTO friendships (low, high, low_asked, accepted, since)
        SELECT DISTINCT ON (1, 2) least(one, other), greatest(one, other), n % 2 = 0, true, now() - n % 700 * interval '1 day'
        FROM (
            SELECT n, bench_crowd(n) AS one, bench_crowd((n + step) % {stack.crowd}) AS other
            FROM generate_series(0, {stack.crowd - 1}) n, generate_series(1, {AROUND}) step
            UNION ALL
            SELECT n, bench_crowd(n), bench_crowd((n::bigint * 7919 + step * 104729) % {stack.crowd})
            FROM generate_series(0, {stack.crowd - 1}) n, generate_series(1, {CHANCE}) step
            UNION ALL SELECT 1, one, other FROM ({some}) AS lookers
        ) AS made WHERE one <> other;
        ALTER TABLE friendships ADD CONSTRAINT friendships_pkey PRIMARY KEY (low, high);
        DO $$ DECLARE definition text; BEGIN
            FOR definition IN SELECT indexdef FROM kept LOOP EXECUTE definition; END LOOP;
        END $$;""")
    for table in ("accounts", "friendships"):
        stack.psql(f"VACUUM ANALYZE auth.{table}")
    stack.psql("CHECKPOINT")
