"""Bodies that are no JSON, too much JSON, or JSON that says what cannot be."""

import json
import math
import urllib.parse

import pytest

from hostile import DOOR, Person, ask, availability, check, moment, order, plate, restaurants, ride, series

SPOT = '{"name": "By the fountain", "position": {"latitude": %s, "longitude": %s}}'

NO_JSON = {
    "nothing": b"", "a brace": b"{", "a word": b"hello", "half": b'{"name": "x", "position": {"latitude": 1', "a comma": b'{"name": "x",}',
    "single quotes": b"{'name': 'x'}", "two values": b"{}{}", "a comment": b"{} // fine", "html": b"<html></html>", "xml": b'<?xml version="1.0"?><a/>',
    "null bytes": b"\x00" * 64, "a null byte": b'{"name": "a\x00b"}', "no utf-8": b'{"name": "\xff\xfe"}', "cut utf-8": b'{"name": "\xe2\x82"}',
    "overlong utf-8": b'{"name": "\xc0\xaf"}', "a surrogate in utf-8": b'{"name": "\xed\xa0\x80"}', "utf-16": '{"name": "x"}'.encode("utf-16"),
    "a lone surrogate": b'{"name": "\\ud800", "position": {"latitude": 1, "longitude": 1}}', "a bad escape": b'{"name": "\\x41"}',
    "NaN": SPOT.encode() % (b"NaN", b"1"), "Infinity": SPOT.encode() % (b"Infinity", b"1"), "minus infinity": SPOT.encode() % (b"1", b"-Infinity"),
    "1e400": SPOT.encode() % (b"1e400", b"1"), "minus 1e400": SPOT.encode() % (b"1", b"-1e400"), "hexadecimal": SPOT.encode() % (b"0x10", b"1"),
    "a leading zero": SPOT.encode() % (b"01", b"1"), "an array": b"[]", "a number": b"7", "null": b"null", "a string": b'"x"',
    "deep arrays": b"[" * 30_000, "deep objects": b'{"a":' * 10_000, "deep and closed": b"[" * 30_000 + b"]" * 30_000,
    "deep in a field": b'{"name": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "a wrong type": b'{"name": {"$gt": ""}, "position": {"latitude": 1, "longitude": 1}}',
    "a number for a text": b'{"name": 7, "position": {"latitude": 1, "longitude": 1}}',
    "a text for a number": b'{"name": "x", "position": {"latitude": "1", "longitude": 1}}',
    "a fraction for an amount": b'{"name": "x", "position": {"latitude": 1, "longitude": 1}, "price": {"amount": 1.5, "currency": "EUR"}}',
    "an amount beyond all": b'{"name": "x", "position": {"latitude": 1, "longitude": 1}, "price": {"amount": 1e30, "currency": "EUR"}}',
    "a date that is none": b'{"name": "x", "position": {"latitude": 1, "longitude": 1}, "expiresAt": "tomorrow"}',
}


# JSON as such, in which `PATCH /v1/me` finds nothing that it knows and would be wrong.
NOTHING_FOR_A_PROFILE = {
    # Foundation lets one comma too many pass, as RFC 8259 (section 9) allows; nothing else reads the body.
    "a comma", "1e400", "minus 1e400", "a leading zero", "a text for a number", "a fraction for an amount", "an amount beyond all", "a date that is none",
}


@pytest.mark.parametrize("what", NO_JSON)
@pytest.mark.parametrize("call", [("POST", "/v1/spots"), ("POST", "/v1/cars"), ("POST", "/v1/rides"), ("POST", "/v1/rides/quote"), ("POST", "/v1/ride-series"), ("PUT", "/v1/delivery"), ("POST", "/v1/orders"), ("POST", "/v1/wanted"), ("POST", "/v1/accounts"), ("POST", "/v1/sessions"), ("POST", "/v1/rooms"), ("PUT", "/v1/notifications/read"), ("PUT", "/v1/notification-settings"), ("POST", "/v1/push-subscriptions"), ("PATCH", "/v1/me")], ids=" ".join)
def test_what_is_no_json_of_ours_is_refused(ada, call, what):
    if call[0] != "PATCH" or what not in NOTHING_FOR_A_PROFILE:
        check(ada.ask(*call, NO_JSON[what]), (400, 422), {"malformed", "invalid"})


@pytest.mark.parametrize("latitude, longitude", [
    (91, 0), (-91, 0), (0, 181), (0, -181), (1e308, 0), (0, -1e308), (90.0000001, 0), (0, 180.0000001),
])
def test_a_place_that_is_not_on_earth_is_invalid(ada, latitude, longitude):
    assert math.isfinite(latitude) and math.isfinite(longitude)
    body = (SPOT % (json.dumps(latitude), json.dumps(longitude))).encode()
    problem = check(ada.ask("POST", "/v1/spots", body), 422, "invalid").json()
    assert any(error["field"].startswith("position") for error in problem["errors"])
    spot = ada.post_spot()
    check(ada.ask("PUT", f"/v1/spots/{spot['id']}", body), 422, "invalid")
    check(ada.ask("DELETE", f"/v1/spots/{spot['id']}"), 204)


