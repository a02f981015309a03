"""A town in which 20,000 people can bring something now: its restaurants and buildings as Places knows them, the ways between them as Matching has learned them, and who is
where; and 100,000 orders that others have had brought before. A thousand of them have accounts, and are alone at the first fifty restaurants. The same each time but for the
hour; nothing of it stays.

An order asks for what the server can find somebody for: where it is brought, twelve or more of the twenty deliverers go by without more than the detour that they allow.
"""

import concurrent.futures
import math
import random
import sys
import time

from rides_fill import RADIUS

# Within one field of the map that a round looks at, and a kilometre wide.
MIDDLE, HALF = (60.15, 24.85), 500
AVAILABLE, CARRIERS, RESTAURANTS, SERVED, BUILDINGS = 20_000, 1000, 200, 50, 80
PAST = 100_000
HANDS, DETOUR, FITTING = 4, 500, 12
AREA = math.floor((MIDDLE[0] + 90) * 10) * 3600 + math.floor((MIDDLE[1] + 180) * 10)
SEED, SOURCE = 1, "bench_deliveries"
OURS = "drop_name LIKE 'Bench building %'"


def metres(one, other):
    radians = math.pi / 180
    rise, turn = math.sin((other[0] - one[0]) * radians / 2), math.sin((other[1] - one[1]) * radians / 2)
    return 2 * RADIUS * math.asin(math.sqrt(rise * rise + math.cos(one[0] * radians) * math.cos(other[0] * radians) * turn * turn))


def restaurant(number):
    return f"0195bb01-0000-7000-8000-{number:012x}"


def building(number):
    return f"0195bb02-0000-7000-8000-{number:012x}"


