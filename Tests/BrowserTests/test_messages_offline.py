"""Chats without a network: a phone that goes offline and comes back, answers that are lost, what is refused, and who signs out meanwhile."""

import time
import uuid

import pytest
from playwright.sync_api import expect

from chats import numbers, pair, said, sam, share, tea, there, write
from conftest import newcomer
from kampong import URL, call, look_at, sign_in, until


def test_a_phone_that_goes_offline_sends_each_message_once(pair):
    tea, sam = pair.meet().tea, pair.sam
    write(sam, "Before the tunnel")
    there(tea, "Before the tunnel")
    sam.context.set_offline(True)
    for number in range(3):
        write(sam, f"In the tunnel {number}")
        expect(sam.locator("#waiting .message", has_text=f"tunnel {number}")).to_contain_text("Waiting for the line")
    look_at(sam, "room-offline-phone-light")
    write(tea, "Where are you?")
    there(tea, "Where are you?")
    sam.context.set_offline(False)
    for number in range(3):
        for page in (sam, tea):
            there(page, f"In the tunnel {number}")
    there(sam, "Where are you?")
    expect(sam.locator("#waiting")).to_be_hidden()
    assert said(tea) == said(sam) and numbers(tea) == numbers(sam) == [1, 2, 3, 4, 5]
    assert [words for words in said(tea) if "tunnel" in words] == ["Before the tunnel", *(f"In the tunnel {number}" for number in range(3))]
    expect(sam.locator(".mine [data-tick]").last).to_have_text("Read")


# As where a device writes slowly: its store is in use for as long as this goes on.
SLOW = """milliseconds => new Promise((resolve) => {
    indexedDB.open("kampong").onsuccess = ({ target }) => {
        const store = target.result.transaction("outbox", "readwrite").objectStore("outbox");
        const end = performance.now() + milliseconds;
        const go = () => (store.count().onsuccess = () => performance.now() < end ? go() : target.result.close());
        go();
        resolve();
    };
})"""


def test_what_is_written_while_the_device_keeps_the_one_before_goes_as_well(pair):
    tea, sam = pair.meet().tea, pair.sam
    sam.evaluate(SLOW, 2000)
    for words in ("First", "Second", "Third"):
        write(sam, words)
        expect(sam.get_by_role("textbox", name="Message to")).to_have_value("")
    sam.get_by_role("textbox", name="Message to").fill("Not sent yet")
    for page in (sam, tea):
        there(page, "Third")
        assert said(page) == ["First", "Second", "Third"]
    expect(sam.get_by_role("textbox", name="Message to")).to_have_value("Not sent yet")


def test_what_was_written_offline_goes_out_on_whatever_page_comes_next(pair, window):
    tea, sam = pair.meet().tea, pair.sam
    sam.context.set_offline(True)
    write(sam, "Written on the train")
    expect(sam.locator("#waiting .message")).to_contain_text("Waiting for the line")
    sam.close()
    later = sam.context.new_page()
    window.watch(later)
    sam.context.set_offline(False)
    later.goto(URL + "/")
    there(tea, "Written on the train")
    later.goto(URL + pair.room)
    there(later, "Written on the train")
    assert said(later) == said(tea) == ["Written on the train"]


