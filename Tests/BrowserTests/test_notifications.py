"""What people are told: live on whatever page, and in the list."""

import re
import threading
import uuid

import pytest
from playwright.sync_api import expect

from chats import share
from kampong import DESKTOP, PHONE, URL, call, look_at, until

# The stream of what happens to oneself.
STREAM = re.compile(r"/v1/stream\?bbox=0%2C-90")


class Taken:
    """A spot of Nora's that Olaf takes when he is told to, and gives back in the end: one may hold but a few."""

    def __init__(self, owner, olaf, somewhere):
        self.owner, self.olaf, self.name = owner, olaf, f"By the mill {uuid.uuid4().hex[:6]}"
        self.id = share(owner, somewhere, self.name)
        self.sentence = f"Olaf Berg has taken your spot “{self.name}”."

    def take(self):
        call(self.olaf, "POST", f"/v1/spots/{self.id}/claim")
        return self

    def give_back(self):
        call(self.olaf, "DELETE", f"/v1/spots/{self.id}/claim")


@pytest.fixture
def spots(window, olaf, somewhere):
    """Makes spots of whoever looks at a page."""
    olafs, made = window(olaf, DESKTOP), []
    olafs.goto(URL + "/me")

    def make(owner):
        made.append(Taken(owner, olafs, somewhere))
        return made[-1]

    yield make
    for spot in made:
        olafs.request.fetch(f"{URL}/v1/spots/{spot.id}/claim", method="DELETE", headers={"X-CSRF-Token": olafs.request.get(URL + "/me/pass").json()["csrf"]})


def bell(page):
    return page.locator(".top [data-notices]")


def toast(page):
    return page.locator("#told .toast")


def unread(page, number):
    if number:
        expect(bell(page)).to_have_text(re.compile(rf"New notifications:\s*{number}"))
        expect(page).to_have_title(re.compile(rf"^\({number}\) "))
    else:
        expect(bell(page)).to_be_hidden()
        expect(page).to_have_title(re.compile(r"^[^(]"))


def come_back_until(page, path, there):
    """Without scripts one looks again."""
    for _ in range(60):
        page.goto(URL + path)
        if there.count():
            return
        page.wait_for_timeout(250)
    raise AssertionError(f"nothing new at {path}")


def rows(page):
    return page.locator("#inbox [data-notice]")


def test_one_is_told_at_once_on_whatever_page(window, nora, spots):
    page = window(nora, PHONE)
    page.goto(URL + "/me")
    unread(page, 0)
    spot = spots(page).take()
    expect(toast(page)).to_contain_text(spot.sentence)
    unread(page, 1)
    look_at(page, "told-phone-light")
    # On the next page it is still unread, and not said once more.
    page.goto(URL + "/me/spots")
    unread(page, 1)
    page.wait_for_timeout(1000)
    expect(toast(page)).to_have_count(0)
    page.get_by_role("link", name="Notifications").click()
    expect(page.get_by_role("heading", name="Notifications", level=1)).to_be_visible()
    expect(rows(page)).to_have_count(1)
    look_at(page, "notifications-one-phone-light")
    rows(page).first.get_by_role("link", name=spot.sentence).click()
    page.wait_for_url(f"{URL}/spots/{spot.id}")
    unread(page, 0)


