"""Every page at three sizes, by day and by night: no axe violation, nothing wider than the window, nothing too small to be touched, nothing over what has
the focus, nothing in the console.

One window for each size that pages are loaded at goes from page to page as people do, and each page is then made as large as the other sizes: to load
it again for each look took most of the time. What is wrong with any of them is said at the end, page by page."""

import contextlib
import os
import re

import pytest
from playwright.sync_api import Error, expect

from kampong import LOW, SIZES, SMALL, URL, check_facts, check_focus, check_touch, hold_against, look_at_both, photograph

# The size that pages are loaded at: with an even number the phone's, with an odd one the desktop's, without any once each.
TURN = os.environ.get("KAMPONG_TURN")
LOADED = [list(SIZES)[int(TURN) % 2]] if TURN else list(SIZES)

OUTSIDE = {
    "welcome": "/", "join": "/join", "sign-in": "/sign-in", "not-found": "/nowhere", "open-parking": "/parking",
    "open-spot": "{shown}", "open-nearby": "/places?kind=restaurant&near=60.1708,24.9495", "open-matches": "/parking?q=Fabian", "forgot-password": "/forgot-password", "look-into-your-mail": "/forgot-password/sent",
    "open-cars": "/cars", "open-cars-map": "/cars?map=yes", "open-car": "{car}", "open-rides": "/rides", "open-rides-found": "{found}", "open-ride": "{ride}", "dead-link": "/new-password?token=old", "dead-unsubscribe": "/unsubscribe/none", "offline": "/offline",
}
INSIDE = {
    "home": "/", "parking": "/parking", "spot": "{shown}", "nearby": "/places?kind=building&near=60.1708,24.9495", "place": "/places/{place}", "places": "/places", "claim": "{shown}/claim", "share": "/share", "me": "/me",
    "me-edit": "/me/edit", "me-spots": "/me/spots", "me-claimed": "/me/spots?of=claimed", "me-sessions": "/me/sessions", "me-email": "/me/email", "me-email-code": "/me/email/code", "me-password": "/me/password", "me-proof": "/me/proof?next=/me/passkeys", "me-calendar": "/me/calendar", "me-passkeys": "/me/passkeys", "me-passkeys-add": "/me/passkeys/add",
    "end-all": "/me/sessions/end-all", "person": "{neighbour}", "friends": "/me/friends", "asking-me": "/me/friends?of=waiting", "mutual": "{neighbour}/mutual-friends", "reviews": "{neighbour}/reviews", "encounters": "/me/encounters", "block": "{neighbour}/block", "report": "/report?kind=spot&id={shown_id}", "blocks": "/me/blocks", "notifications": "/notifications", "notifications-unread": "/notifications?of=unread", "notification-settings": "/notifications/settings", "messages": "/messages", "messages-closed": "/messages?shelf=closed", "messages-archived": "/messages?shelf=archived", "messages-none": "/messages?q=nobody", "room": "{room}",
    "cars": "/cars", "cars-filter": "/cars?brand=Toyota&model=Yaris&price=30", "cars-wrong": "/cars?price=much&from=2026-12-01", "cars-none": "/cars?q=nothing-is-called-so", "cars-map": "/cars?map=yes", "spaces-map": "/spaces?map=yes", "private-parking-map": "/private-parking?map=yes", "spaces": "/spaces?sort=price", "private-parking": "/private-parking",
    "car": "{car}", "space": "{space}", "driveway": "{driveway}?from=2027-01-04T10:00&until=2027-01-04T12:00",
    "share-car": "/cars/new", "share-parking": "/private-parking/new", "share-space": "/spaces/new", "me-things": "/me/things", "me-things-drafts": "/me/things?state=draft",
    "rent": "/things/{car_id}/rent", "rent-chosen": "/things/{car_id}/rent?from={from}&until={until}", "rent-hours": "/things/{driveway_id}/rent?from={from}T10:00&until={from}T12:00", "rent-wrong": "/things/{car_id}/rent?from={until}&until={from}",
    "rental": "{rental}", "rental-cancel": "{rental}/cancel", "rental-print": "{rental}/print", "rentals": "/rentals", "rentals-renter": "/rentals?role=renter&stage=waiting", "rentals-over": "/rentals?stage=over", "rentals-none": "/rentals?role=owner",
    "rides": "/rides", "rides-to": "/rides?to=60.39,25.1%20Harbour", "rides-found": "{found}", "rides-narrowed": "{found}&free=yes&luggage=small", "rides-none": "/rides/search?from=-45,170.5%20Dunedin&to=-44.4,171.2%20Timaru",
    "rides-wrong": "/rides/search", "rides-region": "/rides/regions?region=Kluuvi", "rides-region-to": "/rides/regions?region=Kluuvi&direction=to", "ride": "{ride}", "ride-unsave": "{ride}/unsave",
    "offer": "/rides/new", "commutes": "/rides/commutes", "ask": "{ride}/ask", "seat": "{seat}", "seat-withdraw": "{seat}/withdraw", **{f"my-rides-{tab}": f"/rides/mine?tab={tab}" for tab in ("current", "past", "saved", "pending")},
    "deliveries": "/deliveries", "restaurant": "{restaurant}", "order-new": "/orders/new", "orders-none": "/orders", "deliver": "/deliver", "deliver-change": "/deliver?change=yes", "deliver-stop": "/deliver/stop", "deliver-still": "/deliveries/still", "matches": "/matches", "matches-over": "/matches?over=yes",
    "match": "{match}", "match-pick-up": "{match}/pick-up", "match-postpone": "{match}/postpone", "match-give-up": "{match}/give-up", "match-cancel": "{match}/cancel",
    "searches": "/wanted", "search": "{wanted}", "search-edit": "{wanted}/edit", "search-delete": "{wanted}/delete", "search-paused": "{paused}", "search-paused-edit": "{paused}/edit", "search-found": "{found_space}", "search-visible": "{sought}", "search-visible-edit": "{sought}/edit", "search-new-ride": "/wanted/new?of=rides&from=61.2,23%20Mill&to=61.4,23.4%20Quay&day={from}",
    "search-new": "/wanted/new?of=cars&brand=Toyota&price=30", "search-new-spots": "/wanted/new?of=spots&near=60.1708,24.9495&radius=500", "search-where": "/wanted/new?of=spots", "search-deliverers": "/wanted/new?of=deliverers", "search-new-deliverer": "/wanted/new?of=deliverers&near=60.1708,24.9495&until=today", "deliverer-gone": "/deliverers/01999999-9999-7999-8999-999999999999", "search-wrong": "/wanted/new?of=cars&price=much",
    "inside-offline": "/offline", "gone": "/spots/01999999-9999-7999-8999-999999999999",
}
OWN = {
    "own-rental": "{rental}", "own-rental-accept": "{rental}/accept", "own-rental-decline": "{rental}/decline", "own-rentals": "/rentals", "own-rentals-waiting": "/rentals?role=owner&stage=waiting",
    "own-car": "{car}", "own-things": "/me/things", "own-things-listed": "/me/things?state=listed", "edit-car": "/things/{car_id}/edit", "own-calendar": "/things/{car_id}/calendar", "own-hours": "/things/{driveway_id}/calendar", "withdraw": "/things/{car_id}/withdraw",
    **{f"wizard-{step}": "/spaces/{draft_id}/wizard/" + step for step in ("address", "size", "price", "photos", "confirm", "cancel")},
    "own-ride": "{ride}", "own-ride-remove": "{ride}/remove", "own-ride-offered": "{ride}/offered", "own-ride-seekers": "{ride}/seekers", "own-ride-print": "{ride}/print", "own-ride-change": "{ride}/change", "own-ride-change-closed": "{asked_ride}/change",
    "own-seat": "{seat}", "own-seat-reject": "{seat}/reject", "own-my-rides": "/rides/mine", "own-my-rides-pending": "/rides/mine?tab=pending",
    "own-order": "{order}", "own-order-change": "{order}/change", "own-order-cancel": "{order}/cancel", "own-order-new": "/orders/new?again={order_id}", "own-orders": "/orders", "own-orders-over": "/orders?over=yes", "own-match": "{match}", "own-match-raise": "{match}/raise-limit",
    "own-spot": "{shown}", "edit": "{shown}/edit", "remove": "{shown}/remove",
}


