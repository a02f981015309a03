"""Other sites that use a person's cookies: every form of the pages and every call that changes something; and forms that come twice."""

import urllib.parse
import uuid

import pytest

from hostile import HOST, NEIGHBOUR, PORT, Person, ask, at_once, between, check, days, moment, wait_for
from test_pictures import picture

FORMS = [
    "/share", "/share/photo", "/spots/{spot}/edit", "/spots/{spot}/remove", "/spots/{other}/claim", "/spots/{spot}/release", "/spots/{other}/observe", "/me/edit",
    "/me/sessions/{session}/end", "/me/sessions/end-all", "/sign-out", "/language",
    "/cars/new", "/private-parking/new", "/spaces/new", "/spaces/{draft}/wizard/size", "/spaces/{draft}/wizard/confirm", "/things/{thing}/edit", "/things/{thing}/withdraw",
    "/things/{thing}/publish", "/things/{thing}/calendar", "/things/{thing}/calendar/{spot}",
    "/things/{others_car}/rent", "/rentals/{rental}/cancel", "/rentals/{rental}/hand-over", "/me/calendar",
    "/rides/new", "/rides/{ride}/change", "/rides/{ride}/remove", "/rides/{ride}/depart", "/rides/{asked_ride}/save", "/rides/{asked_ride}/unsave", "/rides/{others_ride}/ask", "/rides/commutes/{series}/change", "/rides/commutes/{series}/end", "/seats/{seat}/withdraw", "/seats/{asked}/accept", "/seats/{asked}/reject",
    "/deliver", "/deliver/stop", "/orders/new", "/orders/{order}/change", "/orders/{order}/cancel", "/matches/{match}/cancel", "/matches/{match}/raise-limit",
    "/wanted/new?of=spaces&q=nothing", "/wanted/{wanted}/edit", "/wanted/{wanted}/delete", "/wanted/{wanted}/pause", "/wanted/{wanted}/go-on", "/wanted/{wanted}/renew", "/wanted/{wanted}/found",
    "/messages", "/messages/{room}", "/messages/{room}/archive", "/notifications/read", "/notifications/settings", "/notifications/devices/{spot}/remove",
]
# Of each kind one, on a running stack: with a picture; a script's, whose token comes in a header; urlencoded; and one that needs nobody to be signed in.
# Tests/GatewayServiceTests/PageForgeryTests.swift forges every form that there is a route for.
FORGED = ["/share", "/share/photo", "/rentals/{rental}/cancel", "/seats/{asked}/accept", "/language"]
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": f"http://{HOST}.evil.example:{PORT}"},
    {"Origin": f"http://{HOST}:1"}, {"Sec-Fetch-Site": "cross-site", "Origin": f"http://{HOST}:{PORT}"},
]