class Town:
    def __init__(self):
        dice = random.Random(SEED)
        self.restaurants = [self.point(dice) for _ in range(RESTAURANTS)]
        self.buildings = [self.point(dice) for _ in range(BUILDINGS)]
        self.goes = [[] for _ in range(SERVED)]
        for number in range(CARRIERS):
            # As `FILL` has it.
            self.goes[number % SERVED].append((number * 37 + number // SERVED * 11) % BUILDINGS)
        self.wanted = [
            [there for there in range(BUILDINGS) if sum(self.detour(place, there, own) <= DETOUR for own in self.goes[place]) >= FITTING]
            for place in range(SERVED)]

    def point(self, dice, half=HALF):
        return (
            round(MIDDLE[0] + dice.uniform(-half, half) / 111_320, 6),
            round(MIDDLE[1] + dice.uniform(-half, half) / 111_320 / math.cos(math.radians(MIDDLE[0])), 6))

    def detour(self, place, there, own):
        """How many metres somebody goes in addition who is at this restaurant and goes to a building of their own."""
        way = lambda one, other: round(1.3 * metres(one, other))
        if there == own:
            return 0
        at, to, goal = self.restaurants[place], self.buildings[there], self.buildings[own]
        return max(0, way(at, to) + way(to, goal) - way(at, goal))

    def orders(self, count, dice, currency, several=0.3):
        """What is posted, from each restaurant as often; some would take the same from two others as well."""
        for number in range(count):
            place = number % SERVED
            others = dice.sample([other for other in range(SERVED) if other != place], 2) if dice.random() < several else []
            yield {
                "from": [{"restaurant": restaurant(one), "items": "The soup of the day, and bread."} for one in [place, *others]],
                "dropOff": {"place": building(dice.choice(self.wanted[place]))}, "limit": {"amount": 1500, "currency": currency},
            }


# MARK: People


def carriers(stack):
    """(id, access token) of those who deliver: signed up once, signed in anew for each run."""

    def enter(number):
        account = {"email": f"carrier{number}@example.org", "password": "a walk along the harbour"}
        try:
            session = stack.ask("POST", "/v1/sessions", account)
        except Exception:
            stack.ask("POST", "/v1/accounts", account | {"name": f"Carrier {number}"})
            session = stack.ask("POST", "/v1/sessions", account)
        return session["person"]["id"], session["accessToken"]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(enter, range(CARRIERS)))


# MARK: What is there


def fill(stack, town, people):
    print(f"   filling: {AVAILABLE:,} who can bring something", file=sys.stderr, flush=True)
    empty(stack)
    places = ",".join(
        f"('{id}'::uuid, '{kind}', 'Bench {kind} {number}', {latitude}, {longitude})"
        for kind, name, points in (("restaurant", restaurant, town.restaurants), ("building", building, town.buildings))
        for number, (latitude, longitude) in enumerate(points) for id in [name(number)])
    stack.psql(FILL.format(places=places, people=",".join(id for id, _ in people)))
    stack.psql(BROUGHT)
    for table in ("matching.availabilities", "matching.orders", "matching.matches", "matching.hops", "matching.restaurants", "places.places"):
        stack.psql(f"VACUUM ANALYZE {table}")
    stack.psql("CHECKPOINT")
    quiet(stack)


def quiet(stack, seconds=60):
    """Until no round has anything to look at."""
    end = time.monotonic() + seconds
    while stack.psql("SELECT EXISTS (SELECT FROM matching.marks)") != "f\n":
        if time.monotonic() > end:
            raise RuntimeError(f"rounds were not done within {seconds} seconds")
        time.sleep(0.2)


def forget(stack):
    """Takes away what was ordered and brought while measuring: all hands are free."""
    stack.psql(f"""
        SET search_path = matching, public;
        DELETE FROM matches WHERE {OURS}; DELETE FROM orders WHERE {OURS}; TRUNCATE requests""")
    for table in ("matches", "orders", "availabilities"):
        stack.psql(f"VACUUM ANALYZE matching.{table}")
    quiet(stack)


def empty(stack):
    """Takes away all of it, but for accounts."""
    forget(stack)
    stack.psql(EMPTY)


def audit(stack, told=None):
    """That nobody has more than they can carry and no order is brought twice; where `told`, that these matches, each with its order, are those that there are."""
    for what, wrong in WRONG.items():
        if count := int(stack.psql(wrong)):
            raise RuntimeError(f"{count} {what}")
    if told is not None:
        there = {tuple(line.split("|")) for line in stack.psql(f'SELECT id, "order" FROM matching.matches WHERE {OURS}').split()}
        if there != told:
            raise RuntimeError(f"{len(told - there)} of {len(told)} offers that people were told of are not there, and {len(there - told)} are that nobody was told of")


FILL = f"""
    BEGIN;
    CREATE TEMPORARY TABLE known ON COMMIT DROP AS
    SELECT *, row_number() OVER (PARTITION BY kind ORDER BY id) - 1 AS number, public.ll_to_earth(latitude, longitude)::public.cube AS globe
    FROM (VALUES {{places}}) AS place (id, kind, name, latitude, longitude);
    INSERT INTO places.sources (name, licence, attribution, digest, imported_at, places, left_out) VALUES ('{SOURCE}', 'CC0', 'nobody', '', now(), 0, 0);
    INSERT INTO places.places (id, source, source_id, kind, name, importance, latitude, longitude, globe, digest)
    SELECT id, '{SOURCE}', name, kind, name, 0.1, latitude, longitude, globe, '' FROM known;
    SET LOCAL search_path = matching, public;
    -- As Places says it of streets: the way from a restaurant to a building, and from one building to another.
    INSERT INTO hops (one, other, one_latitude, one_longitude, other_latitude, other_longitude, area, metres, along_streets, asked_at)
    SELECT one.id, other.id, one.latitude, one.longitude, other.latitude, other.longitude, {AREA}, round(1.3 * earth_distance(one.globe, other.globe)), true, now()
    FROM known AS one JOIN known AS other ON one.id < other.id AND other.kind = 'building' WHERE one.kind = 'building' OR one.number < {SERVED};
    INSERT INTO availabilities (id, person, began_at, state, restaurant, restaurant_name, restaurant_latitude, restaurant_longitude, drop_place, drop_name,
        drop_latitude, drop_longitude, trip_metres, trip_along_streets, capacity, detour, until, is_listed, unanswered, changed_at, area, globe, due_at)
    SELECT ('0195bb00-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, coalesce(people[n + 1], ('0195bb03-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid),
        now(), 'available', here.id, here.name, here.latitude, here.longitude, goal.id, goal.name, goal.latitude, goal.longitude,
        round(1.3 * earth_distance(here.globe, goal.globe)), true, {HANDS}, {DETOUR}, until, true, 0, now(), {AREA}, here.globe, until
    FROM (SELECT string_to_array('{{people}}', ',')::uuid[] AS people, date_trunc('second', now()) + interval '3 hours' AS until) AS given
    CROSS JOIN generate_series(0, {AVAILABLE - 1}) AS n
    JOIN known AS here ON here.kind = 'restaurant' AND here.number = CASE WHEN n < {CARRIERS} THEN n % {SERVED} ELSE {SERVED} + n % {RESTAURANTS - SERVED} END
    JOIN known AS goal ON goal.kind = 'building' AND goal.number = (n * 37 + n / {SERVED} * 11) % {BUILDINGS}
    ORDER BY n;
    COMMIT"""

# As tables are where people have brought each other things for a while: without, PostgreSQL would plan for empty ones.
BROUGHT = f"""
    BEGIN;
    SET LOCAL search_path = matching, public;
    SET LOCAL session_replication_role = replica;
    CREATE TEMPORARY TABLE past ON COMMIT DROP AS
    SELECT n, now() - n * interval '1 minute' AS at, {MIDDLE[0]}::float8 AS latitude, {MIDDLE[1]}::float8 AS longitude,
        ('0195bb05-0000-7000-8000-' || lpad(to_hex(n % 3000), 12, '0'))::uuid AS orderer, ('0195bb06-0000-7000-8000-' || lpad(to_hex(n % 3000 / 2), 12, '0'))::uuid AS deliverer
    FROM generate_series(1, {PAST}) AS n;
    INSERT INTO availabilities (id, person, began_at, state, restaurant, restaurant_name, restaurant_latitude, restaurant_longitude, drop_name, drop_latitude,
        drop_longitude, capacity, detour, until, is_listed, unanswered, changed_at, area, globe)
    SELECT ('0195bb07-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, deliverer, at, 'ended', '{restaurant(0)}', 'Bench restaurant', latitude, longitude,
        'Bench past', latitude, longitude, 2, {DETOUR}, at + interval '1 hour', true, 0, at, {AREA}, ll_to_earth(latitude, longitude)::cube
    FROM past;
    INSERT INTO orders (id, orderer, placed_at, state, wanted, drop_name, drop_latitude, drop_longitude, spend_limit, currency, paid_by, is_prepaid, rolls_on,
        waits_until, changed_at, areas, restaurants)
    SELECT ('0195bb08-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, orderer, at, 'completed', '[]', 'Bench past', latitude, longitude, 1500, 'EUR', 'cash',
        false, false, at + interval '1 hour', at, '{{{AREA}}}', '{{{restaurant(0)}}}'
    FROM past;
    INSERT INTO matches (id, "order", availability, orderer, deliverer, restaurant, restaurant_name, restaurant_latitude, restaurant_longitude, items, drop_name,
        drop_latitude, drop_longitude, goes_name, goes_latitude, goes_longitude, spend_limit, currency, paid_by, is_prepaid, detour, walk, is_turn, chances, code,
        offered_at, expires_at, accepted_at, picked_up_at, share, is_shared, is_undone, state, changed_at, statements)
    SELECT ('0195bb09-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ('0195bb08-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ('0195bb07-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, orderer, deliverer, '{restaurant(0)}', 'Bench restaurant', latitude, longitude, 'Soup',
        'Bench past', latitude, longitude, 'Bench past', latitude, longitude, 1500, 'EUR', 'cash', false, 0, 60, false, '{{}}', '',
        at, at + interval '1 minute', at, at, 100, false, false, 'completed', at, '[]'
    FROM past;
    COMMIT"""

EMPTY = f"""
    SET search_path = matching, public;
    DELETE FROM matches WHERE drop_name = 'Bench past'; DELETE FROM orders WHERE drop_name = 'Bench past'; DELETE FROM availabilities WHERE drop_name = 'Bench past';
    DELETE FROM credits WHERE person IN (SELECT person FROM availabilities WHERE {OURS});
    DELETE FROM notification.notices WHERE title LIKE 'Bench restaurant %';
    DELETE FROM availabilities WHERE {OURS};
    DELETE FROM hops WHERE area = {AREA};
    DELETE FROM restaurants WHERE name LIKE 'Bench restaurant %';
    DELETE FROM restaurants_told WHERE area = {AREA};
    DELETE FROM places.places WHERE source = '{SOURCE}';
    DELETE FROM places.sources WHERE name = '{SOURCE}'"""

# Counted anew, from the matches alone.
WRONG = {
    "people have more than they can carry": """
        SELECT count(*) FROM matching.availabilities WHERE capacity < (
            SELECT count(*) FROM matching.matches WHERE availability = availabilities.id AND state IN ('offered', 'accepted', 'pickedUp'))""",
    "people have not as many hands full as is counted": """
        SELECT count(*) FROM matching.availabilities WHERE state <> 'ended' AND taken <> (
            SELECT count(*) FROM matching.matches WHERE availability = availabilities.id AND fills_hand)""",
    "orders are with two people": """
        SELECT count(*) FROM (
            SELECT FROM matching.matches WHERE state IN ('offered', 'accepted', 'pickedUp', 'delivered', 'received', 'completed')
            GROUP BY "order" HAVING count(*) > 1) AS twice""",
}
