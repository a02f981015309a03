"""OpenStreetMap features (GeoJSON, one a line, on stdin) → the map's squares, in the folder that is named.

The folder gets `<zoom>/<column>/<row>.json.gz` for every square that has something in it, and `manifest.json`, which says which there are. README.md
says what is in them.
"""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import sys
from collections import defaultdict

from shapely.geometry import LineString

import cut
import kinds
import levels
import labels

NAMED_BUILDING = 600  # square metres: smaller ones are not named


class Drawing:
    """What the features say, in units, ready to be cut."""

    def __init__(self):
        self.areas, self.lines, self.streets, self.points, self.named = [], defaultdict(list), defaultdict(list), [], []
        self.box = [180.0, 90.0, -180.0, -90.0]

    def take(self, feature):
        tags, shape = feature["properties"], feature["geometry"]
        coordinates = shape["coordinates"]
        if shape["type"] in ("Polygon", "MultiPolygon"):
            self.take_area(tags, [coordinates] if shape["type"] == "Polygon" else coordinates)
        elif shape["type"] == "LineString":
            self.take_line(tags, coordinates)
        elif shape["type"] == "Point" and tags.get("name") and kinds.point_kind(tags):
            self.points.append((kinds.point_kind(tags), tags["name"], *levels.units(*coordinates[:2])))

    def take_area(self, tags, polygons):
        kind = kinds.area_kind(tags)
        for coordinates in polygons if kind else []:
            shape = cut.polygon(coordinates)
            if shape.is_empty:
                continue
            self.reach(coordinates[0])
            self.areas.append((kind, shape))
            size = shape.area * levels.metres_per_unit(shape.bounds[1]) ** 2
            if tags.get("name") and kind != "parking" and (kind != "building" or size > NAMED_BUILDING):
                self.named.append((kind, tags["name"], shape))

    def take_line(self, tags, coordinates):
        kind = kinds.line_kind(tags)
        if not kind or len(coordinates) < 2:
            return
        self.reach(coordinates)
        line = LineString([levels.units(*point[:2]) for point in coordinates])
        self.lines[kind].append(line)
        if tags.get("name") and kind in labels.STREETS:
            self.streets[kind, tags["name"]].append(line)

    def reach(self, coordinates):
        box = self.box
        for longitude, latitude, *_ in coordinates:
            box[0], box[1] = min(box[0], longitude), min(box[1], latitude)
            box[2], box[3] = max(box[2], longitude), max(box[3], latitude)

    def squares(self, level, names):
        squares = cut.Squares(level)
        squares.add_areas(sorted(self.areas, key=lambda area: -area[1].area))
        for kind, lines in sorted(self.lines.items()):
            squares.add_lines(kind, lines)
        for label in names:
            squares.add_label(label)
        return squares.filled


def runs(numbers):
    """Sorted whole numbers as [first, last, first, last, …] of what follows without a gap."""
    result = []
    for number in sorted(numbers):
        if result and result[-1] == number - 1:
            result[-1] = number
        else:
            result += [number, number]
    return result


def write(folder, drawing, about):
    names = labels.place(drawing.points, drawing.streets, drawing.named)
    digest, shown, sizes = hashlib.sha256(), [], []
    for level in levels.LEVELS:
        rows = defaultdict(list)
        for (column, row), content in sorted(drawing.squares(level, names).items()):
            raw = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
            # No time in it: the same features make the same bytes, and so the same digest.
            packed = gzip.compress(raw, 9, mtime=0)
            path = folder / str(level.zoom) / str(column) / f"{row}.json.gz"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(packed)
            digest.update(f"{level.zoom}/{column}/{row}".encode() + raw)
            rows[row].append(column)
            sizes.append((len(raw), len(packed)))
        shown.append({"zoom": level.zoom, "first": level.first, "last": level.last, "extent": level.extent,
                      "rows": {str(row): runs(columns) for row, columns in sorted(rows.items())}})
    manifest = {**about, "digest": digest.hexdigest()[:16], "box": drawing.box, "levels": shown}
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return manifest["digest"], sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--source", required=True, help="what the map is called where it is removed again")
    options = parser.parse_args()
    drawing = Drawing()
    for line in sys.stdin:
        drawing.take(json.loads(line))
    if not drawing.areas and not drawing.lines:
        sys.exit("there is nothing in it that a map shows.")
    os.umask(0o022)
    about = {"source": options.source, "attribution": {
        "text": "© OpenStreetMap contributors", "licence": "ODbL 1.0", "link": "https://www.openstreetmap.org/copyright"}}
    digest, sizes = write(options.folder, drawing, about)
    raw, packed, largest = sum(size[0] for size in sizes), sum(size[1] for size in sizes), max(size[1] for size in sizes)
    print(f"{len(sizes)} squares, {packed // 1000} kB compressed ({raw // 1000} kB without), the largest {largest // 1000} kB", file=sys.stderr)
    print(digest)


if __name__ == "__main__":
    main()
