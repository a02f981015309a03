"""What 100,000 standing searches look for, and what is shared: the same each time but for the hour. Four thousand searches are made through the door; the others are copies of them, as the
service keeps them, of people who have two each. So are most of the 100,000 things that have appeared in the last month, by which estimates are counted. Nothing of it stays.
"""

import itertools
import random
import sys
import time

import rentals_fill
from stack import EAST, NORTH, SOUTH, WEST

SEED = 1
SEARCHES, MADE, APPEARED, SEEN = 100_000, 3000, 100_000, 600
# Each account looks for so many words that nobody else looks for, and hears of what has them.
OWN = 10
RADII = (200, 300, 500, 1000)
BRANDS, REGIONS = rentals_fill.brands(), ("Bedok", "Sentosa")
MODELS = [(brand, model) for brand, models in BRANDS for model in models]
LATELY, SHARED = "Seen lately", "Looked for"
# Of what is made here, and of those whose searches are.
OURS, THEIRS = "0196bb00-0000-7000-8", "0196bb01-0000-7000-8"


def words(count, seed):
    """Such as people type, each with a beginning that few others have."""
    dice, found = random.Random(seed), {}
    while len(found) < count:
        found["".join(dice.choice("bdfghjklmnprstvwz") + dice.choice("aeiouy") for _ in range(4))] = None
    return list(found)


# What nobody else looks for is found by nobody else.
LOOKED_FOR, OWN_WORDS = words(500, 1), words(1000, 2)


def own_words(number):
    """Those that an account looks for."""
    return OWN_WORDS[number * OWN:(number + 1) * OWN]


def searches(count):
    """What is looked for: spots, cars, and spaces, in turns."""
    dice = random.Random(SEED)
    for number in range(count):
        if number % 3 == 0:
            yield {"spots": {"near": place(dice), "radius": dice.choice(RADII)}}
        elif number % 3 == 1:
            brand, model = dice.choice(MODELS)
            said = {"brand": brand, "model": model, "highestPrice": dice.randrange(2000, 9000)} if dice.random() < 0.7 else {"q": dice.choice(LOOKED_FOR)}
            yield {"things": {"kind": "car", **said}}
        else:
            yield {"things": {"kind": "space", "region": dice.choice(REGIONS), "q": dice.choice(LOOKED_FOR), "highestPrice": dice.randrange(500, 3000)}}


def things(count, currency, named, dice, own=()):
    """What is shared: where it is posted, and as what. Of the spaces each has one of some accounts' own words."""
    own = iter(own)
    for number in range(count):
        if number % 3 == 0:
            yield "/v1/spots", {"name": f"{named} {number}", "position": place(dice), "kind": "private"}
            continue
        said = {
            "title": f"{named} {number}", "description": f"Something {dice.choice(LOOKED_FOR)}, and {dice.choice(LOOKED_FOR)} as well", "region": dice.choice(REGIONS), "place": "Well Street",
            "position": {"latitude": round(dice.uniform(1.25, 1.45), 6), "longitude": round(dice.uniform(103.65, 104.0), 6)}}
        if number % 3 == 1:
            brand, model = dice.choice(MODELS)
            yield "/v1/cars", said | {"brand": brand, "model": model, "plate": plate(dice), "price": {"amount": dice.randrange(1000, 9000), "currency": currency}}
        else:
            said["description"] += "".join(f". {word}" for word in itertools.islice(own, 1))
            yield "/v1/spaces", said | {"address": "Well Street 4", "size": 12, "price": {"amount": dice.randrange(300, 3000), "currency": currency}}


def place(dice):
    return {"latitude": round(dice.uniform(SOUTH, NORTH), 6), "longitude": round(dice.uniform(WEST, EAST), 6)}


def plate(dice):
    """One that hardly anybody has, by the checksum of Singapore."""
    letters, number = "S" + "".join(dice.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=2)), dice.randint(1000, 9999)
    figures = [ord(letter) - 64 for letter in letters[1:]] + [int(digit) for digit in str(number)]
    return f"{letters}{number}{'AZYXUTSRPMLKJHGEDCB'[sum(a * b for a, b in zip(figures, (9, 4, 5, 4, 3, 2))) % 19]}"


# MARK: What is there


def appear(stack):
    """Makes many of what was shared lately."""
    quiet(stack)
    stack.psql(f"""
        SET search_path = matching, public;
        INSERT INTO searchables (kind, subject, owner, title, thing, keys, globe, is_for_one, appeared_at, changed_at, is_there)
        SELECT kind, ('{OURS}' || lpad(to_hex(copy % 4096), 3, '0') || '-' || lpad(to_hex(number), 12, '0'))::uuid, owner, title, thing, keys, globe, is_for_one, at, at, true
        FROM (SELECT *, row_number() OVER (ORDER BY subject) AS number, count(*) OVER () AS many FROM searchables WHERE title LIKE '{LATELY} %') AS seen
        CROSS JOIN LATERAL generate_series(2, {APPEARED} / seen.many) AS copy CROSS JOIN LATERAL (SELECT now() - random() * interval '29 days' AS at) AS moment""")
    known(stack)
    stack.psql("VACUUM ANALYZE matching.searchables")


