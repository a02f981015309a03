"""Standing searches: from the commit of what can be found to who looks for it, among 100,000 searches, beside PostgreSQL's plain scan and its indexes of places and of what things are;
ten thousand people who are told of one thing; a search that is made, with its estimate."""

import asyncio
import concurrent.futures
import contextlib
import dataclasses
import json
import random
import time

import asyncpg

import rentals_fill
import rides_fill
import wanted_fill
import wanted_rides
from figures import alone, compare
from rentals import ask, settle
from wanted_fill import APPEARED, OWN, SEARCHES, SEED, SHARED, say
from wanted_live import PATIENCE, Commits, Streams
from wanted_rides import times

# Asked in a second, whether or not the answers keep up. Some fifty people are told of each thing that is posted: a thousand in a second.
MADE, POSTED, READ = 10, 20, 300
# A search finds up to 500 of a million things as it begins: so many a second leave others their turn. So long they are measured in a round.
FILLED, MEASURED = 30, 10
# So many things are shared in a round; of those that more people look for, no promise is made.
EVENTS, MOST = 300, 100
TOLD, EVERYBODY = 10_000, "everybodysbicycle"


def run(stack):
    # What people look for is looked up among all that there is.
    stack.fill()
    rentals_fill.fill(stack, stack.things, stack.agreements)
    rides_fill.fill(stack, stack.rides)
    stack.forget_people()
    accounts = stack.people()
    with contextlib.ExitStack() as ends:
        wanted_fill.empty(stack)
        ends.callback(wanted_fill.empty, stack)
        ends.callback(wanted_fill.forget, stack)
        say(f"filling: {APPEARED:,} that appeared lately")
        post(stack, accounts, list(wanted_fill.things(wanted_fill.SEEN, stack.ask("GET", "/v1/about")["currency"], wanted_fill.LATELY, random.Random(SEED))))
        wanted_fill.appear(stack)
        figures = making(stack, accounts)
        say(f"filling: {SEARCHES:,} searches")
        wanted_fill.copy(stack)
        commits, streams = Commits(stack, ends), Streams(stack, accounts, ends)
        figures = finding(stack, accounts, commits, streams) + figures + many(stack, accounts, commits, streams)
        return figures + wanted_rides.run(stack, accounts, commits, streams, all_of)


def post(stack, accounts, drafts):
    """Shares these, each in the name of the next account."""
    return all_of(stack, POSTED, [f"{path}\t{accounts[number % len(accounts)][1]}\t{json.dumps(draft)}" for number, (path, draft) in enumerate(drafts)])


def all_of(stack, rate, lines):
    """Each of them once."""
    result = ask(stack, stack.port, rate, (len(lines) + 0.5) / rate, lines)
    if result["count"] != len(lines) or result["refused"]:
        raise RuntimeError(f"{result['refused']} of {result['count']} were refused, where {len(lines)} were posted")
    return result


# MARK: A search that is made


def making(stack, accounts):
    """Those of which the others are copies, and the accounts' own: what nobody else looks for."""
    asked = [{"query": query} for query in wanted_fill.searches(wanted_fill.MADE)]
    dice = random.Random(SEED)
    dice.shuffle(asked)
    own = [(number, {"query": {"things": {"kind": "space", "q": word}}}) for number in range(len(accounts)) for word in wanted_fill.own_words(number)]
    lines = [f"/v1/wanted\t{accounts[number][1]}\t{json.dumps(draft)}" for number, draft in [*((number % len(accounts), draft) for number, draft in enumerate(asked)), *own]]
    # The first of them prepare their statements; each round makes others.
    size = MADE * MEASURED
    results = [all_of(stack, MADE, lines[number * size:(number + 1) * size]) for number in range(stack.rounds + 1)]
    all_of(stack, FILLED, lines[(stack.rounds + 1) * size:])
    wanted_fill.quiet(stack)
    title = f"a search is made, with its estimate among {APPEARED:,} things, {MADE}/s open loop"
    return [alone(f"{title}: p50", "ms", results[1:], "p50"), alone("  p99", "ms", results[1:], "p99", "≤ 50 ms", "≤ 15 ms")]


# MARK: From something that appears to who looks for it


