"""Chats: two people live, a phone without a network, pictures, what is closed and put away, scripts of all directions, and without scripts."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from conftest import newcomer
from kampong import DESKTOP, PHONE, SCREENSHOTS, URL, look_at, sign_in

LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenleiterin" * 3


@pytest.fixture(scope="module")
def tea(browser, about):
    return newcomer(browser, about, "Tea Lund")


@pytest.fixture(scope="module")
def sam(browser, about):
    return newcomer(browser, about, "Sam Okoro")


def call(page, method, path, body=None):
    """/v1 as whoever is signed in on the page, as its scripts ask it."""
    csrf = page.request.get(URL + "/me/pass").json()["csrf"]
    answer = page.request.fetch(URL + path, method=method, data=body, headers={"X-CSRF-Token": csrf})
    assert answer.ok, answer.text()
    return answer.json() if answer.status in (200, 201) else None


def share(page, somewhere, name):
    latitude, longitude = somewhere()
    return call(page, "POST", "/v1/spots", {"name": name, "position": {"latitude": latitude, "longitude": longitude}})["id"]


def said(page):
    return [row.inner_text() for row in page.locator("#messages .words").all()]


def numbers(page):
    return page.locator("#messages [data-number]").evaluate_all("rows => rows.map(row => Number(row.dataset.number))")


def write(page, words):
    page.get_by_role("textbox", name="Message to").fill(words)
    page.get_by_role("button", name="Send").click()


def there(page, words):
    """It has arrived at the server and is shown once."""
    expect(page.locator("#messages .message", has_text=words)).to_have_count(1, timeout=30_000)
    expect(page.locator("#waiting .message", has_text=words)).to_have_count(0)


class Pair:
    """Tea, who shares a spot, at a desk; Sam, who asks about it, with a phone; and the chat of the two."""

    def __init__(self, window, tea, sam, somewhere, **more):
        self.tea, self.sam, self.asker = window(tea, DESKTOP), window(sam, PHONE, **more), sam
        self.tea.goto(URL + "/")
        self.spot = share(self.tea, somewhere, f"By the fountain {uuid.uuid4().hex[:6]}")
        self.sam.goto(f"{URL}/spots/{self.spot}")
        self.sam.get_by_role("button", name="Message Tea Lund").click()
        expect(self.sam.get_by_role("heading", name="Tea Lund")).to_be_visible()
        self.room = self.sam.url.removeprefix(URL).split("#")[0]
        self.id = self.room.rsplit("/", 1)[1]

    def meet(self):
        """Both look at the chat."""
        self.tea.goto(URL + self.room)
        expect(self.tea.get_by_role("heading", name="Sam Okoro")).to_be_visible()
        return self


@pytest.fixture
def pair(window, tea, sam, somewhere):
    return Pair(window, tea, sam, somewhere)


def test_two_talk(pair):
    tea, sam = pair.tea, pair.sam
    expect(sam.get_by_text("Say hello to Tea Lund.")).to_be_visible()
    look_at(sam, "room-empty-phone-light")
    write(sam, "Hi Tea! Is it still free?")
    there(sam, "still free?")
    # She is told on whatever page she is.
    expect(tea.locator(".tab [data-unread]")).to_have_text("Chats with something new: 1")
    expect(tea).to_have_title("(1) Home · Kampong")
    expect(sam.locator(".mine [data-tick]")).to_have_text("Delivered")
    tea.get_by_role("link", name="Messages").click()
    card = tea.locator(f"[data-room='{pair.id}']")
    expect(card).to_contain_text("Hi Tea! Is it still free?")
    expect(card).to_contain_text("1 unread message")
    look_at(tea, "messages-desktop-light")
    card.get_by_role("link").click()
    expect(tea.get_by_text("1 new message")).to_be_visible()
    expect(sam.locator(".mine [data-tick]")).to_have_text("Read")
    expect(tea.locator(".tab [data-unread]")).to_be_hidden()
    # Each sees that the other one is writing, and then what.
    tea.get_by_role("textbox", name="Message to Sam Okoro").press_sequentially("Yes, until four.", delay=20)
    expect(sam.get_by_text("Tea Lund is writing …")).to_be_visible()
    tea.keyboard.press("Enter")
    there(sam, "Yes, until four.")
    expect(sam.get_by_text("Tea Lund is writing …")).to_be_hidden()
    for number in range(3):
        write(sam if number % 2 else tea, f"And one more, number {number}")
        for page in (tea, sam):
            there(page, f"number {number}")
    assert said(tea) == said(sam) and numbers(tea) == numbers(sam) == [1, 2, 3, 4, 5]
    expect(tea.get_by_role("textbox", name="Message to Sam Okoro")).to_have_value("")
    look_at(tea, "room-desktop-light")
    look_at(sam, "room-phone-light")
    # The one chat of this spot and these two, from wherever one comes.
    sam.goto(f"{URL}/spots/{pair.spot}")
    sam.get_by_role("button", name="Message Tea Lund").click()
    expect(sam.locator("#messages .message")).to_have_count(5)


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
    sam.wait_for_function("navigator.serviceWorker.controller !== null")
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
    assert said(tea) == said(sam) == ["Did you get this?", "And this?"]
    assert lost and set(lost) == {201}


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
    route, answer = held[0]
    route.fulfill(response=answer)
    there(tea, "I am at the gate")
    sam.context.unroute("**/v1/rooms/*/messages")


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
    for _ in range(200):
        if asked:
            return asked[0]
        page.wait_for_timeout(50)
    raise AssertionError("Nothing is asked.")


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
    sam.wait_for_url(URL + "/cars")


def test_nothing_is_sent_as_somebody_else(pair, browser, about):
    tea, sam = pair.meet().tea, pair.sam
    other = newcomer(browser, about, "Una Kaiser")
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
    expect(sam.get_by_role("heading", name="Cars", exact=True)).to_be_visible()
    sam.wait_for_function("""() => new Promise((done) => { const open = indexedDB.open('kampong'); open.onsuccess = () => {
        const all = open.result.transaction('outbox').objectStore('outbox').count(); all.onsuccess = () => { open.result.close(); done(all.result === 0); }; }; })""")
    tea.reload()
    assert said(tea) == []
    sam.context.clear_cookies()
    sam.context.add_cookies(cookies)


def test_pictures(pair, photo):
    tea, sam = pair.meet().tea, pair.sam
    sam.get_by_label("Add a picture").set_input_files(photo)
    expect(sam.get_by_role("img", name="The picture that goes along")).to_be_visible()
    sam.get_by_role("button", name="Leave the picture out").click()
    expect(sam.get_by_role("img", name="The picture that goes along")).to_be_hidden()
    sam.get_by_label("Add a picture").set_input_files(photo)
    expect(sam.get_by_role("img", name="The picture that goes along")).to_be_visible()
    look_at(sam, "room-picture-chosen-phone-light")
    write(sam, "This one?")
    there(tea, "This one?")
    expect(tea.get_by_role("img", name="Picture from Sam Okoro")).to_be_visible()
    # And one alone, without a network first.
    sam.context.set_offline(True)
    sam.get_by_label("Add a picture").set_input_files(photo)
    expect(sam.get_by_role("img", name="The picture that goes along")).to_be_visible()
    sam.get_by_role("button", name="Send").click()
    expect(sam.locator("#waiting img.picture")).to_be_visible()
    sam.context.set_offline(False)
    expect(tea.get_by_role("img", name="Picture from Sam Okoro")).to_have_count(2, timeout=30_000)
    expect(sam.locator("#waiting")).to_be_hidden(timeout=30_000)
    expect(sam.locator("#messages img.picture").last).to_have_js_property("complete", True)
    look_at(sam, "room-pictures-phone-light")
    tea.goto(URL + "/messages")
    expect(tea.locator(f"[data-room='{pair.id}']")).to_contain_text("Picture")


def test_words_of_all_kinds(pair):
    tea, sam = pair.meet().tea, pair.sam
    words = [
        "مرحبا! هل المكان شاغر؟ 🅿️", "שלום, אני בדרך", "Straße, Übergröße, naïve façade", "👋🏽🎉", LONG,
        "<b>not bold</b> & <script>alert(1)</script>", "Line one\n\nLine three", "Look: https://example.org/a?b=1&c=(d). Or javascript:alert(1)",
    ]
    for text in words:
        write(sam, text)
        expect(sam.locator("#waiting")).to_be_hidden(timeout=30_000)
    for page in (tea, sam):
        expect(page.locator("#messages .message")).to_have_count(len(words), timeout=30_000)
        assert said(page) == words
    assert tea.locator("#messages .words").first.evaluate("words => getComputedStyle(words).direction") == "rtl"
    expect(tea.locator("#messages .jumbo .words")).to_have_text("👋🏽🎉")
    links = tea.locator("#messages .words a")
    expect(links).to_have_count(1)
    expect(links).to_have_attribute("href", "https://example.org/a?b=1&c=(d)")
    expect(links).to_have_attribute("rel", "nofollow noopener noreferrer ugc")
    look_at(sam, "room-words-phone-light")
    look_at(tea, "room-words-desktop-light")
    tea.goto(URL + "/messages")
    look_at(tea, "messages-words-desktop-light")


def test_put_away_and_found(pair):
    tea, sam = pair.meet().tea, pair.sam
    write(sam, f"About the xylophone {pair.id[:8]}")
    there(tea, "xylophone")
    tea.get_by_label("More about this chat").click()
    look_at(tea, "room-options-desktop-light")
    tea.get_by_role("button", name="Archive", exact=True).click()
    expect(tea.get_by_text("A new message brings it back.").first).to_be_visible()
    card = tea.locator(f"[data-room='{pair.id}']")
    expect(card).to_have_count(0)
    tea.get_by_role("link", name="Archived").click()
    expect(card).to_be_visible()
    tea.get_by_role("searchbox", name="Search your chats").fill(f"xylophone {pair.id[:8]}")
    tea.keyboard.press("Enter")
    expect(card).to_contain_text("Archived")
    look_at(tea, "messages-found-desktop-light")
    tea.goto(URL + "/messages")
    expect(card).to_have_count(0)
    # It comes back by itself, in the list that is open.
    write(sam, "Are you there?")
    expect(card).to_contain_text("Are you there?", timeout=30_000)
    tea.get_by_role("searchbox", name="Search your chats").fill("x")
    tea.keyboard.press("Enter")
    expect(tea.get_by_text("Two to a hundred letters, please.")).to_be_visible()


def test_only_what_is_looked_at_is_read(window, tea, sam, somewhere):
    pair = Pair(window, tea, sam, somewhere)
    pair.tea.add_init_script("document.hasFocus = () => Boolean(window.looked);")
    pair.meet()
    write(pair.sam, "Can you hear me?")
    there(pair.tea, "Can you hear me?")
    tick = pair.sam.locator(".mine [data-tick]")
    expect(tick).to_have_text("Delivered")
    pair.tea.wait_for_timeout(300)
    expect(tick).to_have_text("Delivered")
    pair.tea.evaluate("window.looked = true; dispatchEvent(new Event('focus'))")
    expect(tick).to_have_text("Read")


def test_long_talks_load_as_one_scrolls_up(pair):
    tea, sam = pair.tea, pair.sam
    tokens = [(page, page.request.get(URL + "/me/pass").json()["csrf"]) for page in (tea, sam)]
    for number in range(1, 53):
        page, csrf = tokens[number % 2]
        body = {"id": str(uuid.uuid4()), "text": f"Message number {number}."}
        answer = page.request.fetch(f"{URL}/v1/rooms/{pair.id}/messages", method="POST", data=body, headers={"X-CSRF-Token": csrf})
        # No more than sixty within a minute, of all tests together.
        while answer.status == 429:
            page.wait_for_timeout(5_000)
            answer = page.request.fetch(f"{URL}/v1/rooms/{pair.id}/messages", method="POST", data=body, headers={"X-CSRF-Token": csrf})
        assert answer.status == 201, answer.text()
    tea.goto(f"{URL}/messages")
    tea.locator(f"[data-room='{pair.id}']").get_by_role("link").click()
    expect(tea.locator("#messages [data-number='52']")).to_be_attached()
    tea.evaluate("scrollTo(0, 0)")
    expect(tea.locator("#messages [data-number='1']")).to_be_attached()
    assert numbers(tea) == list(range(1, 53))
    expect(tea.locator("#earlier")).to_have_count(0)
    # While one reads above, what is new is said below, and nothing moves.
    tea.evaluate("scrollTo(0, 0)")
    write(sam, "Down here")
    expect(tea.get_by_role("button", name="New messages")).to_be_visible()
    look_at(tea, "room-jump-desktop-light")
    assert tea.evaluate("scrollY") < 100
    tea.get_by_role("button", name="New messages").click()
    expect(tea.locator("#messages .message", has_text="Down here")).to_be_in_viewport()


def test_without_scripts(window, tea, sam, somewhere, photo):
    pair = Pair(window, tea, sam, somewhere, script=False)
    sam = pair.sam
    sam.get_by_role("textbox", name="Message to Tea Lund").fill("With forms alone")
    sam.get_by_role("button", name="Send").click()
    expect(sam.locator("#messages .message")).to_have_count(1)
    pair.meet()
    there(pair.tea, "With forms alone")
    write(pair.tea, "I see")
    there(pair.tea, "I see")
    sam.get_by_label("Add a picture").set_input_files(photo)
    sam.get_by_role("button", name="Send").click()
    expect(sam.get_by_role("img", name="Your picture")).to_be_visible()
    expect(sam.locator("#messages .message")).to_have_count(3)
    expect(sam.locator(".mine [data-tick]").first).to_have_text("Read")
    # That he has seen it, the page itself says.
    expect(pair.tea.locator(".mine [data-tick]")).to_have_text("Read")
    sam.screenshot(path=f"{SCREENSHOTS}/room-plain.png") if SCREENSHOTS else None
    sam.get_by_label("More about this chat").click()
    sam.get_by_role("button", name="Archive", exact=True).click()
    expect(sam.get_by_role("heading", name="Messages", level=1)).to_be_visible()
    sam.goto(URL + "/messages?shelf=archived")
    sam.locator(f"[data-room='{pair.id}']").get_by_role("link").click()
    sam.get_by_label("More about this chat").click()
    sam.get_by_role("button", name="Take out of the archive").click()
    expect(sam.get_by_text("The chat is back among your messages.")).to_be_visible()


def test_one_tab_hears_for_all(pair, window):
    tea, sam = pair.meet().tea, pair.sam
    second = tea.context.new_page()
    window.watch(second)
    second.goto(URL + "/me")
    write(sam, "To all your tabs")
    there(tea, "To all your tabs")
    tea.goto(URL + "/")
    second.goto(URL + "/messages")
    write(sam, "Again")
    for page in (tea, second):
        expect(page.locator(".tab [data-unread]")).to_have_text(re.compile(r"Chats with something new: [1-9]"), timeout=30_000)
    expect(second.locator(f"[data-room='{pair.id}']")).to_contain_text("Again")


def test_in_german(window, tea, sam, somewhere):
    pair = Pair(window, tea, sam, somewhere)
    page = window(tea, language="de-DE")
    write(pair.sam, "Guten Tag")
    there(pair.sam, "Guten Tag")
    page.goto(URL + "/messages")
    expect(page.locator(f"[data-room='{pair.id}']")).to_contain_text("1 ungelesene Nachricht")
    page.goto(URL + pair.room)
    expect(page.get_by_text("1 neue Nachricht")).to_be_visible()
    expect(page.get_by_text("Heute")).to_be_visible()
    look_at(page, "room-german-phone-light")