@pytest.mark.parametrize("query, status", [
    ("near=91,0", 422), ("near=0,181", 422), ("near=NaN,0", 400), ("near=inf,0", 400), ("near=1e400,0", 400), ("near=-1e400,0", 400), ("near=0x1,0", 400),
    ("near=1,2,3", 400), ("near=1", 400), ("near=,", 400), ("bbox=1,2,3", 400), ("bbox=0,91,1,92", 422), ("bbox=0,2,1,1", 422), ("bbox=nan,nan,nan,nan", 400),
    ("bbox=1e400,0,1,1", 400), ("near=1,1&radius=0", 422), ("near=1,1&radius=50001", 422), ("near=1,1&radius=1e3", 400), ("near=1,1&radius=-1", 422),
    ("near=1,1&radius=99999999999999999999", 400), ("near=1,1&limit=0", 422), ("near=1,1&limit=101", 422), ("near=1,1&limit=x", 400),
    ("near=1,1&limit=-9223372036854775808", 422), ("near=1,1&limit=9223372036854775808", 400), ("of=everybody", 422), ("", 422),
    ("near=1,1&bbox=1,1,2,2", 422),
])
def test_a_question_about_no_place_is_refused(query, status):
    check(ask("GET", f"/v1/spots?{query}"), status, "malformed" if status == 400 else "invalid")
    if "near" in query or "bbox" in query:
        check(ask("GET", f"/parking?{query}", {"Accept": "text/html"}), (200, 400, 422))


@pytest.mark.parametrize("query, status", [
    ("near=91,0", 422), ("near=NaN,0", 400), ("near=1e400,0", 400), ("sort=nearest", 422), ("sort=free", 422), ("highestPrice=-1", 422), ("highestPrice=1.5", 400),
    ("highestPrice=9223372036854775808", 400), ("highestPrice=1000000001", 422), ("from=2026-12-01", 422), ("until=2026-12-01", 422), ("from=tomorrow&until=2026-12-01", 422),
    ("from=2026-02-30&until=2026-03-01", 422), ("from=2026-12-02&until=2026-12-01", 422), ("from=0000-01-01&until=0000-01-02", 422), ("from=2026-12-01T10:30&until=2026-12-02", 422),
    ("from=2020-01-01&until=2020-01-02", 422), ("from=2020-01-01T10:00&until=2020-01-01T12:00", 422), ("from=9998-01-01&until=9998-01-02", 422), ("from=2020-01-01&until=9998-01-01", 422),
    ("from=٢٠٢٦-12-01&until=2026-12-02", 422), ("model=Jazz", 422), ("region=%00", 422), ("brand=%00&model=%00", 422), ("q=%00", 422), ("q=" + "a+" * 60 + "a", 422),
    ("q=" + "a" * 481, 422), ("by=maya", 400), ("mine=yes", 400), ("limit=0", 422), ("limit=101", 422), ("cursor=nonsense", 422), ("cursor=p~1~x", 422), ("cursor=d~7ff8000000000000~" + "0" * 36, 422),
])
def test_a_question_about_no_thing_is_refused(query, status):
    for path in ("/v1/cars", "/v1/spaces", "/v1/private-parking"):
        check(ask("GET", f"{path}?{urllib.parse.quote(query, safe='=&%+,~.:')}"), status, "malformed" if status == 400 else "invalid")


def test_days_at_the_ends_of_time_are_days():
    """Or refused; never a fault of ours."""
    for days in ("from=0001-01-01&until=0001-01-02", "from=9999-12-30&until=9999-12-31", "from=0001-01-01&until=9999-12-31", "from=9999-12-31T23:00&until=9999-12-31"):
        for order in ("newest", "price", "-price", "region"):
            check(ask("GET", f"/v1/cars?{days}&sort={order}"), (200, 422))


@pytest.mark.parametrize("days", [("0001-01-01", None), ("9999-12-31", None), (None, "9999-12-31"), ("9999-12-01", "9999-12-31"), ("2026-02-30", None), ("x", "y"), ("2026-12-01", "2028-12-01")])
def test_a_calendar_of_no_time_is_refused_or_empty(ada, days):
    car = ada.post_thing()["id"]
    query = "&".join(f"{name}={day}" for name, day in zip(("from", "until"), days) if day)
    check(ask("GET", f"/v1/cars/{car}/calendar?{query}"), (200, 422))
    check(ada.ask("DELETE", f"/v1/cars/{car}"), 204)


THING = {"title": "A car", "place": "Here", "brand": "Honda", "model": "Jazz"}


