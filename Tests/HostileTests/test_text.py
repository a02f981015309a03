"""SQL, HTML, templates and worse in every text that people can write: kept as it was written, or refused; shown as text, never as anything else."""

import html
import html.parser
import json
import threading
import unicodedata
import uuid
from urllib.parse import quote, unquote_to_bytes

import pytest

from hostile import HOST, PASSWORD, PORT, RUN, Line, Person, ask, at_once, check, days, plate, ride, wait_for

TEXTS = {
    "sql": "Robert'); DROP TABLE spots;--", "sql or": "' OR '1'='1' --", "sql stacked": "x'; SELECT pg_sleep(10);--", "sql dollar": "$$; DELETE FROM outbox; $$ $1 %s ?",
    "script": "<script>alert(1)</script>", "image": "<img src=x onerror=alert(1)>", "attribute": "\" onmouseover=\"alert(1)", "single": "' onfocus='alert(1)",
    "closing": "</textarea></title></script><svg onload=alert(1)>", "entity": "&lt;script&gt;alert(1)&lt;/script&gt;", "template": "{{name}} {{{name}}} {{>frame/csrf}} ${7*7}",
    "comment": "<!--#exec cmd=ls--> -->", "combining": "\"\u0301><script>alert(1)</script>", "less with mark": "<\u0338script>alert(1)</script>", "address": "javascript:alert(1)//",
    # By Unicode's rules U+0600 and U+110BD make one character with what stands behind them.
    "joined": "\u0600<form hx-post=/me/edit hx-trigger=load>x", "joined attribute": "\U000110bd\" onmouseover=\"alert(1)", "joined entity": "\u06dd&lt;script&gt;",
    "format": "%n%n%s%x", "path": "../../../../etc/passwd", "shell": "$(reboot) `reboot` ; reboot |", "quotes": "“„‘’»«", "emoji": "👩‍👩‍👧‍👦🏴‍☠️",
}
# What no name may have in it: it would break lines, hide, or turn others' text around.
UNFIT = {"null": "a\u0000b", "break": "a\r\nSet-Cookie: b=c", "bell": "a\u0007b", "override": "a\u202eb", "delete": "a\u007fb", "separator": "a\u2028b",
         "zero width": "\u200b", "soft hyphen": "\u00ad\u00ad", "braille": "\u2800", "filler": "\u3164 \u115f", "private": "\ue000", "tag": "\U000e0041", "marks": "\u0301\u0316",
         "piled up": "a" + "\u0301" * 40}


