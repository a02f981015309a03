"""Every field of every form that pages show, found by looking at the pages: so that a form that comes later is tried without anybody thinking of it."""

import html.parser
import time
import urllib.parse

import pytest

from hostile import ask, at_once, is_in_turn
from test_forgery import FORMS, Victim
from test_text import TEXTS, UNFIT

# Signed in and not. What ends sessions would end the test's own.
PAGES = [form for form in FORMS if "session" not in form and form != "/sign-out"] + [
    "/messages?q=x", "/parking", "/cars", "/spaces", "/private-parking", "/rides", "/rides/search", "/rides/commutes", "/rides/{asked_ride}", "/rides/{ride}/seekers", "/deliveries", "/orders/{order}", "/matches/{match}", "/wanted/new?of=spots", "/wanted/new?of=deliverers", "/wanted/{wanted}", "/me", "/me/passkeys", "/me/phone", "/me/campus", "/me/email", "/me/email/code", "/me/proof", "/report?kind=spot&id={other}", "/report?kind=person&id={person}",
    "/me/erase", "/people/{person}/block", "/notifications",
]
OUTSIDE_PAGES = ["/sign-in", "/join", "/forgot-password", "/parking", "/cars", "/rides"]
# 48 kB, which fits into every field that takes so many bytes. Normalised, it takes seconds; the same of letters takes none.
PILE = "a" + "\u0301" * 12_000 + "\u0316" * 12_000
LETTERS = "ab" * 12_000


class Forms(html.parser.HTMLParser):
    """The forms of a page: how, where, and what they would send."""

    def __init__(self, page):
        super().__init__()
        self.forms = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append(((given.get("method") or "get").upper(), given.get("action"), {}))
        elif tag in ("input", "textarea", "select", "button") and given.get("name") and self.forms and given.get("type") != "file":
            self.forms[-1][2].setdefault(given["name"], given.get("value") or "")


def forms(pages):
    """Each once, by where it is sent and what it has; `pages` are addresses with how one asks for them."""
    found = {}
    for path, look in pages:
        answer = look("GET", path)
        assert answer.status < 500, (path, answer)
        if answer.status != 200:
            continue
        for method, action, fields in Forms(answer.text).forms:
            target = (action or path).split("?")[0]
            if target != "/sign-out" and "session" not in target:
                found.setdefault((method, target, tuple(sorted(fields))), (method, target, fields, look))
    return list(found.values())


@pytest.fixture(scope="module")
def village():
    victim = Victim()

    def inside(method, path, headers=(), body=None):
        return ask(method, path, {"Cookie": f"kampong_access={victim.person.fresh()}", "Accept": "text/html", **dict(headers)}, body)

    def outside(method, path, headers=(), body=None):
        return ask(method, path, {"Accept": "text/html", **dict(headers)}, body)

    pages = [victim.path(page.replace("{person}", victim.other.id)) for page in PAGES]
    found = forms([(page, inside) for page in pages] + [(page, outside) for page in OUTSIDE_PAGES])
    assert len(found) > 25, [(method, target) for method, target, _, _ in found]
    return found


def sent(form, name, text):
    """The form with a text in one field; in parts, which keep the text as short as it is."""
    method, target, fields, look = form
    filled = {**fields, name: text}
    if method == "GET":
        return look("GET", target + "?" + urllib.parse.urlencode(filled))
    parts = [f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in filled.items()]
    return look("POST", target, {"Content-Type": "multipart/form-data; boundary=b"}, "".join([*parts, "--b--\r\n"]))


def places(village):
    return [(form, name) for form in village for name in form[2] if name not in ("csrf", "key")]


KINDS = ["joined", "joined attribute", "combining", "closing", *UNFIT]


@pytest.mark.parametrize("kind", KINDS)
def test_no_text_is_too_strange_for_a_field_of_a_form(village, kind):
    text = {**TEXTS, **UNFIT}[kind]

    def send(place):
        form, name = place
        answer = sent(form, name, text)
        assert answer is not None and answer.status < 500, (form[:2], name, answer)
        if kind in TEXTS and answer.status == 422:
            for piece in ("<form hx-post=/me", "<script>alert", "<svg onload", '" onmouseover="'):
                assert piece not in answer.text, (form[:2], name, piece)

    at_once(send, [place for number, place in enumerate(places(village)) if is_in_turn(number, KINDS.index(kind))])


def test_accents_piled_up_take_no_longer_than_letters(village):
    """Beside as many bytes of letters, in the same run."""
    def took(text):
        begin = time.monotonic()
        for form, name in places(village):
            answer = sent(form, name, text)
            assert answer is not None and answer.status < 500, (form[:2], name, answer)
        return time.monotonic() - begin

    letters = took(LETTERS)
    piles = took(PILE)
    print(f"{len(places(village))} fields: {letters:.1f} s of letters, {piles:.1f} s of accents")
    # Seconds for each field it was; a busy machine is busy for both.
    assert piles < 3 * letters + 5, (letters, piles)


def test_a_name_of_a_field_is_text_as_well(village):
    for form in village:
        assert sent(form, PILE[:9000], "x").status < 500
        assert sent(form, "\u0600<b>", "x").status < 500