@pytest.mark.parametrize("wrong, status", [
    ({"plate": "SBA1234A"}, 422), ({"plate": "\u0000"}, 422), ({"plate": None}, 422), ({"brand": "Hondo"}, 422), ({"model": "Model T"}, 422), ({"kind": "space"}, 422), ({"kind": "boat"}, 400),
    ({"title": "x" * 121}, 422), ({"title": "two\nlines"}, 422), ({"description": "x" * 4001}, 422), ({"description": "\u0000"}, 422), ({"place": " "}, 422), ({"size": 0}, 422), ({"size": 1e30}, 400),
    ({"position": {"latitude": 91, "longitude": 0}}, 422), ({"photos": ["x"]}, 422), ({"photos": ["0a" * 32]}, 422), ({"photos": ["0a" * 32] * 500}, 422), ({"photos": "x"}, 400),
    ({"price": {"amount": -1, "currency": "SGD"}}, 422), ({"price": {"amount": 1, "currency": "ABC"}}, 422), ({"price": {"amount": 9223372036854775807, "currency": "SGD"}}, 422), ({"price": 5}, 400),
    ({"longest": 0}, 422), ({"longest": 9007199254740991}, 422), ({"cancellation": "never"}, 400), ({"isInstant": "yes"}, 400), ({"zone": "Atlantis/Capital"}, 422), ({"zone": "../../etc/passwd"}, 422),
    ({"available": {"from": "2026-02-30"}}, 422), ({"available": {"from": "2026-12-02", "until": "2026-12-01"}}, 422), ({"available": "always"}, 400),
])
def test_a_thing_that_cannot_be_is_refused(ada, wrong, status):
    # What cannot be read is refused as the one or the other, by what it is.
    check(ada.ask("POST", "/v1/cars", {**THING, "plate": plate(), **wrong}), (400, 422) if status == 400 else status, {"malformed", "invalid"})


HERE, THERE = {"name": "Here", "position": {"latitude": 60.17, "longitude": 24.94}}, {"name": "There", "position": {"latitude": 60.29, "longitude": 25.04}}


@pytest.mark.parametrize("wrong, status", [
    ({"stops": None}, 422), ({"stops": []}, 422), ({"stops": [HERE]}, 422), ({"stops": [HERE, HERE]}, 422), ({"stops": [HERE, {"name": "There"}]}, 422), ({"stops": [HERE, THERE] * 5}, 422),
    ({"stops": [HERE, {**THERE, "name": " "}]}, 422), ({"stops": [HERE, {**THERE, "name": "x" * 121}]}, 422), ({"stops": [HERE, {**THERE, "address": "x" * 201}]}, 422),
    ({"stops": [HERE, {"name": "Far", "position": {"latitude": -60, "longitude": -155}}]}, 422), ({"stops": [HERE, {"name": "Pole", "position": {"latitude": 90, "longitude": 0}}]}, 422),
    ({"stops": [HERE, {"name": "Off", "position": {"latitude": 0, "longitude": 181}}]}, 422), ({"stops": [HERE, {"position": {"latitude": 0, "longitude": 0}}]}, 400), ({"stops": "here"}, 400),
    ({"departsAt": None}, 422), ({"departsAt": ""}, 422), ({"departsAt": "tomorrow"}, 422), ({"departsAt": "2020-01-01T10:00"}, 422), ({"departsAt": "9999-12-31T23:59"}, 422), ({"departsAt": "0001-01-01T00:00"}, 422),
    ({"departsAt": "2027-02-30T10:00"}, 422), ({"leavesBy": moment(hours=24)}, 422), ({"leavesBy": moment(hours=60)}, 422), ({"leavesBy": "soon"}, 422), ({"zone": "Atlantis/Capital"}, 422), ({"zone": "../../etc/passwd"}, 422),
    ({"seats": None}, 422), ({"seats": 0}, 422), ({"seats": -1}, 422), ({"seats": 9223372036854775807}, 422), ({"seats": 1.5}, 400), ({"cost": {"amount": -1, "currency": "SGD"}}, 422),
    ({"cost": {"amount": 1, "currency": "ABC"}}, 422), ({"cost": {"amount": 9223372036854775807, "currency": "SGD"}}, 422), ({"cost": 5}, 400), ({"maxDetour": -1}, 422), ({"maxDetour": 9223372036854775807}, 422),
    ({"luggage": "piano"}, 400), ({"accepts": "me"}, 400), ({"notes": "x" * 1001}, 422), ({"notes": "\u0000"}, 422),
    ({"returnRide": {}}, 422), ({"returnRide": {"departsAt": moment(days=1)}}, 422), ({"returnRide": {"departsAt": "9999-12-31T23:59"}}, 422), ({"returnRide": {"departsAt": moment(days=3), "stops": [HERE]}}, 422),
    ({"returnRide": {"departsAt": moment(days=3), "seats": 0}}, 422), ({"returnRide": {"departsAt": moment(days=3), "cost": {"amount": 1, "currency": "ABC"}}}, 422), ({"returnRide": "yes"}, 400), ({"returnRide": [1]}, 400),
])
def test_a_ride_that_cannot_be_is_refused(ada, wrong, status):
    for path in ("/v1/rides", "/v1/rides/quote"):
        answer = ada.ask("POST", path, {"stops": [HERE, THERE], "departsAt": moment(days=2), "seats": 3, **wrong})
        check(answer, (400, 422) if status == 400 else status, {"malformed", "invalid"})