class Containers(html.parser.HTMLParser):
    """Where a text stands in a page outside of what is closed to htmx (`hx-disable`)."""

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "use", "path", "circle"}
    # What cannot hold elements.
    TEXT_ONLY = {"title", "textarea", "option", "script"}

    def __init__(self, page, text):
        super().__init__()
        self.text, self.stack, self.outside = text, [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.stack.append((tag, "hx-disable" in dict(attributes)))

    def handle_endtag(self, tag):
        # Also of what was closed with its beginning.
        if any(tag == open_tag for open_tag, _ in self.stack):
            while self.stack.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if self.text in data and not any(closed or tag in self.TEXT_ONLY for tag, closed in self.stack):
            self.outside.append(self.stack[-3:])


def shown_as_text(page, text, status=200, closed=False):
    """The text is in the page, and wherever it is, it is escaped; and within what is closed to htmx."""
    assert page.status == status
    if any(mark in text for mark in "<>\"'&"):
        for piece in ("<form hx-post=/me", "<script>alert", "<img src=x", "<svg onload", '" onmouseover="', "' onfocus='", "<!--#exec"):
            assert piece not in page.text, f"{piece} in {page.text[:200]}"
    assert text in html.unescape(page.text), "the text is not shown as it was written"
    # What is put into a page is within what is there.
    if closed and page.text.startswith("<!doctype"):
        assert not Containers(page.text, text).outside
    assert "49" not in text  # nothing computed it


@pytest.mark.parametrize("kind", TEXTS)
def test_a_name_is_shown_as_it_was_written(kind):
    # Written in one way where Unicode knows two, so that names that look the same are the same.
    text = unicodedata.normalize("NFC", TEXTS[kind])
    person = Person(TEXTS[kind])
    assert person.ask("GET", "/v1/me").json()["name"] == text
    spot = person.post_spot(text)
    assert spot["name"] == text and spot["postedBy"]["name"] == text
    for path in (f"/spots/{spot['id']}", f"/spots/{spot['id']}/edit", f"/spots/{spot['id']}/remove", "/me", "/me/edit", "/me/spots",
                 "/parking?near=60.17,24.94&radius=50"):
        shown_as_text(person.page("GET", path), text, closed=True)
    stranger = ask("GET", f"/spots/{spot['id']}", {"Accept": "text/html"})
    shown_as_text(stranger, text)
    check(person.ask("DELETE", f"/v1/spots/{spot['id']}"), 204)


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_said_of_a_car_and_about_it_is_shown_as_it_was_written(kind):
    text = unicodedata.normalize("NFC", TEXTS[kind])
    # Their names are what the words of an agreement are about.
    ada, ben = Person(TEXTS[kind]), Person(TEXTS[kind])
    car = ada.post_thing(title=text, description=text, place=text)
    assert car["title"] == car["description"] == car["place"] == text

    def both(*paths):
        for person in (ada, ben):
            for path in paths:
                shown_as_text(person.page("GET", path), text, closed=True)

    for path in (f"/things/{car['id']}/edit", f"/things/{car['id']}/withdraw", "/me/things"):
        shown_as_text(ada.page("GET", path), text, closed=True)
    both(f"/cars/{car['id']}")
    shown_as_text(ask("GET", f"/cars/{car['id']}", {"Accept": "text/html"}), text, closed=True)
    shown_as_text(ben.page("GET", f"/things/{car['id']}/rent"), text, closed=True)

    def rent(ahead):
        rental = check(ben.ask("POST", f"/v1/cars/{car['id']}/rentals", {**days(ahead, 2), "message": text}), 201).json()
        return rental["id"], f"/rentals/{rental['id']}"

    agreed, page = rent(9)
    both(page, "/rentals", "/rentals?role=owner")
    for person, act in ((ada, "accept"), (ada, "decline"), (ben, "cancel")):
        shown_as_text(person.page("GET", f"{page}/{act}"), text, closed=True)
    check(ada.ask("POST", f"/v1/rentals/{agreed}/accept", {"reason": text}), 200)
    both(page, f"{page}/print", f"{page}/cancel")
    shown_as_text(ada.page("GET", f"/things/{car['id']}/calendar"), text, closed=True)
    check(ben.ask("POST", f"/v1/rentals/{agreed}/cancel", {"reason": text}), 200)
    refused, other = rent(15)
    check(ada.ask("POST", f"/v1/rentals/{refused}/decline", {"reason": text}), 200)
    both(page, other)
    check(ada.ask("DELETE", f"/v1/cars/{car['id']}"), 204)


@pytest.mark.parametrize("kind", UNFIT)
def test_what_is_said_of_a_car_hides_nothing(ada, kind):
    draft = {"title": "A car", "place": "Here", "brand": "Honda", "model": "Jazz", "plate": plate()}
    for field in ("title", "place", "address", "region", "brand", "model", "plate"):
        check(ada.ask("POST", "/v1/cars", {**draft, field: UNFIT[kind]}), (400, 422), {"invalid", "malformed"})
    # It may have several lines.
    if kind != "break":
        check(ada.ask("POST", "/v1/cars", {**draft, "description": UNFIT[kind]}), (400, 422), {"invalid", "malformed"})


@pytest.fixture(scope="module")
def owner():
    return Person("Ada Lindqvist")


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_said_of_a_thing_is_shown_as_it_was_written(owner, kind):
    text = unicodedata.normalize("NFC", TEXTS[kind])
    space = owner.post_thing("/v1/spaces", title=text, description=text)
    for path in (f"/spaces/{space['id']}", f"/things/{space['id']}/edit", f"/things/{space['id']}/withdraw", f"/things/{space['id']}/calendar", "/me/things"):
        shown_as_text(owner.page("GET", path), text, closed=True)
    draft = owner.post_thing("/v1/spaces", title=text, description=text, isComplete=False)
    for step in ("size", "confirm"):
        shown_as_text(owner.page("GET", f"/spaces/{draft['id']}/wizard/{step}"), text, closed=True)
    for one in (space, draft):
        check(owner.ask("DELETE", f"/v1/spaces/{one['id']}"), 204)


@pytest.mark.parametrize("kind", TEXTS)
def test_what_somebody_looks_for_and_finds_is_shown_as_it_was_written(owner, kind):
    text = unicodedata.normalize("NFC", TEXTS[kind])
    # Of so many things a day nobody is told one by one: each has somebody of its own.
    seeker = Person("Ines Roth")
    draft = {"query": {"things": {"kind": "space", "q": text}}}
    if not any(letter.isalnum() for letter in text):
        # There is no word in it.
        check(seeker.ask("POST", "/v1/wanted", draft), 422, "invalid")
        return
    wanted = check(seeker.ask("POST", "/v1/wanted", draft), 201).json()
    assert wanted["query"]["things"]["q"] == text
    space = owner.post_thing("/v1/spaces", title=text, description=text)
    notice = wait_for(lambda: check(seeker.ask("GET", "/v1/notifications"), 200).json()["items"])[0]
    assert (notice["kind"], notice["title"], notice["subject"]["id"]) == ("thingFound", text, space["id"])
    found = check(seeker.ask("GET", f"/v1/wanted/{wanted['id']}/finds"), 200).json()["items"]
    assert [item["thing"]["title"] for item in found] == [text]
    for path in ("/wanted", f"/wanted/{wanted['id']}", f"/wanted/{wanted['id']}/edit", f"/wanted/{wanted['id']}/delete", f"/wanted/new?of=spaces&q={quote(text, safe='')}", f"/spaces/{space['id']}?found=yes", "/notifications"):
        shown_as_text(seeker.page("GET", path), text, closed=True)
    check(owner.ask("DELETE", f"/v1/spaces/{space['id']}"), 204)
    check(seeker.ask("DELETE", f"/v1/wanted/{wanted['id']}"), 204)


@pytest.mark.parametrize("kind", UNFIT)
def test_what_is_said_of_a_ride_hides_nothing(ada, kind):
    text, draft = UNFIT[kind], ride()
    stops = draft["stops"]
    wrong = [*({**draft, "stops": [{**stops[0], field: text}, stops[1]]} for field in ("name", "address")), *({**draft, field: text} for field in ("departsAt", "zone"))]
    # They may have several lines.
    wrong += [{**draft, "notes": text}] if kind != "break" else []
    for body in wrong:
        check(ada.ask("POST", "/v1/rides/quote", body), (400, 422), {"invalid", "malformed"})


@pytest.fixture(scope="module")
def talk():
    """Two people and their chat."""
    one, other = Person("Ada Lindqvist"), Person("Ben Tan")
    room = check(one.ask("POST", "/v1/rooms", {"subject": {"kind": "person", "id": other.id}, "with": other.id}), 200).json()["id"]
    return one, other, room


LINKS = {"quoted": "https://a.example/\"onmouseover=alert(1)", "user": "https://bank.example@a.example/", "markup": "https://a.example/<script>alert(1)</script>", "data": "data:text/html,<script>alert(1)</script>"}


@pytest.mark.parametrize("kind", [*TEXTS, *LINKS])
def test_a_message_is_shown_as_it_was_written(talk, kind):
    one, other, room = talk
    text = unicodedata.normalize("NFC", {**TEXTS, **LINKS}[kind])
    sent = check(one.ask("POST", f"/v1/rooms/{room}/messages", {"id": str(uuid.uuid4()), "text": text}), 201).json()
    assert sent["text"] == text
    for person in (one, other):
        for path in (f"/messages/{room}", f"/messages/{room}/rows?after={sent['number'] - 1}", "/messages"):
            page = person.page("GET", path)
            shown_as_text(page, text, closed=True) if kind in TEXTS else check(page, 200)
            assert "<script>alert" not in page.text and "bank.example@a.example/\"" not in page.text and 'href="data:' not in page.text and 'href="javascript:' not in page.text
            assert "\"onmouseover=" not in page.text
    form = {"text": text, "id": str(uuid.uuid4()), **other.form("/share"), "photo": "no picture"}
    refused = check(other.page("POST", f"/messages/{room}", form), 422)
    shown_as_text(refused, text, 422)


@pytest.mark.parametrize("kind", UNFIT)
def test_a_message_that_hides_something_is_refused(talk, kind):
    one, _, room = talk
    answer = one.ask("POST", f"/v1/rooms/{room}/messages", {"id": str(uuid.uuid4()), "text": UNFIT[kind]})
    # It may have several lines, and they end as all do.
    if kind == "break":
        assert check(answer, 201).json()["text"] == UNFIT[kind].replace("\r\n", "\n")
    else:
        check(answer, (400, 422), {"invalid", "malformed"})


@pytest.mark.parametrize("kind", UNFIT)
def test_a_name_that_is_no_line_of_text_is_refused(ada, kind):
    text = UNFIT[kind]
    where = {"latitude": 60.17, "longitude": 24.94}
    problem = check(ada.ask("POST", "/v1/spots", {"name": text, "position": where}), (400, 422), {"invalid", "malformed"}).json()
    assert problem["code"] == "malformed" or problem["errors"][0]["field"] == "name"
    for change in ({"name": text}, {"region": text}, {"username": text}, {"photo": text}):
        check(ada.ask("PATCH", "/v1/me", change), (400, 422), {"invalid", "malformed"})
    account = {"email": f"n-{RUN}@example.org", "password": PASSWORD, "name": text}
    check(ada.ask("POST", "/v1/accounts", account, anonymous=True), (400, 422), {"invalid", "malformed"})


@pytest.mark.parametrize("kind", list(TEXTS) + list(UNFIT))
def test_no_text_is_too_strange_for_any_field(ada, kind):
    """Every text field of every call, and every parameter: a refusal that says which, or it is taken; never our fault."""
    text = {**TEXTS, **UNFIT}[kind]
    where = {"latitude": 60.17, "longitude": 24.94}
    calls = [
        ("POST", "/v1/accounts", {"email": text, "password": PASSWORD, "name": "x"}), ("POST", "/v1/accounts", {"email": f"{text}@example.org", "password": PASSWORD, "name": "x"}),
        ("POST", "/v1/accounts", {"email": "a@b", "password": text, "name": text, "username": text, "region": text, "photo": text}),
        ("POST", "/v1/sessions", {"email": text, "password": text}), ("POST", "/v1/sessions", {"email": f"{uuid.uuid4()}@example.org", "password": text}),
        ("POST", "/v1/sessions/refresh", {"refreshToken": text}), ("PATCH", "/v1/me", {"username": text}), ("PATCH", "/v1/me", {"photo": text}),
        ("POST", "/v1/spots", {"name": "x", "position": where, "photo": text}), ("POST", "/v1/spots", {"name": "x", "position": where, "kind": text}),
        ("POST", "/v1/spots", {"name": "x", "position": where, "expiresAt": text}),
        ("POST", "/v1/spots", {"name": "x", "position": where, "price": {"amount": 1, "currency": text}}),
        *(("POST", "/v1/cars", {"title": "x", field: text}) for field in ("kind", "brand", "plate", "region", "zone", "cancellation", "available", "price", "photos", "size")),
        ("POST", "/v1/cars", {"title": "x", "available": {"from": text}}), ("POST", "/v1/cars/01999999-9999-7999-8999-999999999999/rentals", {"from": text, "until": text, "message": text}),
        ("POST", "/v1/rentals/01999999-9999-7999-8999-999999999999/dispute", {"reason": text}),
        *(("POST", "/v1/rides", {"seats": 1, field: text}) for field in ("departsAt", "leavesBy", "zone", "luggage", "accepts", "notes", "cost")),
        ("POST", "/v1/rides/quote", {"stops": [{"name": text, "address": text}]}), ("POST", "/v1/rides", {"returnRide": {"departsAt": text, "leavesBy": text}}),
        *(("POST", "/v1/ride-series", {field: text}) for field in ("ride", "weekdays", "until", "skips", "version")), ("POST", "/v1/ride-series/quote", {"ride": {"departsAt": text}, "weekdays": [text], "until": text, "skips": [text]}),
        ("DELETE", "/v1/ride-series/01999999-9999-7999-8999-999999999999", {"reason": text}), ("POST", "/v1/rides/01999999-9999-7999-8999-999999999999/requests", {"riders": [text], "message": text}),
        ("POST", "/v1/seat-requests/01999999-9999-7999-8999-999999999999/dispute", {"reason": text}),
        *(("PUT", "/v1/delivery", {field: text}) for field in ("restaurant", "dropOff", "detour", "leastFee")), ("PUT", "/v1/delivery", {"dropOff": {"place": text, "name": text, "position": text}}),
        *(("POST", "/v1/orders", {field: text}) for field in ("from", "around", "dropOff", "door", "fee", "limit", "paidBy", "pickUpCode", "availability")), ("POST", "/v1/orders", {"from": [{"restaurant": text, "items": text}]}),
        ("POST", "/v1/orders", {"around": {"items": text}}), ("POST", "/v1/orders/01999999-9999-7999-8999-999999999999/ask", {"availability": text}),
        ("POST", "/v1/matches/01999999-9999-7999-8999-999999999999/give-up", {"reason": text, "receipt": text, "code": text, "expected": {"state": text}}),
        ("POST", "/v1/rooms", {"subject": {"kind": text, "id": text}, "with": text}), ("POST", "/v1/rooms/01999999-9999-7999-8999-999999999999/messages", {"id": text, "text": text}),
        ("POST", "/v1/spots/01999999-9999-7999-8999-999999999999/observations", {"state": text}),
        *((method, path, {"query": query}) for method, path in (("POST", "/v1/wanted"), ("POST", "/v1/wanted/estimate"), ("PATCH", "/v1/wanted/01999999-9999-7999-8999-999999999999"))
          for query in (text, {}, {text: text}, {"spots": {"near": text}}, {"spots": {"near": where, "radius": text}}, {"things": {"kind": text}}, {"things": {"kind": "car", "from": text, "until": text}}, {"things": {"kind": "car", "highestPrice": text}}, {"deliverers": text}, {"deliverers": {"restaurant": text}}, {"deliverers": {"near": text}}, {"deliverers": {"near": where, "until": text}})),
        ("POST", "/v1/wanted", {"query": {"rides": {"from": where, "to": where}}, "isVisible": text}), ("PATCH", "/v1/wanted/01999999-9999-7999-8999-999999999999", {"isVisible": text}),
    ]

    def send(call):
        method, path, body = call
        answer = ada.ask(method, path, body)
        taken = path == "/v1/accounts" and answer.status == 201  # some of it may stand before an @
        assert taken or answer.status in (400, 401, 404, 409, 422) and answer.json()["code"], (path, body, answer)

    at_once(send, calls)
    ada.ask("PATCH", "/v1/me", {"region": text})
    addresses = (
        f"/v1/spots?near=60,24&cursor={quote(text)}", f"/v1/spots?near={quote(text)}", f"/v1/spots?of={quote(text)}", f"/v1/spots/{quote(text, safe='')}",
        *(f"/v1/cars?{name}={quote(text)}" for name in ("near", "sort", "from", "highestPrice", "by", "mine", "cursor")), f"/v1/cars/{quote(text, safe='')}",
        f"/v1/rentals?role={quote(text)}", f"/v1/rentals?state={quote(text)}", f"/v1/rentals?cursor={quote(text)}", f"/v1/rentals/{quote(text, safe='')}",
        *(f"/v1/rides?{name}={quote(text)}" for name in ("direction", "by", "series", "cursor")), f"/v1/rides/{quote(text, safe='')}", f"/v1/my/rides?tab={quote(text)}",
        *(f"/v1/seekers?{name}={quote(text)}" for name in ("direction", "limit", "cursor")), f"/v1/rides/{quote(text, safe='')}/seekers", f"/v1/rides/01999999-9999-7999-8999-999999999999/seekers?cursor={quote(text)}",
        *(f"/v1/rides/search?from=60,24&to=60.2,24&{name}={quote(text)}" for name in ("at", "after", "before", "seats", "luggage", "onlyFree", "cursor")),
        f"/v1/ride-series?cursor={quote(text)}", f"/v1/ride-series/{quote(text, safe='')}", f"/v1/places/route?point={quote(text)}&point=60,24", f"/v1/places/distances?from=60,24&to=60,24&towards={quote(text)}",
        *(f"/v1/seat-requests?{name}={quote(text)}" for name in ("ride", "role", "state", "cursor")), f"/v1/seat-requests/{quote(text, safe='')}",
        *(f"/v1/restaurants?{name}={quote(text)}" for name in ("near", "cursor")), f"/v1/restaurants/{quote(text, safe='')}/deliverers", f"/v1/deliverers/{quote(text, safe='')}", f"/v1/restaurants/01999999-9999-7999-8999-999999999999/deliverers?to={quote(text)}",
        *(f"/v1/orders?{name}={quote(text)}" for name in ("isOver", "cursor")), f"/v1/orders/{quote(text, safe='')}", *(f"/v1/matches?{name}={quote(text)}" for name in ("role", "isOver", "disputed", "cursor")), f"/v1/matches/{quote(text, safe='')}",
        f"/v1/rooms?shelf={quote(text)}", f"/v1/rooms?cursor={quote(text)}", f"/v1/rooms/{quote(text, safe='')}",
        f"/v1/wanted?cursor={quote(text)}", f"/v1/wanted/{quote(text, safe='')}", f"/v1/wanted/01999999-9999-7999-8999-999999999999/finds?cursor={quote(text)}",
        *(f"/v1/wanted/finders?{query}" for query in (f"kind={quote(text)}&id=01999999-9999-7999-8999-999999999999", f"kind=spot&id={quote(text)}")),
    )
    at_once(lambda path: check(ada.ask("GET", path), (400, 404, 422), {"malformed", "invalid", "not_found"}), addresses)
    pages = (
        f"/parking?near={quote(text)}", f"/sign-in?next={quote(text)}", f"/?done={quote(text)}", f"/{quote(text, safe='')}", f"/me/spots?of={quote(text)}&cursor={quote(text)}", f"/cars?q={quote(text)}&region={quote(text)}&brand={quote(text)}&from={quote(text)}&sort={quote(text)}", f"/cars/{quote(text, safe='')}",
        f"/rentals?role={quote(text)}&state={quote(text)}", f"/rentals/{quote(text, safe='')}", f"/messages?q={quote(text)}",
        f"/messages?shelf={quote(text)}&cursor={quote(text)}", f"/messages/{quote(text, safe='')}",
        f"/rides/{quote(text, safe='')}/seekers", f"/rides/01999999-9999-7999-8999-999999999999/seekers?cursor={quote(text)}", f"/deliverers/{quote(text, safe='')}", f"/restaurants/01999999-9999-7999-8999-999999999999?to={quote(text)}&found=yes&deliverer={quote(text)}",
        *(f"/wanted/new?of=deliverers&{name}={quote(text)}" for name in ("restaurant", "near", "radius", "to", "until", "source", "change")),
        f"/wanted?cursor={quote(text)}", f"/wanted/{quote(text, safe='')}", f"/wanted/new?of={quote(text)}", f"/wanted/new?of=spots&near={quote(text)}&radius={quote(text)}&place={quote(text)}",
        *(f"/wanted/new?of=cars&{name}={quote(text)}" for name in ("q", "brand", "model", "region", "price", "from", "until")), f"/cars/01999999-9999-7999-8999-999999999999?found={quote(text)}",
    )

    def look(path):
        page = ada.page("GET", path)
        assert page.status < 500, (path, page)
        assert "<script>alert" not in page.text and "<img src=x" not in page.text and '" onmouseover="' not in page.text

    at_once(look, pages)


NO_UTF8 = {"byte": "%ff", "broken": "%c3%28", "surrogate": "%ed%a0%80", "overlong": "%c0%af", "cut off": "%f0%9f%98"}


@pytest.mark.parametrize("kind", NO_UTF8)
def test_what_is_no_utf8_is_refused_and_not_replaced(ada, kind):
    text = NO_UTF8[kind]
    # Their ages go on meanwhile.
    posted = lambda: [{**spot, "age": None} for spot in ada.ask("GET", "/v1/spots?of=posted").json()["items"]]
    before = posted()
    for path in (f"/v1/cars?q={text}", f"/v1/cars?region={text}", f"/v1/spots?near={text}", f"/v1/stream?bbox={text}"):
        check(ada.ask("GET", path), 400, "malformed")
    for path in (f"/cars?q={text}", f"/cars?region={text}", f"/parking?near={text}", f"/messages?q={text}", f"/sign-in?next={text}"):
        check(ada.page("GET", path), 400)
    fields = {"latitude": "60.2", "longitude": "24.9", "kind": "street", **ada.form("/share")}
    form = "&".join(f"{name}={quote(value)}" for name, value in fields.items()) + f"&name={text}"
    cookie = {"Cookie": f"kampong_access={ada.fresh()}", "Accept": "text/html"}
    check(ask("POST", "/share", {**cookie, "Content-Type": "application/x-www-form-urlencoded"}, form), 400)
    parts = {**{name: value.encode() for name, value in fields.items()}, "name": unquote_to_bytes(text)}
    body = b"".join(b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value) for name, value in parts.items())
    check(ask("POST", "/share", {**cookie, "Content-Type": "multipart/form-data; boundary=b"}, body + b"--b--\r\n"), 400)
    assert posted() == before


