"""Finding a ride among a million, offering one, and getting seats, beside Express with node-postgres."""

import concurrent.futures
import contextlib
import datetime
import http.client
import json
import os
import pathlib
import random
import tempfile
import threading
import time
import urllib.parse

import machine
import rides_fill
from figures import alone, compare, interleaved
from rentals import ask
from whole_path import load

# What is asked for in a second; of the last two also less than can be reached: beyond that an open loop measures its queue.
SEARCHED, BROWSED, POSTED, ASKED, CONNECTIONS = 100, 300, (200, 600), (300, 1000), 64
SEED, HOT, CONTENDERS, WANTED = 1, 20, 1000, 2000
NOTE = "Beside the others"


def run(stack):
    rides_fill.fill(stack, stack.rides)
    stack.psql(WARM)
    figures = ready(stack)
    stack.forget_people()
    accounts = stack.people()
    with contextlib.ExitStack() as ends:
        port = machine.free_port()
        environment = stack.own_environment("rides")
        express = ends.enter_context(machine.running("node", stack.peers / "rides_peer.js", port, env=environment))
        machine.wait_for_port(port)
        sides = {"kampong": (stack.port, stack.supervisor), "Express": (port, express.pid)}
        paths = searches(stack)
        check(sides, paths[:20])
        figures += searching(stack, sides, paths, ends)
        figures += browsing(stack, sides)
        figures += posting(stack, sides, accounts)
        figures += asking(stack, sides, accounts)
    return figures + contending(stack) + seen(stack, accounts)


# MARK: The board


def ready(stack):
    """Starts the service anew: from the end of the old process until it says that it is ready, and what it has in memory then."""
    before = machine.resident(stack.process("rides"))[0]
    pid = stack.process("rides")
    began = time.monotonic()
    os.kill(pid, 15)
    while True:
        with contextlib.suppress(RuntimeError, OSError):
            if stack.process("rides") != pid and stack.ask("GET", "/v1/rides/search?from=35.28,-120.66&to=37.77,-122.42"):
                break
        if time.monotonic() - began > 120:
            raise RuntimeError("rides is not ready after two minutes")
        time.sleep(0.05)
    took = time.monotonic() - began
    memory = machine.resident(stack.process("rides"))[0] / 1000
    title = f"a board of {stack.rides:,} rides"
    return [
        alone(f"{title}: ready after", "s", [{"took": took}], "took", "≤ 10", "≤ 4"),
        alone(f"{title}: the whole process", "MB", [{"memory": memory}], "memory", "≤ 200", "≤ 120"),
        alone(f"{title}: the process before", "MB", [{"memory": before / 1000}], "memory"),
    ]


# MARK: Finding


def searches(stack):
    """What people ask: between two towns, at an hour of the next eight weeks."""
    country, dice = rides_fill.Country(), random.Random(SEED)
    tomorrow = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0) + datetime.timedelta(days=2)
    paths = []
    while len(paths) < 1000:
        (south, west), (north, east) = country.ends(dice)
        at = tomorrow + datetime.timedelta(hours=dice.randrange(24 * (rides_fill.DAYS - 4)))
        paths.append(f"/v1/rides/search?from={south:.5f},{west:.5f}&to={north:.5f},{east:.5f}&at={at.strftime('%Y-%m-%dT%H:%M:%SZ')}")
    return paths


def check(sides, paths):
    """That both find the same rides, by how many metres they cost, where nobody goes out of their way."""
    for path in paths:
        found = {
            side: [round(item["extra"]) for item in json.loads(machine.output("curl", "-fsS", f"http://127.0.0.1:{port}{path}&noDetour=true"))["items"]]
            for side, (port, _) in sides.items()
        }
        # The peer measures from the grid as the board does, in PostgreSQL's own way: a metre or two apart. It shows also what is farther than the way itself.
        ours, theirs = found["kampong"], found["Express"]
        ends = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query)
        way = max(2000, rides_fill.metres(*(tuple(float(part) for part in ends[end][0].split(",")) for end in ("from", "to"))))
        theirs = [extra for extra in theirs if extra <= way - 3 or extra in ours]
        if any(abs(one - other) > 3 for one, other in zip(ours, theirs, strict=True)):
            raise RuntimeError(f"Express finds others for {path}: {found}")


