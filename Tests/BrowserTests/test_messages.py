"""Chats: two people live, pictures, what is closed and put away, scripts of all directions, and without scripts."""

import re
import time

import pytest
from playwright.sync_api import expect

from chats import Pair, numbers, pair, said, sam, share, tea, there, write
from kampong import URL, call, look_at, photograph

LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenleiterin" * 3


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


@pytest.mark.intercepted
def test_what_could_not_be_had_or_said_is_tried_again(pair):
    tea, sam = pair.meet().tea, pair.sam
    # What a page asks for when its stream opens is over.
    tea.wait_for_timeout(1000)
    for path in ("**/messages/*/rows*", "**/v1/rooms/*/delivered", "**/v1/rooms/*/read"):
        tea.context.route(path, lambda route: route.fulfill(status=503, json={"code": "unavailable"}), times=1)
    write(sam, "Can you see this?")
    there(tea, "Can you see this?")
    expect(sam.locator(".mine [data-tick]")).to_have_text("Read")


@pytest.mark.intercepted
def test_lists_and_counts_that_could_not_be_had_are_asked_for_again(pair):
    tea, sam = pair.tea, pair.sam
    tea.goto(URL + "/messages")
    # What a page asks for when its stream opens is over.
    tea.wait_for_timeout(1000)
    before = tea.request.get(URL + "/v1/rooms/unread").json()["rooms"]
    until = []

    def refuse(route):
        """For as long as all that follows from one message comes."""
        if not until:
            until.append(time.monotonic() + 1.5)
        if time.monotonic() < until[0]:
            return route.fulfill(status=503, json={"code": "unavailable"})
        route.continue_()

    for path in ("**/v1/rooms/unread", lambda url: url.split("?")[0] == URL + "/messages"):
        tea.context.route(path, refuse)
    write(sam, "Is this on your list?")
    expect(tea.locator(".tab [data-unread]")).to_have_text(f"Chats with something new: {before + 1}")
    expect(tea.locator(f"[data-room='{pair.id}']")).to_contain_text("Is this on your list?")
    tea.context.unroute_all(behavior="ignoreErrors")


@pytest.mark.intercepted
def test_what_was_written_while_nothing_was_open_has_arrived_in_old_chats_too(pair, somewhere):
    tea, sam, asked = pair.tea, pair.sam, []
    other = share(tea, somewhere, f"By the old gate {pair.id[:8]}")
    tea.goto("about:blank")
    write(sam, "In an old chat")
    there(sam, "In an old chat")
    sam.goto(f"{URL}/spots/{other}")
    sam.get_by_role("button", name="Message Tea Lund").click()
    write(sam, "In a newer one")
    there(sam, "In a newer one")

    def page_by_page(route):
        """One chat on each, and none the first time."""
        asked.append(route.request.url)
        if len(asked) == 1:
            return route.fulfill(status=503, json={"code": "unavailable"})
        route.continue_(url=route.request.url.replace("limit=50", "limit=1"))

    tea.context.route("**/v1/rooms?limit=50*", page_by_page)
    tea.goto(URL + "/me")
    expect(sam.locator(".mine [data-tick]")).to_have_text("Delivered")
    sam.goto(URL + pair.room)
    expect(sam.locator(".mine [data-tick]")).to_have_text("Delivered")
    assert len(asked) > 2


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
    photograph(sam, "room-plain")
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


def test_a_block_reaches_a_chat_that_is_open(pair, photo):
    tea, sam = pair.meet().tea, pair.sam
    write(sam, "Is it free?")
    there(tea, "Is it free?")
    # What he has written and chosen, and not sent, is there again as soon as it can be sent.
    sam.get_by_role("textbox", name="Message to").fill("Like this one?")
    sam.get_by_label("Add a picture").set_input_files(photo)
    expect(sam.get_by_role("img", name="The picture that goes along")).to_be_visible()
    person = tea.request.get(URL + "/v1/me").json()["id"]
    call(sam, "PUT", f"/v1/blocks/{person}")
    try:
        for page in (tea, sam):
            expect(page.get_by_text("Nothing can be written here just now.")).to_be_visible(timeout=30_000)
            expect(page.get_by_role("textbox", name="Message to")).to_have_count(0)
    finally:
        call(sam, "DELETE", f"/v1/blocks/{person}")
    for page in (tea, sam):
        expect(page.get_by_role("textbox", name="Message to")).to_be_visible(timeout=30_000)
    expect(sam.get_by_role("textbox", name="Message to")).to_have_value("Like this one?")
    expect(sam.get_by_role("img", name="The picture that goes along")).to_be_visible()
    sam.get_by_role("button", name="Send").click()
    there(tea, "Like this one?")
    expect(tea.locator("#messages .message", has_text="Like this one?").get_by_role("img")).to_be_visible()
    write(sam, "No?")
    there(tea, "No?")
    expect(tea.locator("#messages .message", has_text="No?").get_by_role("img")).to_have_count(0)


def test_enter_that_an_input_method_takes_sends_nothing(pair):
    tea = pair.meet().tea
    field = tea.get_by_role("textbox", name="Message to")
    field.fill("にほんご")
    # As WebKit has it: the composition is over, and the number says that the key belonged to it.
    field.evaluate("field => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))")
    tea.wait_for_timeout(500)
    expect(field).to_have_value("にほんご")
    assert said(tea) == []
    field.press("Enter")
    there(tea, "にほんご")
