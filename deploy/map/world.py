"""A shapefile of land (Natural Earth) → one GeoJSON FeatureCollection of outlines, small enough to draw behind every map.

Only what that file holds is read: polygons, little-endian, as ESRI's white paper of July 1998 describes them.
"""

import json
import struct
import sys

import geometry

POLYGON = 5
TOLERANCE = 2_500  # metres: below a pixel at the zoom levels where the outlines are all there is to see
SMALLEST = 150_000_000  # square metres


def polygon_records(data):
    """The rings of each record."""
    offset = 100
    while offset < len(data):
        length = struct.unpack_from(">i", data, offset + 4)[0] * 2
        if struct.unpack_from("<i", data, offset + 8)[0] == POLYGON:
            yield rings(data, offset + 8)
        offset += 8 + length


def rings(data, start):
    parts, points = struct.unpack_from("<ii", data, start + 36)
    starts = [*struct.unpack_from(f"<{parts}i", data, start + 44), points]
    numbers = struct.unpack_from(f"<{points * 2}d", data, start + 44 + parts * 4)
    coordinates = [[numbers[i], numbers[i + 1]] for i in range(0, points * 2, 2)]
    return [coordinates[a:b] for a, b in zip(starts, starts[1:])]


def main():
    outlines = []
    with open(sys.argv[1], "rb") as file:
        for record in polygon_records(file.read()):
            for outline in record:
                small = geometry.ring(outline, TOLERANCE, 2)
                if small and geometry.area(small) > SMALLEST:
                    outlines.append([small])
    feature = {"type": "Feature", "properties": {"kind": "land"}, "geometry": {"type": "MultiPolygon", "coordinates": outlines}}
    json.dump({"type": "FeatureCollection", "features": [feature]}, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