def searching(stack, sides, paths, ends):
    folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
    (folder / "paths").write_text("\n".join(paths) + "\n")
    ours = lambda seconds: ask(stack, stack.port, SEARCHED, seconds, paths)
    ours(2)
    results = [ours(max(5, stack.seconds)) for _ in range(stack.rounds)]
    title = f"search among {stack.rides:,}"
    figures = [
        alone(f"{title}, {SEARCHED}/s open loop: p50", "ms", results, "p50"),
        alone(f"{title}, {SEARCHED}/s open loop: p99", "ms", results, "p99", "≤ 10 ms", "≤ 5 ms"),
    ]
    measure = lambda side, connections, seconds=None: load(stack, *sides[side], folder / "paths", False, connections, seconds)
    for side in sides:
        measure(side, 2, 3)
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, 1, max(10, stack.seconds)) for side in sides})
    figures += compare(f"{title}, 1 conn.: p50", "µs", results, "p50", ["Express"])
    # The peer has two workers, and a search of its own keeps one busy for so long that more connections would only wait.
    connections = {"kampong": CONNECTIONS, "Express": 2}
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, connections[side], max(5, stack.seconds)) for side in sides})
    return (
        figures + compare(f"{title}, {CONNECTIONS} conn. (the peer 2): rate", "req/s", results, "perSecond", ["Express"], reach="≥ 500", aim="≥ 1,000")
        + compare(f"{title}: CPU per 10,000", "s", results, "cpu", ["Express"], aim="≤ 0.05×"))


def browsing(stack, sides):
    regions = stack.psql("SELECT DISTINCT region FROM rides.ride_regions").split("\n")
    paths = [
        f"/v1/rides?{urllib.parse.urlencode({'region': region, 'direction': direction}, quote_via=urllib.parse.quote)}"
        for region in regions if region for direction in ("from", "to")
    ]
    measure = lambda side, seconds: ask(stack, sides[side][0], BROWSED, seconds, paths)
    for side in sides:
        measure(side, 2)
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, max(5, stack.seconds)) for side in sides})
    title = f"a region, {BROWSED}/s open loop"
    return compare(f"{title}: p50", "ms", results, "p50", ["Express"]) + compare(
        f"{title}: p99", "ms", results, "p99", ["Express"], reach="≤ 10 ms", aim="≤ 5 ms")


# MARK: Offering


def posting(stack, sides, accounts):
    country, dice = rides_fill.Country(), random.Random(SEED)
    today = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0)

    def asked(side, rate):
        for _ in range(rate * max(3, stack.seconds)):
            ends = country.ends(dice)
            id, token = dice.choice(accounts)
            leaves = today + datetime.timedelta(days=70, minutes=30 * dice.randrange(48 * 250))
            body = {
                "stops": [{"name": f"Town {number}", "position": {"latitude": round(place[0], 5), "longitude": round(place[1], 5)}} for number, place in enumerate(ends)],
                "departsAt": leaves.strftime("%Y-%m-%dT%H:%M:%SZ"), "zone": "UTC", "seats": 3, "maxDetour": 0, "notes": NOTE,
            }
            yield f"/v1/rides\t{token if side == 'kampong' else id}\t{json.dumps(body)}"

    def measure(side, rate, seconds):
        forget(stack)
        result = ask(stack, sides[side][0], rate, seconds, list(asked(side, rate)))
        made = int(stack.psql(f"SELECT count(*) FROM rides.rides WHERE notes = '{NOTE}'"))
        if made != result["count"] - result["refused"]:
            raise RuntimeError(f"{side} told {result['count'] - result['refused']} people that their ride is there, and {made} are")
        return result

    figures = []
    for rate in POSTED:
        for side in sides:
            measure(side, rate, 2)
        results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, rate, max(3, stack.seconds)) for side in sides})
        title = f"offering a ride, {rate}/s open loop"
        of = lambda what, unit, field, reach="", aim="": compare(f"{title}: {what}", unit, results, field, ["Express"], reach=reach, aim=aim)
        if rate == POSTED[-1]:
            figures += of("answered", "req/s", "perSecond", "≥ 300", "≥ 600")
        figures += of("p50", "ms", "p50") + of("p99", "ms", "p99", "≤ 50 ms", "≤ 25 ms")
    forget(stack)
    return figures