def test_without_a_network_there_is_a_page_that_says_so(pair):
    tea, sam = pair.meet().tea, pair.sam
    sam.evaluate("navigator.serviceWorker.ready.then(() => true)")
    sam.context.set_offline(True)
    write(sam, "From the cellar")
    expect(sam.locator("#waiting .message")).to_contain_text("Waiting for the line")
    sam.goto(URL + "/messages")
    expect(sam.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(sam.get_by_role("listitem").filter(has_text="From the cellar")).to_be_visible()
    look_at(sam, "offline-phone-light")
    kept = sam.evaluate("""async () => (await Promise.all((await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()""")
    assert kept and all(path == "/offline" or path.startswith("/assets/") for path in kept)
    assert "Sam" not in sam.evaluate("caches.match('/offline', { ignoreVary: true }).then((page) => page.text())")
    sam.context.set_offline(False)
    expect(sam.get_by_role("heading", name="Messages")).to_be_visible()
    there(tea, "From the cellar")
    assert said(tea) == ["From the cellar"]


@pytest.mark.intercepted
def test_an_answer_that_was_lost_makes_no_second_message(pair):
    tea, sam = pair.meet().tea, pair.sam
    lost = []

    def lose(route):
        if len(lost) < 2:
            lost.append(route.fetch().status)
            return route.abort()
        return route.continue_()

    sam.context.route("**/v1/rooms/*/messages", lose)
    write(sam, "Did you get this?")
    there(tea, "Did you get this?")
    there(sam, "Did you get this?")
    expect(sam.locator("#waiting")).to_be_hidden(timeout=30_000)
    write(sam, "And this?")
    there(tea, "And this?")
    there(sam, "And this?")
    assert said(tea) == said(sam) == ["Did you get this?", "And this?"]
    assert lost and set(lost) == {201}


@pytest.mark.intercepted
def test_what_is_written_while_the_last_message_is_on_its_way_goes_out_by_itself(pair):
    tea, sam, held = pair.meet().tea, pair.sam, []

    def hold(route):
        """The server has the first message; its answer takes a while."""
        if held:
            return route.continue_()
        held.append((route, route.fetch()))

    sam.context.route("**/v1/rooms/*/messages", hold)
    write(sam, "Are you there?")
    there(tea, "Are you there?")
    write(sam, "I am at the gate")
    expect(sam.locator("#waiting .message", has_text="I am at the gate")).to_be_visible()
    route, answer = until(sam, lambda: held)[0]
    route.fulfill(response=answer)
    there(tea, "I am at the gate")
    sam.context.unroute("**/v1/rooms/*/messages")


# Waits a tenth as long for what does not answer.
HASTY = """(() => {
    const whole = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => whole(milliseconds / 10);
})()"""


@pytest.mark.intercepted
def test_a_line_that_died_without_saying_so_holds_nothing_up(pair):
    tea, sam, silent = pair.meet().tea, pair.sam, []
    sam.add_init_script(HASTY)
    sam.reload()

    def swallow(route):
        """What goes first is never answered."""
        if silent:
            return route.continue_()
        silent.append(route)

    sam.context.route("**/v1/rooms/*/messages", swallow)
    write(sam, "Is anybody there?")
    write(sam, "Hello?")
    for page in (tea, sam):
        there(page, "Is anybody there?")
        there(page, "Hello?")
    assert silent and said(tea) == said(sam) == ["Is anybody there?", "Hello?"]
    sam.context.unroute_all(behavior="ignoreErrors")


def test_the_browser_is_asked_to_send_before_the_first_attempt(pair):
    """Of which no end comes here."""
    sam = pair.sam
    sam.add_init_script("""
        window.asked = [];
        SyncManager.prototype.register = async (tag) => void window.asked.push(tag);
        const whole = window.fetch;
        window.fetch = (address, ...more) => (String(address).endsWith("/messages") ? new Promise(() => {}) : whole(address, ...more));
    """)
    sam.reload()
    sam.evaluate("navigator.serviceWorker.ready.then(() => true)")
    write(sam, "One moment")
    assert until(sam, lambda: sam.evaluate("window.asked")) == ["outbox"]


@pytest.mark.intercepted
def test_what_fails_holds_up_its_own_room_alone_for_as_long_as_the_server_says(pair, somewhere):
    tea, sam, asked = pair.tea, pair.sam, []
    other = share(tea, somewhere, f"By the gate {pair.id[:8]}")
    pair.meet()

    def refuse_once(route):
        asked.append(time.monotonic())
        if len(asked) > 1:
            return route.continue_()
        route.fulfill(status=429, headers={"Retry-After": "10"}, json={"code": "too_many_requests"})

    sam.context.route(f"**/v1/rooms/{pair.id}/messages", refuse_once)
    write(sam, "First")
    assert until(sam, lambda: asked)
    expect(sam.locator("#waiting .message", has_text="First")).to_contain_text("Waiting for the line")
    write(sam, "Second")
    expect(sam.locator("#waiting .message", has_text="Second")).to_be_visible()
    sam.goto(f"{URL}/spots/{other}")
    sam.get_by_role("button", name="Message Tea Lund").click()
    expect(sam.get_by_role("heading", name="Tea Lund")).to_be_visible()
    write(sam, "Elsewhere")
    there(sam, "Elsewhere")
    assert len(asked) == 1 or asked[1] - asked[0] >= 10
    there(tea, "Second")
    assert said(tea) == ["First", "Second"]
    assert asked[1] - asked[0] >= 10


def test_what_the_server_refuses_is_said_and_can_be_deleted(pair):
    tea, sam = pair.meet().tea, pair.sam
    write(sam, "Keep it for me")
    there(tea, "Keep it for me")
    sam.context.set_offline(True)
    write(sam, "I am nearly there")
    expect(sam.locator("#waiting .message")).to_contain_text("Waiting for the line")
    call(tea, "DELETE", f"/v1/spots/{pair.spot}")
    expect(tea.get_by_text("This chat is closed: the spot is no longer shared.")).to_be_visible(timeout=30_000)
    expect(tea.get_by_role("textbox", name="Message to")).to_have_count(0)
    look_at(tea, "room-closed-desktop-light")
    sam.context.set_offline(False)
    refused = sam.locator("#waiting .message")
    expect(refused).to_contain_text("Could not be sent: nothing can be written here any more", timeout=30_000)
    look_at(sam, "room-refused-phone-light")
    refused.get_by_role("button", name="Try again").click()
    expect(refused).to_contain_text("Could not be sent", timeout=30_000)
    refused.get_by_role("button", name="Delete").click()
    expect(sam.locator("#waiting")).to_be_hidden()
    sam.reload()
    expect(sam.get_by_text("This chat is closed")).to_be_visible()
    assert said(sam) == said(tea) == ["Keep it for me"]
    sam.goto(URL + "/messages?shelf=closed")
    expect(sam.locator(f"[data-room='{pair.id}']")).to_be_visible()
    sam.goto(URL + "/messages")
    expect(sam.locator(f"[data-room='{pair.id}']")).to_have_count(0)


def waiting_on(page):
    """All words that are kept on this device."""
    return page.evaluate("""() => new Promise((done) => { const open = indexedDB.open('kampong'); open.onsuccess = () => {
        const all = open.result.transaction('outbox').objectStore('outbox').getAll(); all.onsuccess = () => { open.result.close(); done(all.result.map((entry) => entry.text)); }; }; })""")


def sign_out(page, answer):
    """Signs out where something waits: what is asked then."""
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), answer(dialog)))
    page.get_by_role("button", name="Sign out").click()
    [question] = until(page, lambda: asked)
    return question


