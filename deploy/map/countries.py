"""Outlines of the world's countries (Natural Earth) with their codes, as GeoJSON for `places import --format drawn-countries`: they say in which country a
point is where towns are far. They were drawn for maps of the whole world, so that a border is off by up to BLUR metres."""

import json
import sys

import shapefile

BLUR = 20_000
# What Natural Earth leaves without a code, or has one of its own for.
CODES = {"France": "FR", "Norway": "NO", "Kosovo": "XK", "N. Cyprus": "CY", "Somaliland": "SO"}
WITHOUT = {"AQ"}  # it has the pole, which has no longitude


def on_earth(point):
    """Without what rounding has put beyond 180°. To round it again would make narrow places cross themselves."""
    return [min(max(point[0], -180.0), 180.0), point[1]]


def is_outline(ring):
    """Outlines go with the clock, holes against it."""
    return sum((b[0] - a[0]) * (b[1] + a[1]) for a, b in zip(ring, ring[1:])) > 0


def parts(rings):
    """Of each outline it and its holes."""
    found = []
    for ring in rings:
        ring = [on_earth(point) for point in ring]
        if is_outline(ring):
            found.append([ring])
        else:
            found[-1].append(ring)
    return found


def code(row, codes):
    return CODES.get(row["name"]) or codes.get(row["iso_a3"])


def feature(row, country, rings):
    geometry = {"type": "MultiPolygon", "coordinates": parts(rings)}
    return {"type": "Feature", "properties": {"name": row["name"], "country": country, "blur": BLUR}, "geometry": geometry}


if __name__ == "__main__":
    shapes, table, countries = sys.argv[1:]
    with open(countries, encoding="utf-8") as file:
        known = {country["iso3"]: code for code, country in json.load(file).items()}
    with open(shapes, "rb") as outlines, open(table, "rb") as rows:
        records = list(zip(shapefile.texts(rows.read()), shapefile.polygon_records(outlines.read())))
    features = [feature(row, code(row, known), rings) for row, rings in records if code(row, known) not in WITHOUT | {None}]
    json.dump({"type": "FeatureCollection", "features": features}, sys.stdout)
