"""Shapes made smaller for a level and cut into its squares."""

from collections import defaultdict

from shapely.geometry import Polygon
from shapely.geometry.polygon import orient
from shapely.ops import clip_by_rect, linemerge

import levels

# Beyond a square's edge, so that no line ends in sight where two squares meet: a share of the side.
MARGIN = 1 / 64


class Squares:
    """The squares of one level as they fill: for each, lists of numbers by kind."""

    def __init__(self, level):
        self.level = level
        self.filled = defaultdict(lambda: defaultdict(list))

    def add_areas(self, shapes):
        """(kind, polygon or multipolygon) of everything, the largest first."""
        pixel = self.level.pixel
        for kind, shape in shapes:
            if kind not in self.level.areas or shape.area < levels.SMALLEST_AREA * pixel**2:
                continue
            small = shape.simplify(max(pixel * 0.5, self.level.unit))
            if small.is_valid and not small.is_empty:
                self._cut(small, lambda square, part, kind=kind: self.put_area(square, kind, part))

    def add_lines(self, kind, lines):
        """All lines of a kind: those that meet become one, so that fewer numbers say the same."""
        if kind not in self.level.lines or not lines:
            return
        pixel = self.level.pixel
        for chain in parts(linemerge(lines) if len(lines) > 1 else lines[0], "LineString"):
            if chain.length >= levels.SMALLEST_LINE * pixel:
                small = chain.simplify(max(pixel * 0.5, self.level.unit), preserve_topology=False)
                self._cut(small, lambda square, part: self._put_line(square, kind, part))

    def add_label(self, label):
        """A label goes into every square that it reaches into, so that each draws its part of it."""
        name, x, y, angle, (first, last), reach, style = label
        if last < self.level.first or first > self.level.last:
            return
        side, away = self.level.side, reach / levels.pixels_per_unit(max(first, self.level.first))
        for column in range(int((x - away) // side), int((x + away) // side) + 1):
            for row in range(int((y - away) // side), int((y + away) // side) + 1):
                here = [round((x - column * side) / self.level.unit), round((y - row * side) / self.level.unit)]
                self.filled[column, row]["names"].append([name, *here, angle, first, last, style])

    def _cut(self, shape, put):
        """Halves the shape until each part lies in one square, which is much less work than cutting the whole for each."""
        side = self.level.side
        west, north, east, south = shape.bounds
        margin = side * MARGIN
        self._halve(shape, *(int((edge + away) // side) for edge, away in ((west, -margin), (north, -margin), (east, margin), (south, margin))), put)

    def _halve(self, shape, west, north, east, south, put):
        if shape.is_empty:
            return
        side, margin = self.level.side, self.level.side * MARGIN
        if west == east and north == south:
            return put((west, north), clip_by_rect(shape, *self._box(west, north, east, south)))
        middle = (west + east) // 2 if east - west >= south - north else (north + south) // 2
        boxes = [(west, north, middle, south), (middle + 1, north, east, south)]
        if east - west < south - north:
            boxes = [(west, north, east, middle), (west, middle + 1, east, south)]
        for box in boxes:
            self._halve(clip_by_rect(shape, *self._box(*box)), *box, put)

    def _box(self, west, north, east, south):
        side, margin = self.level.side, self.level.side * MARGIN
        return west * side - margin, north * side - margin, (east + 1) * side + margin, (south + 1) * side + margin

    def put_area(self, square, kind, shape):
        for part in parts(shape, "Polygon"):
            # One way round outside and the other way in holes: then the union of all of a kind is filled at once, by the nonzero rule.
            turned = orient(part)
            for ring in (turned.exterior, *turned.interiors):
                numbers = self._numbers(square, ring.coords[:-1])
                if len(numbers) >= 6:
                    self.filled[square][kind].append(numbers)

    def _put_line(self, square, kind, shape):
        for part in parts(shape, "LineString"):
            numbers = self._numbers(square, part.coords)
            if len(numbers) >= 4:
                self.filled[square][kind].append(numbers)

    def _numbers(self, square, points):
        """x, y of the first point within the square, then the way from each to the next; steps of nought are left out."""
        west, north, unit = square[0] * self.level.side, square[1] * self.level.side, self.level.unit
        result, at = [], None
        for x, y in points:
            point = (round((x - west) / unit), round((y - north) / unit))
            if at is None:
                result += point
            elif point != at:
                result += (point[0] - at[0], point[1] - at[1])
            at = point
        return result


def parts(shape, kind):
    """The polygons, or the lines, that a shape is made of."""
    if shape.geom_type == kind:
        return [shape] if not shape.is_empty else []
    return [part for member in getattr(shape, "geoms", []) for part in parts(member, kind)]


def polygon(coordinates):
    """A GeoJSON polygon in units; a ring that crosses itself is mended, as well as that can be."""
    outer, *holes = [[levels.units(*point[:2]) for point in ring] for ring in coordinates]
    shape = Polygon(outer, holes)
    return shape if shape.is_valid else shape.buffer(0)
