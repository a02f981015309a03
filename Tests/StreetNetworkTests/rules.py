"""Which ways may be used and how fast: the README's tables, read a second time. Each rule gives metres a second (forward, backward), None for closed."""

PACE = 1.3
YES = "yes true 1 permissive designated destination customers official public".split()
NO = "no false 0 private agricultural forestry delivery emergency military residents use_sidepath".split()
WALKING, DRIVING = ["foot", "access"], ["motorcar", "motor_vehicle", "vehicle", "access"]

CLASSES = "trunk primary secondary tertiary".split()
STREETS = [name + link for name in CLASSES for link in ("", "_link")] + "unclassified residential living_street service road".split()
PATHS = "track path footway pedestrian steps corridor platform elevator".split()
SPEED = dict(
    motorway=90, motorway_link=75, trunk=85, trunk_link=70, primary=65, primary_link=60, secondary=55, secondary_link=50, tertiary=40, tertiary_link=30,
    unclassified=25, residential=25, living_street=10, service=15, road=25)
SURFACE = {
    **dict.fromkeys("paving_stones concrete:plates metal".split(), 60),
    **dict.fromkeys("compacted sett bricks cement grass_paver".split(), 45),
    **dict.fromkeys(
        "cobblestone unhewn_cobblestone wood stone rocky gravel fine_gravel unpaved ground dirt grass pebblestone".split(), 30),
    **dict.fromkeys("clay sand earth mud".split(), 15),
}
WORDS = dict(none=130, walk=5, living_street=10, urban=50, rural=80, motorway=120)
CAR_GATES = "gate lift_gate swing_gate sliding_gate bump_gate cattle_grid border_control toll_booth sally_port entrance kerb height_restrictor speed_bump no".split()
WALLS = "wall fence retaining_wall city_wall hedge ditch".split()


def said(tags, keys, suffix=None):
    """True, False, or None where the keys say nothing that is understood; the first key that does decides."""
    names = [name for key in keys for name in ([key + suffix] if suffix else []) + [key]]
    for name in names:
        if tags.get(name) in YES:
            return True
        if tags.get(name) in NO:
            return False
    return None


def walk(tags):
    kind = tags.get("highway")
    usual = kind in STREETS + PATHS and tags.get("motorroad") != "yes"
    special = kind in STREETS + PATHS + "motorway motorway_link cycleway bridleway busway bus_guideway".split()
    if not usual and not (special and said(tags, ["foot"])):
        return None, None
    open_ = [said(tags, WALKING, side) is not False for side in (":forward", ":backward")]
    if tags.get("oneway:foot") in ("yes", "1", "true") or tags.get("conveying") == "forward":
        open_[1] = False
    if tags.get("oneway:foot") in ("-1", "reverse") or tags.get("conveying") == "backward":
        open_[0] = False
    return tuple(PACE if way else None for way in open_)


def drive(tags):
    kind = tags.get("highway")
    invited = bool(said(tags, DRIVING[:-1]))
    if tags.get("area") == "yes":
        return None, None
    if kind in SPEED:
        if tags.get("service") == "emergency_access" and not invited:
            return None, None
    elif kind not in "track pedestrian footway path cycleway bridleway busway".split() or not invited:
        return None, None
    oneway = next((tags[key] for key in ("oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle", "oneway") if key in tags), None)
    if oneway == "reversible":
        return None, None
    if oneway not in "yes 1 true -1 reverse no 0 false alternating".split():
        implied = tags.get("junction") in ("roundabout", "circular") or kind in ("motorway", "motorway_link")
        oneway = "yes" if implied else "no"
    result = []
    for side, closed_by in ((":forward", ("-1", "reverse")), (":backward", ("yes", "1", "true"))):
        if oneway in closed_by or said(tags, DRIVING, side) is False:
            result.append(None)
            continue
        signed = number(tags.get("maxspeed" + side, tags.get("maxspeed")))
        speed = min(signed or SPEED.get(kind, 10), SURFACE.get(tags.get("surface"), 1000))
        result.append(min(140, max(5, speed)) / 3.6)
    return tuple(result)


def number(text):
    if not text:
        return None
    value, _, unit = text.partition(" ")
    if text.endswith("mph"):
        return float(text[:-3]) * 1.609344
    try:
        return float(value) if unit in ("", "km/h", "kmh", "kph") else None
    except ValueError:
        return WORDS.get(text.split(":")[-1])


def passes(tags, profile):
    barrier = tags.get("barrier", "no")
    if barrier == "no":
        return True
    verdict = said(tags, WALKING if profile == "walk" else DRIVING)
    if verdict is not None:
        return verdict
    if tags.get("locked") == "yes":
        return False
    return barrier not in WALLS if profile == "walk" else barrier in CAR_GATES


RULES = {"walk": walk, "drive": drive}
