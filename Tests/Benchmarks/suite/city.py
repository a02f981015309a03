"""A city drawn by chance: streets like a net that is bent and torn, some of them wide, some of them one-way. The same seed is the same city."""

import dataclasses
import math
import random

RADIUS = 6378168
BLOCK = 80
SOUTH, WEST = 1.2, 103.6
UNITS = 10_000_000


@dataclasses.dataclass
class City:
    # Ten-millionths of a degree.
    places: list
    # (from, to, kilometres an hour, whether it is one-way)
    streets: list

    def position(self, node):
        x, y = self.places[node]
        return y / UNITS, x / UNITS

    def metres(self, a, b):
        (f1, l1), (f2, l2) = (tuple(map(math.radians, self.position(node))) for node in (a, b))
        h = math.sin((f2 - f1) / 2) ** 2 + math.cos(f1) * math.cos(f2) * math.sin((l2 - l1) / 2) ** 2
        return 2 * RADIUS * math.asin(math.sqrt(h))

    def write(self, path):
        """As OPL."""
        with open(path, "w") as file:
            for node, (x, y) in enumerate(self.places):
                file.write(f"n{node + 1} x{x // UNITS}.{x % UNITS:07} y{y // UNITS}.{y % UNITS:07}\n")
            for number, (a, b, speed, oneway) in enumerate(self.streets):
                tags = f"highway=residential,maxspeed={speed}" + (",oneway=yes" if oneway else "")
                file.write(f"w{number + 1} T{tags} Nn{a + 1},n{b + 1}\n")


def draw(nodes, seed):
    chance = random.Random(seed)
    side = math.isqrt(nodes)
    step = BLOCK / (math.radians(1) * RADIUS) * UNITS
    place = lambda index, start: int(start * UNITS + (index + chance.uniform(-0.35, 0.35)) * step)
    places = [(place(column, WEST), place(row, SOUTH)) for row in range(side) for column in range(side)]
    streets = []
    for row in range(side):
        for column in range(side):
            here = row * side + column
            for there, line, is_inside in ((here + 1, row, column + 1 < side), (here + side, column, row + 1 < side)):
                if not is_inside or chance.random() < 0.12:
                    continue
                speed = 80 if line % 50 == 0 else 50 if line % 10 == 0 else 30
                streets.append((here, there, speed, speed == 30 and chance.random() < 0.2))
    return City(places, streets)
