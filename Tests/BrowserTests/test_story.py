"""The story that this part of Kampong is for: somebody posts a spot, others see it at once, one of them gets it."""

import re

from playwright.sync_api import expect

from kampong import DESKTOP, RUN, URL, Person, give_back, hear, join, join_by_page, listen, look_at, post_spot, settle_position, share_spot


def card(page, name):
    return page.locator("[data-spot]", has_text=name)


def pins(page, name):
    return page.get_by_role("button", name=f"Free spot: {name}")


def test_field_errors_when_posting(window, ada):
    page = window(ada)
    page.goto(URL + "/share")
    page.get_by_role("button", name="Go on without a picture").click()
    settle_position(page)
    name = page.get_by_label("Name or address of the spot")
    expect(name).not_to_have_value("")
    name.fill("")
    page.get_by_label("Latitude").fill("north")
    page.get_by_label("Price in").fill("a lot")
    page.get_by_label("Garage").check(force=True)
    page.get_by_role("button", name="Share this spot").click()
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description("Give it a name or an address. What a neighbour would look for: “Next to the bakery”.")
    expect(page.get_by_text("A latitude is a number from −90 to 90.")).to_be_visible()
    expect(page.get_by_text("A price is a number, zero or more")).to_be_visible()
    expect(page.get_by_label("Latitude")).to_have_value("north")
    expect(page.get_by_label("Price in")).to_have_value("a lot")
    expect(page.get_by_label("Garage")).to_be_checked()
    look_at(page, "share-errors-phone-light")


def test_a_picture_too_many(window, ada, tmp_path):
    """What is no picture is said at once, and what was typed is still there."""
    fake = tmp_path / "holiday.png"
    fake.write_bytes(b"this is no picture")
    page = window(ada)
    page.goto(URL + "/share")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a picture").click()
    chooser.value.set_files(fake)
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_text("That is not a picture we can read.")).to_be_visible()


def test_camera(window, ada):
    """Idle, live, taken, again, used; and back from the form to the camera, which keeps what was typed."""
    page = window(ada)
    page.goto(URL + "/share")
    expect(page.get_by_role("button", name="Take the picture")).to_be_hidden()
    page.get_by_role("button", name="Camera").click()
    expect(page.get_by_role("button", name="Use it")).to_be_hidden()
    page.get_by_role("button", name="Take the picture").click()
    look_at(page, "share-taken-phone-light")
    page.get_by_role("button", name="Again").click()
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_text("The picture is ready.")).to_be_visible(timeout=20_000)
    page.get_by_label("Name or address of the spot").fill("Half typed")
    look_at(page, "share-form-phone-light")
    page.get_by_role("button", name="Another picture").click()
    expect(page.get_by_role("button", name="Use it")).to_be_visible()
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_label("Name or address of the spot")).to_have_value("Half typed")


def test_seen_claimed_and_gone(window, ada, ben, photo, somewhere):
    """Ben sees Ada's spot appear without loading his page again, claims it, and it leaves Ada's map."""
    name = f"In front of the library {RUN}"
    bens, adas = window(ben, DESKTOP), window(ada)
    bens.goto(URL + "/parking")
    expect(bens.get_by_text("Nearest first")).to_be_visible()
    loaded = bens.evaluate("performance.timeOrigin")
    listen(bens)
    path = post_spot(adas, name, somewhere(), photo=photo, price="2.50")
    expect(card(bens, name)).to_be_visible(timeout=15_000)
    hear(bens, name)
    expect(card(bens, name)).to_contain_text("€2.50")
    assert bens.evaluate("performance.timeOrigin") == loaded
    look_at(bens, "story-appears-desktop-light")

    card(bens, name).get_by_role("link", name=name, exact=True).click()
    bens.wait_for_load_state()
    bens.get_by_role("link", name="Claim this spot").click()
    dialog = bens.get_by_role("dialog", name=f"Claim “{name}”?")
    expect(dialog).to_be_visible()
    look_at(bens, "story-confirm-desktop-light")
    dialog.get_by_role("link", name="Not now").click()
    expect(dialog).to_be_hidden()
    bens.get_by_role("link", name="Claim this spot").click()
    dialog.get_by_role("button", name="Claim it").click()
    expect(bens.get_by_text("This spot is yours.")).to_be_visible()
    look_at(bens, "story-mine-desktop-light")
    expect(card(adas, name)).to_be_hidden(timeout=15_000)

    give_back(bens)
    expect(card(adas, name)).to_be_visible(timeout=15_000)
    assert path