def test_the_way_back_of_a_ride_is_not_changed_with_it(ada):
    there = ada.post_ride(departsAt=moment(days=20))["id"]
    check(ada.ask("PATCH", f"/v1/rides/{there}", {"returnRide": {"departsAt": moment(days=21)}}), 422, "invalid")
    check(ada.ask("DELETE", f"/v1/rides/{there}", {"withOther": "yes"}), (400, 422), {"malformed", "invalid"})
    check(ada.ask("DELETE", f"/v1/rides/{there}", {"withOther": True}), 204)


@pytest.mark.parametrize("wrong, status", [
    ({"ride": None}, 422), ({"ride": {}}, 422), ({"ride": {**ride(), "departsAt": "2020-01-01T10:00"}}, 422), ({"ride": {**ride(), "stops": [HERE]}}, 422), ({"ride": {**ride(), "returnRide": {"departsAt": moment(days=1)}}}, 422), ({"ride": "daily"}, 400),
    ({"weekdays": None}, 422), ({"weekdays": []}, 422), ({"weekdays": ["someday"]}, 400), ({"weekdays": "monday"}, 400), ({"weekdays": [1]}, 400),
    ({"until": None}, 422), ({"until": ""}, 422), ({"until": "tomorrow"}, 422), ({"until": "2027-02-30"}, 422), ({"until": "2020-01-01"}, 422), ({"until": "9999-12-31"}, 422), ({"until": "0001-01-01"}, 422), ({"until": 7}, 400),
    ({"skips": ["x"]}, 422), ({"skips": ["2027-02-30"]}, 422), ({"skips": "never"}, 400),
])
def test_a_series_that_cannot_be_is_refused(ada, wrong, status):
    for path in ("/v1/ride-series", "/v1/ride-series/quote"):
        answer = ada.ask("POST", path, {**series(), **wrong})
        check(answer, (400, 422) if status == 400 else status, {"malformed", "invalid"})


@pytest.mark.parametrize("wrong, status", [
    ({"together": {}}, 422), ({"together": {}, "waitlist": True}, 422), ({"together": {"from": {"stop": 99}}}, 422), ({"together": {"to": {"name": "Nowhere"}}}, 422),
    ({"together": "yes"}, 400), ({"together": {"from": 1}}, 400), ({"together": {"expected": {"departsAt": "later"}}}, 400),
])
def test_seats_there_and_back_of_a_ride_that_has_no_way_back_are_refused(ada, ben, wrong, status):
    there = ada.post_ride(departsAt=moment(days=22))["id"]
    for call in ("requests", "seat-quote"):
        answer = ben.ask("POST", f"/v1/rides/{there}/{call}", wrong)
        check(answer, (400, 422) if status == 400 else status, {"malformed", "invalid"})
    check(ada.ask("DELETE", f"/v1/rides/{there}", {}), 204)


@pytest.mark.parametrize("query, status", [
    ("", 422), ("from=60,24", 422), ("to=60,24", 422), ("from=91,0&to=60,24", 422), ("from=60,24&to=0,181", 422), ("from=60,24&to=NaN,0", 400), ("from=60,24&to=1e400,0", 400), ("from=60,24&from=60,24&to=61,24", 400),
    *((f"from=60,24&to=61,24&{more}", status) for more, status in (
        ("at=", 400), ("at=now", 400), ("at=2026-02-30T00:00:00Z", 400), ("at=0000-01-01T00:00:00Z", 400), ("at=2020-01-01T00:00:00Z", 422), ("seats=0", 422), ("seats=9", 422), ("seats=1.5", 400),
        ("luggage=piano", 422), ("onlyFree=yes", 400), ("limit=0", 422), ("limit=101", 422), ("cursor=nonsense", 422), ("after=2027-01-01T00:00:00Z&before=2026-12-31T00:00:00Z", 422),
        ("after=2027-01-01T00:00:00Z&before=2028-01-01T00:00:00Z", 422),
    )),
])
def test_a_search_for_no_way_or_time_is_refused(query, status):
    check(ask("GET", f"/v1/rides/search?{query}"), status, "malformed" if status == 400 else "invalid")