class Victim:
    def __init__(self):
        self.person, self.other = Person("Vera Holm"), Person("Otto Berg")
        self.spot, self.others_spot = self.person.post_spot("Vera's")["id"], self.other.post_spot("Otto's")["id"]
        self.thing, self.draft = self.person.post_thing("/v1/spaces")["id"], self.person.post_thing("/v1/spaces", isComplete=False)["id"]
        self.others_car = self.other.post_thing(title="Otto's")["id"]
        self.rental = check(self.person.ask("POST", f"/v1/cars/{self.others_car}/rentals", days(9, 2)), 201).json()["id"]
        self.ride, self.others_ride = self.person.post_ride()["id"], self.other.post_ride(departsAt=moment(days=6))["id"]
        self.asked_ride, self.series = self.other.post_ride(departsAt=moment(days=4))["id"], self.person.post_series()["id"]
        self.seat = check(self.person.ask("POST", f"/v1/rides/{self.asked_ride}/requests", {}), 201).json()["id"]
        self.asked = check(self.other.ask("POST", f"/v1/rides/{self.ride}/requests", {}), 201).json()["id"]
        self.person.offer_delivery(5)
        self.other.offer_delivery(7)
        self.order = self.person.place_order(6)["id"]
        self.ordered, self.match = self.other.accepted_match(self.person, 7)
        self.wanted = check(self.person.ask("POST", "/v1/wanted", {"query": {"things": {"kind": "space", "q": "nothingiscalledso"}}}), 201).json()["id"]
        self.me = self.person.ask("GET", "/v1/me").json()["id"]
        self.room = check(self.other.ask("POST", "/v1/rooms", {"subject": {"kind": "spot", "id": self.spot}, "with": self.me}), 200).json()["id"]
        check(self.other.ask("POST", f"/v1/rooms/{self.room}/messages", {"id": str(uuid.uuid4()), "text": "Hello"}), 201)
        self.session = self.person.ask("GET", "/v1/sessions").json()["items"][0]["id"]
        wait_for(lambda: self.told() == 3)
        self.csrf, self.foreign_csrf = self.person.form("/share")["csrf"], self.other.form("/share")["csrf"]

    def path(self, template):
        return template.format(spot=self.spot, other=self.others_spot, session=self.session, room=self.room, thing=self.thing, draft=self.draft, others_car=self.others_car,
                               rental=self.rental, ride=self.ride, others_ride=self.others_ride, asked_ride=self.asked_ride, series=self.series, seat=self.seat, asked=self.asked, order=self.order, match=self.match, wanted=self.wanted)

    def told(self):
        """Of Otto's message, that he asks for a seat, and that he brings something."""
        return self.person.ask("GET", "/v1/notifications/unread").json()["unread"]

    def unharmed(self):
        """Nothing was done in their name."""
        assert self.person.ask("GET", "/v1/me").json()["name"] == "Vera Holm"
        assert self.person.ask("GET", f"/v1/spots/{self.spot}").json()["name"] == "Vera's"
        assert self.other.ask("GET", f"/v1/spots/{self.others_spot}").json()["observations"] == {"there": 0, "gone": 0}
        assert len(self.person.ask("GET", "/v1/spots?of=posted").json()["items"]) == 1
        assert [(rental["id"], rental["state"]) for rental in self.person.ask("GET", "/v1/rentals").json()["items"]] == [(self.rental, "requested")]
        seats = self.person.ask("GET", "/v1/seat-requests").json()["items"]
        assert {(seat["id"], seat["state"]) for seat in seats} == {(self.seat, "pending"), (self.asked, "pending")}
        assert [(series["id"], series["isOver"]) for series in self.person.ask("GET", "/v1/ride-series").json()["items"]] == [(self.series, False)]
        orders = self.person.ask("GET", "/v1/orders").json()["items"]
        assert {(order["id"], order["state"]) for order in orders} == {(self.order, "waiting"), (self.ordered, "matched")}
        assert self.person.ask("GET", f"/v1/matches/{self.match}").json()["state"] == "accepted"
        assert self.person.ask("GET", "/v1/delivery").json()["availability"]["state"] == "available"
        assert [(wanted["id"], wanted["state"]) for wanted in self.person.ask("GET", "/v1/wanted").json()["items"]] == [(self.wanted, "live")]
        assert self.told() == 3
        for thing, state in ((self.thing, "listed"), (self.draft, "draft")):
            kept = self.person.ask("GET", f"/v1/spaces/{thing}").json()
            assert (kept["title"], kept["state"]) == ("Something to rent", state)
        assert self.person.ask("GET", f"/v1/spaces/{self.thing}/calendar").json()["taken"] == []
        rooms = self.person.ask("GET", "/v1/rooms").json()["items"]
        assert [(room["last"]["text"], room["unread"], room["archived"]) for room in rooms] == [("Hello", 1, False)]


@pytest.fixture(scope="module")
def victim():
    return Victim()