def test_marker_and_popup(window, ada, ben, photo, somewhere):
    place, name = somewhere(), f"By the tram stop {RUN}"
    # Away from the others, and from those of other runs, so that its pin stands alone.
    place = (place[0] + 0.03 + int(RUN[:4], 16) / 0xFFFF * 0.2, place[1])
    share_spot(window(ada), name, place, photo)
    page = window(ben, geolocation={"latitude": place[0] + 0.0004, "longitude": place[1]})
    page.goto(URL + "/parking")
    # The page has looked by itself, and shows that; what comes later would move the map under the pointer.
    expect(page.get_by_text("Nearest first")).to_be_visible()
    with page.expect_response(re.compile(r"/parking\?near=")):
        page.get_by_role("button", name="Spots near me").click()
    expect(pins(page, name)).to_be_visible()
    pins(page, name).click()
    popup = page.locator(".leaflet-popup")
    for words in (name, "No charge", "ago" if popup.get_by_text("ago").count() else "just now", "Details"):
        expect(popup.get_by_text(words, exact=words == "No charge").first).to_be_visible()
    expect(popup.locator("img.photo")).to_be_visible()
    # The popup may have opened under the pointer, and a button that is pointed at has other colours.
    page.mouse.move(0, 0)
    look_at(page, "popup-phone-light")
    popup.get_by_role("link", name="Claim").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_both_press_at_once(window, ada, ben, somewhere):
    """Two people, one of whom has just joined, hold the same question open and press in the same moment: one gets the spot, one is told kindly."""
    name = f"Last one at the market {RUN}"
    path = share_spot(window(ada), name, somewhere())
    pages = [window(ben), window()]
    join_by_page(pages[1], Person("Cleo Virtanen"))
    for page in pages:
        page.goto(URL + path + "/claim")
    for page in pages:  # both are under way before either answer is waited for
        page.get_by_role("button", name="Claim it").click(no_wait_after=True)
    for page in pages:
        expect(page.get_by_text(re.compile("^(Somebody was faster|This spot is yours\\.)")).first).to_be_visible()
    told = [page for page in pages if page.get_by_role("heading", name="Somebody was faster").count()]
    assert len(told) == 1, [page.url for page in pages]
    look_at(told[0], "taken-phone-light")
    winner = next(page for page in pages if page is not told[0])
    expect(winner.get_by_text("This spot is yours.")).to_be_visible()
    told[0].get_by_role("link", name="Back to the map").click()
    expect(told[0].get_by_role("heading", name="free spot")).to_be_visible()
    expect(card(told[0], name)).to_have_count(0)
    give_back(winner)


def test_spot_page_says_when_it_is_taken(window, ada, ben, somewhere):
    path = share_spot(window(ada), f"Corner of the park {RUN}", somewhere())
    watching = window(ben)
    watching.goto(URL + path)
    expect(watching.get_by_role("link", name="Claim this spot")).to_be_visible()
    removing = window(ada)
    removing.goto(URL + path)
    removing.get_by_role("link", name="Remove").click()
    removing.get_by_role("button", name="Remove it").click()
    expect(removing.get_by_text("Your spot is removed.")).to_be_visible()
    expect(watching.get_by_text("This spot is no longer free.")).to_be_visible(timeout=15_000)
    expect(watching.get_by_role("link", name="Claim this spot")).to_be_hidden()


def test_whose_spot_it_is_hears_who_has_claimed_it(window, ada, ben, somewhere):
    """By name, and as no warning; a third one is told that it happened, and nobody's name."""
    path = share_spot(window(ada), f"Under the limes {RUN}", somewhere())
    adas, others, bens = window(ada), window(), window(ben)
    join(others, Person("Lis Aho"))
    for page in (adas, others):
        page.goto(URL + path)
    bens.goto(URL + path + "/claim")
    bens.get_by_role("button", name="Claim it").click()
    expect(bens.get_by_text("This spot is yours.")).to_be_visible()
    expect(adas.locator("#changed")).to_have_text("Ben Tan has just claimed it.")
    expect(others.locator("#changed")).to_have_text("This spot has just been claimed.")
    for page in (adas, others):
        expect(page.locator("#changed use")).to_have_attribute("href", re.compile("#hand$"))
        expect(page.locator("#changed")).to_have_class("notice")
    # Loaded anew it says the same, and nowhere that it is to be had.
    others.reload()
    expect(others.get_by_text("This spot has been claimed.")).to_be_visible()
    expect(others.get_by_text("Available", exact=True)).to_have_count(0)
    give_back(bens)


def test_still_there(window, ben, shown):
    page = window(ben)
    page.goto(URL + shown)
    page.get_by_role("button", name="Still there").click()
    expect(page.get_by_text("Thank you. That helps those who are on their way.")).to_be_visible()
    expect(page.get_by_text("saw it free")).to_be_visible()


def test_edit(window, ada, somewhere):
    name = f"Behind the school {RUN}"
    page = window(ada)
    path = post_spot(page, name, somewhere())
    page.goto(URL + path + "/edit")
    page.get_by_label("Name or address of the spot").fill(name + ", second row")
    page.get_by_label("Price in").fill("1,50")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_role("heading", name=name + ", second row")).to_be_visible()
    expect(page.get_by_text("€1.50")).to_be_visible()


def test_a_form_sent_twice_posts_once(window, ada, somewhere):
    """The form's key makes one spot of two submissions, as after Back or a lost answer."""
    name, place = f"Once only {RUN}", somewhere()
    page = window(ada)
    page.goto(URL + "/share")
    page.get_by_role("button", name="Go on without a picture").click()
    fields = page.evaluate("Object.fromEntries([...new FormData(document.getElementById('post'))].filter(([, value]) => typeof value === 'string'))")
    fields |= {"name": name, "latitude": str(place[0]), "longitude": str(place[1])}
    for _ in range(2):
        answer = page.context.request.post(URL + "/share", multipart=fields, max_redirects=0, headers={"Origin": URL})
        assert answer.status == 303, answer.text()
    page.goto(URL + "/me/spots")
    expect(page.get_by_text(name)).to_have_count(1)