def test_moments_at_the_ends_of_time_are_moments():
    """Or refused; never a fault of ours."""
    for moments in ("at=0001-01-01T00:00:00Z", "at=9999-12-31T23:59:59Z", "after=9999-12-31T23:59:59Z", "before=0001-01-01T00:00:00Z", "after=0001-01-01T00:00:00Z&before=9999-12-31T23:59:59Z"):
        check(ask("GET", f"/v1/rides/search?from=60,24&to=61,24&{moments}"), (200, 422))


@pytest.fixture(scope="module")
def hungry():
    """Somebody who offers nothing and has ordered nothing: what they leave out stays nowhere."""
    return Person("Hanna Korpi")


SOMEWHERE = "01999999-9999-7999-8999-999999999999"


@pytest.mark.parametrize("wrong, status", [
    ({"restaurant": None}, 422), ({"restaurant": SOMEWHERE}, 422), ({"restaurant": "Long Table 05"}, 400), ({"restaurant": 4}, 400), ({"dropOff": None}, 422), ({"dropOff": {}}, 422), ({"dropOff": "home"}, 400),
    ({"dropOff": {"place": SOMEWHERE}}, 422), ({"dropOff": {"name": "Home"}}, 422), ({"dropOff": {**DOOR, "name": None}}, 422), ({"dropOff": {**DOOR, "name": " "}}, 422), ({"dropOff": {**DOOR, "name": "x" * 121}}, 422),
    ({"dropOff": {**DOOR, "position": {"latitude": 90, "longitude": 0}}}, 422), ({"dropOff": {**DOOR, "position": {"latitude": 0, "longitude": 181}}}, 422), ({"dropOff": {**DOOR, "position": {"latitude": "1e400", "longitude": 0}}}, 400),
    ({"capacity": 0}, 422), ({"capacity": 5}, 422), ({"capacity": -1}, 422), ({"capacity": 9223372036854775807}, 422), ({"capacity": 1.5}, 400), ({"detour": 1}, 422), ({"detour": -150}, 422), ({"detour": "far"}, 400),
    ({"minutes": 14}, 422), ({"minutes": 181}, 422), ({"minutes": -9223372036854775808}, 422), ({"minutes": "30"}, 400), ({"leastFee": {"amount": -1, "currency": "SGD"}}, 422), ({"leastFee": {"amount": 9223372036854775807, "currency": "SGD"}}, 422),
    ({"leastFee": {"amount": 1, "currency": "ABC"}}, 422), ({"leastFee": 1}, 400), ({"isListed": "no"}, 400),
])
def test_what_nobody_can_bring_is_not_offered(hungry, wrong, status):
    answer = hungry.ask("PUT", "/v1/delivery", {**availability(4), **wrong})
    check(answer, (400, 422) if status == 400 else status, {"malformed", "invalid"})


SOUP = {"items": "Soup"}


@pytest.mark.parametrize("wrong, status", [
    ({"from": None}, 422), ({"from": []}, 422), ({"from": [SOUP]}, 422), ({"from": [{"restaurant": SOMEWHERE, **SOUP}]}, 422), ({"from": [{"restaurant": "Long Table 05", **SOUP}]}, 400), ({"from": "here"}, 400),
    ({"from": [{"restaurant": SOMEWHERE}] * 9}, 422), ({"around": {}}, 422), ({"from": None, "around": {}}, 422), ({"from": None, "around": {"position": DOOR["position"]}}, 422), ({"from": None, "around": SOUP}, 422),
    ({"from": None, "around": {"position": {"latitude": 0, "longitude": 0}, **SOUP}}, 422), ({"from": None, "around": {"position": {"latitude": 86, "longitude": 0}, **SOUP}}, 422),
    *(({"from": None, "around": {"position": DOOR["position"], "radius": radius, **SOUP}}, status) for radius, status in ((99, 422), (1001, 422), (-9223372036854775808, 422), ("near", 400))),
    ({"dropOff": None}, 422), ({"door": "x" * 201}, 422), ({"door": 5}, 400), ({"fee": {"amount": -1, "currency": "SGD"}}, 422), ({"fee": {"amount": 9223372036854775807, "currency": "SGD"}}, 422), ({"fee": {"amount": 1, "currency": "ABC"}}, 422),
    ({"limit": None}, 422), ({"limit": {"amount": -1, "currency": "SGD"}}, 422), ({"limit": {"amount": 9223372036854775807, "currency": "SGD"}}, 422), ({"limit": 5}, 400), ({"pickUpCode": "A7"}, 422), ({"limit": None, "pickUpCode": "x" * 61}, 422),
    ({"paidBy": "gold"}, 400), ({"rollsOn": 1}, 400), ({"minutes": 14}, 422), ({"minutes": 181}, 422), ({"minutes": 9223372036854775807}, 422), ({"availability": "anybody"}, 400), ({"availability": SOMEWHERE}, (409, 422)),
])
def test_what_nobody_can_bring_is_not_ordered(hungry, wrong, status):
    answer = hungry.ask("POST", "/v1/orders", {**order(4), **wrong})
    check(answer, (400, 422) if status == 400 else status, {"malformed", "invalid", "not_there"})


