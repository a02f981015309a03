"""OpenStreetMap features (GeoJSON, one a line, on stdin) → what the map draws, as one small GeoJSON FeatureCollection on stdout.

Each feature has `kind` (water, green, building, parking, street, path or rail), streets have `class` (major, minor or service),
and what has a name has `name`. Geometries are Polygon, MultiPolygon or LineString; areas come before lines, large before small,
so that drawing them in order is right.
"""

import json
import sys

import geometry

GREEN = {
    "leisure": {"park", "garden", "pitch", "playground", "miniature_golf"},
    "landuse": {"grass", "forest", "meadow", "recreation_ground", "village_green", "cemetery", "allotments"},
    "natural": {"wood", "scrub", "heath", "grassland", "wetland"},
}
WATER = {"natural": {"water", "bay"}, "landuse": {"basin", "pond", "reservoir"}, "waterway": {"riverbank", "dock"}}
STREETS = {
    "major": {"motorway", "trunk", "primary", "secondary", "motorway_link", "trunk_link", "primary_link", "secondary_link"},
    "minor": {"tertiary", "tertiary_link", "residential", "unclassified", "living_street", "road"},
    "service": {"service"},
}
PATHS = {"footway", "path", "cycleway", "pedestrian", "steps", "track", "bridleway"}
RAILS = {"rail", "tram", "light_rail", "subway"}
ORDER = ["green", "water", "parking", "building", "path", "rail", "street"]
SIDEWALKS = {"sidewalk", "crossing"}


def matches(tags, table):
    return any(tags.get(key) in values for key, values in table.items())


def underground(tags):
    return tags.get("tunnel", "no") not in ("no", "building_passage") or tags.get("layer", "0").startswith("-")


def area_kind(tags):
    if tags.get("building", "no") != "no":
        return "building"
    if matches(tags, WATER):
        return "water"
    if tags.get("amenity") == "parking":
        return None if tags.get("parking") in ("underground", "multi-storey") else "parking"
    if tags.get("highway") == "pedestrian":
        return None
    return "green" if matches(tags, GREEN) else None


def line_kind(tags):
    """(kind, class), or None for what the map leaves out: what nobody sees from above, and pavements that follow their street."""
    highway = tags.get("highway")
    if underground(tags):
        return None
    for name, values in STREETS.items():
        if highway in values:
            return ("street", name)
    if highway in PATHS:
        return None if tags.get("footway") in SIDEWALKS else ("path", None)
    if tags.get("railway") in RAILS:
        return ("rail", None)
    return None


def collect(features):
    areas, lines = [], {}
    for feature in features:
        tags, shape = feature["properties"], feature["geometry"]
        if shape["type"] in ("Polygon", "MultiPolygon"):
            kind = area_kind(tags)
            if kind:
                areas.append((kind, tags.get("name"), shape))
        elif shape["type"] == "LineString" and tags.get("area") != "yes":
            found = line_kind(tags)
            if found:
                name = tags.get("name") if found[0] == "street" else None
                lines.setdefault((*found, name), []).append(shape["coordinates"])
    return areas, lines


def area_features(areas):
    for kind, name, shape in areas:
        parts = geometry.polygons(shape, tolerance=0.4 if kind == "building" else 0.8, decimals=5)
        if not parts:
            continue
        size = sum(geometry.area(part[0]) for part in parts)
        if size < 12:
            continue
        named = name if kind != "building" or size > 600 else None
        form = {"type": "Polygon", "coordinates": parts[0]} if len(parts) == 1 else {"type": "MultiPolygon", "coordinates": parts}
        yield kind, -size, properties(kind, None, named), form


def line_features(lines):
    for (kind, rank, name), members in lines.items():
        for chain in geometry.chains(members):
            line = geometry.rounded(geometry.simplify(chain, 0.8), 5)
            length = sum(geometry.metres(a, b) for a, b in zip(line, line[1:]))
            if len(line) >= 2 and length >= (4 if kind == "street" else 8):
                importance = {"service": 0, "minor": 1, "major": 2}.get(rank, 0)
                yield kind, importance, properties(kind, rank, name), {"type": "LineString", "coordinates": line}


def properties(kind, rank, name):
    values = {"kind": kind, "class": rank, "name": name}
    return {key: value for key, value in values.items() if value}


def main():
    areas, lines = collect(json.loads(line) for line in sys.stdin)
    drawn = sorted([*area_features(areas), *line_features(lines)], key=lambda item: (ORDER.index(item[0]), item[1]))
    features = [{"type": "Feature", "properties": p, "geometry": g} for _, _, p, g in drawn]
    json.dump({"type": "FeatureCollection", "features": features}, sys.stdout, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
