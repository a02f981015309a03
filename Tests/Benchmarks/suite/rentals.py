"""Browsing, searching and renting among a million things with five million agreements, beside Express with node-postgres and the same statements."""

import contextlib
import datetime
import pathlib
import random
import tempfile
import time
import urllib.parse

import machine
import rentals_fill
from figures import compare, interleaved
from whole_path import canonical, difference, load

# Asked whether or not the answers keep up.
BROWSED, TYPED, RENTED, CONNECTIONS = 300, 300, 500, 64
SEED = 1
# What nobody else has asked for, and by whom: days that far ahead, of things that are let to whoever asks.
FIRST_DAY, LAST_DAY, HOT = 100, 340, 20


def run(stack):
    rentals_fill.fill(stack, stack.things, stack.agreements)
    stack.psql(WARM)
    stack.forget_people()
    accounts = stack.people()
    with contextlib.ExitStack() as ends:
        port = machine.free_port()
        # What is posted to Kampong is posted with people's tokens, and to the other with their ids.
        express = ends.enter_context(machine.running("node", stack.peers / "rentals_peer.js", port, env=stack.own_environment()))
        machine.wait_for_port(port)
        sides = {"kampong": (stack.port, stack.supervisor), "Express": (port, express.pid)}
        lists = browsing(stack)
        for paths in lists.values():
            check(sides, paths[0])
        figures = []
        for name, paths in lists.items():
            figures += steady(stack, sides, name, BROWSED, {side: paths for side in sides})
        figures += everything(stack, sides, [path for paths in lists.values() for path in paths], ends)
        typed = typing()
        check(sides, typed[len(typed) // 2])
        figures += steady(stack, sides, "searching as one types", TYPED, {side: typed for side in sides}, reach="≤ 50 ms")
        return figures + renting(stack, sides, accounts)


def browsing(stack):
    """Each order and each filter: 500 different questions where there are as many."""
    dice = random.Random(SEED)
    regions = rentals_fill.REGIONS.split(",")
    brands = [brand for brand, _ in rentals_fill.brands()]
    kinds = ("cars", "spaces", "private-parking")
    near = lambda: f"{rentals_fill.SOUTH + rentals_fill.HEIGHT * dice.random():.5f},{rentals_fill.WEST + rentals_fill.WIDTH * dice.random():.5f}"
    many = lambda make: [make() for _ in range(500)]
    asked = lambda path, **query: f"/v1/{path}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}"
    first = stack.psql("SELECT current_date").strip()
    day = lambda ahead: day_after(first, ahead)

    def between():
        ahead = dice.randrange(25, 70)
        return day(ahead), day(ahead + dice.randrange(1, 7))

    return {
        "newest": [f"/v1/{kind}" for kind in kinds],
        "cheapest first": [asked(kind, sort="price") for kind in kinds],
        "dearest first": [asked(kind, sort="-price") for kind in kinds],
        "by region": [asked(kind, sort="region") for kind in kinds],
        "nearest": many(lambda: asked(dice.choice(kinds), sort="nearest", near=near())),
        "of a brand": many(lambda: asked("cars", brand=dice.choice(brands))),
        "of a region, cheapest first": many(lambda: asked(dice.choice(kinds), region=dice.choice(regions), sort="price")),
        "free between": many(lambda: asked(dice.choice(kinds[:2]), **dict(zip(("from", "until"), between())))),
        "nearest that are free and cheap": many(
            lambda: asked("cars", sort="nearest", near=near(), highestPrice=6000, **dict(zip(("from", "until"), between())))),
    }


def day_after(first, ahead):
    return (datetime.date.fromisoformat(first) + datetime.timedelta(days=ahead)).isoformat()


def typing():
    """What is asked while people type a word, and sometimes a second one; a tenth are things that nobody has."""
    dice = random.Random(SEED)
    words = rentals_fill.WORDS + [model.lower() for _, models in rentals_fill.brands() for model in models[:3]]
    paths = []
    for _ in range(1500):
        text = dice.choice(words) if dice.random() < 0.9 else "".join(dice.choice("qxzjkv") for _ in range(5))
        if dice.random() < 0.3:
            text += " " + dice.choice(words)
        kind = dice.choice(("cars", "cars", "spaces", "private-parking"))
        paths += [f"/v1/{kind}?{urllib.parse.urlencode({'q': text[:length]}, quote_via=urllib.parse.quote)}" for length in range(1, len(text) + 1) if text[length - 1] != " "]
    return paths


def check(sides, path):
    """That both give the same answer, but for what names the moment."""
    answers = {side: canonical(machine.output("curl", "-fsS", f"http://127.0.0.1:{port}{path}")) for side, (port, _) in sides.items()}
    if answers["Express"] != answers["kampong"]:
        raise RuntimeError(f"Express answers {path} otherwise: {difference(answers['Express'], answers['kampong'])}")


def steady(stack, sides, name, rate, paths, reach=""):
    measure = lambda side, seconds: ask(stack, sides[side][0], rate, seconds, paths[side])
    for side in sides:
        measure(side, 2)
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, stack.seconds) for side in sides})
    title = f"{name}, {rate}/s open loop"
    return compare(f"{title}: p50", "ms", results, "p50", ["Express"]) + compare(f"{title}: p99", "ms", results, "p99", ["Express"], reach=reach)


