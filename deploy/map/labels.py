"""Where names stand, and from which zoom on: decided once, for the whole map, so that they fit together wherever squares meet.

From far to near: a name that has found its place keeps it, and as one comes nearer others find room between. None over another.
"""

import math
from collections import defaultdict

from shapely.ops import linemerge

import cut
import levels

# From which zoom on something is named, to which, in which size (pixels), in which style; the first are placed first.
STYLES = {
    "city": (8, 13, 17), "town": (9, 14, 15), "village": (11, 16, 13), "suburb": (12, 15, 13), "quarter": (13, 16, 12),
    "major": (13, 19, 11), "water": (12, 19, 11), "hamlet": (13, 16, 12), "neighbourhood": (14, 16, 12), "middle": (14, 19, 11), "green": (14, 19, 11),
    "minor": (15, 19, 11), "path": (16, 19, 11), "service": (17, 19, 11), "building": (17, 19, 11),
}
STREETS = ("major", "middle", "minor", "path", "service")
CELL = 18  # pixels: the grid in which room is looked for
APART = 360  # pixels between two of the same name


def text_width(name, size):
    """Pixels, a little more than browsers take: their fonts are not known here."""
    units = 0.0
    for letter in name:
        if ord(letter) >= 0x2E80:
            units += 1.05
        elif letter in "iIjlt.,:;'|! ":
            units += 0.36
        else:
            units += 0.86 if letter in "mwMW@" else 0.72 if letter.isupper() else 0.6
    return units * size + 12


class Room:
    """What is taken at one zoom."""

    def __init__(self, zoom):
        self.scale = levels.pixels_per_unit(zoom)
        self.taken, self.by_name = set(), defaultdict(list)

    def cells(self, x, y, angle, width, size):
        across, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        steps = max(1, math.ceil(width / (CELL / 2)))
        px, py = x * self.scale, y * self.scale
        for step in range(steps + 1):
            along = width * (step / steps - 0.5)
            for aside in (0,) if size < 14 else (-size / 2, size / 2):
                yield int((px + along * across - aside * down) // CELL), int((py + along * down + aside * across) // CELL)

    def takes(self, name, x, y, angle, width, size, must=False):
        cells = list(self.cells(x, y, angle, width, size))
        if not must:
            near = APART / self.scale
            if any(abs(x - ox) < near and abs(y - oy) < near for ox, oy in self.by_name[name]) or not self.taken.isdisjoint(cells):
                return False
        self.taken.update(cells)
        self.by_name[name].append((x, y))
        return True


def place(points, streets, areas):
    """Labels as (name, x, y, angle, (first zoom, last zoom), reach in pixels, style).

    points: (kind, name, x, y). streets: {(kind, name): lines}. areas: (kind, name, shape)."""
    things = [(STYLES[kind], kind, name, (x, y)) for kind, name, x, y in points]
    things += [(STYLES[kind], kind, name, cut.parts(linemerge(lines) if len(lines) > 1 else lines[0], "LineString")) for (kind, name), lines in streets.items()]
    things += [(STYLES[kind], kind, name, shape) for kind, name, shape in sorted(areas, key=lambda area: -area[2].area)]
    order = {kind: index for index, kind in enumerate(STYLES)}
    things.sort(key=lambda thing: order[thing[1]])
    placed = []
    for zoom in range(levels.LEVELS[0].first, levels.LEVELS[-1].last + 1):
        room = Room(zoom)
        for name, x, y, angle, (first, last), reach, style in placed:
            if last >= zoom:
                room.takes(name, x, y, angle, 2 * (reach - 8), STYLES[style][2], must=True)
        settled = {(name, style) for name, _, _, _, _, _, style in placed if style not in STREETS}
        for (first, last, size), kind, name, where in things:
            if not first <= zoom <= last or (name, kind) in settled and kind not in ("building", "green", "water"):
                continue
            width = text_width(name, size)
            for x, y, angle in anchors(kind, where, width / room.scale, 1 / room.scale):
                if room.takes(name, x, y, angle, width, size):
                    placed.append((name, x, y, angle, (zoom, last), width / 2 + 8, kind))
                    if kind not in STREETS:
                        break
    return placed


def anchors(kind, where, width, pixel):
    """Where a name of that width (units) may stand: the longest straight pieces first; in areas, a point that is surely inside."""
    if isinstance(where, tuple):
        yield (*where, 0)
    elif kind in STREETS:
        pieces = []
        for chain in where:
            points = list(chain.simplify(1.5 * pixel, preserve_topology=False).coords) if chain.length >= width else []
            pieces += [(math.dist(a, b), a, b) for a, b in zip(points, points[1:]) if math.dist(a, b) >= width]
        for length, a, b in sorted(pieces, reverse=True)[:12]:
            angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
            # In the middle, and from there on again and again.
            step = 1.5 * APART * pixel
            for turn in range(min(9, 1 + 2 * int((length - width) / 2 / step))):
                share = 0.5 + (turn + 1) // 2 * (step / length) * (1 if turn % 2 else -1)
                yield a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), round(angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle)
    else:
        west, north, east, south = where.bounds
        if east - west >= width and south - north >= 14 * pixel:
            middle = where.representative_point()
            yield middle.x, middle.y, 0
