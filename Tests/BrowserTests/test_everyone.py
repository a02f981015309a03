"""For everyone: without scripts, by keyboard, in German, far away from here. Small windows and what is touched are looked at in `test_pages`."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, RUN, URL, Person, give_back, join_by_page, look_at, photograph, share_spot


def test_everything_without_scripts(window, ada, photo, somewhere):
    """Joins, posts with a picture, claims, gives back, observes and leaves with links and forms alone."""
    place, name = somewhere(), f"Without scripts {RUN}"
    page, person = window(script=False), Person("Iris Ng")
    join_by_page(page, person)
    page.goto(URL + "/share")
    photograph(page, "share-plain")
    page.get_by_label("Name or address of the spot").fill(name)
    page.get_by_label("Picture of the spot").set_input_files(photo)
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("Where is it? Place the pin or type the latitude.")).to_be_visible()
    expect(page.get_by_label("Name or address of the spot")).to_have_value(name)
    page.get_by_label("Latitude").fill(f"{place[0]:.6f}")
    page.get_by_label("Longitude").fill(f"{place[1]:.6f}")
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("Your spot is on the map")).to_be_visible()
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("img", name=f"Picture of {name}")).to_be_visible()
    path = page.url.removeprefix(URL)

    other = window(ada, script=False)
    other.goto(URL + "/parking")
    photograph(other, "parking-plain")
    other.goto(URL + path)
    other.get_by_role("button", name="Still there").click()
    expect(other.get_by_text("saw it free")).to_be_visible()
    other.get_by_role("link", name="Claim this spot").click()
    other.get_by_role("button", name="Claim it").click()
    expect(other.get_by_text("This spot is yours.")).to_be_visible()
    give_back(other)

    page.goto(URL + path)
    page.get_by_role("link", name="Remove").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("Your spot is removed.")).to_be_visible()
    page.goto(URL + "/me")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Join")).to_be_visible()


def press_until(page, name, key="Tab", limit=60):
    """Goes on with the key until what has the focus is called `name`."""
    for _ in range(limit):
        page.keyboard.press(key)
        focused = page.evaluate("(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || '').trim()")
        if focused == name:
            return
    raise AssertionError(f"{name} is not reached by {key} on {page.url}")


def test_claim_by_keyboard(window, ada, ben, somewhere):
    name = f"By keyboard {RUN}"
    share_spot(window(ada), name, somewhere())
    page = window(ben, DESKTOP)
    page.goto(URL + "/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    press_until(page, name)
    page.keyboard.press("Enter")
    # The list that one comes from has such a heading too.
    page.wait_for_url("**/spots/*")
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    press_until(page, "Claim this spot")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("button", name="Claim it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("link", name="Claim this spot")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Claim it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("This spot is yours.")).to_be_visible()


def test_marker_by_keyboard(window, ben, shown, ada):
    page = window(ben, DESKTOP)
    page.goto(URL + "/parking")
    pin = page.locator(".leaflet-marker-icon.pin, .leaflet-marker-icon.cluster").first
    expect(pin).to_be_visible()
    pin.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".leaflet-popup, .leaflet-marker-icon").first).to_be_visible()


def test_german(window):
    page, person = window(language="de-DE"), Person("Jens Roth")
    page.goto(URL + "/join")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_label("Name", exact=True).fill(person.name)
    page.get_by_label("E-Mail").fill("jens@")
    page.get_by_label("Passwort", exact=True).fill("kurz")
    page.get_by_role("button", name="Mitmachen").click()
    expect(page.get_by_text("Das ist keine ganze E-Mail-Adresse.")).to_be_visible()
    look_at(page, "join-german-phone-light")
    page.get_by_label("E-Mail").fill(person.email)
    page.get_by_label("Passwort", exact=True).fill("ein Spaziergang am Hafen")
    page.get_by_role("button", name="Mitmachen").click()
    expect(page.get_by_role("heading", name="Hallo Jens")).to_be_visible()
    page.goto(URL + "/parking")
    expect(page.get_by_role("button", name="Plätze in meiner Nähe")).to_be_visible()
    look_at(page, "parking-german-phone-light")


def test_language_can_be_chosen(window):
    page = window()
    page.goto(URL + "/sign-in")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Willkommen zurück")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()


def test_times_are_the_viewers(window, ben, shown):
    page = window(ben, timezone_id="Asia/Singapore")
    page.goto(URL + shown)
    time = page.locator("time[data-time=ago]").first
    shown_there = page.evaluate("""new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'Asia/Singapore' })
        .format(new Date(document.querySelector('time[data-time=ago]').dateTime))""")
    expect(time).to_have_attribute("title", shown_there)


@pytest.mark.parametrize("hours", [-30, -5, 3, 26])
def test_ages_are_by_the_clock_of_the_server(window, ada, ben, somewhere, hours):
    """A telephone whose clock is wrong says how long ago something was, and how long there is left, as everybody else's does."""
    place, name = somewhere(), f"By a wrong clock {RUN} {hours}"
    path = share_spot(window(ada), name, place)
    page = window(ben)
    page.clock.install(time=datetime.now(timezone.utc) + timedelta(hours=hours))
    page.goto(URL + path)
    posted, left = page.locator("time[data-time=ago]").first, page.locator("time[data-time=until]").first
    for text, seconds in (("just now", 0), ("[1-6] min ago", 300)):
        # Written anew by the page itself, four times a minute.
        page.clock.fast_forward(1000 * seconds + 16_000)
        expect(posted).to_have_text(re.compile(f"^{text}$"))
        expect(left).to_have_text(re.compile(r"^in \d+ (min|h)$"))
    # A list that the page gets later says what time it is on the server, by whatever its clock was set to meanwhile.
    page.goto(f"{URL}/parking?near={place[0]:.6f},{place[1]:.6f}")
    age = page.locator("[data-spot]", has_text=name).locator("time[data-time=ago]").first
    expect(age).to_have_text(re.compile("^(just now|[1-3] min ago)$"))


def test_position_refused(window, ben):
    page = window(ben, permissions=[])
    page.goto(URL + "/parking")
    page.get_by_role("button", name="Spots near me").click()
    expect(page.get_by_text("Your position stays with you.")).to_be_visible()
    expect(page.get_by_role("heading", name="around the centre")).to_be_visible()


def test_search_this_area(window, ben, shown):
    page = window(ben, DESKTOP, permissions=[])
    page.goto(URL + "/parking")
    canvas = page.locator("#map canvas").first
    expect(canvas).to_be_attached()
    search = page.get_by_role("button", name="Search this area")
    expect(search).to_be_hidden()
    for _ in range(6):
        page.get_by_role("button", name="Zoom out").click()
        page.wait_for_timeout(400)
        if search.is_visible():
            break
    search.click()
    page.wait_for_url("**/parking?bbox=*")
    expect(search).to_be_hidden()
    page.reload()
    expect(page.get_by_role("heading", name="here", level=1)).to_be_visible()


def test_offline_is_said(window, ben, shown):
    page = window(ben)
    page.goto(URL + "/parking")
    expect(page.get_by_text("Nearest first")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("You are online again.")).to_be_visible()
