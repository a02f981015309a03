"""Every text of every body that the OpenAPI document knows, so that a call that comes later is tried without anybody thinking of it."""

import concurrent.futures
import threading
import uuid

from document_texts import Document
from hostile import Person, ask, availability, browser, check, days, is_in_turn, moment, order, plate, ride, series
from test_text import TEXTS, UNFIT


class Village:
    """Somebody with one of each thing that an address may name, and what bodies of theirs are right."""

    def __init__(self):
        self.person, self.other = Person("Ada Lindqvist"), Person("Ben Tan")
        paths = ("/v1/cars", "/v1/spaces", "/v1/private-parking")
        self.own = {path: self.person.post_thing(path)["id"] for path in paths}
        self.others = {path: self.other.post_thing(path)["id"] for path in paths}
        self.spot, self.others_spot = self.person.post_spot()["id"], self.other.post_spot()["id"]
        self.rental = check(self.person.ask("POST", f"/v1/cars/{self.others['/v1/cars']}/rentals", days(40, 2)), 201).json()["id"]
        self.ride, self.asked_ride = self.person.post_ride()["id"], self.person.post_ride(departsAt=moment(days=4))["id"]
        self.others_ride = self.other.post_ride(departsAt=moment(days=6))["id"]
        self.seat = check(self.other.ask("POST", f"/v1/rides/{self.asked_ride}/requests", {}), 201).json()["id"]
        self.series = self.person.post_series(**series(days=10, hours=3))["id"]
        # From the second of these restaurants nobody brings anything.
        self.person.offer_delivery(2)
        _, self.match = self.person.accepted_match(self.other, 2)
        self.order = self.person.place_order(3)["id"]
        self.wanted = check(self.person.ask("POST", "/v1/wanted", {"query": {"things": {"kind": "space", "q": "By the fountain"}}}), 201).json()["id"]
        self.subject = {"subject": {"kind": "spot", "id": self.others_spot}, "with": self.other.id}
        self.room = check(self.person.ask("POST", "/v1/rooms", self.subject), 200).json()["id"]

    def at(self, path, act):
        kind, thing = path.split("/")[2], "/".join(path.split("/")[:3])
        ids = {"spots": self.others_spot if "observations" in path else self.spot, "rentals": self.rental, "rooms": self.room, "people": self.other.id,
               "rides": self.others_ride if path.endswith(("/requests", "/seat-quote")) else self.ride, "seat-requests": self.seat, "ride-series": self.series,
               "orders": self.order, "matches": self.match, "wanted": self.wanted,
               thing: (self.others if path.endswith("/rentals") else self.own).get(thing)}
        return path.replace("{id}", ids.get(thing) or ids.get(kind) or str(uuid.uuid4())).replace("{act}", act)

    def body(self, path, body):
        if path == "/v1/rooms":
            return self.subject
        if path == "/v1/push-subscriptions":
            return browser()
        if path in ("/v1/rides", "/v1/rides/quote"):
            return {**ride(days=8), "returnRide": {"departsAt": moment(days=9)}}
        if path in ("/v1/ride-series", "/v1/ride-series/quote"):
            weekly = series(days=11, hours=6)
            return {**weekly, "ride": {**weekly["ride"], "returnRide": {"departsAt": moment(days=11, hours=16)}}}
        if path == "/v1/delivery":
            return availability(2)
        if path == "/v1/orders":
            return order(3)
        if path.startswith("/v1/wanted"):
            # An example's is that of another search; and others see of a ride alone who seeks it.
            return {name: value for name, value in body.items() if name not in ("version", "isVisible")}
        if path.endswith(("/rentals", "/date-blocks")):
            soon = days(60, 2)
            # What is expected of its terms is an example's, and of another thing.
            kept = {name: value for name, value in body.items() if name != "expected"}
            return {**kept, **({"from": f"{soon['from']}T08:00", "until": f"{soon['from']}T10:00"} if "parking" in path else soon)}
        # Each time another one: what was sent before is not looked at again.
        return {**body, **({"plate": plate()} if "plate" in body else {}), **({"id": str(uuid.uuid4())} if "id" in body else {})}

    def undo(self, path, answer):
        """Nobody may have many of these, and no text is looked at where that is what is wrong."""
        if answer.status == 201 and path in ("/v1/spots", *self.own):
            check(self.person.ask("DELETE", f"{path}/{answer.json()['id']}"), 204)
        if answer.status == 201 and path.endswith("/rentals"):
            check(self.person.ask("POST", f"/v1/rentals/{answer.json()['id']}/cancel", {}), 200)
        if answer.status == 201 and path == "/v1/rides":
            check(self.person.ask("DELETE", f"/v1/rides/{answer.json()['id']}", {"withOther": True}), 204)
        if answer.status == 201 and path == "/v1/ride-series":
            check(self.person.ask("DELETE", f"/v1/ride-series/{answer.json()['id']}", {}), 204)
        if answer.status == 201 and path == "/v1/wanted":
            check(self.person.ask("DELETE", f"/v1/wanted/{answer.json()['id']}"), 204)
        if answer.status == 201 and path == "/v1/orders":
            check(self.person.ask("DELETE", f"/v1/orders/{answer.json()['id']}"), 204)
        if answer.status == 201 and path.endswith("/requests"):
            check(self.person.ask("POST", f"/v1/seat-requests/{answer.json()['id']}/withdraw", {}), 200)


def described(operation, answer, *what):
    assert answer is not None and answer.status < 500 and str(answer.status) in operation["responses"], (what, answer)
    if answer.status >= 400:
        assert answer["Content-Type"] == "application/problem+json", (what, answer)
        assert answer.json()["code"] and answer.json()["status"] == answer.status, (what, answer)


def test_every_text_of_the_document_takes_anything():
    """Whatever call comes later: each text of each body, one at a time in a body that is right."""
    document = Document(ask("GET", "/v1/openapi.json").json(), ask("GET", "/v1/about").json())
    calls, here, visited, taken = list(document.bodies()), threading.local(), set(), set()
    texts = [*TEXTS.values(), *UNFIT.values()]

    def visit(call):
        method, path, operation, schema, body = call
        village = here.village = getattr(here, "village", None) or Village()
        at = village.at(path, document.parameter(operation, path, "act"))
        right = village.person.ask(method, at, village.body(path, body))
        assert right.status != 400, (method, path, body, right)
        village.undo(path, right)
        if right.status < 300:
            taken.add((method, path))
        for number, place in enumerate(sorted(document.texts(schema))):
            for text in [text for kind, text in enumerate(texts) if is_in_turn(number, kind)]:
                given = document.put(schema, village.body(path, body), place, text)
                answer = village.person.ask(method, at, given)
                described(operation, answer, method, path, place, text)
                village.undo(path, answer)
            visited.add((method, path, place))

    # A few at once, or it would take minutes.
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(visit, calls))
    assert visited == {(method, path, place) for method, path, _, schema, _ in calls for place in document.texts(schema)}
    assert len(visited) > 200
    # Of the others there is nothing here that they could be about: a code, a picture, a case.
    assert len(taken) >= 20, taken
