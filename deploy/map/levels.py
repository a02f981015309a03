"""The levels of a map: squares of which size hold what, for which zooms of the screen.

A level's squares are those of the usual web maps at its `zoom`; they are drawn at the screen's zooms from `first` to `last`, which are
never lower. Coordinates count `extent` to a square's side, about half a pixel at the last zoom, except in the last level, where they are 0.3 metres at
sixty degrees north. What would be smaller than a few pixels is left out.
"""

import math
from dataclasses import dataclass

WORLD = 2**26  # units around the world, in which everything is kept until it is cut: 4096 to a square of zoom 14


@dataclass(frozen=True)
class Level:
    zoom: int
    first: int
    last: int
    extent: int
    areas: frozenset
    lines: frozenset

    @property
    def side(self):
        """A square's side in units."""
        return WORLD >> self.zoom

    @property
    def unit(self):
        """How many units one of the level's own coordinates is."""
        return self.side / self.extent

    @property
    def pixel(self):
        """How many units a pixel is at the zoom at which the level is looked at most closely, or at zoom 17 for the last one."""
        return WORLD / 2 ** (8 + min(self.last, 17))


LEVELS = [
    Level(9, 9, 10, 1024, frozenset({"water", "green"}), frozenset({"major", "rail", "river"})),
    Level(11, 11, 12, 1024, frozenset({"water", "green"}), frozenset({"major", "middle", "rail", "river"})),
    Level(13, 13, 14, 1024, frozenset({"water", "green", "parking"}), frozenset({"major", "middle", "minor", "service", "rail", "tram", "river"})),
    Level(14, 15, 19, 4096, frozenset({"water", "green", "parking", "building"}),
          frozenset({"major", "middle", "minor", "service", "path", "rail", "tram", "river"})),
]
SMALLEST_AREA = 10  # square pixels
SMALLEST_LINE = 3  # pixels


def pixels_per_unit(zoom):
    return 2 ** (8 + zoom) / WORLD


def units(longitude, latitude):
    """Web Mercator, in units from the north-west corner of the world."""
    sine = min(max(math.sin(math.radians(latitude)), -0.9999), 0.9999)
    return (longitude / 360 + 0.5) * WORLD, (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * WORLD


def metres_per_unit(y):
    """At a height of the map: a unit is shorter the further it is from the equator."""
    latitude = math.atan(math.sinh(math.pi * (1 - 2 * y / WORLD)))
    return 40_075_017 / WORLD * math.cos(latitude)