@pytest.mark.intercepted
def test_who_signs_out_leaves_nothing_behind(pair):
    sam = pair.sam
    sam.context.route("**/v1/rooms/*/messages", lambda route: route.abort())
    write(sam, "My secret")
    expect(sam.locator("#waiting .message")).to_contain_text("Waiting for the line")
    assert waiting_on(sam) == ["My secret"]
    sam.goto(URL + "/me")
    assert "1 message still waits" in sign_out(sam, lambda dialog: dialog.dismiss())
    expect(sam.get_by_role("heading", name="Sam Okoro")).to_be_visible()
    assert waiting_on(sam) == ["My secret"]
    sign_out(sam, lambda dialog: dialog.accept())
    expect(sam.get_by_text("You are signed out.")).to_be_visible()
    assert waiting_on(sam) == []
    sam.goto(URL + "/sign-in")
    sign_in(sam, pair.asker)
    sam.wait_for_url(URL + "/")


@pytest.mark.intercepted
def test_no_link_takes_what_waits(pair):
    sam = pair.sam
    sam.context.route("**/v1/rooms/*/messages", lambda route: route.abort())
    write(sam, "Still mine")
    expect(sam.locator("#waiting .message")).to_contain_text("Waiting for the line")

    def follow(path):
        sam.goto(URL + path)
        sam.wait_for_timeout(500)
        assert waiting_on(sam) == ["Still mine"]

    follow("/?done=signedOut")
    follow(f"/erasures/{uuid.uuid4()}")
    # Nor where a session has ended.
    cookies = sam.context.cookies()
    sam.context.clear_cookies()
    follow("/?done=signedOut")
    sam.context.add_cookies(cookies)


@pytest.mark.intercepted
def test_nothing_is_sent_as_somebody_else(pair, browser):
    tea, sam = pair.meet().tea, pair.sam
    other = newcomer(browser, "Una Kaiser")
    sam.context.route("**/v1/rooms/*/messages", lambda route: route.abort())
    write(sam, "Only from me")
    expect(sam.locator("#waiting .message")).to_contain_text("Waiting for the line")
    cookies = sam.context.cookies()
    # The session is gone, and somebody else takes the device.
    sam.context.clear_cookies()
    sam.context.unroute("**/v1/rooms/*/messages")
    sam.goto(URL + "/sign-in")
    assert waiting_on(sam) == ["Only from me"]
    sign_in(sam, other)
    expect(sam.get_by_role("heading", name="Hello")).to_be_visible()
    sam.wait_for_function("""() => new Promise((done) => { const open = indexedDB.open('kampong'); open.onsuccess = () => {
        const all = open.result.transaction('outbox').objectStore('outbox').count(); all.onsuccess = () => { open.result.close(); done(all.result === 0); }; }; })""")
    tea.reload()
    assert said(tea) == []
    sam.context.clear_cookies()
    sam.context.add_cookies(cookies)