def finding(stack, accounts, commits, streams):
    wanted_fill.forget(stack)
    asyncio.run(Peers.make(stack))
    try:
        # What comes first after a start is the first of its kind on each connection.
        results = [found(stack, accounts, commits, streams, number) for number in range(stack.rounds + 1)][1:]
    finally:
        stack.psql("DROP TABLE bench.looking, bench.looking_at, bench.hits")
    sides = {side: [result[side] for result in results] for side in ("kampong", "a scan", "GiST, b-tree")}
    flat = lambda what: [result[what] for result in results]
    title = f"what is shared, {POSTED}/s, until it is found for whoever looks for it, among {SEARCHES:,} searches (1 to {MOST} people; theirs: one statement alone)"
    return [
        *compare(f"{title}: p50", "ms", sides, "p50", ["a scan", "GiST, b-tree"]), *compare("  p99", "ms", sides, "p99", ["a scan", "GiST, b-tree"], reach="≤ 50 ms", aim="≤ 15 ms"),
        alone("  its candidates by key, one statement alone: p50", "ms", flat("keys"), "p50"), alone("  p99", "ms", flat("keys"), "p99"),
        alone("  however many look for it: longest", "ms", flat("kampong"), "longest"), alone("  who look for one, mean", "people", flat("people"), "mean"),
        alone("  until it is on the live stream of one who looks for it: p50", "ms", flat("streams"), "p50"), alone("  p99", "ms", flat("streams"), "p99"),
    ]