def test_what_the_toast_says_leads_there_and_is_read_then(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/me")
    spot = spots(page).take()
    toast(page).get_by_role("link", name=spot.sentence).click()
    page.wait_for_url(f"{URL}/spots/{spot.id}")
    unread(page, 0)
    # Where the thing itself is shown, nothing needs to be said of it.
    spot.give_back()
    unread(page, 1)
    page.wait_for_timeout(1000)
    expect(toast(page)).to_have_count(0)


def test_the_icon_of_the_app_has_the_number_as_well(window, nora, spots):
    page = window(nora, PHONE)
    page.add_init_script("window.icon = []; navigator.setAppBadge = async (number) => void window.icon.push(number);")
    page.goto(URL + "/me")
    assert page.evaluate("window.icon.at(-1)") == 0
    spots(page).take()
    unread(page, 1)
    assert page.evaluate("window.icon.at(-1)") == 1
    page.goto(URL + "/notifications")
    page.get_by_role("button", name="Mark all as read").click()
    unread(page, 0)
    # The page that comes then has its number before its script has run.
    assert until(page, lambda: page.evaluate("window.icon.at(-1)") == 0)


@pytest.mark.intercepted
def test_nothing_is_lost_between_a_page_and_its_stream(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/me")
    spot, held, isOpen = spots(page), [], threading.Event()
    page.route(STREAM, lambda route: route.continue_() if isOpen.is_set() else held.append(route))
    page.goto(URL + "/me/spots")
    page.wait_for_timeout(500)
    spot.take()
    page.wait_for_timeout(1500)
    expect(toast(page)).to_have_count(0)
    isOpen.set()
    for route in held:
        route.continue_()
    expect(toast(page)).to_contain_text(spot.sentence)
    unread(page, 1)


def test_it_is_said_in_one_tab_and_counted_in_all(window, nora, spots):
    first = window(nora, DESKTOP)
    first.goto(URL + "/me")
    spot = spots(first)
    second = first.context.new_page()
    window.watch(second)
    second.goto(URL + "/me/spots")
    unread(second, 0)
    spot.take()
    for page in (first, second):
        unread(page, 1)

    def shown():
        return toast(first).count() + toast(second).count()

    assert until(second, shown)
    second.wait_for_timeout(1000)
    assert shown() == 1
    # Read in one of them, it is read in the other.
    second.goto(URL + "/notifications")
    second.get_by_role("button", name="Mark all as read").click()
    expect(second.get_by_text("All read.")).to_be_visible()
    unread(first, 0)
    expect(toast(first)).to_have_count(0)


def unseen(page, number):
    """What is told on devices and in mails, once nobody looks any more."""
    def counted():
        return page.request.get(URL + "/v1/notifications/unread").json()["unseen"]

    assert until(page, lambda: counted() == number), f"{counted()} where {number} should be unseen"


# Milliseconds for which what is new is shown to somebody who looks.
SHOWN = 8000


def test_what_stood_before_somebody_is_seen_and_stays_unread(window, nora, spots):
    page = window(nora, DESKTOP)
    page.clock.install()
    page.goto(URL + "/me")
    spot = spots(page).take()
    expect(toast(page)).to_contain_text(spot.sentence)
    unseen(page, 1)
    # It goes by itself.
    page.clock.fast_forward(SHOWN)
    expect(toast(page)).to_have_count(0)
    unseen(page, 0)
    # What is put away was looked at, however short.
    spot = spots(page).take()
    expect(toast(page)).to_contain_text(spot.sentence)
    unseen(page, 1)
    toast(page).locator("[data-close]").click()
    unseen(page, 0)
    unread(page, 2)


def test_what_stood_where_nobody_looked_is_not_seen(window, nora, spots):
    page = window(nora, DESKTOP)
    page.clock.install()
    page.add_init_script("document.hasFocus = () => false;")
    page.goto(URL + "/me")
    spot = spots(page).take()
    expect(toast(page)).to_contain_text(spot.sentence)
    page.clock.fast_forward(SHOWN)
    expect(toast(page)).to_have_count(0)
    page.wait_for_timeout(1000)
    unseen(page, 1)
    # On the page of the thing itself it is seen when somebody looks there.
    page.goto(f"{URL}/spots/{spot.id}")
    page.evaluate("document.hasFocus = () => true")
    with page.expect_response("**/toast"):
        spot.give_back()
    unread(page, 1)
    unseen(page, 1)
    page.clock.fast_forward(SHOWN)
    unseen(page, 0)


def test_a_list_that_nobody_looks_at_is_not_seen(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/notifications")
    page.evaluate("document.hasFocus = () => false")
    spot = spots(page).take()
    unread(page, 1)
    page.wait_for_timeout(1000)
    unseen(page, 1)
    expect(rows(page)).to_have_count(0)
    page.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
    expect(rows(page)).to_contain_text(spot.sentence)
    unseen(page, 0)
    unread(page, 1)


def test_all_that_was_shown_is_read_and_nothing_that_came_since(window, nora, spots):
    page = window(nora, DESKTOP, script=False)
    one, other = spots(page).take(), spots(page)

    def news():
        items = page.request.get(URL + "/v1/notifications?unread=true").json()["items"]
        return [(item["id"], item["at"]) for item in items]

    [shown] = until(page, news)
    page.goto(URL + "/notifications")
    # The one that was shown is told again, after something else that came meanwhile.
    other.take()
    one.give_back()
    one.take()
    assert until(page, lambda: len(news()) > 1 and news()[0][0] == shown[0] and news()[0] != shown)
    came = news()
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("All read.")).to_be_visible()
    assert news() == came
    page.get_by_role("button", name="Mark all as read").click()
    assert until(page, lambda: not news())


@pytest.mark.intercepted
def test_what_fails_once_is_tried_again(window, nora, spots):
    page, failed = window(nora, DESKTOP), []

    def fail_once(pattern):
        def answer(route):
            if pattern in failed or pattern == "inbox" and route.request.headers.get("hx-target") != "inbox":
                return route.continue_()
            failed.append(pattern)
            route.fulfill(status=503)

        page.route(re.compile({"count": r"/v1/notifications/unread$", "toast": r"/toast$", "inbox": r"/notifications$"}[pattern]), answer)

    page.goto(URL + "/me")
    spot = spots(page)
    # What is asked when the stream opens is over by then.
    page.wait_for_timeout(2000)
    for pattern in ("count", "toast"):
        fail_once(pattern)
    spot.take()
    expect(toast(page)).to_contain_text(spot.sentence)
    unread(page, 1)
    page.goto(URL + "/notifications")
    expect(rows(page)).to_have_count(1)
    spot = spots(page)
    page.wait_for_timeout(2000)
    fail_once("inbox")
    spot.take()
    expect(rows(page)).to_have_count(2)
    assert failed == ["toast", "count", "inbox"] or failed == ["count", "toast", "inbox"]


def test_the_list_keeps_up_and_is_read_at_once(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/notifications")
    expect(page.get_by_role("heading", name="Nothing yet")).to_be_visible()
    look_at(page, "notifications-empty-desktop-light")
    taken = [spots(page).take() for _ in range(2)]
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text(taken[1].sentence)
    expect(toast(page)).to_have_count(0)
    unread(page, 2)
    look_at(page, "notifications-two-desktop-light")
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("All read.")).to_be_visible()
    unread(page, 0)
    expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)
    page.get_by_role("link", name="Unread", exact=True).click()
    expect(page.get_by_role("heading", name="You have read everything")).to_be_visible()
    # Given back: that it was taken is no news any more, that it is back is.
    taken[0].give_back()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).first).to_contain_text(f"Olaf Berg has given your spot “{taken[0].name}” back.")