def fields(victim, **more):
    return {"text": "Evil", "archived": "yes", "kind": "person", "subject": victim.other.id, "with": victim.other.id, "name": "Evil", "latitude": "1", "longitude": "1", "state": "gone", "language": "de", "key": str(uuid.uuid4()), **more}


def with_picture(person, path, fields, headers=()):
    """What comes of a form in parts, a picture among them."""
    parts = [f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
    file = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\nContent-Type: image/jpeg\r\n\r\n' + picture() + b"\r\n"
    given = {"Cookie": f"kampong_access={person.fresh()}", "Content-Type": "multipart/form-data; boundary=b", **dict(headers)}
    return ask("POST", path, given, b"".join([*parts, file, b"--b--\r\n"]))


@pytest.mark.parametrize("form", FORGED)
def test_no_form_is_taken_from_elsewhere(victim, form):
    path, person = victim.path(form), victim.person
    tokens = {"none": {}, "empty": {"csrf": ""}, "nonsense": {"csrf": "AAAA"}, "another's": {"csrf": victim.foreign_csrf}, "cut": {"csrf": victim.csrf[:-4]}}
    for token in tokens.values():
        check(person.page("POST", path, fields(victim, **token)), 403)
        check(with_picture(person, path, fields(victim, **token)), 403)
        for value in token.values():
            check(person.page("POST", path, fields(victim), {"X-CSRF-Token": value}), 403)
    for headers in FOREIGN:
        check(person.page("POST", path, fields(victim, csrf=victim.csrf), headers), 403)
        check(person.page("POST", path, fields(victim), {**headers, "X-CSRF-Token": victim.csrf}), 403)
        check(with_picture(person, path, fields(victim, csrf=victim.csrf), headers), 403)
    # As forms of other sites can send it without asking first.
    for kind in ("text/plain", "application/json"):
        check(person.page("POST", path, fields(victim), {"Content-Type": kind}), (403, 415))
    victim.unharmed()


def test_no_call_is_taken_from_elsewhere(victim):
    """Every call of the document that changes something and needs somebody."""
    document = ask("GET", "/v1/openapi.json").json()
    calls = [(method.upper(), path) for path, methods in document["paths"].items() for method, operation in methods.items() if method != "get" and operation["security"]]

    def forge(call):
        method, path = call
        at = path.replace("{id}", victim.session if "sessions" in path else victim.room if "rooms" in path else victim.others_spot if "claim" in path or "obs" in path else victim.thing if "spaces" in path else victim.others_car if "cars" in path else victim.rental if "rentals" in path else victim.spot).replace("{act}", "accept")
        cookie = {"Cookie": f"kampong_access={victim.person.fresh()}", "Content-Type": "application/json"}
        body = '{"name": "Evil", "state": "gone", "position": {"latitude": 1, "longitude": 1}}'
        for token in (None, "", "AAAA", victim.foreign_csrf, victim.csrf[:-4]):
            check(ask(method, at, cookie if token is None else {**cookie, "X-CSRF-Token": token}, body), 403, "forbidden")
        for headers in FOREIGN:
            check(ask(method, at, {**cookie, **headers, "X-CSRF-Token": victim.csrf}, body), 403, "forbidden")
            check(ask(method, at, {**cookie, **headers, "Content-Type": "text/plain"}, body), 403, "forbidden")

    at_once(forge, calls)
    assert len(calls) >= 9
    victim.unharmed()


def test_nobody_elsewhere_says_what_she_has_read(victim):
    for headers in FOREIGN:
        check(victim.person.page("GET", f"/messages/{victim.room}/seen?number=1", headers=headers), 403)
    victim.unharmed()


def test_a_link_that_is_none_of_ours_ends_no_mails(victim):
    """Whoever has the link of a mail may end what it names, from wherever: so what is none must do nothing, whoever sends it."""
    before = victim.person.ask("GET", "/v1/notification-settings").json()
    for token in ("x", victim.person.id, "A" * 400, "..%2f..%2fme", "%00", f"{victim.person.id}.message-rentalDisputed.{'A' * 43}", f"{victim.person.id}..", f"{victim.person.id}.{'message-' * 70}all.x"):
        for headers in ({}, *FOREIGN):
            check(victim.person.page("POST", f"/unsubscribe/{token}", {"List-Unsubscribe": "One-Click"}, headers), (400, 404))
        check(ask("GET", f"/unsubscribe/{token}", {"Accept": "text/html"}), (400, 404))
    assert victim.person.ask("GET", "/v1/notification-settings").json() == before


def test_with_the_token_a_page_of_ours_may(victim):
    cookie = {"Cookie": f"kampong_access={victim.person.fresh()}", "Content-Type": "application/json", "X-CSRF-Token": victim.csrf}
    for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": f"http://{HOST}:{PORT}"}, {}):
        check(ask("PATCH", "/v1/me", {**cookie, **headers}, "{}"), 200)


@pytest.fixture(scope="module")
def attacker():
    return Person("Mallory")


@pytest.mark.parametrize("cookies", ["", "kampong_access=dead; kampong_refresh=dead", "kampong_access=dead", "kampong_refresh=dead"])
@pytest.mark.parametrize("form", ["/sign-in", "/join", "/language", "/sign-out"])
def test_nobody_is_signed_in_by_another_site(attacker, cookies, form):
    """Who is signed in to the attacker's account without knowing it tells the attacker what they do. A dead session is no session."""
    body = urllib.parse.urlencode({"email": attacker.email, "password": "a walk along the harbour", "name": "x", "language": "de"})
    for headers in FOREIGN:
        given = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", **headers, **({"Cookie": cookies} if cookies else {})}
        answer = check(ask("POST", form, given, body), 403)
        assert not any("kampong_access" in value and "Max-Age=0" not in value for value in answer.all("Set-Cookie")), answer


def test_looking_changes_nothing(victim):
    for form in FORMS:
        answer = victim.person.page("GET", victim.path(form))
        # 409: how it stands now, and why that is not possible.
        assert answer.status in (200, 303, 404, 405, 409), (form, answer.status)
        check(victim.person.page("HEAD", victim.path(form)), (200, 303, 404, 405, 409))
    victim.unharmed()


def test_cookies_and_frames_are_kept_from_others():
    person = Person("Carl")
    body = urllib.parse.urlencode({"email": person.email, "password": "a walk along the harbour"})
    answer = check(ask("POST", "/sign-in", {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}, body), 303)
    cookies = answer.all("Set-Cookie")
    assert len(cookies) == 2
    for cookie in cookies:
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Domain" not in cookie
    page = ask("GET", "/", {"Accept": "text/html"})
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"] and "form-action 'self'" in page["Content-Security-Policy"]


def test_no_other_origin_may_read(victim):
    for path in ("/v1/me", "/v1/spots?near=1,1", "/v1/about", "/", "/v1/stream?bbox=1,2"):
        answer = ask("GET", path, {"Origin": "https://evil.example", "Cookie": f"kampong_access={victim.person.fresh()}"})
        assert not [name for name, _ in answer.headers if name.lower().startswith("access-control-")]
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "x-csrf-token"}
    answer = ask("OPTIONS", "/v1/me", asked)
    assert answer.status in (404, 405) and answer["Access-Control-Allow-Origin"] is None