def ask(stack, port, rate, seconds, paths):
    result = stack.measured(stack.home / "peers/openloop", port, rate, seconds, CONNECTIONS, input="".join(f"{path}\n" for path in paths))
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} requests to port {port} were refused: {result['complaint']}")
    return result | {key: result[key] / 1000 for key in ("p50", "p99", "p999")}


def everything(stack, sides, paths, ends):
    """All that was browsed, in turns, as fast as it goes."""
    random.Random(SEED).shuffle(paths)
    folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
    (folder / "paths").write_text("\n".join(paths) + "\n")
    measure = lambda side, seconds=None: load(stack, *sides[side], folder / "paths", False, CONNECTIONS, seconds)
    for side in sides:
        measure(side, 3)
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side) for side in sides})
    title = f"all of these, {CONNECTIONS} conn."
    return (
        compare(f"{title}: rate", "req/s", results, "perSecond", ["Express"]) + compare(f"{title}: p99", "µs", results, "p99", ["Express"])
        + compare(f"{title}: CPU per 10,000", "s", results, "cpu", ["Express"]))


def renting(stack, sides, accounts):
    """The whole path of a rental, agreed at once. One in twenty is for a few things that all want; afterwards nothing may be let twice."""
    things = stack.psql(
        "SELECT kind || 's/' || id FROM listings.things WHERE listed AND is_instant AND kind <> 'parking' AND id::text LIKE '%-bb%' ORDER BY newness DESC, id LIMIT 20000").split()
    first = stack.psql("SELECT current_date").strip()
    dice = random.Random(SEED)

    def asked(side):
        for _ in range(RENTED * max(2, stack.seconds)):
            thing = dice.choice(things[:HOT] if dice.random() < 0.05 else things[HOT:])
            id, token = dice.choice(accounts)
            ahead = dice.randrange(FIRST_DAY, LAST_DAY)
            body = f'{{"from":"{day_after(first, ahead)}","until":"{day_after(first, ahead + dice.randrange(3))}","message":"Beside the others"}}'
            yield f"/v1/{thing}/rentals\t{token if side == 'kampong' else id}\t{body}"

    def measure(side, seconds):
        forget(stack)
        result = ask(stack, sides[side][0], RENTED, seconds, list(asked(side)))
        settle(stack)
        # What was told is what is there.
        made = int(stack.psql("SELECT count(*) FROM listings.rentals WHERE message = 'Beside the others'"))
        if made != result["count"] - result["refused"]:
            raise RuntimeError(f"{side} told {result['count'] - result['refused']} people that they have it, and {made} do")
        if twice := int(stack.psql(TWICE)):
            raise RuntimeError(f"{twice} periods are let twice after {side}")
        return result

    for side in sides:
        measure(side, 2)
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, stack.seconds) for side in sides})
    forget(stack)
    title = f"renting, {RENTED}/s open loop"
    of = lambda what, unit, field, reach="": compare(f"{title}: {what}", unit, results, field, ["Express"], reach=reach)
    return (
        of("p50", "ms", "p50") + of("p99", "ms", "p99", "≤ 50 ms") + of("p99.9", "ms", "p999") + of("answered", "req/s", "perSecond", "≥ 500")
        + of("somebody else has it", "", "refused"))


# What is used every day is in memory: right after filling, or a start, what would be measured is the disk, on whichever side is asked first.
WARM = """
    CREATE EXTENSION IF NOT EXISTS pg_prewarm;
    SELECT sum(pg_prewarm(oid, 'read')) FROM pg_class WHERE relnamespace = 'listings'::regnamespace AND relkind IN ('r', 'i')"""

# Of those that were made, beside all others of the same thing.
TWICE = """
    SELECT count(*) FROM listings.rentals AS one JOIN listings.rentals AS other ON other.thing = one.thing AND other.id <> one.id
    WHERE one.message = 'Beside the others' AND one.holds AND other.holds AND one.starts_at < other.ends_at AND other.starts_at < one.ends_at"""


def settle(stack, publisher="listings", seconds=120):
    """Until all services have heard of all that one of them has told: what is measured next has the machine to itself."""
    schemas = stack.psql("SELECT table_schema FROM information_schema.tables WHERE table_name = 'offsets'").split()
    behind = " UNION ALL ".join(f"SELECT position < (SELECT head FROM {publisher}.outbox_head) AS is_behind FROM {schema}.offsets WHERE publisher = '{publisher}'" for schema in schemas)
    end = time.monotonic() + seconds
    while stack.psql(f"SELECT EXISTS (SELECT FROM {publisher}.outbox WHERE position IS NULL) OR coalesce((SELECT bool_or(is_behind) FROM ({behind}) AS one), false)") != "f\n":
        if time.monotonic() > end:
            raise RuntimeError(f"not all was heard of within {seconds} seconds")
        time.sleep(0.2)


def forget(stack):
    """Takes away what was asked for while measuring, so that each side finds the same tables."""
    # Not vacuumed: some thousand dead rows among millions are nothing, and to take them out of a dozen indexes takes a minute.
    stack.psql("DELETE FROM listings.rentals WHERE message = 'Beside the others'; TRUNCATE listings.requests")
