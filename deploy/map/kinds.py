"""What of OpenStreetMap a map shows, and as what: tags → kinds. What nobody sees from above is left out."""

GREEN = {
    "leisure": {"park", "garden", "pitch", "playground", "miniature_golf", "golf_course", "nature_reserve"},
    "landuse": {"grass", "forest", "meadow", "recreation_ground", "village_green", "cemetery", "allotments", "orchard", "vineyard"},
    "natural": {"wood", "scrub", "heath", "grassland", "wetland"},
}
WATER = {"natural": {"water", "bay"}, "landuse": {"basin", "pond", "reservoir"}, "waterway": {"riverbank", "dock"}}
STREETS = {
    "major": {"motorway", "trunk", "primary", "secondary", "motorway_link", "trunk_link", "primary_link", "secondary_link"},
    "middle": {"tertiary", "tertiary_link"},
    "minor": {"residential", "unclassified", "living_street", "road"},
    "service": {"service"},
    "path": {"footway", "path", "cycleway", "pedestrian", "steps", "track", "bridleway"},
}
RAILS = {"rail": {"rail", "light_rail", "narrow_gauge"}, "tram": {"tram", "subway"}}
RIVERS = {"river", "canal", "stream"}
# Places that are points with a name, in the order in which they matter.
PLACES = ["city", "town", "village", "suburb", "quarter", "hamlet", "neighbourhood"]
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
    """Pavements that follow their street are left out, as is what is underground."""
    if underground(tags) or tags.get("area") == "yes":
        return None
    highway = tags.get("highway")
    for kind, values in STREETS.items():
        if highway in values:
            return None if kind == "path" and tags.get("footway") in SIDEWALKS else kind
    for kind, values in RAILS.items():
        if tags.get("railway") in values:
            return kind
    return "river" if tags.get("waterway") in RIVERS else None


def point_kind(tags):
    return tags.get("place") if tags.get("place") in PLACES else None