def test_where_one_is_sent_next_is_here(victim):
    for place in ("https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "javascript:alert(1)", "/\r\nSet-Cookie: a=b", "http:evil"):
        body = urllib.parse.urlencode({"email": victim.other.email, "password": "a walk along the harbour", "next": place})
        answer = check(ask("POST", "/sign-in", {"Content-Type": "application/x-www-form-urlencoded"}, body), 303)
        assert answer["Location"].startswith("/") and not answer["Location"].startswith(("//", "/\\", "/\t")), answer["Location"]
        assert not any(value.startswith("a=b") for value in answer.all("Set-Cookie"))


def test_a_form_that_comes_twice_does_its_work_once():
    person = Person("Toni", source=NEIGHBOUR)
    form = {"name": "Twice", "latitude": "60.2", "longitude": "24.9", "kind": "street", "price": "", "lifetime": "", **person.form("/share")}
    answers = [person.page("POST", "/share", form) for _ in range(5)]
    assert [answer.status for answer in answers] == [303] * 5 and len({answer["Location"] for answer in answers}) == 1
    spots = person.ask("GET", "/v1/spots?of=posted").json()["items"]
    assert [spot["name"] for spot in spots] == ["Twice"]
    # The same form with other words in it does nothing more: it leads to what was shared before.
    other = person.page("POST", "/share", {**form, "name": "Thrice"})
    assert (other.status, other["Location"]) == (303, "/me/spots?done=sharedBefore"), other
    assert [spot["name"] for spot in person.ask("GET", "/v1/spots?of=posted").json()["items"]] == ["Twice"]


def test_a_form_of_another_is_done_in_ones_own_name():
    """A form's key is no ticket to what somebody else was answered."""
    first, second = Person("First"), Person("Second")
    form = {"name": "Whose", "latitude": "60.2", "longitude": "24.9", "kind": "street", **first.form("/share")}
    check(first.page("POST", "/share", form), 303)
    check(second.page("POST", "/share", form), 403)  # the other's token
    check(second.page("POST", "/share", {**form, "csrf": second.form("/share")["csrf"]}), 303)
    mine, theirs = (person.ask("GET", "/v1/spots?of=posted").json()["items"] for person in (first, second))
    assert len(mine) == len(theirs) == 1 and mine[0]["id"] != theirs[0]["id"]


def test_a_form_of_a_former_session_is_out_of_date():
    person = Person("Fred")
    form = {"name": "Late", "latitude": "60.2", "longitude": "24.9", **person.form("/share")}
    again = check(person.ask("POST", "/v1/sessions", {"email": person.email, "password": "a walk along the harbour"}, anonymous=True), 200)
    person.take(again.json())
    check(person.page("POST", "/share", form), 403)
    assert not person.ask("GET", "/v1/spots?of=posted").json()["items"]


def test_a_form_that_somebody_made_up_is_kept_for_nobody_else(victim):
    """Whose session has ended finds again what they sent. Nobody can have the gateway keep a form of theirs for somebody else, to be sent with one press."""
    def send(sender):
        fields = urllib.parse.urlencode({"bio": "Evil", "name": "Evil", "key": str(uuid.uuid4()), "sender": sender})
        return ask("POST", "/me/edit", {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}, fields)

    own = between(victim.other.page("GET", "/me/edit").text, 'name="sender" value="', '"')
    code = own.split(".")[1]
    for forged in ("", ".", victim.me, f"{victim.me}.", f"{victim.me}.{code}", f"{victim.me}.{'A' * len(code)}", f"{own}.{victim.me}", "\u0600." + code):
        answer = check(send(forged), 303)
        assert not answer.all("Set-Cookie"), forged
    # Otto's own one, in Vera's browser: whole, cut, and with one letter changed.
    kept = check(send(own), 401)["Set-Cookie"].split(";")[0]
    assert kept.startswith("kampong_typed=") and "Evil" not in kept
    changed = kept[:60] + ("A" if kept[60] != "A" else "B") + kept[61:]
    for cookie in (kept, kept[:-8], changed, "kampong_typed=" + "A" * 3800):
        shown = victim.person.page("GET", "/resume", headers={"Cookie": f"kampong_access={victim.person.fresh()}; {cookie}"})
        assert (check(shown, 303)["Location"], "Evil" in shown.text) == ("/", False), cookie[:40]
    again = victim.other.page("GET", "/resume", headers={"Cookie": f"kampong_access={victim.other.fresh()}; {changed}"})
    assert check(again, 303)["Location"] == "/"
    victim.unharmed()