def test_a_browser_that_lies_about_its_name():
    agent = "<script>alert(1)</script>\"'{{name}}"
    person = Person(device=agent)
    page = person.page("GET", "/me/sessions")
    assert page.status == 200 and "<script>alert" not in page.text
    assert person.ask("GET", "/v1/sessions").json()["items"][0]["device"].startswith("<script>")


def test_a_form_that_was_refused_shows_what_was_typed_as_text(ada):
    for name in ("name", "latitude", "price"):
        for text in ("\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>"):
            form = {"name": "", "latitude": "", "longitude": "", "price": "", **ada.form("/share"), name: text}
            answer = check(ada.page("POST", "/share", form), 422)
            assert "<script>alert" not in answer.text and "<img src=x" not in answer.text
    for text in ("\"><script>alert(1)</script>", "a@b\"onfocus=alert(1) x=\""):
        answer = ask("POST", "/join", {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}, f"email={text}&name={text}&password={text}")
        assert answer.status == 422 and "<script>alert" not in answer.text and '"onfocus=' not in answer.text


def test_what_others_hear_live_is_text_in_one_line(ada):
    """A name cannot forge an event of the stream."""
    with Line(timeout=40) as line:
        line.send(f"GET /v1/stream HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nAuthorization: Bearer {ada.fresh()}\r\n\r\n")
        line.socket.recv(4096)
        text = "x\\n\\nevent: spotRemoved data: {} </script>"
        spot = ada.post_spot(text)
        heard = b""
        timer = threading.Timer(30, line.socket.close)
        timer.start()
        while spot["id"].encode() not in heard or not heard.endswith(b"\n\n") and b"\n\n" not in heard[heard.index(spot["id"].encode()):]:
            heard += line.socket.recv(4096)
        timer.cancel()
        event = next(part for part in heard.decode().split("\n\n") if spot["id"] in part)
        assert [name for name in event.split("\n") if name.startswith("event:")] == ["event: spotAdded"], event
        data = "".join(row[5:] for row in event.split("\n") if row.startswith("data:"))
        assert json.loads(data)["name" if "name" in json.loads(data) else "spot"]
    check(ada.ask("DELETE", f"/v1/spots/{spot['id']}"), 204)