def visit(page, path):
    page.goto(URL + path)
    expect(page.locator("h1").first).to_be_visible()
    if page.locator("#map, #pin-map:visible, #pinned-map").count():
        expect(page.locator("#map canvas, #pin-map canvas, #pinned-map canvas").first).to_be_attached()
    # Where the device may say where one is, the page looks there by itself.
    if page.locator("#locate").count():
        page.wait_for_url(re.compile(r"[?&](near|bbox)="))


def on_phone(page, name):
    look_at_both(page, name)
    check_touch(page)
    check_focus(page)
    check_facts(page)


# Where nobody is signed in, the two ways in at the top (`.top`, kampong.css) want 324 px.
TOO_WIDE = {f"open-{name}-small" for name in ("parking", "spot", "nearby", "matches", "cars", "cars-map", "car", "rides", "rides-found", "ride")}


def on_small_phone(page, name):
    """Between this and a phone no rule of the style sheets changes: what is narrower may overlap, scroll or be pressed together."""
    sizes = {"runOnly": {"type": "rule", "values": ["color-contrast", "scrollable-region-focusable", "target-size"]}}
    with pytest.raises(AssertionError, match="px wider than the window") if name in TOO_WIDE else contextlib.nullcontext():
        photograph(page, f"{name}-light", lambda: hold_against(page, sizes))
    check_touch(page)
    check_focus(page)
    check_facts(page)


