"""Uses the places service until it has run each of its statements, with the questions that cost most: beginnings that a million names have,
names that thousands have, dense squares, the middle of the sea, the poles."""

import time
import urllib.error
import urllib.parse

import gazetteer

# What must have been seen, as patterns.
STATEMENTS = [
    r"^SELECT name_key\(text\)",
    r"^WITH best AS .* FROM names WHERE key = ",
    r"^WITH best AS .* cell = ANY",
    r"^WITH best AS .* WITH begun AS MATERIALIZED",
    r"^WITH best AS .* AS slip CROSS JOIN LATERAL",
    r"^WITH best AS .* similarity\(key",
    r"^SELECT p.latitude, p.longitude FROM",
    r"p.names FROM places p",
    r"CROSS JOIN LATERAL \( SELECT id, globe FROM places",
    r"^SELECT .* sec_to_gc\(chord\) AS metres",
]
TYPED = [
    "ma", "mai", "main", "main ", "main s", "main str", "main street", "street", "saint", "san ", "new york", "mian street", "helsnki", "ii", "xq", "main street, springfield",
    "33 fabianinkatu", "abby stret lain", "cincinatty", "helsinki finland", "fabianinkatu, helsinki, finland", "Москва", "東京",
]
POINTS = [(60.1699, 24.9384), (0, -140), (90, 0), (-90, 45), (-17, 180), (35.68, 139.69)]


def fill(stack, rows):
    """As many places as there are rows in the other tables, where that is a million."""
    gazetteer.only(stack, "towns", "extract", *["million"] * (rows >= gazetteer.MILLION))


def wait(stack, seconds=30):
    end = time.monotonic() + seconds
    while True:
        try:
            return stack.ask("GET", "/v1/places?q=he")
        except (urllib.error.HTTPError, OSError):
            if time.monotonic() > end:
                raise
        time.sleep(0.2)


def use(stack):
    for typed in TYPED:
        for near in (None, POINTS[0], POINTS[-1]):
            for kind in (None, "town", "street", "restaurant"):
                query = {"q": typed} | ({"near": f"{near[0]},{near[1]}"} if near else {}) | ({"kind": kind} if kind else {})
                found = stack.ask("GET", f"/v1/places?{urllib.parse.urlencode(query)}")["items"]
        for place in found[:1]:
            stack.ask("GET", f"/v1/places/{place['id']}")
    for latitude, longitude in POINTS:
        stack.ask("GET", f"/v1/places/reverse?at={latitude},{longitude}")
        for kind in ("town", "street", "restaurant"):
            path = f"/v1/places/nearby?at={latitude},{longitude}&kind={kind}&radius=50000&limit=100"
            page = stack.ask("GET", path)
            if page.get("next"):
                stack.ask("GET", f"{path}&cursor={page['next']}")
