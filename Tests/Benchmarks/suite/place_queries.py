"""Whether places are found by what people type: 200 questions that are known, and with a hundred more that are kept aside.

`queries/known.tsv` and `queries/held-out.tsv` name the places that were meant by their source and id there, or by name and position; any of
them will do. Both were written before the service was asked.
"""

import collections
import math
import pathlib
import sys
import urllib.parse

import gazetteer
from figures import Figure

FOLDER = pathlib.Path(__file__).parent.parent / "queries"
# Of a street one knows a point, and its place in the tables is another.
METRES = 2_000


def run(stack):
    gazetteer.only(stack, "towns", "extract")
    figures = []
    for name in ["known"] + ["held-out"] * stack.held_out:
        figures += measure(stack, name)
    return figures


def measure(stack, name):
    lines = (FOLDER / f"{name}.tsv").read_text().splitlines()[1:]
    ranks = collections.defaultdict(list)
    for kind, typed, near, wanted in (line.split("\t") for line in lines):
        rank, found = ask(stack, typed, near, wanted.split(" | "))
        ranks[kind].append(rank)
        if rank != 0:
            seen = "; ".join(f"{place['name']} ({place['kind']}, {place.get('region') or place.get('locality')})" for place in found[:3])
            # Of those that are kept aside nothing is said: they would be known.
            if name == "known":
                print(f"   {kind}: {typed!r} {near} is number {'none' if rank is None else rank + 1}: {seen}", file=sys.stderr, flush=True)
    every = [rank for of_kind in ranks.values() for rank in of_kind]
    return [figure for kind, found in {f"{name}: all {len(every)}": every, **ranks}.items() for figure in recall(kind, found)]


def recall(kind, ranks):
    label = kind if ":" in kind else f"  {kind} ({len(ranks)})"
    share = lambda most: 100 * sum(rank is not None and rank < most for rank in ranks) / len(ranks)
    return [Figure(f"{label}: recall at 1", "%", share(1)), Figure(f"{label}: recall at 5", "%", share(5))]


def ask(stack, typed, near, wanted):
    """(At which place one of those wanted stands, from 0; what was found)"""
    query = {"q": typed} | ({"near": near} if near else {})
    found = stack.ask("GET", f"/v1/places?{urllib.parse.urlencode(query)}")["items"]
    return next((number for number, place in enumerate(found) if any(is_meant(place, one) for one in wanted)), None), found


def is_meant(place, wanted):
    name, _, position = wanted.partition("@")
    if not position:
        return place["id"] == gazetteer.id_of(*wanted.split("/", 1))
    latitude, longitude = map(float, position.split(","))
    return place["name"] == name and metres(place["position"], latitude, longitude) <= METRES


def metres(position, latitude, longitude):
    """On a flat map, as for a town."""
    north = position["latitude"] - latitude
    east = (position["longitude"] - longitude) * math.cos(math.radians(latitude))
    return 111_195 * math.hypot(north, east)
