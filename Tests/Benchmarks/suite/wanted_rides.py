"""Rides that are offered while people look for such: until each is on the live stream of one who seeks it, among 20,000 who look for a ride and 1,000,000 rides that have not left."""

import datetime
import json
import random

import rides_fill
import wanted_fill
from figures import alone
from rentals import settle
from wanted_fill import SEED, SHARED, say

SEARCHES, MADE, RATE, OFFERED = 20_000, 1000, 20, 50
# Each account seeks so many rides that nobody else seeks.
OWN = 3
# Within an hour of a moment in the next weeks.
HOURS, FIRST_DAY, LAST_DAY = 1, 2, 50


def run(stack, accounts, commits, streams, all_of):
    """`all_of` asks each of some lines once, so many in a second."""
    say(f"filling: {SEARCHES:,} who seek a ride")
    # What was there before is known: else a search that begins has all that it finds looked at.
    stack.psql("""
        SET search_path = matching, public; SET synchronous_commit = off;
        INSERT INTO searchables (kind, subject, owner, title, keys, is_for_one, appeared_at, changed_at, is_there)
        SELECT 'ride', id, driver, 'A ride', '{}', false, '-infinity', now(), true FROM rides.rides ON CONFLICT DO NOTHING""")
    stack.psql("VACUUM ANALYZE matching.searchables")
    country, dice = rides_fill.Country(), random.Random(SEED)
    other = [seek(*way(country, dice)) for _ in range(MADE)]
    all_of(stack, RATE, [line(accounts[number % len(accounts)], "/v1/wanted", draft) for number, draft in enumerate(other)])
    wanted_fill.quiet(stack)
    stack.psql("SET search_path = matching, public; UPDATE wanted SET person = gen_random_uuid() WHERE service = 'rides'")
    wanted_fill.insert(stack, "service = 'rides'", SEARCHES - MADE, "eee", each=1)
    ways = [(number % len(accounts), *way(country, dice)) for number in range(OWN * len(accounts))]
    all_of(stack, RATE, [line(accounts[person], "/v1/wanted", seek(*one)) for person, *one in ways])
    wanted_fill.quiet(stack)
    for table in ("wanted", "wanted_keys"):
        stack.psql(f"VACUUM ANALYZE matching.{table}")
    # What comes first after a start is the first of its kind on each connection.
    results = [offered(stack, accounts, commits, streams, all_of, ways, dice) for _ in range(stack.rounds + 1)][1:]
    forget(stack)
    flat = lambda what: [result[what] for result in results]
    title = f"a ride is offered, {OFFERED}/s, until it is found for whoever seeks it, among {SEARCHES:,} who seek rides"
    return [
        alone(f"{title}: p50", "ms", flat("looked"), "p50"), alone("  p99", "ms", flat("looked"), "p99"), alone("  who seek one, mean", "people", flat("people"), "mean"),
        alone("  until it is on the live stream of one who seeks it: p50", "ms", flat("streams"), "p50"),
        alone("  p99", "ms", flat("streams"), "p99", "≤ 300 ms", "≤ 100 ms"),
    ]


def line(account, path, body):
    return f"{path}\t{account[1]}\t{json.dumps(body)}"


def way(country, dice):
    """Where somebody wants to go, and when."""
    start, end = country.ends(dice)
    today = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    return start, end, today + datetime.timedelta(hours=dice.randrange(24 * FIRST_DAY, 24 * LAST_DAY))


def point(place):
    return {"latitude": round(place[0], 5), "longitude": round(place[1], 5)}


def written(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def seek(start, end, at):
    hours = datetime.timedelta(hours=HOURS)
    return {"query": {"rides": {"from": point(start), "to": point(end), "after": written(at - hours), "before": written(at + hours)}}}


def offer(number, start, end, at, dice):
    """By a way that begins and ends some hundred metres beside."""
    beside = lambda place: tuple(degrees + dice.gauss(0, 0.001) for degrees in place)
    stops = [{"name": f"{SHARED} {name}", "position": point(beside(place))} for name, place in (("a start", start), ("an end", end))]
    return {"stops": stops, "departsAt": written(at), "zone": "UTC", "seats": 3, "maxDetour": 2000, "notes": f"{SHARED} {number}"}


def offered(stack, accounts, commits, streams, all_of, ways, dice):
    forget(stack)
    for publisher in ("rides", "matching", "notification"):
        settle(stack, publisher)
    # Nobody is told of their own ride.
    drivers = [(person + 1 + dice.randrange(len(accounts) - 1)) % len(accounts) for person, *_ in ways]
    lines = [line(accounts[driver], "/v1/rides", offer(number, *one, dice)) for number, (driver, (_, *one)) in enumerate(zip(drivers, ways))]
    commits.begin()
    streams.begin()
    streams.during(all_of, stack, OFFERED, lines)
    ids = dict(row.split("|") for row in streams.during(stack.psql, f"SELECT notes, id FROM rides.rides WHERE notes LIKE '{SHARED} %'").splitlines())
    sought = [(person, ids[f"{SHARED} {number}"]) for number, (person, *_) in enumerate(ways)]
    streams.until(lambda: all(one in streams.heard for one in sought), lambda: f"{sum(one not in streams.heard for one in sought)} of {len(sought)} were not heard of")
    streams.until(lambda: all(id in commits.looked for _, id in sought), lambda: f"{len(commits.looked)} of {len(sought)} were looked for")
    streams.still_once()
    people = int(stack.psql("SELECT count(*) FROM matching.hits WHERE kind = 'ride'"))
    since = lambda moment, id: 1000 * (moment - commits.changed[id])
    return {
        "looked": times([since(commits.looked[id], id) for _, id in sought]), "streams": times([since(streams.heard[one], one[1]) for one in sought]),
        "people": {"mean": people / len(sought)}}


def times(values):
    values = sorted(values)
    return {"p50": values[len(values) // 2], "p99": values[int(len(values) * 0.99)]}


def forget(stack):
    wanted_fill.forget(stack)
    stack.psql(f"SET search_path = rides, public; DELETE FROM rides WHERE notes LIKE '{SHARED} %'; TRUNCATE requests")
