"""Chats of more messages than a page shows: how they load, what of them is read, and what is written among earlier ones."""

import uuid

import pytest
from playwright.sync_api import expect

from chats import Pair, numbers, sam, tea, there, write
from conftest import Windows
from kampong import DESKTOP, PHONE, URL, look_at, until

MANY = 52


@pytest.fixture(scope="module")
def talk(browser, about, tea, sam, somewhere):
    """A chat in which the two have said much to each other, and read nothing: its address."""
    windows = Windows(browser, about)
    pair = Pair(windows, tea, sam, somewhere)
    tokens = [(page, page.request.get(URL + "/me/pass").json()["csrf"]) for page in (pair.tea, pair.sam)]
    # Neither looks, nor makes of each message what a page makes of it.
    for page in (pair.tea, pair.sam):
        page.goto("about:blank")
    for number in range(1, MANY + 1):
        page, csrf = tokens[number % 2]
        body = {"id": str(uuid.uuid4()), "text": f"Message number {number}."}
        answer = page.request.fetch(f"{URL}/v1/rooms/{pair.id}/messages", method="POST", data=body, headers={"X-CSRF-Token": csrf})
        assert answer.status == 201, answer.text()
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return pair.room


@pytest.fixture
def two(window, tea, sam):
    """Her at a desk, him with a phone."""
    return window(tea, DESKTOP), window(sam, PHONE)


def to_the_first(page):
    """Scrolls up until the first message is there. Once is not enough: the scripts put a page that has just come at its end."""

    def is_there():
        page.evaluate("() => { scrollTo(0, 0) }")
        return 1 in numbers(page)

    assert until(page, is_there)


def test_more_news_than_the_screen_holds_is_read_when_one_comes_to_its_end(two, talk):
    tea, sam = two
    sam.goto(URL + talk)
    tick = sam.locator(".mine [data-tick]").last
    tea.goto(f"{URL}{talk}#newest")
    expect(tea.get_by_text("26 new messages")).to_be_in_viewport()
    tea.wait_for_timeout(500)
    expect(tick).to_have_text("Delivered")
    tea.mouse.wheel(0, 100_000)
    expect(tick).to_have_text("Read")


def test_long_talks_load_as_one_scrolls_up_and_are_read_at_their_end(two, talk):
    tea, sam = two
    sam.goto(URL + talk)
    tea.goto(f"{URL}/messages")
    tea.locator(f"[data-room='{talk.rsplit('/', 1)[1]}']").get_by_role("link").click()
    expect(tea.locator(f"#messages [data-number='{MANY}']")).to_be_in_viewport()
    to_the_first(tea)
    assert numbers(tea) == list(range(1, MANY + 1))
    expect(tea.locator("#earlier")).to_have_count(0)
    # While one reads above, what is new is said below, and nothing moves.
    tea.evaluate("scrollTo(0, 0)")
    write(sam, "Down here")
    expect(tea.get_by_role("button", name="New messages")).to_be_visible()
    look_at(tea, "room-jump-desktop-light")
    assert tea.evaluate("scrollY") < 100
    # Nobody has seen it, also where one comes back from elsewhere.
    tick = sam.locator(".mine [data-tick]").last
    expect(tick).to_have_text("Delivered")
    tea.evaluate("dispatchEvent(new Event('focus'))")
    tea.wait_for_timeout(500)
    expect(tick).to_have_text("Delivered")
    tea.get_by_role("button", name="New messages").click()
    expect(tea.locator("#messages .message", has_text="Down here")).to_be_in_viewport()
    expect(tick).to_have_text("Read")
    # By oneself one comes there as well.
    tea.evaluate("scrollTo(0, 0)")
    write(sam, "And below that")
    there(sam, "And below that")
    expect(tea.get_by_role("button", name="New messages")).to_be_visible()
    expect(tick).to_have_text("Delivered")
    tea.mouse.wheel(0, 100_000)
    expect(tea.get_by_role("button", name="New messages")).to_be_hidden()
    expect(tick).to_have_text("Read")


@pytest.mark.intercepted
def test_earlier_messages_come_although_they_could_not_be_had_at_once(two, talk):
    (tea, _), asked = two, []

    def fail_once(route):
        asked.append(route.request.url)
        route.fulfill(status=503, json={"code": "unavailable"}) if len(asked) == 1 else route.continue_()

    tea.context.route("**/messages/*/rows?before=*", fail_once)
    tea.goto(URL + talk)
    to_the_first(tea)
    assert numbers(tea) == list(range(1, len(numbers(tea)) + 1)) and len(asked) == 2


@pytest.mark.intercepted
def test_what_is_written_among_earlier_messages_leads_to_the_newest(two, talk):
    (tea, _), held = two, []
    past = f"{URL}{talk}?before=40"
    tea.goto(past)
    write(tea, "From the past")
    tea.wait_for_url(f"{URL}{talk}#newest")
    there(tea, "From the past")
    # Where something is half written, one stays until that is sent.
    tea.goto(past)
    tea.context.route("**/v1/rooms/*/messages", lambda route: route.continue_() if held else held.append((route, route.fetch())))
    write(tea, "Once more")
    sent = tea.locator("#waiting .message", has_text="Once more")
    expect(sent).to_contain_text("Sending")
    tea.get_by_role("textbox", name="Message to").fill("Half a sentence")
    route, answer = until(tea, lambda: held)[0]
    route.fulfill(response=answer)
    expect(sent).to_contain_text("Sent")
    assert tea.url == past
    tea.get_by_role("button", name="Send").click()
    tea.wait_for_url(f"{URL}{talk}#newest")
    for words in ("Once more", "Half a sentence"):
        there(tea, words)
    tea.context.unroute_all(behavior="ignoreErrors")
