"""Standing searches all over the world, beside plain arithmetic and beside the pages of the searches themselves: 100,000 of them, and 10,000 things that are shared or changed.

No figure of speed: how much was found, of which nothing may be missing, and nothing too much. What a search finds is known twice: as everybody finds it by the page of that search, and of spots and
things as some lines of Python find it, which have nothing of Kampong's.
"""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import threading
import time
import urllib.parse
import uuid

import wanted_fill
from figures import Figure
from rentals import settle
from stack import PEOPLE
from wanted_fill import SEARCHES, SHARED, say
from wanted_world_fill import CHANGED, DISTINCT, Everything

WORKERS, TRIES, PATIENCE = 8, 10, 1800


def run(stack):
    # Who looks shares nothing. Nobody shares more than 200 things, or looks for more than 1,000.
    seekers, sharers = range(30), range(30, PEOPLE)
    with contextlib.ExitStack() as ends:
        door = Door(stack, ends.enter_context(concurrent.futures.ThreadPoolExecutor(WORKERS)))
        forget(stack)
        wanted_fill.empty(stack)
        ends.callback(wanted_fill.empty, stack)
        ends.callback(forget, stack)
        world = Everything(stack.ask("GET", "/v1/about")["currency"])
        say(f"filling: {DISTINCT:,} searches, copied to {SEARCHES:,}")
        made = door.ask_all("POST", [("/v1/wanted", of(seekers, number), {"query": query}) for number, query in enumerate(world.searches)])
        copies, kept = Copies(stack, [one["id"] for one in made]), [one["query"] for one in made]
        say(f"filling: {len(world.things):,} things, spots and rides")
        ids = [one["id"] for one in door.ask_all("POST", [(thing.path, of(sharers, number), thing.draft) for number, thing in enumerate(world.things)])]
        first = Expected(stack, door, seekers[0], kept, dict(zip(ids, world.things)), world)
        pairs = first.check(copies, {}, "shared")
        say(f"changing {CHANGED:,} of them")
        changed = [(number, world.change(thing)) for number, thing in world.changed()]
        door.ask_all("PATCH", [(f"{thing.path}/{ids[number]}", of(sharers, number), thing.amendment) for number, thing in changed])
        second = Expected(stack, door, seekers[0], kept, first.said | {ids[number]: thing for number, thing in changed}, world)
        anew = second.check(copies, first.pages, "changed")
    events = len(world.things) + len(changed)
    return [
        Figure(f"{SEARCHES:,} searches ({DISTINCT:,} different), {events:,} things that are shared or changed: found, nothing missing, nothing too much", "pairs", pairs + anew),
        Figure("  after a change for the first time", "pairs", anew), Figure("  searches that found something", "", first.searches),
        Figure("  plain arithmetic and the pages were of one mind about", "pairs", first.pairs + second.pairs),
    ]


def of(people, number):
    return people[number % len(people)]


class Door:
    """Asks by lines that stay open, for people by their numbers."""

    def __init__(self, stack, pool):
        self.stack, self.port, self.pool, self.lines = stack, stack.port, pool, []
        self.tokens, self.entering = {}, threading.Lock()

    def ask_all(self, method, asked):
        """Some at once. Answers are in the order of what was asked."""
        return list(self.pool.map(lambda one: self.ask(method, *one), asked))

    def ask(self, method, path, person, body=None):
        """Once more by the same key where no answer came, or none in time (the machine is as busy as it gets), or where a session has to be renewed."""
        key, refused = str(uuid.uuid4()), None
        for _ in range(TRIES):
            token = self.token(person, refused)
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}", "Idempotency-Key": key}
            status, text = self.answer(method, path, None if body is None else json.dumps(body).encode(), headers)
            if status and status < 300:
                return json.loads(text)
            if status == 401 and token != refused:
                refused = token
                continue
            if status and status != 503:
                break
            time.sleep(1 if status else 0)
        raise RuntimeError(f"{method} {path} {body}: {status} {text[:500]!r}")

    def token(self, person, refused):
        """One that was not refused: a run takes longer than it is good for."""
        with self.entering:
            if self.tokens.get(person) in (None, refused):
                _, self.tokens[person] = self.stack.enter(person)
            return self.tokens[person]

    def answer(self, method, path, body, headers):
        """Status and text; no status where a line that nobody used for a while was closed."""
        line = self.lines.pop() if self.lines else http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            text = answer.read()
        except (http.client.HTTPException, ConnectionError):
            return None, b""
        self.lines.append(line)
        return answer.status, text

    def pages(self, path, person):
        """The pages of a list, each with its items."""
        cursor = ""
        while cursor is not None:
            page = self.ask("GET", path + (f"&cursor={urllib.parse.quote(cursor)}" if cursor else ""), person)
            yield page["items"]
            cursor = page.get("next")