def known(stack):
    """What was there before is known, as if each had been told of: else a search that begins has all that it finds looked at. A tenth has keys, those of what was shared lately: as many
    spots to a key as there are in such a town."""
    for kind, table, owner, name in (("spot", "spots", "posted_by", "name"), ("thing", "things", "owner", "title")):
        stack.psql(f"""
            SET search_path = matching, public; SET synchronous_commit = off;
            INSERT INTO searchables (kind, subject, owner, title, thing, keys, globe, is_for_one, appeared_at, changed_at, is_there)
            SELECT '{kind}', there.id, there.{owner}, there.{name}, seen.thing, CASE WHEN there.number % 10 = 0 THEN seen.keys ELSE '{{}}' END, seen.globe, seen.is_for_one, '-infinity', now(), true
            FROM (SELECT id, {owner}, {name}, row_number() OVER () AS number FROM listings.{table} WHERE {name} NOT LIKE '{LATELY} %') AS there
            JOIN (SELECT *, row_number() OVER () - 1 AS number, count(*) OVER () AS many FROM searchables WHERE kind = '{kind}' AND title LIKE '{LATELY} %' AND subject::text NOT LIKE '{OURS}%') AS seen
                ON seen.number = there.number / 10 % seen.many
            ON CONFLICT DO NOTHING""")


def copy(stack):
    """Makes many of what is looked for, each for somebody else."""
    # What is told of these is not to keep an account from being told of its own.
    own = f"coalesce(query -> 'things' ->> 'q' = ANY(string_to_array('{','.join(OWN_WORDS)}', ',')), false)"
    stack.psql(f"SET search_path = matching, public; UPDATE wanted SET person = gen_random_uuid() WHERE NOT {own}")
    made = int(stack.psql("SELECT count(*) FROM matching.wanted"))
    insert(stack, f"NOT {own}", SEARCHES - made, "000")
    if (count := int(stack.psql("SELECT count(*) FROM matching.wanted WHERE state = 'live' AND is_settled"))) != SEARCHES:
        raise RuntimeError(f"{count} of {SEARCHES} searches are there")
    for table in ("wanted", "wanted_keys"):
        stack.psql(f"VACUUM ANALYZE matching.{table}")
    stack.psql("CHECKPOINT")


def insert(stack, which, count, group, each=2):
    """Makes so many copies of some searches, in turns; each person has as many as `each`."""
    stack.psql(f"""
        SET search_path = matching, public;
        INSERT INTO wanted (id, person, service, query, keys, required, near_latitude, near_longitude, near_radius, state, created_at, changed_at, expires_at, due_at, remind_at, is_settled)
        SELECT ('{OURS}{group}-' || lpad(to_hex(n), 12, '0'))::uuid, ('{THEIRS}{group}-' || lpad(to_hex(n / {each}), 12, '0'))::uuid,
            service, query, keys, required, near_latitude, near_longitude, near_radius, 'live', created_at, changed_at, expires_at, due_at, remind_at, true
        FROM generate_series(0, {count - 1}) AS n
        JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS number, count(*) OVER () AS many FROM wanted WHERE {which}) AS made ON made.number = n % made.many""")


def quiet(stack, seconds=120):
    """Until everything was looked at, and everybody told who is told at once."""
    end = time.monotonic() + seconds
    while stack.psql("""
            SELECT EXISTS (SELECT FROM matching.looks) OR EXISTS (SELECT FROM matching.hits WHERE state = 'waiting' AND tell_at <= now())
                OR EXISTS (SELECT FROM matching.wanted WHERE NOT is_settled AND state = 'live')""") != "f\n":
        if time.monotonic() > end:
            raise RuntimeError(f"rounds were not done within {seconds} seconds")
        time.sleep(0.2)


def forget(stack):
    """Takes away what was shared while measuring, and what was found of it: nobody was told of anything."""
    quiet(stack)
    stack.psql(f"""
        DELETE FROM listings.spots WHERE name LIKE '{SHARED} %'; DELETE FROM listings.things WHERE title LIKE '{SHARED} %'; TRUNCATE listings.requests, matching.requests;
        DELETE FROM matching.searchables WHERE title LIKE '{SHARED} %'; DELETE FROM matching.finds; DELETE FROM matching.hits;
        UPDATE matching.wanted SET found = 0, last_found_at = NULL, last_told_at = NULL, digest_at = NULL, digested_at = NULL, digesting = 0, ask_at = NULL WHERE found > 0;
        DELETE FROM notification.notices WHERE kind IN ('spotFound', 'thingFound', 'rideFound', 'wantedDue')""")
    for table in ("matching.searchables", "matching.finds", "matching.hits", "matching.wanted", "matching.looks", "notification.notices", "listings.spots"):
        stack.psql(f"VACUUM ANALYZE {table}")


def empty(stack):
    """Takes away all of it, but for accounts."""
    stack.psql(f"""
        TRUNCATE matching.wanted, matching.wanted_keys, matching.wanted_there, matching.finds, matching.hits, matching.looks, matching.searchables, matching.invitations, matching.announcements;
        DELETE FROM listings.spots WHERE name LIKE ANY('{{{LATELY} %,{SHARED} %}}'); DELETE FROM listings.things WHERE title LIKE ANY('{{{LATELY} %,{SHARED} %}}')""")


def say(text):
    print(f"   {text}", file=sys.stderr, flush=True)
