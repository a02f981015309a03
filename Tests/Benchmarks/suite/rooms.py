"""An inbox of a thousand rooms, and any page of a room of a million messages, at a steady rate."""

import random
import sys

from figures import alone

RATE, CONNECTIONS = 300, 64
ROOMS, LONG, SEED = 1000, 1_000_000, 1


def run(stack):
    fill(stack)
    token = stack.people()[0][1]
    dice = random.Random(SEED)
    cursors = inbox(stack, token)
    any_page = [f"/v1/rooms/{room(0)}/messages?{dice.choice(['before', 'after'])}={dice.randrange(1, LONG)}&limit=50" for _ in range(20_000)]
    sides = {
        f"newest page of an inbox of {ROOMS:,} rooms": ["/v1/rooms"],
        "  any page of it": cursors,
        "  how many have something unread": ["/v1/rooms/unread"],
        f"any page of a room of {LONG:,} messages": any_page,
    }
    figures = []
    for name, paths in sides.items():
        asked = "".join(f"{path}\t{token}\n" for path in paths)
        ask(stack, asked, 2)
        results = [ask(stack, asked, max(5, stack.seconds)) for _ in range(stack.rounds)]
        figures += [
            alone(f"{name}, {RATE}/s open loop: p50", "ms", results, "p50"), alone("  p99", "ms", results, "p99", "≤ 20 ms", "≤ 5 ms"),
            alone("  p99.9", "ms", results, "p999"),
        ]
    return figures


def ask(stack, paths, seconds):
    result = stack.measured(stack.home / "peers/openloop", stack.port, RATE, seconds, CONNECTIONS, input=paths)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} answers were refusals")
    return result | {key: result[key] / 1000 for key in ("p50", "p99", "p999")}


def inbox(stack, token):
    """The paths of all its pages; all rooms must be on them."""
    paths, seen = ["/v1/rooms"], 0
    while True:
        page = stack.ask("GET", paths[-1], token=token)
        seen += len(page["items"])
        if not page.get("next"):
            break
        paths.append(f"/v1/rooms?cursor={page['next']}")
    if seen < ROOMS:
        raise RuntimeError(f"{seen} of {ROOMS} rooms are in the inbox")
    return paths


def room(number):
    return f"01930000-0000-7000-8000-{number:012x}"


def fill(stack):
    """Made once: one person with a thousand others, the first of which is the one who has a lot to say."""
    me = stack.people()[0][0]
    have = stack.psql(f"SELECT (SELECT count(*) FROM chat.members WHERE person = '{me}' AND room::text LIKE '01930000-%'), (SELECT count(*) FROM chat.messages WHERE room = '{room(0)}')")
    if have.strip() == f"{ROOMS}|{LONG}":
        return
    print(f"   filling: {ROOMS:,} rooms, {LONG:,} messages in one of them", file=sys.stderr, flush=True)
    # Nobody has the spots: chat must not ask about them, or the rooms close while they are measured.
    # Others have ids above that of whoever was signed up, as the smaller id stands first.
    stack.psql(f"""
        SET search_path = chat, public;
        SET synchronous_commit = off;
        SET maintenance_work_mem = '512MB';
        DELETE FROM messages WHERE room::text LIKE '01930000-%';
        DELETE FROM rooms WHERE id::text LIKE '01930000-%';
        CREATE TEMPORARY TABLE made AS
        SELECT ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS room, ('f1930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS other,
            CASE WHEN n = 0 THEN {LONG} ELSE 40 END AS last, date_trunc('milliseconds', now()) - n * interval '7 minutes' AS at
        FROM generate_series(0, {ROOMS - 1}) n;
        INSERT INTO people (id, name, generation) SELECT other, 'Writer ' || room, generation FROM made, people_snapshot ON CONFLICT DO NOTHING;
        INSERT INTO rooms (id, subject_kind, subject_id, first_member, second_member, title, owner, state, opened_by, created_at, changed_at, last, asked_at)
        SELECT room, 'spot', room, '{me}', other, 'Spot ' || room, other, 'open', '{me}', at - interval '300 days', at, last, 'infinity' FROM made;
        INSERT INTO members (room, person, delivered, read, written, unread, archived, listed, closed, last, changed_at)
        SELECT room, '{me}', last, last - last % 3 * 2, last / 2, last % 3, false, true, false, last, at FROM made
        UNION ALL SELECT room, other, last, last, last - last / 2, 0, false, true, false, last, at FROM made;
        -- The index of words takes longest: it is made of all at once.
        DROP INDEX messages_words;
        INSERT INTO messages (room, number, id, author, text, sent_at, ordinal)
        SELECT room, number, gen_random_uuid(), CASE WHEN number % 2 = 0 THEN '{me}'::uuid ELSE other END,
            'Number ' || number || ' of many: see you at the corner by the harbour', at - (last - number) * interval '20 seconds', (number + 1) / 2
        FROM made CROSS JOIN LATERAL generate_series(1, last) AS number;
        CREATE INDEX messages_words ON messages USING gin (room, letters gin_trgm_ops) WITH (gin_pending_list_limit = 128);""")
    for table in ("rooms", "members", "messages", "people"):
        stack.psql(f"VACUUM ANALYZE chat.{table}")
    stack.psql("CHECKPOINT")
