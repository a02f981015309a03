"""Numbers, days and places at the edge of what there is, and beyond, in whatever a page reads from its address: an answer each time, and the
gateway is still the same process afterwards (`conftest.py`)."""

import uuid
from urllib.parse import quote

import pytest

from hostile import Person, ask, at_once, check, days, moment, restaurants

# What the pages' addresses have numbers, days, times, places and more in; whoever adds one adds it here.
READ = ["after", "again", "ask", "at", "back", "bbox", "before", "boarding.at", "cursor", "day", "deliverer", "far", "from", "leaving.at", "month", "near", "number", "price", "radius", "restaurant", "seats", "size", "time", "to", "until"]
EDGES = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "1e308", "nan", "-inf", "٣", "", "%00",
    "0000-01-01", "0001-01-01", "9999-12-31", "9999-12-31T23:00", "0001-01-01T00:00", "0000-01", "0001-01", "9999-12", "+292277026596-12",
    "90,180", "-90,-180", "nan,nan", "1e308,-1e308", "-9223372036854775808,9223372036854775807", "-180,-90,180,90", "1e308,-90,-1e308,90",
]
# Alone as well: where several are refused, one may hide what another does.
ALONE = ["-9223372036854775808", "9999-12-31", "0001-01", "9999-12", "1e308,-1e308"]
PAGES = [
    "/parking", "/places", "/places/name", "/places/suggestions?q=Fabian", "/places/way?from=60.17,24.94", "/cars", "/cars?map=yes", "/spaces", "/private-parking", "/share", "/cars/new",
    "/messages", "/messages/{room}", "/messages/{room}/rows", "/messages/{room}/seen", "/messages/{room}/foot", "/spots/{spot}", "/spots/{spot}/card", "/spots/{spot}/claim",
    "/things/{space}", "/things/{space}/rent", "/things/{space}/calendar", "/things/{hourly}", "/things/{hourly}/rent", "/things/{hourly}/calendar", "/things/{space}/card",
    "/rides", "/rides/search", "/rides/search?from=60.17,24.94%20Here&to=60.45,22.27%20There", "/rides/regions?region=Kluuvi", "/rides/{ride}", "/rides/{ride}/remove", "/rides/{ride}/print", "/rides/{ride}/seekers", "/rides/{ride}/unsave",
    "/rides/new", "/rides/mine", "/rides/mine?tab=past", "/rides/{offer}/ask", "/rides/{offer}/asked", "/rides/{ride}/change", "/rides/commutes", "/rides/commutes/{series}", "/rides/commutes/{series}/change", "/rides/commutes/{series}/end",
    "/seats/{seat}", "/seats/{seat}/withdraw", "/seats/{seat}/reject",
    "/deliveries", "/deliver", "/restaurants/{table}", "/restaurants/{table}?found=yes", "/deliverers/{going}", "/orders", "/orders/new", "/orders/{order}", "/orders/{order}/change", "/orders/{order}/cancel", "/matches", "/matches/{match}", "/matches/{match}/cancel", "/matches/{match}/live",
    "/wanted", "/wanted/new?of=spots", "/wanted/new?of=spots&near=60.17,24.94", "/wanted/new?of=deliverers", "/wanted/new?of=deliverers&near=60.17,24.94%20Here", "/wanted/new?of=cars", "/wanted/new?of=private-parking&q=By", "/wanted/{wanted}", "/wanted/{wanted}/edit", "/wanted/{wanted}/delete",
    "/rentals", "/rentals/{rental}", "/rentals/{rental}/cancel", "/people/{owner}/reviews", "/notifications", "/me/spots", "/me/things", "/me/encounters", "/sharing/neighbourhood",
]


@pytest.fixture(scope="module")
def village():
    """Who looks, as owner and as renter, and the ids that stand in the addresses."""
    owner, renter = Person("Olga Berg"), Person("Rune Falk")
    spot, space, hourly = owner.post_spot()["id"], owner.post_thing("/v1/spaces")["id"], owner.post_thing("/v1/private-parking")["id"]
    rental = check(renter.ask("POST", f"/v1/spaces/{space}/rentals", days(3)), 201).json()["id"]
    ride, offer, series = owner.post_ride()["id"], owner.post_ride(departsAt=moment(days=5))["id"], owner.post_series()["id"]
    seat = check(renter.ask("POST", f"/v1/rides/{ride}/requests", {}), 201).json()["id"]
    going = owner.offer_delivery(11)["id"]
    order, match = owner.accepted_match(renter, 11)
    wanted = check(renter.ask("POST", "/v1/wanted", {"query": {"things": {"kind": "parking", "q": "By the fountain"}}}), 201).json()["id"]
    room = check(renter.ask("POST", "/v1/rooms", {"subject": {"kind": "spot", "id": spot}, "with": owner.id}), 200).json()["id"]
    check(renter.ask("POST", f"/v1/rooms/{room}/messages", {"id": str(uuid.uuid4()), "text": "Hello"}), 201)
    return owner, renter, {"spot": spot, "space": space, "hourly": hourly, "rental": rental, "ride": ride, "offer": offer, "series": series, "seat": seat, "table": restaurants()[11], "going": going, "order": order, "match": match, "wanted": wanted, "room": room, "owner": owner.id}


def queries():
    for value in EDGES:
        yield {name: value for name in READ}
    for name in READ:
        for value in ALONE:
            yield {name: value}


def written(path, query):
    text = "&".join(f"{name}={value if value.startswith('%') else quote(value)}" for name, value in query.items())
    return f"{path}{'&' if '?' in path else '?'}{text}"


@pytest.mark.parametrize("page", PAGES)
def test_whatever_an_address_says_is_answered(village, page):
    owner, renter, ids = village
    addresses = [written(page.format(**ids), query) for query in queries()]
    asked = [((owner, renter)[number % 2], address) for number, address in enumerate(addresses)]

    def look(one):
        who, address = one
        answer = who.page("GET", address)
        # A service that was busy answers the next time; what an address breaks, it breaks again.
        return who.page("GET", address) if answer is not None and answer.status == 503 else answer

    answers = at_once(look, asked)
    wrong = [f"{answer and answer.status} for {address}" for address, answer in zip(addresses, answers) if answer is None or answer.status >= 500]
    assert not wrong, "\n".join(wrong[:20])
    assert check(ask("GET", "/v1/about"), 200)