def test_one_restaurant_is_not_named_twice_and_words_are_not_too_long(hungry):
    table = restaurants()[4]
    for wrong in ([{"restaurant": table, **SOUP}] * 2, [{"restaurant": table}], [{"restaurant": table, "items": " "}], [{"restaurant": table, "items": "x" * 1001}]):
        check(hungry.ask("POST", "/v1/orders", {**order(4), "from": wrong}), 422, "invalid")
    assert hungry.ask("GET", "/v1/orders").json()["items"] == []


@pytest.mark.parametrize("wrong, status", [
    ({"minutes": -1}, 422), ({"minutes": 181}, 422), ({"minutes": 1.5}, 400), ({"expected": {"state": "gone"}}, 400), ({"expected": {"fee": "much"}}, 400), ({"expected": {"limit": 9223372036854775808}}, 400), ({"reason": "x" * 1001}, 422), ({"spent": 5}, 400),
    ({"receipt": 5}, 400), ({"share": "half"}, 400), ({"code": 1234}, 400),
])
def test_what_comes_with_an_act_is_looked_at_whole(hungry, wrong, status):
    """Nothing of it is there: that is said where it can be read, and where not, so is that."""
    answer = hungry.ask("POST", f"/v1/matches/{SOMEWHERE}/accept", wrong)
    check(answer, (400, 404, 422), {"malformed", "invalid", "not_found"})
    assert (answer.status == 400) == (status == 400)


@pytest.mark.parametrize("where", [{}, {"position": None}, {"position": "here"}, {"position": {"latitude": 91, "longitude": 0}}, {"position": {"latitude": "1", "longitude": 0}}, {**DOOR, "accuracy": -1}, {**DOOR, "accuracy": 1e300}, {**DOOR, "accuracy": "good"}])
def test_nobody_is_nowhere(hungry, where):
    check(hungry.ask("PUT", f"/v1/matches/{SOMEWHERE}/position", where), (400, 404, 422), {"malformed", "invalid", "not_found"})


@pytest.mark.parametrize("query, status", [
    ("from=1,1", 422), ("to=1,1", 422), ("from=1,1&to=", 422), ("from=1,1&to=91,0", 422), ("from=0,181&to=1,1", 422), ("from=1,1&to=1,1&to=", 400),
    ("from=1,1&to=1,1&to=NaN,0", 400), ("from=1,1&to=1,1,1", 400), ("from=1,1&from=1,1&to=1,1", 400), ("from=1,1&to=1,1&mode=flying", 422),
    ("from=1,1&to=1e400,1", 400), ("from=1,1&to=" + "1" * 600 + ",1", 400), ("from=1,1" + "&to=1,1" * 101, 422), ("from=1,1&to=1,1&towards=yes", 400), ("from=1,1&to=1,1&towards=", 400),
])
def test_a_distance_from_or_to_no_place_is_refused(query, status):
    check(ask("GET", f"/v1/places/distances?{query}"), status, "malformed" if status == 400 else "invalid")


@pytest.mark.parametrize("query, status", [
    ("", 422), ("point=", 422), ("point=1,1", 422), ("point=1,1&point=91,0", 422), ("point=1,1&point=", 400), ("point=NaN,0&point=1,1", 400), ("point=1,1,1&point=1,1", 400),
    ("point=1,1&point=1e400,1", 400), ("point=1,1&point=" + "1" * 600 + ",1", 400), ("&".join(["point=1,1"] * 9), 422), ("point=1,1&point=1,1&mode=flying", 422),
])
def test_a_way_through_no_places_is_refused(query, status):
    check(ask("GET", f"/v1/places/route?{query}"), status, "malformed" if status == 400 else "invalid")


def test_a_way_around_the_earth_is_one():
    answer = check(ask("GET", "/v1/places/route?" + "&".join(["point=89.9999999,180", "point=-90,-180"] * 4)), 200).json()
    assert len(answer["legs"]) == 7 and 2 <= len(answer["shape"]) <= 32
    assert all(not leg["alongStreets"] and 20_030_000 < leg["metres"] < 20_040_000 for leg in answer["legs"])


def test_a_hundred_distances_at_once_are_as_many_as_there_may_be():
    answer = check(ask("GET", "/v1/places/distances?from=89.9999999,180" + "&to=-90,-180" * 100), 200).json()
    assert len(answer["items"]) == 100
    # Straight through the earth there is no way, and around it half of its girth.
    assert all(not item["alongStreets"] and "seconds" not in item and 20_030_000 < item["metres"] < 20_040_000 for item in answer["items"])