PAGES = {"spots": "/v1/spots", "rides": "/v1/rides/search", "car": "/v1/cars", "space": "/v1/spaces", "parking": "/v1/private-parking"}


def address(query):
    """The page of a search as it is kept."""
    [(form, said)] = query.items()
    page = PAGES[said.get("kind", form)]
    asked = {name: parameter(value) for name, value in said.items() if name != "kind"}
    return f"{page}?limit=100&{urllib.parse.urlencode(asked, quote_via=urllib.parse.quote)}"


def parameter(value):
    match value:
        case {"latitude": latitude, "longitude": longitude}: return f"{latitude},{longitude}"
        case bool(): return str(value).lower()
        case _: return value


class Expected:
    """What each search, by its number, finds once all was looked at. `said` is what was shared, by its id."""

    def __init__(self, stack, door, person, kept, said, world):
        def ids(query):
            found = set()
            for items in door.pages(address(query), person):
                # Whatever else is there is not what this is about.
                ours = said.keys() & {one["ride"]["id"] if "ride" in one else one["id"] for one in items}
                found |= ours
                # Things come by when they were shared, and nothing is newer than these.
                if "things" in query and not ours:
                    break
            return found

        looked(stack)
        say("asking the pages of these searches")
        self.said = said
        self.pages = dict(enumerate(door.pool.map(ids, kept)))
        self.searches = sum(bool(found) for found in self.pages.values())
        self.pairs = 0
        plain = world.plainly(said)
        for number, found in plain.items():
            if found != self.pages[number]:
                raise RuntimeError(f"{world.searches[number]}: its page lacks {tell(found - self.pages[number], said)} and has {tell(self.pages[number] - found, said)}, says plain arithmetic")
            self.pairs += len(found)

    def check(self, copies, before, what):
        """That all copies of each search have found these, and nothing else but what fitted before a change. How many are new."""
        wrong, pairs, found = [], 0, copies.found()
        for number, expected in self.pages.items():
            ours, fitted, many = found[number], expected | before.get(number, set()), copies.of[number]
            missing, extra = {id for id in expected if ours[id] != many}, (ours.keys() & self.said.keys()) - fitted
            pairs += many * len(expected - before.get(number, set()))
            if missing or extra:
                wrong.append((number, missing, extra))
        if wrong:
            number, missing, extra = wrong[0]
            lacking, more = (sum(len(one[part]) for one in wrong) for part in (1, 2))
            raise RuntimeError(f"{len(wrong)} searches, of what was {what}, lack {lacking} and found {more} too many; {number} lacks {tell(missing, self.said)} and has {tell(extra, self.said)}")
        return pairs


def tell(ids, said):
    return [said[id].draft for id in list(ids)[:2]], len(ids)


class Copies:
    """Makes many of these searches, each for somebody of their own. `made` are the ids of those in the order of their numbers."""

    def __init__(self, stack, made):
        self.stack, self.numbers, ordered = stack, {id: number for number, id in enumerate(made)}, sorted(made)
        wanted_fill.quiet(stack, PATIENCE)
        stack.psql("SET search_path = matching, public; UPDATE wanted SET person = gen_random_uuid()")
        wanted_fill.insert(stack, "true", SEARCHES - len(made), "ddd", each=1)
        for table in ("wanted", "wanted_keys"):
            stack.psql(f"VACUUM ANALYZE matching.{table}")
        ids = stack.psql("SELECT id FROM matching.wanted WHERE state = 'live' AND is_settled").split()
        if len(ids) != SEARCHES:
            raise RuntimeError(f"{len(ids)} of {SEARCHES} searches are there")
        # A copy is numbered in turns by the order of the ids.
        self.numbers |= {id: self.numbers[ordered[uuid.UUID(id).int % (1 << 48) % len(made)]] for id in ids if id not in self.numbers}
        self.of = collections.Counter(self.numbers.values())

    def found(self):
        """How many copies of each search, by its number, have found each thing."""
        found = collections.defaultdict(collections.Counter)
        for row in self.stack.psql("SELECT wanted, subject FROM matching.finds").splitlines():
            id, subject = row.split("|")
            found[self.numbers[id]][subject] += 1
        return found


def looked(stack):
    """Until all that was shared was looked at."""
    for publisher in ("listings", "rides"):
        settle(stack, publisher, PATIENCE)
    end = time.monotonic() + PATIENCE
    while stack.psql("SELECT EXISTS (SELECT FROM matching.looks)") != "f\n":
        if time.monotonic() > end:
            raise RuntimeError(f"not all was looked at within {PATIENCE} seconds")
        time.sleep(0.5)


def forget(stack):
    # Of some that found them nobody was told yet.
    stack.psql("TRUNCATE matching.hits, matching.finds")
    wanted_fill.quiet(stack, PATIENCE)
    wanted_fill.forget(stack)
    stack.psql(f"SET search_path = rides, public; DELETE FROM rides WHERE notes LIKE '{SHARED} %'; TRUNCATE requests")