@pytest.mark.intercepted
def test_older_ones_follow(window, nora, olaf, somewhere):
    page, other = window(nora, DESKTOP), window(olaf, DESKTOP)
    page.goto(URL + "/me")
    other.goto(URL + "/me")
    # Each taken and given back: of a spot there is one of either kind.
    for number in range(11):
        spot = Taken(page, other, somewhere).take()
        spot.give_back()
        call(page, "DELETE", f"/v1/spots/{spot.id}")
    assert until(page, lambda: len(page.request.get(URL + "/v1/notifications?limit=100").json()["items"]) == 22)
    anew = []
    page.route("**/notifications*", lambda route: anew.append(route) if route.request.headers.get("hx-target") == "inbox" else route.continue_())
    page.goto(URL + "/notifications")
    # That it was taken is no news any more when it is back.
    unread(page, 11)
    expect(rows(page)).to_have_count(20)
    # What the list is when its stream opens comes late: it leaves what somebody opened meanwhile.
    assert until(page, lambda: anew)
    page.get_by_role("link", name="More").click()
    expect(rows(page)).to_have_count(22)
    for route in anew:
        route.continue_()
    page.wait_for_timeout(1000)
    expect(rows(page)).to_have_count(22)


def test_a_message_is_told_unless_it_is_read_at_once(window, nora, olaf, somewhere):
    page, other = window(nora, DESKTOP), window(olaf, PHONE)
    page.goto(URL + "/me")
    spot = share(page, somewhere, f"By the lake {uuid.uuid4().hex[:6]}")
    other.goto(f"{URL}/spots/{spot}")
    other.get_by_role("button", name="Message Nora Falk").click()
    field = other.get_by_role("textbox", name="Message to Nora Falk")
    field.fill("Is it free?")
    other.get_by_role("button", name="Send").click()
    expect(toast(page)).to_contain_text("Olaf Berg has written to you.")
    # One chat and one notice of it are one thing that is new.
    unread(page, 1)
    toast(page).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Olaf Berg")).to_be_visible()
    unread(page, 0)
    field.fill("Hello?")
    other.get_by_role("button", name="Send").click()
    expect(page.locator("#messages .message", has_text="Hello?")).to_have_count(1)
    page.wait_for_timeout(1000)
    expect(toast(page)).to_have_count(0)
    unread(page, 0)


def test_without_scripts(window, nora, olaf, somewhere):
    page, other = window(nora, PHONE, script=False), window(olaf, DESKTOP)
    page.goto(URL + "/me")
    other.goto(URL + "/me")
    spot = Taken(page, other, somewhere).take()
    come_back_until(page, "/", page.locator(".top [data-notices]:not([hidden])"))
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("link", name=spot.sentence).click()
    page.wait_for_url(f"{URL}/spots/{spot.id}")
    expect(bell(page)).to_be_hidden()
    spot.give_back()
    come_back_until(page, "/notifications", page.get_by_role("button", name="Mark all as read"))
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("All read.")).to_be_visible()
    page.get_by_role("link", name="How you are told").click()
    page.get_by_label("Messages: Mail").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Messages: Mail")).not_to_be_checked()
