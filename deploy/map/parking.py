"""OpenStreetMap features (GeoJSON, one a line, on stdin) → the parking places of the extract, as a JSON array on stdout.

Each has `name` (its own, or its address, or the nearest named street), `position`, `kind` (street, garage or private), `fee`
(true, false or null where nobody noted it) and `capacity` (or null). The demo community posts its spots there.
"""

import json
import sys

import geometry

APART = 25  # metres: a place that was mapped twice, as a point and as an area, is one
GARAGES = {"underground", "multi-storey", "rooftop", "sheds", "carports", "garage_boxes"}


def kind(tags):
    if tags.get("access") in ("private", "customers", "permit", "no") or tags.get("parking:condition:area") == "private":
        return "private"
    if tags.get("parking") in GARAGES or tags.get("location") == "underground" or "Q-Park" in tags.get("name", ""):
        return "garage"
    return "street"


def fee(tags):
    if "fee" in tags:
        return tags["fee"] != "no"
    condition = tags.get("parking:condition:area", tags.get("parking:condition"))
    return {"ticket": True, "disc": False, "free": False}.get(condition)


def address(tags):
    street = tags.get("addr:street")
    return f"{street} {tags['addr:housenumber']}" if street and "addr:housenumber" in tags else None


def nearest_street(point, streets):
    return min(streets, key=lambda street: geometry.distance_to_line(point, street[1]))[0] if streets else "Parking"


def middle(shape):
    if shape["type"] == "Point":
        return shape["coordinates"][:2]
    part = shape["coordinates"] if shape["type"] == "Polygon" else max(shape["coordinates"], key=lambda p: geometry.area(p[0]))
    return geometry.centroid(part[0])


def place(tags, point, streets):
    number = tags.get("capacity", "")
    own = tags.get("name", "").lstrip("@ ") or address(tags)
    return {
        "name": own or nearest_street(point, streets),
        "position": {"latitude": round(point[1], 6), "longitude": round(point[0], 6)},
        "kind": kind(tags),
        "fee": fee(tags),
        "capacity": int(number) if number.isdigit() else None,
    }


def apart(places):
    """Leaves out what stands where another already does."""
    kept = []
    for candidate in places:
        here = [candidate["position"]["longitude"], candidate["position"]["latitude"]]
        if all(geometry.metres(here, [k["position"]["longitude"], k["position"]["latitude"]]) > APART for k in kept):
            kept.append(candidate)
    return kept


def main():
    streets, parking = [], []
    for text in sys.stdin:
        feature = json.loads(text)
        tags, shape = feature["properties"], feature["geometry"]
        if shape["type"] == "LineString" and "highway" in tags and "name" in tags and tags.get("tunnel", "no") == "no":
            streets.append((tags["name"], shape["coordinates"]))
        elif tags.get("amenity") == "parking" and shape["type"] != "LineString":
            parking.append((tags, middle(shape)))
    places = [place(tags, point, streets) for tags, point in sorted(parking, key=lambda item: "name" not in item[0])]
    json.dump(apart(places), sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
