"""Maps drawn from extracts: what is cut fits together again, names do not stand over one another, the same extract makes the same map.

/usr/bin/python3 -m unittest discover -s Tests/MapDrawingTests (Shapely is Debian's python3-shapely)."""

import gzip
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "map"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))

import cut  # noqa: E402
import kinds  # noqa: E402
import labels  # noqa: E402
import levels  # noqa: E402
from shapely.geometry import LineString, Point, Polygon, box  # noqa: E402
from shapely.ops import unary_union  # noqa: E402

HERE = levels.units(24.94, 60.17)
DEEPEST = levels.LEVELS[-1]


def feature(kind, coordinates, **tags):
    return json.dumps({"type": "Feature", "properties": tags, "geometry": {"type": kind, "coordinates": coordinates}})


def rings_of(squares, kind):
    """All rings of a kind put back to where they were, in units."""
    for (column, row), content in squares.filled.items():
        for numbers in content.get(kind, []):
            x = y = 0
            points = []
            for dx, dy in zip(numbers[::2], numbers[1::2]):
                x, y = x + dx, y + dy
                points.append((column * squares.level.side + x * squares.level.unit, row * squares.level.side + y * squares.level.unit))
            yield (column, row), points


def inside(squares, kind, x, y):
    """Whether a point is filled, by the nonzero rule that browsers fill with, in the square that it lies in."""
    square = (int(x // squares.level.side), int(y // squares.level.side))
    winding = 0
    for where, ring in rings_of(squares, kind):
        if where != square:
            continue
        for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1]):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                winding += 1 if y2 > y1 else -1
    return winding != 0


class Cutting(unittest.TestCase):
    def test_an_area_over_many_squares_is_filled_where_it_was_and_its_holes_are_not(self):
        lake = Point(HERE).buffer(9000).difference(Point(HERE[0] + 1500, HERE[1]).buffer(2500))
        squares = cut.Squares(DEEPEST)
        squares.add_areas([("water", lake)])
        self.assertGreater(len(squares.filled), 9)
        for step in range(400):
            x, y = HERE[0] + 11_000 * math.cos(step) * (step / 400), HERE[1] + 11_000 * math.sin(step) * (step / 400)
            if lake.boundary.distance(Point(x, y)) > 20:
                self.assertEqual(inside(squares, "water", x, y), lake.contains(Point(x, y)), (x, y))

    def test_areas_that_overlap_are_one(self):
        squares = cut.Squares(DEEPEST)
        squares.add_areas([("green", box(HERE[0], HERE[1], HERE[0] + 900, HERE[1] + 900)), ("green", box(HERE[0] + 300, HERE[1] + 300, HERE[0] + 600, HERE[1] + 600))])
        self.assertTrue(inside(squares, "green", HERE[0] + 450, HERE[1] + 450))

    def test_a_line_goes_on_into_the_next_square(self):
        squares = cut.Squares(DEEPEST)
        line = LineString([(HERE[0] - 10_000, HERE[1] + 7), (HERE[0] + 10_000, HERE[1] + 7)])
        squares.add_lines("minor", [line])
        pieces = [LineString(ring) for _, ring in rings_of(squares, "minor")]
        self.assertGreater(len(pieces), 4)
        self.assertTrue(unary_union([piece.buffer(1) for piece in pieces]).buffer(2).contains(line))

    def test_what_is_too_small_to_be_seen_from_afar_is_left_out(self):
        far = levels.LEVELS[0]
        squares = cut.Squares(far)
        squares.add_areas([("green", box(*HERE, HERE[0] + far.pixel, HERE[1] + far.pixel))])
        squares.add_lines("minor", [LineString([HERE, (HERE[0] + 90_000, HERE[1])])])
        self.assertEqual(squares.filled, {})

    def test_ways_that_meet_become_one_line(self):
        squares = cut.Squares(DEEPEST)
        squares.add_lines("path", [LineString([(HERE[0] + step * 40, HERE[1]), (HERE[0] + step * 40 + 40, HERE[1])]) for step in range(8)])
        self.assertEqual(sum(len(content["path"]) for content in squares.filled.values()), 1)

    def test_a_ring_that_crosses_itself_is_mended(self):
        bow = [[[24.94, 60.17], [24.95, 60.18], [24.95, 60.17], [24.94, 60.18], [24.94, 60.17]]]
        self.assertTrue(cut.polygon(bow).is_valid)


