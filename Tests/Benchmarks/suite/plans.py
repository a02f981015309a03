"""The plan of every statement that the services run, over a million rows: as PostgreSQL really made it, told by its auto_explain.

Nothing is copied from the services: a stack is used through its door until all of its statements were run, first with the plans that
PostgreSQL chooses by itself and then with such as do not know the values (a prepared statement may get either).
"""

import collections
import dataclasses
import json
import os
import re
import signal
import sys

import plans_fill
import plans_places
import plans_rentals
import plans_use

# A page holds 100, house-keeping and the sequencer take a thousand and 500 at a time: whoever reads more than this looks in the wrong place.
MOST_ROWS, MOST_BLOCKS, BIG = 5_000, 8_000, 10_000
# What may read much, and why.
EXPECTED = {
    "DELETE FROM attempts WHERE at <": "house-keeping takes away what is old, and in these tables much is",
    "DELETE FROM sessions WHERE": "the same",
    "DELETE FROM people WHERE generation <": "once at the end of a snapshot of everybody, which wrote the whole table before",
    "DELETE FROM blocks WHERE generation <": "the same, of all blocks",
    "INSERT INTO blocks (person, other, generation) SELECT": "a page of a snapshot, a thousand blocks in both directions",
    "SELECT id, posted_by, posted_at, name, kind, latitude, longitude, photo, price, currency, expires_at, state, claimed_by, claimed_at, parked_at, there, "
    "gone, hidden_at, hidden_reason, withheld FROM spots WHERE claimed_by = $1":
        "a page of an archive: claims are found by person and time, and sorted for each page; an index for archives alone would cost each claim",
    'DELETE FROM ONLY "auth"."export_pages"': "an archive of 38,000 records goes",
    "DELETE FROM observations WHERE person =": "two people have most of them here, so that the generic plan expects half the table",
    "WITH RECURSIVE names AS ( SELECT min(region) AS name FROM ride_regions": "of each region and direction 99 are counted, however many rides there are",
    "SELECT page.wanted, bool_or(page.waits) AS waits": "some keys of a thing have hundreds of searches each, of which 500 are one page",
    "SELECT DISTINCT own.subject FROM unnest": "each of up to 10,000 keys is looked up",
    "WITH added AS ( INSERT INTO finds": "500 searches find something",
    "INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at) SELECT DISTINCT ON": "the same",
    "WITH dropped AS ( DELETE FROM finds USING wanted AS own WHERE": "of something that goes, a thousand people at once are told no more",
    "SELECT wanted.id FROM finds JOIN wanted ON wanted.id = finds.wanted WHERE": "of something that goes, a thousand people at once are told no more",
    "WITH found AS MATERIALIZED ( SELECT FROM searchables WHERE keys &&": "an estimate counts what appeared under a key within a month",
    "SELECT ride, wanted, at FROM invitations WHERE driver =": "a page of an archive: invitations are found by their driver, and sorted for each page",
    'INSERT INTO marks (area, "order") SELECT $1, id FROM orders WHERE': "all who wait in one area, for a thousand restaurants of which something is heard at once",
    "SET search_path": "what fills the tables here",
}


@dataclasses.dataclass
class Plan:
    """The costliest plan of one statement under one way of planning."""

    text: str
    mode: str
    nodes: list
    rows: int
    blocks: int
    milliseconds: float
    scans: set
    seen: int = 1

    @property
    def problem(self):
        if any(self.text.startswith(start) for start in EXPECTED):
            return ""
        if self.scans:
            return f"reads all of {', '.join(sorted(self.scans))}"
        if self.rows > MOST_ROWS:
            return f"reads {self.rows} rows"
        return f"touches {self.blocks} blocks" if self.blocks > MOST_BLOCKS else ""


def run(stack):
    plans_fill.resize(stack.rows)
    people = plans_fill.regulars(stack)
    if not people:
        print("   filling, which takes minutes", file=sys.stderr, flush=True)
        stack.fill()
        people = plans_use.enter(stack)
        plans_use.wait_for_events(stack)
        plans_fill.fill(stack, [person for person, _ in people])
    plans_places.fill(stack, stack.rows)
    plans_rentals.fill(stack, stack.rows, people)
    fill = lambda: stack.psql(plans_fill.snapshot())

    def use(mode):
        stack.psql(plans_fill.dead_letters())
        plans_use.use(stack, people)

    def wait():
        plans_use.wait(stack)
        plans_places.wait(stack)

    look(stack, ("auth", "listings", "places"), plans_use.STATEMENTS, before=fill, use=use, wait=wait)
    return []