# MARK: Seats


def asking(stack, sides, accounts):
    """Seats that are given to whoever asks, in two thousand rides. One in twenty is in one of a few that all want; afterwards none may be oversold."""
    rides = stack.psql(
        f"SELECT id FROM rides.rides WHERE notes = 'bench' AND departs_at > now() + interval '1 day' AND seats >= 3 ORDER BY id LIMIT {WANTED}").split()
    dice = random.Random(SEED)

    def asked(side, rate):
        for _ in range(rate * max(2, stack.seconds)):
            ride = dice.choice(rides[:HOT] if dice.random() < 0.05 else rides[HOT:])
            id, token = dice.choice(accounts)
            yield f'/v1/rides/{ride}/requests\t{token if side == "kampong" else id}\t{{"seats":1,"message":"{NOTE}"}}'

    def measure(side, rate, seconds):
        forget(stack)
        result = ask(stack, sides[side][0], rate, seconds, list(asked(side, rate)))
        audit(stack, side, result["count"] - result["refused"])
        return result | {"accepted": result["perSecond"] * (1 - result["refused"] / result["count"])}

    figures = []
    for rate in ASKED:
        for side in sides:
            measure(side, rate, 2)
        results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, rate, max(2, stack.seconds)) for side in sides})
        title = f"asking for a seat and getting it, {rate}/s open loop"
        of = lambda what, unit, field, reach="", aim="": compare(f"{title}: {what}", unit, results, field, ["Express"], reach=reach, aim=aim)
        if rate == ASKED[-1]:
            figures += of("answered", "req/s", "perSecond", "≥ 1,000", "≥ 1,500") + of("of them got it", "/s", "accepted")
        figures += of("p50", "ms", "p50") + of("p99", "ms", "p99", "≤ 50 ms", "≤ 25 ms")
    forget(stack)
    return figures


def audit(stack, side, told):
    if (made := int(stack.psql(f"SELECT count(*) FROM rides.seat_requests WHERE message = '{NOTE}'"))) != told:
        raise RuntimeError(f"{side} told {told} people that they have a seat, and {made} do")
    if wrong := int(stack.psql(OVERSOLD)):
        raise RuntimeError(f"{wrong} rides are oversold after {side}")


