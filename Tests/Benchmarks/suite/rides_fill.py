"""A million rides that have not left, between the towns of one state, the same each time but for the day.

The towns are drawn by chance: as many as California and its neighbours have, a few of them large. People go where many live, and less often where it is
far; three in ten start or end in one town with a university. Fridays have three times as many.
"""

import bisect
import datetime
import itertools
import math
import random
import sys

import machine

TOWNS, DAYS, DRIVERS = 1869, 60, 200_000
SOUTH, WEST, HEIGHT, WIDTH = 32.6, -123.5, 9.0, 9.0
CAMPUS = (35.28, -120.66)
REGIONS = 36
CHUNK = 100_000
RADIUS = 6_378_168.0


def person(number):
    return f"01930000-0000-7000-8000-{number:012x}"


def on_grid(degrees):
    return math.floor(degrees / 0.005) * 0.005 + 0.0025


def metres(one, other):
    here, there = math.radians(on_grid(one[0])), math.radians(on_grid(other[0]))
    rise, turn = math.sin((there - here) / 2), math.sin(math.radians(on_grid(other[1]) - on_grid(one[1])) / 2)
    return 2 * RADIUS * math.asin(min(1, math.sqrt(rise * rise + math.cos(here) * math.cos(there) * turn * turn)))


def seconds(way):
    """As the service reckons it."""
    return min(way, 10_000) * 0.12 + max(0, way - 10_000) * 0.045


class Country:
    """Where people live, and where they go from there."""

    def __init__(self, seed=1):
        dice = random.Random(seed)
        self.towns = [CAMPUS] + [(SOUTH + HEIGHT * dice.random(), WEST + WIDTH * dice.random()) for _ in range(TOWNS - 1)]
        self.people = [45_000.0] + [300 * dice.paretovariate(0.75) for _ in range(TOWNS - 1)]
        self.heavy = list(itertools.accumulate(self.people))
        self.pull = {}

    def somewhere(self, dice):
        return bisect.bisect(self.heavy, dice.random() * self.heavy[-1]) % TOWNS

    def from_there(self, start, dice):
        if start not in self.pull:
            here = self.towns[start]
            strength = [0 if (far := metres(here, town)) < 5_000 else size / (20 + far / 1000) for town, size in zip(self.towns, self.people)]
            self.pull[start] = list(itertools.accumulate(strength))
        heavy = self.pull[start]
        return bisect.bisect(heavy, dice.random() * heavy[-1]) % TOWNS

    def region(self, town):
        latitude, longitude = self.towns[town]
        return f"Region {int((latitude - SOUTH) / HEIGHT * 5.99) * 6 + int((longitude - WEST) / WIDTH * 5.99) + 1}"

    def near(self, town, dice):
        latitude, longitude = self.towns[town]
        return latitude + dice.gauss(0, 0.02), longitude + dice.gauss(0, 0.02)

    def trip(self, dice):
        """The numbers of two towns."""
        start = 0 if dice.random() < 0.3 else self.somewhere(dice)
        end = self.from_there(start, dice)
        return (end, start) if start == 0 and dice.random() < 0.5 else (start, end)

    def ends(self, dice):
        """Where a trip begins and ends, far enough from each other for a ride."""
        while True:
            start, end = (self.near(town, dice) for town in self.trip(dice))
            if metres(start, end) > 3_000:
                return start, end

    def between(self, start, end, dice):
        """Towns at which a longer ride stops, in order: those that are hardly out of the way."""
        here, there = self.towns[start], self.towns[end]
        if metres(here, there) < 100_000 or dice.random() > 0.3:
            return []
        line = metres(here, there)
        tried = (self.somewhere(dice) for _ in range(25))
        found = {town for town in tried if town not in (start, end) and metres(here, self.towns[town]) + metres(self.towns[town], there) < 1.1 * line}
        return sorted(list(found)[:dice.randint(1, 3)], key=lambda town: metres(here, self.towns[town]))


