"""Every page at two sizes, light and dark: no axe violation, nothing wider than the window, nothing in the console; photographed."""

import pytest
from playwright.sync_api import expect

from kampong import LOOKS, SIZES, URL, look_at

OUTSIDE = {
    "welcome": "/", "join": "/join", "sign-in": "/sign-in", "not-found": "/nowhere", "open-parking": "/parking",
    "open-spot": "{shown}", "open-nearby": "/places?kind=restaurant&near=60.1708,24.9495", "open-matches": "/parking?q=Fabian", "forgot-password": "/forgot-password", "look-into-your-mail": "/forgot-password/sent",
    "dead-link": "/new-password?token=old", "offline": "/offline",
}
INSIDE = {
    "home": "/", "parking": "/parking", "spot": "{shown}", "nearby": "/places?kind=building&near=60.1708,24.9495", "place": "/places/{place}", "claim": "{shown}/claim", "share": "/share", "me": "/me",
    "me-edit": "/me/edit", "me-spots": "/me/spots", "me-claimed": "/me/spots?of=claimed", "me-sessions": "/me/sessions", "me-passkeys": "/me/passkeys", "me-passkeys-add": "/me/passkeys/add",
    "end-all": "/me/sessions/end-all", "person": "{neighbour}", "friends": "/me/friends", "asking-me": "/me/friends?of=waiting", "mutual": "{neighbour}/mutual-friends", "reviews": "{neighbour}/reviews", "encounters": "/me/encounters", "block": "{neighbour}/block", "report": "/report?kind=post&id={shown_id}", "blocks": "/me/blocks", "messages": "/messages", "messages-closed": "/messages?shelf=closed", "messages-archived": "/messages?shelf=archived", "messages-none": "/messages?q=nobody", "room": "{room}",
    "gone": "/spots/01999999-9999-7999-8999-999999999999",
}
OWN = {"own-spot": "{shown}", "edit": "{shown}/edit", "remove": "{shown}/remove"}


def visit(page, name, path, look):
    page.goto(URL + path)
    expect(page.locator("h1").first).to_be_visible()
    if page.locator("#map, #pin-map:visible, #pinned-map").count():
        expect(page.locator("#map canvas, #pin-map canvas, #pinned-map canvas").first).to_be_attached()
    look_at(page, f"{name}-{look[0]}-{look[1]}")


@pytest.mark.parametrize("look", LOOKS, ids="-".join)
@pytest.mark.parametrize("name", OUTSIDE)
def test_outside(window, shown, name, look):
    visit(window(size=SIZES[look[0]], scheme=look[1]), name, OUTSIDE[name].format(shown=shown), look)


@pytest.mark.parametrize("look", LOOKS, ids="-".join)
@pytest.mark.parametrize("name", INSIDE)
def test_inside(window, ben, shown, neighbour, house, room, name, look):
    visit(window(ben, SIZES[look[0]], look[1]), name, INSIDE[name].format(shown=shown, shown_id=shown.rsplit("/", 1)[1], neighbour=neighbour, place=house["id"], room=room), look)


@pytest.mark.parametrize("look", LOOKS, ids="-".join)
@pytest.mark.parametrize("name", OWN)
def test_own(window, ada, shown, name, look):
    visit(window(ada, SIZES[look[0]], look[1]), name, OWN[name].format(shown=shown), look)