def found(stack, accounts, commits, streams, number):
    wanted_fill.forget(stack)
    for publisher in ("listings", "matching", "notification"):
        settle(stack, publisher)
    # Not those of what appeared lately.
    dice = random.Random(SEED + 1 + number)
    # Each of them is looked for by one account, which is told of three things in an hour by each of its searches, and of twenty in a day.
    own = dice.sample([word for person in range(len(accounts)) for word in wanted_fill.own_words(person)[:OWN // 2]], EVENTS // 3)
    drafts = list(wanted_fill.things(EVENTS, stack.ask("GET", "/v1/about")["currency"], SHARED, dice, own))
    commits.begin()
    streams.begin()
    streams.during(post, stack, accounts, drafts)
    streams.until(lambda: len(commits.looked) >= EVENTS, lambda: f"{len(commits.looked)} of {EVENTS} were looked for")
    ids = dict(line.split("|") for line in streams.during(stack.psql, NAMES).splitlines())
    shared = [Shared(ids[draft.get("title") or draft["name"]], number % len(accounts), path, draft) for number, (path, draft) in enumerate(drafts)]
    # Nobody is told of what is their own.
    own_ids = [(whose, one.id) for one in shared if one.path == "/v1/spaces" for whose in [OWNERS[one.draft["description"].rsplit(". ", 1)[1]]] if whose != one.owner]
    streams.until(lambda: all(one in streams.heard for one in own_ids), lambda: f"{sum(one not in streams.heard for one in own_ids)} of {len(own_ids)} were not heard of")
    streams.still_once()
    theirs = asyncio.run(Peers.ask(stack, accounts, shared))
    return result(commits, streams, own_ids, theirs)


@dataclasses.dataclass
class Shared:
    """`owner` is the number of the account."""

    id: str
    owner: int
    path: str
    draft: dict


# Whose words these are, by the number of the account.
OWNERS = {word: index // OWN for index, word in enumerate(wanted_fill.OWN_WORDS)}
NAMES = f"SELECT name, id FROM listings.spots WHERE name LIKE '{SHARED} %' UNION ALL SELECT title, id FROM listings.things WHERE title LIKE '{SHARED} %'"


def result(commits, streams, own_ids, theirs):
    """Of those that somebody looks for, and not too many."""
    took = {id: 1000 * (commits.looked[id] - commits.changed[id]) for id in theirs["people"]}
    few = [id for id, people in theirs["people"].items() if 1 <= people <= MOST]
    if len(few) < EVENTS // 3:
        raise RuntimeError(f"only {len(few)} of {EVENTS} are looked for by 1 to {MOST} people")
    people = list(theirs["people"].values())
    return {
        "kampong": times([took[id] for id in few]) | {"longest": max(took.values())},
        **{side: times([theirs[side][id] for id in few]) for side in ("a scan", "GiST, b-tree", "keys")},
        "people": {"mean": sum(people) / len(people)}, "streams": times([1000 * (streams.heard[one] - commits.changed[one[1]]) for one in own_ids])}


class Peers:
    """The same searches in columns, as one would write them down for SQL to look at: without an index, and with those that PostgreSQL has for it."""

    MAKE = """
        SET search_path = bench, public;
        DROP TABLE IF EXISTS looking, looking_at, hits;
        CREATE TABLE looking AS
        SELECT id, person, coalesce(query -> 'things' ->> 'kind', 'spot') AS kind, ' ' || (query -> 'things' ->> 'q') AS words,
            coalesce(query -> 'things' ->> 'region', '') AS region, coalesce(query -> 'things' ->> 'brand', '') AS brand, coalesce(query -> 'things' ->> 'model', '') AS model,
            (query -> 'things' ->> 'highestPrice')::bigint AS price, middle::cube AS middle, radius, earth_box(middle, radius) AS box
        FROM matching.wanted CROSS JOIN LATERAL (
            SELECT ll_to_earth((query #>> '{spots,near,latitude}')::float8, (query #>> '{spots,near,longitude}')::float8) AS middle, (query #>> '{spots,radius}')::float8 AS radius) AS around;
        CREATE TABLE looking_at AS SELECT * FROM looking;
        CREATE INDEX ON looking_at USING gist (box) WHERE kind = 'spot';
        CREATE INDEX ON looking_at (kind, region, brand, model) WHERE kind <> 'spot';
        CREATE TABLE hits (subject uuid, person uuid, PRIMARY KEY (subject, person));"""
    SPOT = """
        INSERT INTO bench.hits SELECT DISTINCT $1::uuid, person FROM bench.{table}
        WHERE kind = 'spot' AND person <> $2::uuid {box} AND earth_distance(middle::earth, ll_to_earth($3, $4)) <= radius ON CONFLICT DO NOTHING"""
    THING = """
        INSERT INTO bench.hits SELECT DISTINCT $1::uuid, person FROM bench.{table}
        WHERE kind = $3 AND kind <> 'spot' AND person <> $2::uuid AND region = ANY($4::text[]) AND brand = ANY($5::text[]) AND model = ANY($6::text[])
            AND (price IS NULL OR price >= $7::bigint) AND (words IS NULL OR strpos($8::text, words) > 0) ON CONFLICT DO NOTHING"""
    KEYS = """
        SELECT id, person, query FROM matching.wanted WHERE state = 'live' AND id IN (
            SELECT wanted FROM matching.wanted_keys WHERE key = ANY((SELECT keys FROM matching.searchables WHERE kind = $2 AND subject = $1::uuid)::text[]))"""
    FOUND = "SELECT person::text FROM {table} WHERE subject = $1::uuid"

    @classmethod
    async def make(cls, stack):
        connection = await asyncpg.connect(stack.admin_url())
        await connection.execute("CREATE SCHEMA IF NOT EXISTS bench")
        await connection.execute(cls.MAKE)
        await connection.execute("VACUUM ANALYZE bench.looking")
        await connection.execute("VACUUM ANALYZE bench.looking_at")
        await connection.close()

    @classmethod
    async def ask(cls, stack, accounts, shared):
        """Milliseconds of each side for each thing, by its id; and how many people look for it, of which all sides have to be of one mind."""
        connection = await asyncpg.connect(stack.admin_url())
        took = {"a scan": {}, "GiST, b-tree": {}, "keys": {}, "people": {}}
        for side, table, box in (("a scan", "looking", ""), ("GiST, b-tree", "looking_at", "AND box @> ll_to_earth($3, $4)::cube")):
            spots, things = await connection.prepare(cls.SPOT.format(table=table, box=box)), await connection.prepare(cls.THING.format(table=table))
            await connection.execute("TRUNCATE bench.hits")
            for one in shared:
                began = time.perf_counter()
                if one.path == "/v1/spots":
                    await spots.fetch(one.id, accounts[one.owner][0], *one.draft["position"].values())
                else:
                    await things.fetch(one.id, accounts[one.owner][0], *cls.said(one))
                took[side][one.id] = 1000 * (time.perf_counter() - began)
            for one in shared:
                ours, theirs = [{row[0] for row in await connection.fetch(cls.FOUND.format(table=table), one.id)} for table in ("matching.hits", "bench.hits")]
                if ours != theirs:
                    raise RuntimeError(f"by {side} {len(theirs - ours)} people look for {one} for whom it was not found, and {len(ours - theirs)} do not for whom it was")
                took["people"][one.id] = len(ours)
        keys = await connection.prepare(cls.KEYS)
        for one in shared:
            began = time.perf_counter()
            await keys.fetch(one.id, "spot" if one.path == "/v1/spots" else "thing")
            took["keys"][one.id] = 1000 * (time.perf_counter() - began)
        await connection.close()
        return took

    @staticmethod
    def said(one):
        """Its words with a blank before each."""
        draft = one.draft
        words = f"{draft['title']} {draft['description']}".lower().replace(",", " ").replace(".", " ").split()
        return ("car" if one.path == "/v1/cars" else "space", *(["", draft.get(name, "")] for name in ("region", "brand", "model")), draft["price"]["amount"], " " + " ".join(words))


# MARK: Ten thousand people who are told of one thing


def many(stack, accounts, commits, streams):
    """The accounts but the first one, which shares it, look for it, and others as they do."""
    listening = accounts[1:]
    for _, token in listening:
        stack.ask("POST", "/v1/wanted", {"query": {"things": {"kind": "space", "q": EVERYBODY}}}, token)
    wanted_fill.quiet(stack)
    wanted_fill.insert(stack, f"query -> 'things' ->> 'q' = '{EVERYBODY}'", TOLD - len(listening), "fff", each=1)
    for table in ("wanted", "wanted_keys"):
        stack.psql(f"VACUUM ANALYZE matching.{table}")
    results = [tell_many(stack, accounts, commits, streams) for _ in range(stack.rounds + 1)][1:]
    name = f"{TOLD:,} people are told of one thing, from its commit: in the last inbox"
    return [
        alone(name, "ms", results, "inbox", "≤ 10,000 ms", "≤ 4,000 ms"), alone("  all who look for it are found", "ms", results, "looked"),
        alone("  on the first live stream", "ms", results, "first"), alone("  on the last live stream", "ms", results, "last"),
        alone(f"  others read a spot meanwhile, {READ}/s: p50", "ms", results, "p50"), alone("  p99", "ms", results, "p99", "≤ 100 ms"),
    ]


def tell_many(stack, accounts, commits, streams):
    wanted_fill.forget(stack)
    for publisher in ("listings", "matching", "notification"):
        settle(stack, publisher)
    before = int(stack.psql("SELECT head FROM notification.outbox_head"))
    [(path, draft)] = [one for one in wanted_fill.things(3, stack.ask("GET", "/v1/about")["currency"], SHARED, random.Random(SEED)) if one[0] == "/v1/spaces"]
    read = [f"/v1/spots/{id}" for id in stack.ids()[:5000]]
    commits.begin()
    streams.begin()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        reading = pool.submit(ask, stack, stack.port, READ, max(5, stack.seconds), read)
        id = stack.ask("POST", path, draft | {"description": f"For {EVERYBODY}."}, accounts[0][1])["id"]
        told = {(number, id) for number in range(1, len(accounts))}
        streams.until(lambda: told <= streams.heard.keys(), lambda: f"{len(streams.heard)} of {len(told)} streams said so")
        inbox = notified(stack, id, before, streams)
        others = reading.result()
    streams.still_once()
    if streams.heard.keys() != told:
        raise RuntimeError(f"{len(streams.heard.keys() - told)} streams said so to others")
    since = lambda moment: 1000 * (moment - commits.changed[id])
    return {
        "inbox": since(inbox), "looked": since(commits.looked[id]), "first": since(min(streams.heard.values())), "last": since(max(streams.heard.values())),
        "p50": others["p50"], "p99": others["p99"]}


def notified(stack, id, before, streams):
    """When the last notice was there to be told. Each of the people must have theirs, told once and to nobody else."""
    end = time.monotonic() + PATIENCE
    ours = f"kind = 'thingFound' AND subject_id = '{id}'"
    while int(stack.psql(f"SELECT count(*) FROM notification.notices WHERE {ours} AND told")) < TOLD or stack.psql("SELECT EXISTS (SELECT FROM notification.outbox WHERE position IS NULL)") != "f\n":
        if time.monotonic() > end:
            raise RuntimeError(f"not all were told within {PATIENCE} seconds")
        streams.turn(0.1)
    notices, people = stack.psql(f"SELECT count(*), count(DISTINCT person) FROM notification.notices WHERE {ours}").strip().split("|")
    events, addressed, moment = stack.psql(f"""
        SELECT count(*), count(DISTINCT person), extract(epoch FROM max(numbered_at))
        FROM notification.outbox CROSS JOIN LATERAL jsonb_array_elements_text(header #> '{{audience,people,_0}}') AS person
        WHERE position > {before} AND header ->> 'type' = 'notification' AND payload ->> 'kind' = 'thingFound'""").strip().split("|")
    if [int(count) for count in (notices, people, events, addressed)] != [TOLD] * 4:
        raise RuntimeError(f"{notices} notices of {people} people; {addressed} people were told {events} times")
    return float(moment)