class Naming(unittest.TestCase):
    def test_no_name_stands_over_another_at_any_zoom(self):
        streets = {("minor", f"Street {number}"): [LineString([(HERE[0] + 400 * math.cos(number), HERE[1] + 400 * math.sin(number)),
                   (HERE[0] - 4000 * math.sin(number), HERE[1] + 4000 * math.cos(number))])] for number in range(60)}
        places = [("suburb", f"Quarter {number}", HERE[0] + 300 * number, HERE[1]) for number in range(20)]
        placed = labels.place(places, streets, [])
        self.assertGreater(len(placed), 30)
        for zoom in range(9, 20):
            scale, boxes = levels.pixels_per_unit(zoom), []
            for name, x, y, angle, (first, last), reach, style in placed:
                if first <= zoom <= last:
                    half = reach - 8 - 6
                    across, down = math.cos(math.radians(angle)) * half, math.sin(math.radians(angle)) * half
                    boxes.append((name, LineString([(x * scale - across, y * scale - down), (x * scale + across, y * scale + down)])))
            for index, (name, line) in enumerate(boxes):
                for other, second in boxes[index + 1:]:
                    self.assertFalse(line.intersects(second), f"{name} and {other} at {zoom}")

    def test_a_name_stays_where_it_is_as_one_comes_nearer(self):
        placed = labels.place([], {("major", "Long Street"): [LineString([HERE, (HERE[0] + 60_000, HERE[1] + 100)])]}, [])
        first = [label for label in placed if label[4][0] == min(label[4][0] for label in placed)]
        self.assertTrue(all(label[4][1] == 19 for label in first))
        self.assertGreater(len(placed), len(first), "further on in the street it is said again")

    def test_names_are_never_upside_down(self):
        for degrees in range(0, 360, 7):
            end = (HERE[0] + 5000 * math.cos(math.radians(degrees)), HERE[1] + 5000 * math.sin(math.radians(degrees)))
            for label in labels.place([], {("minor", "Turning"): [LineString([HERE, end])]}, []):
                self.assertLessEqual(abs(label[3]), 90)

    def test_a_name_that_reaches_over_an_edge_is_in_both_squares(self):
        squares = cut.Squares(DEEPEST)
        edge = (HERE[0] // DEEPEST.side + 1) * DEEPEST.side
        squares.add_label(("Edge Street", edge - 1, HERE[1], 0, (15, 19), 60, "minor"))
        self.assertEqual(len(squares.filled), 2)


class Choosing(unittest.TestCase):
    def test_what_nobody_sees_is_left_out(self):
        self.assertIsNone(kinds.line_kind({"highway": "primary", "tunnel": "yes"}))
        self.assertIsNone(kinds.line_kind({"highway": "footway", "footway": "sidewalk"}))
        self.assertIsNone(kinds.area_kind({"amenity": "parking", "parking": "underground"}))
        self.assertEqual(kinds.line_kind({"highway": "residential"}), "minor")
        self.assertEqual(kinds.area_kind({"building": "yes", "leisure": "park"}), "building")


class Whole(unittest.TestCase):
    LINES = "\n".join([
        feature("Polygon", [[[24.94, 60.17], [24.941, 60.17], [24.941, 60.171], [24.94, 60.171], [24.94, 60.17]]], building="yes", name="Hall"),
        feature("LineString", [[24.93, 60.17], [24.95, 60.172]], highway="primary", name="Long Street"),
        feature("Point", [24.94, 60.17], place="suburb", name="Quarter"),
    ]) + "\n"

    def draw(self, folder, lines):
        return subprocess.run([sys.executable, TOOLS / "tiles.py", folder, "--source", "here"], input=lines, capture_output=True, text=True, check=False)

    def test_the_same_features_make_the_same_map_and_others_another(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second, third = (self.draw(f"{folder}/{name}", lines) for name, lines in (("a", self.LINES), ("b", self.LINES), ("c", self.LINES.replace("Long", "Short"))))
            self.assertEqual(first.stdout, second.stdout)
            self.assertNotEqual(first.stdout, third.stdout)
            manifest = json.loads((pathlib.Path(folder) / "a/manifest.json").read_text())
            self.assertEqual(manifest["digest"], first.stdout.strip())
            self.assertIn("OpenStreetMap", manifest["attribution"]["text"])

    def test_the_manifest_names_every_square_and_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            self.draw(folder, self.LINES)
            root = pathlib.Path(folder)
            manifest = json.loads((root / "manifest.json").read_text())
            named = {f"{level['zoom']}/{column}/{row}.json.gz" for level in manifest["levels"] for row, runs in level["rows"].items()
                     for first, last in zip(runs[::2], runs[1::2]) for column in range(first, last + 1)}
            self.assertEqual(named, {str(path.relative_to(root)) for path in root.rglob("*.json.gz")})
            deepest = [json.loads(gzip.decompress((root / name).read_bytes())) for name in named if name.startswith("14/")]
            self.assertIn("Hall", {label[0] for square in deepest for label in square.get("names", [])})
            self.assertTrue(any(square.get("building") for square in deepest))

    def test_an_extract_with_nothing_to_draw_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for lines in ("", feature("Point", [1, 1], amenity="bench") + "\n"):
                self.assertNotEqual(self.draw(folder, lines).returncode, 0)


if __name__ == "__main__":
    unittest.main()