def fill(stack, rides):
    """Makes them, where there are not as many already, or where the first of them have left."""
    have = stack.psql("SELECT count(*), coalesce(min(departs_at) > now(), true) FROM rides.rides WHERE notes = 'bench' AND state = 'open'")
    if have.strip() == f"{rides}|t":
        return
    print(f"   filling: {rides:,} rides", file=sys.stderr, flush=True)
    stack.psql(EMPTY)
    stack.psql(
        f"""SET search_path = rides, public;
        INSERT INTO people (id, name, generation) SELECT ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Driver ' || n, generation
        FROM generate_series(1, {DRIVERS}) n, people_snapshot ON CONFLICT DO NOTHING;""")
    country, dice = Country(), random.Random(2)
    tomorrow = datetime.datetime.now(datetime.timezone.utc).replace(hour=8, minute=0, second=0, microsecond=0) + datetime.timedelta(days=1)
    days = [tomorrow + datetime.timedelta(days=number) for number in range(DAYS)]
    weights = [3 if day.weekday() == 4 else 1 for day in days]
    for first in range(0, rides, CHUNK):
        lines = "".join(line(country, dice, number, days, weights) for number in range(first, min(rides, first + CHUNK)))
        machine.output(
            stack.postgres / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", stack.admin_url(), "-c", "COPY rides.bench_rides FROM STDIN", input=lines)
    stack.psql(KEEP)
    for table in ("rides", "ride_regions", "people"):
        stack.psql(f"VACUUM ANALYZE rides.{table}")
    stack.psql("CHECKPOINT")


def line(country, dice, number, days, weights):
    start, end = country.trip(dice)
    towns = [start, *country.between(start, end, dice), end]
    points = [country.near(town, dice) for town in towns]
    at = [0]
    for one, other in itertools.pairwise(points):
        at.append(at[-1] + max(1, round(metres(one, other))))
    leaves = dice.choices(days, weights)[0] + datetime.timedelta(minutes=5 * dice.randrange(14 * 12))
    arrives = leaves + datetime.timedelta(seconds=seconds(at[-1]))
    array = lambda values: "{" + ",".join(str(value) for value in values) + "}"
    fields = [
        f"{number:08x}-bb00-7000-8000-{number:012x}", person(1 + dice.randrange(DRIVERS)), array(f'"Town {town}"' for town in towns), array("NULL" for _ in towns),
        array(f"{point[0]:.5f}" for point in points), array(f"{point[1]:.5f}" for point in points), array(f'"{country.region(town)}"' for town in towns), array(at),
        leaves.isoformat(), arrives.isoformat(), dice.choice((1, 2, 3, 3, 3, 4, 6)), dice.choice((0, 500, 1000, 2500)),
        min(at[-1] // 4, dice.choice((0, 5_000, 5_000, 10_000, 30_000))),
    ]
    return "\t".join(str(field) for field in fields) + "\n"


EMPTY = """
    SET search_path = rides, public;
    TRUNCATE rides, seat_requests, ride_regions, saved_rides, ride_series;
    DROP TABLE IF EXISTS bench_rides;
    CREATE UNLOGGED TABLE bench_rides (id uuid, driver uuid, names text[], addresses text[], latitudes float8[], longitudes float8[], regions text[], at int[],
        departs_at timestamptz, arrives_at timestamptz, seats int, cost int, max_detour int);"""

# Without the triggers, which would do each row by itself what two statements do for all.
KEEP = """
    SET search_path = rides, public; SET session_replication_role = replica; SET synchronous_commit = off;
    INSERT INTO rides (id, driver, posted_at, state, stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions, stop_at, departs_at, leaves_by, arrives_at,
        zone, seats, cost, currency, max_detour, luggage, accepts, notes, changed_at, campus, due_at, changed_in)
    SELECT id, driver, now(), 'open', names, addresses, latitudes, longitudes, regions, at, departs_at, departs_at, arrives_at, 'America/Los_Angeles', seats, cost,
        CASE WHEN cost > 0 THEN 'EUR' END, max_detour, 'medium', 'everybody', 'bench', now(), '', departs_at, pg_current_xact_id()
    FROM bench_rides;
    INSERT INTO ride_regions (ride, region, direction, departs_at, leaves_by, driver, campus)
    SELECT DISTINCT rides.id, stop.region, way.direction, rides.departs_at, leaves_by, rides.driver, ''
    FROM rides CROSS JOIN unnest(stop_regions) WITH ORDINALITY AS stop (region, number)
    CROSS JOIN (VALUES ('from', 1, 1), ('to', 2, 0)) AS way (direction, first, short)
    WHERE stop.number BETWEEN way.first AND cardinality(stop_regions) - way.short;
    DROP TABLE bench_rides;"""