@pytest.mark.parametrize("query, status", [
    ("before=0", 422), ("before=-1", 422), ("after=-1", 422), ("before=x", 400), ("after=1.5", 400), ("before=9007199254740992", 422), ("after=9223372036854775808", 400),
    ("before=1e3", 400), ("before=1&before=2", 400), ("limit=0", 422), ("limit=101", 422),
])
def test_messages_before_or_after_no_number_are_refused(ada, query, status):
    check(ada.ask("GET", f"/v1/rooms/01999999-9999-7999-8999-999999999999/messages?{query}"), status, "malformed" if status == 400 else "invalid")


@pytest.mark.parametrize("query, status", [
    ("unread=yes", 400), ("unread=1", 400), ("unread=true&unread=true", 400), ("limit=0", 422), ("limit=101", 422), ("limit=x", 400), ("cursor=nonsense", 422), ("cursor=" + "a" * 600, 422),
])
def test_an_inbox_of_no_kind_is_refused(ada, query, status):
    check(ada.ask("GET", f"/v1/notifications?{query}"), status, "malformed" if status == 400 else "invalid")


SETTINGS = {"kinds": [], "mail": "daily", "digestHour": 7, "timeZone": "Europe/Helsinki"}


@pytest.mark.parametrize("wrong, status", [
    ({"kinds": None}, 400), ({"kinds": [{"kind": "message"}]}, 400), ({"kinds": [{"kind": "gossip", "mail": True, "push": True}]}, (400, 422)), ({"mail": "hourly"}, (400, 422)),
    ({"digestHour": 24}, 422), ({"digestHour": -1}, 422), ({"digestHour": 7.5}, 400), ({"digestHour": "7"}, 400), ({"timeZone": "Atlantis/Capital"}, 422),
    ({"timeZone": "../../../etc/passwd"}, 422), ({"timeZone": "/etc/localtime"}, 422), ({"timeZone": ""}, 422), ({"timeZone": "x" * 5000}, 422), ({"timeZone": "Europe/Helsinki\u0000"}, 422),
    ({"quiet": {"from": "22:00"}}, 400), ({"quiet": {"from": "24:00", "to": "07:00"}}, 422), ({"quiet": {"from": "22:60", "to": "07:00"}}, 422), ({"quiet": {"from": "22:00", "to": "22:00"}}, 422),
    ({"quiet": {"from": "٢٢:٠٠", "to": "07:00"}}, 422), ({"quiet": {"from": "-1:00", "to": "7"}}, 422),
])
def test_settings_that_cannot_be_are_refused(ada, wrong, status):
    check(ada.ask("PUT", "/v1/notification-settings", {**SETTINGS, **wrong}), status, {"malformed", "invalid"})


@pytest.mark.parametrize("body", [{}, {"ids": None}, {"ids": [], "upTo": "01999999-9999-7999-8999-999999999999"}, {"ids": ["x"]}, {"ids": "x"}, {"upTo": "x"}, {"upTo": 7}, {"about": {"kind": "rental", "id": "x"}}, {"about": {"kind": "rental"}}, {"upTo": "01999999-9999-7999-8999-999999999999", "about": {"kind": "rental", "id": "01999999-9999-7999-8999-999999999999"}}, {"ids": ["01999999-9999-7999-8999-999999999999"] * 101}])
def test_marks_of_nothing_are_refused(ada, body):
    for path in ("/v1/notifications/read", "/v1/notifications/seen"):
        check(ada.ask("PUT", path, body), (400, 422), {"malformed", "invalid"})


POINT = {"latitude": 60.17, "longitude": 24.94}