def contending(stack):
    """A thousand people want the four seats of one ride at one moment."""
    people = riders(stack)
    ride = stack.psql("SELECT id FROM rides.rides WHERE notes = 'bench' AND seats = 4 AND departs_at > now() + interval '2 days' ORDER BY id DESC LIMIT 1").strip()
    results = []
    for _ in range(stack.rounds):
        forget(stack)
        gate = threading.Barrier(CONNECTIONS + 1)
        taken = []

        def some(tokens):
            connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=60)
            gate.wait()
            for token in tokens:
                connection.request(
                    "POST", f"/v1/rides/{ride}/requests", json.dumps({"seats": 1, "message": NOTE}),
                    {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                body = json.loads(answer.read())
                if answer.status not in (201, 409):
                    raise RuntimeError(f"{answer.status}: {body}")
                taken.append(answer.status == 201)

        with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
            work = [pool.submit(some, people[number::CONNECTIONS]) for number in range(CONNECTIONS)]
            gate.wait()
            began = time.monotonic()
            for one in work:
                one.result()
            results.append({"took": time.monotonic() - began})
        if sum(taken) != 4 or len(taken) != len(people):
            raise RuntimeError(f"{sum(taken)} of {len(taken)} got one of four seats")
        audit(stack, "kampong", 4)
    forget(stack)
    return [alone(f"{CONTENDERS:,} people who want the 4 seats of one ride: until all are answered", "s", results, "took", "≤ 4", "≤ 2")]


def riders(stack):
    """Access tokens of a thousand people."""

    def enter(number):
        account = {"email": f"rider{number}@example.org", "password": "a walk along the harbour"}
        try:
            return stack.ask("POST", "/v1/sessions", account)["accessToken"]
        except Exception:
            stack.ask("POST", "/v1/accounts", account | {"name": f"Rider {number}"})
            return stack.ask("POST", "/v1/sessions", account)["accessToken"]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(enter, range(CONTENDERS)))


# MARK: The live stream


def seen(stack, accounts):
    """From the moment at which a ride is posted to the moment at which another one's stream shows it."""
    heard, stop = {}, threading.Event()
    began = threading.Event()

    def listen():
        connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=60)
        connection.request("GET", "/v1/stream", headers={"Authorization": f"Bearer {accounts[1][1]}", "Accept": "text/event-stream"})
        answer = connection.getresponse()
        began.set()
        while not stop.is_set():
            line = answer.fp.readline()
            if line.startswith(b"data:") and b'"driver"' in line:
                heard[json.loads(line[5:])["ride"]["id"]] = time.monotonic()

    threading.Thread(target=listen, daemon=True).start()
    began.wait(10)
    country, dice = rides_fill.Country(), random.Random(SEED)
    told = {}
    for number in range(200):
        ends = country.ends(dice)
        leaves = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=80, hours=2 * number)
        began_at = time.monotonic()
        ride = stack.ask(
            "POST", "/v1/rides",
            {
                "stops": [{"name": f"Town {place}", "position": {"latitude": point[0], "longitude": point[1]}} for place, point in enumerate(ends)],
                "departsAt": leaves.strftime("%Y-%m-%dT%H:%M:%SZ"), "zone": "UTC", "seats": 3, "maxDetour": 0, "notes": NOTE,
            }, accounts[0][1])
        told[ride["id"]] = began_at
        time.sleep(0.02)
    end = time.monotonic() + 10
    while not told.keys() <= heard.keys():
        if time.monotonic() > end:
            raise RuntimeError(f"{len(told.keys() - heard.keys())} rides were not on the stream")
        time.sleep(0.05)
    stop.set()
    forget(stack)
    times = sorted((heard[id] - at) * 1000 for id, at in told.items())
    result = {"p50": times[len(times) // 2], "p99": times[int(len(times) * 0.99)]}
    return [
        alone("a ride posted, until a stream shows it: p50", "ms", [result], "p50"),
        alone("a ride posted, until a stream shows it: p99", "ms", [result], "p99", "≤ 100 ms", "≤ 30 ms"),
    ]


WARM = """
    CREATE EXTENSION IF NOT EXISTS pg_prewarm;
    SELECT sum(pg_prewarm(oid, 'read')) FROM pg_class WHERE relnamespace = 'rides'::regnamespace AND relkind IN ('r', 'i')"""

# Recomputed from the requests, on each part of the way.
OVERSOLD = """
    SELECT count(DISTINCT rides.id) FROM rides.seat_requests AS point JOIN rides.rides ON rides.id = point.ride
    WHERE point.state = 'accepted' AND rides.seats < (
        SELECT sum(seat_requests.seats) FROM rides.seat_requests
        WHERE ride = point.ride AND state = 'accepted' AND board_at <= point.board_at AND point.board_at < leave_at)"""


def forget(stack):
    """Takes away what was asked for and offered while measuring, so that each side finds the same tables."""
    stack.psql(f"""
        SET search_path = rides, public;
        DELETE FROM seat_requests WHERE message = '{NOTE}'; DELETE FROM rides WHERE notes = '{NOTE}'; TRUNCATE requests""")