def look(stack, services, statements, before, use, wait):
    """Reports the plans of what these services run while they are used, which must be these statements at least.

    Services that plan once for a session (listings, matching, notification, places, rides) say so when they connect, and what they want planned with its values says so
    itself: that counts more than what the database is told here, so that both ways are the same for them.
    """
    schemas = ", ".join(f"'{service}'" for service in services)
    size = dict(line.split("|") for line in stack.psql(
        f"SELECT relname, greatest(reltuples, 0)::bigint FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ({schemas})").splitlines())
    big = {table for table, rows in size.items() if int(rows) > BIG}
    plans, log = [], stack.home / "log/postgres.log"

    def renew():
        """Connections with the new settings; and what a service runs only when it starts. The gateway last: it asks the others then."""
        for service in (*services, "gateway"):
            os.kill(stack.process(service), signal.SIGKILL)
        wait()

    try:
        for mode in ("auto", "force_generic_plan"):
            start = log.stat().st_size
            before()
            explain(stack, mode)
            renew()
            use(mode)
            plans += collect(log, start, mode, big)
    finally:
        stack.psql("ALTER DATABASE kampong RESET ALL")
        renew()
    report(plans, statements)


def explain(stack, mode):
    settings = {"session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0", "auto_explain.log_analyze": "on",
                "auto_explain.log_buffers": "on", "auto_explain.log_nested_statements": "on", "auto_explain.log_format": "json", "plan_cache_mode": mode}
    # The module's settings are known to a session that has loaded it.
    stack.psql("LOAD 'auto_explain';" + "".join(f"ALTER DATABASE kampong SET {name} = '{value}';" for name, value in settings.items()))


def collect(log, start, mode, big):
    """By statement, the plan that touched most."""
    with open(log, "rb") as file:
        file.seek(start)
        text = file.read().decode(errors="replace")
    found = {}
    for match in re.finditer(r"plan:\n((?:\t.*\n)+)", text):
        try:
            entry = json.loads(match[1])
        except json.JSONDecodeError:
            continue
        plan = read(entry, mode, big)
        before = found.get(plan.text)
        plan.seen += before.seen if before else 0
        if before and (before.blocks, before.milliseconds) > (plan.blocks, plan.milliseconds):
            before.seen = plan.seen
            plan = before
        found[plan.text] = plan
    return found.values()


def read(entry, mode, big):
    nodes, rows, scans = [], 0, set()
    for node in walk(entry["Plan"]):
        where = node.get("Index Name") or node.get("Relation Name")
        if not where:
            continue
        name = node["Node Type"].replace("ModifyTable", node.get("Operation", ""))
        nodes.append(f"{name} {where}")
        if "Scan" in name:
            loops = node.get("Actual Loops", 1)
            here = loops * sum(node.get(key, 0) for key in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"))
            rows += here
            # Both schemas have tables of this name, of which one may be small; and a limit may end a scan early.
            if name == "Seq Scan" and where in big and here > 1000:
                scans.add(where)
    top = entry["Plan"]
    blocks = top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0)
    text = " ".join(entry["Query Text"].split())
    return Plan(text, mode, list(dict.fromkeys(nodes)), rows, blocks, top["Actual Total Time"], scans)


def walk(node):
    yield node
    for child in node.get("Plans", []):
        yield from walk(child)


def report(plans, statements):
    """Prints the table, and fails where a plan is one that would not last."""
    by_text = collections.defaultdict(dict)
    for plan in plans:
        by_text[plan.text][plan.mode] = plan
    print("| statement | plan | rows read | blocks | ms | generic plan: blocks | ms |\n|---|---|---|---|---|---|---|")
    for text, modes in sorted(by_text.items()):
        own, generic = modes.get("auto"), modes.get("force_generic_plan")
        one = own or generic
        other = "" if not own or not generic or own.nodes == generic.nodes else "; generic: " + ", ".join(generic.nodes)
        cells = [f"`{short(text)}`", ", ".join(one.nodes) + other, f"{one.rows:,}", f"{one.blocks:,}", f"{one.milliseconds:.2f}"]
        cells += [f"{generic.blocks:,}", f"{generic.milliseconds:.2f}"] if generic else ["", ""]
        print("| " + " | ".join(cells) + " |", flush=True)
    missing = [name for name in statements if not any(re.search(name, text) for text in by_text)]
    problems = [f"{plan.problem} ({plan.mode}): {plan.text}" for plan in plans if plan.problem]
    problems += [f"was not seen: {name}" for name in missing]
    if problems:
        raise RuntimeError("plans that will not do:\n" + "\n".join(problems))


def short(text):
    text = re.sub(r"(SELECT|RETURNING) id, \w+(, \w+){4,}", r"\1 …", text)
    text = re.sub(r"SET (\w+ = [^,]+, )(?:[^=]* = ){3}.*? WHERE", r"SET \1… WHERE", text)
    text = re.sub(r"VALUES \(.*?\)( ON| RETURNING|$)", r"VALUES (…)\1", text)
    return text if len(text) <= 170 else text[:168] + " …"