@pytest.mark.parametrize("query, status", [
    ({}, 422), ({"spots": None}, 422), ({"spots": {"near": POINT}, "things": {"kind": "car", "q": "van"}}, 422), ({"rides": {}}, 400), ("spots", 400), (None, (400, 422)), ([], 400),
    ({"spots": {}}, 422), ({"spots": {"near": "60.17,24.94"}}, 400), ({"spots": {"near": {"latitude": 91, "longitude": 0}}}, 422), ({"spots": {"near": {"latitude": 0, "longitude": 180.0000001}}}, 422), ({"spots": {"near": {"latitude": 60}}}, 400),
    *(({"spots": {"near": POINT, "radius": radius}}, 422) for radius in (0, -1, 50_001, 9223372036854775807, -9223372036854775808)), ({"spots": {"near": POINT, "radius": 1.5}}, 400), ({"spots": {"near": POINT, "radius": "far"}}, 400),
    ({"spots": {"of": "posted"}}, 422), ({"spots": {"by": SOMEWHERE}}, 422),
    ({"things": {}}, 422), ({"things": {"q": "van"}}, 422), ({"things": {"kind": "boat"}}, 400), ({"things": {"kind": "car", "q": 7}}, 400), ({"things": {"kind": "car", "q": "x" * 5000}}, 422), ({"things": {"kind": "car", "highestPrice": -1}}, 422),
    ({"things": {"kind": "car", "highestPrice": 1.5}}, 400), ({"things": {"kind": "car", "from": "2026-12-01"}}, 422), ({"things": {"kind": "car", "from": "2026-02-30", "until": "2026-03-01"}}, 422), ({"things": {"kind": "car", "from": "9999-12-30", "until": "9999-12-31"}}, 422),
    ({"deliverers": {}}, 422), ({"deliverers": "soup"}, 400), ({"deliverers": {"near": POINT, "restaurant": SOMEWHERE}}, 422), ({"deliverers": {"restaurant": SOMEWHERE, "radius": 400}}, 422), ({"deliverers": {"near": POINT}, "spots": {"near": POINT}}, 422),
    ({"deliverers": {"restaurant": "the canteen"}}, 400), ({"deliverers": {"near": {"latitude": 91, "longitude": 0}}}, 422), ({"deliverers": {"near": POINT, "to": {"latitude": 0, "longitude": 180.0000001}}}, 422), ({"deliverers": {"near": POINT, "to": "here"}}, 400),
    *(({"deliverers": {"near": POINT, "radius": radius}}, 422) for radius in (0, -1, 49, 5001, 9223372036854775807, -9223372036854775808)), ({"deliverers": {"near": POINT, "radius": 400.5}}, 400),
    *(({"deliverers": {"near": POINT, "until": until}}, 422) for until in ("2020-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z")), *(({"deliverers": {"near": POINT, "until": until}}, 400) for until in ("tomorrow", "2026-02-30T00:00:00Z", 7)),
])
def test_what_is_no_search_is_not_looked_for(ada, query, status):
    for method, path in (("POST", "/v1/wanted"), ("POST", "/v1/wanted/estimate")):
        check(ada.ask(method, path, {"query": query}), (400, 422) if status == 400 else status, {"malformed", "invalid"})
    assert ada.ask("GET", "/v1/wanted").json()["items"] == []


@pytest.mark.parametrize("seen", ["yes", 1, [], {}])
def test_whether_others_see_a_search_is_said_by_yes_or_no(ada, seen):
    for method, path in (("POST", "/v1/wanted"), ("POST", "/v1/wanted/estimate"), ("PATCH", f"/v1/wanted/{SOMEWHERE}")):
        check(ada.ask(method, path, {"query": {"rides": {"from": POINT, "to": {"latitude": 60.45, "longitude": 22.26}}}, "isVisible": seen}), (400, 404, 422), {"malformed", "invalid", "not_found"})
    assert ada.ask("GET", "/v1/wanted").json()["items"] == []


@pytest.mark.parametrize("query, status", [
    ("direction=from", 422), ("direction=to", 422), ("region=Kluuvi&direction=up", 422), ("region=%00", 422), ("region=" + "a" * 481, 422), ("region=a&region=b", 400), ("limit=0", 422), ("limit=101", 422), ("limit=x", 400), ("cursor=nonsense", 422), ("cursor=" + "a" * 600, 422),
])
def test_a_list_of_those_who_seek_nowhere_is_refused(ada, query, status):
    check(ada.ask("GET", f"/v1/seekers?{query}"), (400, 422) if status == 400 else status, {"malformed", "invalid"})


def test_a_stream_of_no_place_is_refused():
    for query in ("bbox=1,2,3", "bbox=NaN,1,2,3", "bbox=1e400,0,1,1"):
        check(ask("GET", f"/v1/stream?{query}"), 400, "malformed")
    check(ask("GET", "/v1/stream?bbox=0,91,1,92"), 422, "invalid")
    check(ask("GET", "/v1/stream?lastEventId=" + "a" * 600), (400, 422), {"malformed", "invalid"})


@pytest.mark.parametrize("field", ["latitude", "longitude"])
@pytest.mark.parametrize("value", ["NaN", "inf", "-Infinity", "1e400", "91e9", "0x7fp9", "six", "\x00", "١٢", "1,2,3", "--1", ""])
def test_a_form_says_it_at_the_field(ada, field, value):
    hidden = ada.form("/share")
    form = {"name": "Form", "kind": "street", "latitude": "60.17", "longitude": "24.94", "price": "", **hidden, field: value}
    answer = check(ada.page("POST", "/share", form), 422)
    assert 'aria-invalid="true"' in answer.text


def test_the_same_name_twice_is_one_of_both(ada):
    """Two parsers might take different ones; here there is one parser, and the answer says which it was."""
    answer = ada.ask("POST", "/v1/spots", b'{"name": "one", "name": "two", "position": {"latitude": 1, "longitude": 1}}')
    check(answer, (201, 400))
    if answer.status == 201:
        assert answer.json()["name"] in ("one", "two")
        check(ada.ask("DELETE", f"/v1/spots/{answer.json()['id']}"), 204)