LOOKS = {"phone": (SIZES["phone"], on_phone), "small": (SMALL, on_small_phone), "desktop": (SIZES["desktop"], look_at_both)}


def look_at_all(window, loaded, pages, person=None):
    """Goes through all of them, and fails with the names of those that are not as they should be."""
    page = window(person, SIZES[loaded])
    wrong = []

    @contextlib.contextmanager
    def noting(name):
        try:
            yield
        except (AssertionError, Error) as error:
            wrong.append(f"{name}: {error}")
            window.keep(f"{name}-loaded-{loaded}")
        # What its window has complained about belongs to this page.
        wrong.extend(f"{name}: {complaint}" for complaint in window.told())

    for name, path in pages.items():
        with noting(name):
            page.set_viewport_size(SIZES[loaded])
            # Places that a test chose must not be carried from page to page.
            page.evaluate("location.origin !== 'null' && sessionStorage.clear()")
            visit(page, path)
        # Beginning with the size at which it came.
        for size, (viewport, look) in sorted(LOOKS.items(), key=lambda one: one[0] != loaded):
            with noting(f"{name}-{size}"):
                page.set_viewport_size(viewport)
                look(page, f"{name}-{size}")
    assert not wrong, f"{len(wrong)} complaints:\n" + "\n".join(wrong)


@pytest.mark.parametrize("loaded", LOADED)
def test_outside(window, shown, things, ride, loaded):
    look_at_all(window, loaded, {name: path.format(shown=shown, **things, **ride) for name, path in OUTSIDE.items()})


@pytest.mark.parametrize("loaded", LOADED)
def test_inside(window, ben, shown, things, rental, ride, seat, delivery, search, neighbour, house, room, loaded):
    places = {"shown": shown, "shown_id": shown.rsplit("/", 1)[1], "neighbour": neighbour, "place": house["id"], "room": room, **things, **rental, **ride, **seat, **delivery, **search}
    look_at_all(window, loaded, {name: path.format(**places) for name, path in INSIDE.items()}, ben)


@pytest.mark.parametrize("loaded", LOADED)
def test_own(window, ada, shown, things, rental, ride, seat, delivery, loaded):
    ids = {f"{name}_id": path.rsplit("/", 1)[1] for name, path in {**things, **delivery}.items()}
    look_at_all(window, loaded, {name: path.format(shown=shown, **{**things, **ids, **rental, **ride, **seat, **delivery}) for name, path in OWN.items()}, ada)


def test_a_low_window_is_for_the_page(window, ben, shown, room):
    """At 200 % on a desktop, or on a phone that lies on its side, no bar stays over the page."""
    page = window(ben, LOW)
    stuck = """[...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && ["sticky", "fixed"].includes(getComputedStyle(one).position))
        .map((one) => one.cloneNode(false).outerHTML)"""
    for path in ("/cars/new", shown, "/notifications/settings", room, "/parking"):
        page.goto(URL + path)
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate(stuck) == [], path
        check_focus(page)


def test_what_is_suggested_is_clear_of_the_bars_as_well(window, ben, house):
    page = window(ben)
    page.goto(URL + "/cars/new")
    field = page.get_by_label("Find it on the map")
    field.focus()
    # As far down as it can be and still be seen.
    field.evaluate("(field) => scrollBy({ top: field.getBoundingClientRect().bottom - innerHeight, behavior: 'instant' })")
    field.press_sequentially(house["name"][:12])
    # Those of the list: the closed menus of the form have options as well.
    suggested = page.locator(".offers-list:not([hidden])")
    option = suggested.get_by_role("option").first
    expect(option).to_be_visible()
    covered = """(element) => {
        const box = element.getBoundingClientRect();
        return ![box.top + 2, box.bottom - 2].every((y) => element.contains(document.elementFromPoint(box.left + box.width / 2, y)));
    }"""
    for element in (field, option, suggested):
        assert not element.evaluate(covered), element
