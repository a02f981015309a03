"""Water that the edge of an extract cuts off, as GeoJSON features (one a line) on stdout.

An extract holds only the part of a coast or a lake that lies within its box, so no area can be made of it as it stands. This
closes the open shores along the box. Stdin: ways with locations in OPL, as `osmium add-locations-to-ways --ignore-missing-nodes`
writes them; argument: the box as west,south,east,north.
"""

import json
import re
import sys

import geometry

NODE = re.compile(r"n(\d+)x(-?[\d.]+)y(-?[\d.]+)$")
REACH = 80  # metres that a cut shore may end short of the box: its next node lies outside


def ways(stream):
    """(tags, [(node id, point or None)]) of every way."""
    for text in stream:
        if text.startswith("w"):
            fields = {field[0]: field[1:] for field in text.rstrip("\n").split(" ") if field}
            tags = dict(pair.split("=", 1) for pair in fields.get("T", "").split(",") if "=" in pair)
            yield tags, [node(part) for part in fields.get("N", "").split(",") if part]


def node(text):
    found = NODE.match(text)
    return (int(found[1]), [float(found[2]), float(found[3])]) if found else (int(text[1:].split("x")[0]), None)


def joined(lines):
    """Ways that continue one another, as one; a coast's direction is kept, for its water lies to the right."""
    by_start, rest = {line[0][0]: line for line in lines}, []
    ends = {line[-1][0] for line in lines}
    for line in [line for line in lines if line[0][0] not in ends]:
        while line[-1][0] in by_start:
            line = line + by_start[line[-1][0]][1:]
        rest.append(line)
    return rest


def runs(line):
    """The stretches of a line whose nodes are all known."""
    current = []
    for _, point in [*line, (0, None)]:
        if point:
            current.append(point)
        elif current:
            if len(current) > 1:
                yield current
            current = []


class Box:
    """The extract's box, with places on its edge counted clockwise from the north-west corner: 0…1 north, 1…2 east, and so on."""

    def __init__(self, west, south, east, north):
        self.west, self.south, self.east, self.north = west, south, east, north

    def at(self, turn):
        side, share = int(turn) % 4, turn % 1
        across, down = self.west + share * (self.east - self.west), self.north - share * (self.north - self.south)
        back, up = self.east - share * (self.east - self.west), self.south + share * (self.north - self.south)
        return [[across, self.north], [self.east, down], [back, self.south], [self.west, up]][side]

    def nearest(self, point):
        """The place on the edge nearest to a point; None where that is too far for the point to have been cut off there."""
        x, y = (point[0] - self.west) / (self.east - self.west), (self.north - point[1]) / (self.north - self.south)
        places = [share + side for side, share in enumerate((x, y, 1 - x, 1 - y))]
        best = min(places, key=lambda turn: geometry.metres(self.at(turn), point))
        return best if geometry.metres(self.at(best), point) <= REACH else None

    def clockwise(self, start, end):
        """The way along the edge from one place to another, both included."""
        end = end if end > start else end + 4
        corners = [corner for corner in range(int(start) + 1, int(end) + 1) if start < corner < end]
        return [self.at(turn) for turn in [start, *corners, end]]


def close_coasts(lines, box):
    """Rings of water right of the coasts: along a coast to the box, clockwise along the box to the next coast, until round."""
    open_runs = [(box.nearest(run[0]), run, box.nearest(run[-1])) for line in lines for run in runs(line)]
    waiting = {start: (run, end) for start, run, end in open_runs if start is not None and end is not None}
    while waiting:
        first = start = next(iter(waiting))
        points = []
        while start in waiting:
            run, end = waiting.pop(start)
            following = min([*waiting, first], key=lambda turn: (turn - end) % 4)
            points += run + box.clockwise(end, following)
            start = following
        yield [*points, points[0]]


def close_lake(line, box):
    """A lake cut by the box: of the two sides on which it may lie, the smaller."""
    stretches = list(runs(line))
    if len(stretches) != 1:
        return None
    run = stretches[0]
    start, end = box.nearest(run[0]), box.nearest(run[-1])
    if start is None or end is None:
        return None
    sides = [[*run, *box.clockwise(end, start), run[0]], [*run, *reversed(box.clockwise(start, end)), run[0]]]
    return min(sides, key=geometry.area)


def main():
    box = Box(*(float(number) for number in sys.argv[1].split(",")))
    coasts, rings = [], []
    for tags, line in ways(sys.stdin):
        if tags.get("natural") == "coastline":
            coasts.append(line)
        elif tags.get("natural") == "water" and any(point is None for _, point in line):
            # Rotated so that it begins outside: the stretch that is known is then in one piece.
            gap = next(index for index, (_, point) in enumerate(line) if point is None)
            ring = close_lake(line[gap:-1] + line[: gap + 1] if gap else line, box)
            rings += [(ring, tags.get("name"))] if ring else []
    rings += [(ring, None) for ring in close_coasts(joined(coasts), box)]
    for ring, name in rings:
        properties = {"natural": "water", **({"name": name} if name else {})}
        shape = {"type": "Polygon", "coordinates": [ring]}
        print(json.dumps({"type": "Feature", "properties": properties, "geometry": shape}, ensure_ascii=False))


if __name__ == "__main__":
    main()
