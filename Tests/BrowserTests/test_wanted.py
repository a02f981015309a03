"""Standing searches: made from the list of what there is, told of at once while one looks, looked at from what one is told, and ended there; paused, changed, renewed and deleted; around
a place that one chooses; all of it without scripts."""

import random
import re
import uuid

import pytest
from playwright.sync_api import expect

from conftest import newcomer as account
from kampong import DESKTOP, PHONE, SIZES, URL, call, check_focus, check_touch, go, hear, let_thing, listen, look_at, photograph, share_spot, sign_in, until
from test_friends import newcomer
from test_rides import choose


def word():
    """What stands in nobody else's words."""
    return f"heron{uuid.uuid4().hex[:8]}"


def look_for(page, **things):
    """Looks for something to rent from now on, through `/v1`: the search's address."""
    return "/wanted/" + call(page, "POST", "/v1/wanted", {"query": {"things": things}})["id"]


@pytest.fixture
def far(about):
    """Some way off, where nobody else shares anything."""
    dice = random.Random()
    return about["center"]["latitude"] + dice.uniform(0.1, 0.2), about["center"]["longitude"] + dice.uniform(-0.2, 0.2)


def told(page):
    """What somebody has not read, as `kind` and the id of what it is about."""
    return [(notice["kind"], notice["subject"]["id"]) for notice in call(page, "GET", "/v1/notifications?unread=true")["items"]]


def found(page, words):
    """The page says by itself how much it has found."""
    expect(page.locator("#found")).to_have_text(words)


@pytest.mark.parametrize("size", SIZES)
def test_told_of_a_car_while_one_looks_and_ended_where_it_is_found(window, about, somewhere, size):
    seeker, _ = newcomer(window, "Selma Lind", size=SIZES[size])
    owner, _ = newcomer(window, "Otto Berg", size=DESKTOP)
    heron = word()
    seeker.goto(URL + f"/cars?q={heron}&brand=Toyota&model=Yaris&price=30")
    look_at(seeker, f"cars-none-tell-{size}-light")
    check_touch(seeker)
    seeker.get_by_role("link", name="Tell me when there is something").click()
    expect(seeker.get_by_role("heading", name="Tell me")).to_be_visible()
    expect(seeker.get_by_text(re.compile(f"A car, Toyota Yaris, with “{heron}” in its text, up to .*30.* a day"))).to_be_visible()
    # How often is estimated by what is rarest of it, which others may have as well.
    expect(seeker.get_by_text(re.compile("^(Nothing like it yet|Less than one a month|About )"))).to_be_visible()
    expect(seeker.get_by_text("Nothing fits now")).to_be_visible()
    look_at(seeker, f"wanted-new-{size}-light")
    check_focus(seeker)
    check_touch(seeker)
    seeker.get_by_role("button", name="Tell me", exact=True).click()
    expect(seeker.get_by_text("You are told when there is something.")).to_be_visible()
    expect(seeker).to_have_url(re.compile("/wanted/[0-9a-f-]{36}"))
    found(seeker, "Found nothing yet")
    expect(seeker.get_by_text("You hear as soon as there is something.")).to_be_visible()
    look_at(seeker, f"wanted-made-{size}-light")
    check_focus(seeker)
    check_touch(seeker)

    listen(seeker)
    # One that costs too much; then one that fits.
    dear = let_thing(owner, about, "cars", f"Dear {heron}", somewhere(), price=3500)
    path = let_thing(owner, about, "cars", f"Quiet {heron}", somewhere(), price=2500)
    found(seeker, "Found 1")
    hear(seeker, "Found 1")
    card = seeker.locator("#finds .card.thing")
    expect(card).to_have_count(1)
    expect(card.get_by_role("link", name=f"Quiet {heron}")).to_be_visible()
    look_at(seeker, f"wanted-found-{size}-light")
    check_focus(seeker)
    check_touch(seeker)

    id = path.rsplit("/", 1)[1]
    assert until(seeker, lambda: told(seeker) == [("thingFound", id)])
    seeker.goto(URL + "/notifications")
    seeker.get_by_role("link", name=f"A car that you look for can be rented: “Quiet {heron}”.").click()
    expect(seeker).to_have_url(URL + f"{path}?found=yes")
    box = seeker.get_by_role("region", name="You were looking for this")
    expect(box).to_contain_text(f"“{heron}” in its text")
    look_at(seeker, f"thing-found-{size}-light")
    check_focus(seeker)
    check_touch(seeker)
    assert told(seeker) == []
    # Not yet: then it is as for everybody.
    box.get_by_role("link", name="Keep looking").click()
    expect(seeker.get_by_role("heading", name=f"Quiet {heron}")).to_be_visible()
    expect(box).to_have_count(0)
    seeker.go_back()
    box.get_by_role("button", name="Found it: stop looking").click()
    expect(seeker.get_by_text("Good that you have it. This search has ended.")).to_be_visible()
    expect(box).to_have_count(0)
    seeker.goto(URL + "/wanted")
    expect(seeker.get_by_role("heading", name="You look for nothing yet")).to_be_visible()
    look_at(seeker, f"wanted-none-{size}-light")
    check_touch(seeker)
    # What comes now is told to nobody.
    let_thing(owner, about, "cars", f"Late {heron}", somewhere(), price=2500)
    seeker.wait_for_timeout(1000)
    assert told(seeker) == []
    # The owner has nothing to do with it, and sees nothing of it.
    owner.goto(URL + f"{path}?found=yes")
    expect(owner.get_by_role("heading", name=f"Quiet {heron}")).to_be_visible()
    expect(owner.get_by_role("region", name="You were looking for this")).to_have_count(0)
    assert told(owner) == []
    for one in (dear, path):
        call(owner, "DELETE", f"/v1{one}")


def test_a_spot_is_told_of_and_gone_when_somebody_has_it(window, about, far):
    seeker, _ = newcomer(window, "Signe Holt", size=PHONE)
    owner, _ = newcomer(window, "Oskar Lund", size=DESKTOP)
    taker, _ = newcomer(window, "Tilda Moe", size=DESKTOP)
    near = f"{far[0]:.6f},{far[1]:.6f}"
    seeker.goto(URL + f"/parking?near={near}")
    seeker.locator("#tell-me").click()
    expect(seeker.get_by_text("A free parking spot within 5 km of")).to_be_visible()
    # Less far: what it would find is counted anew.
    seeker.get_by_role("link", name="300 m", exact=True).click()
    expect(seeker.get_by_text("A free parking spot within 300 m of")).to_be_visible()
    expect(seeker.get_by_role("link", name="300 m", exact=True)).to_have_attribute("aria-current", "true")
    look_at(seeker, "wanted-new-spots-phone-light")
    seeker.get_by_role("button", name="Tell me", exact=True).click()
    found(seeker, "Found nothing yet")
    # Elsewhere in the meantime: said at once on whatever page.
    search = seeker.url.removeprefix(URL).split("?")[0]
    seeker.goto(URL + "/me")
    name = f"By the lock {uuid.uuid4().hex[:6]}"
    path = share_spot(owner, name, far)
    toast = seeker.locator("#told .toast")
    expect(toast).to_contain_text(f"A spot that you look for is free: “{name}”.")
    toast.get_by_role("link", name=re.compile(re.escape(name))).click()
    expect(seeker).to_have_url(URL + f"{path}?found=yes")
    expect(seeker.get_by_role("region", name="You were looking for this")).to_contain_text("A free parking spot within 300 m")
    look_at(seeker, "spot-found-phone-light")
    seeker.goto(URL + search)
    found(seeker, "Found 1")
    expect(seeker.locator("#finds .card.spot")).to_contain_text(name)
    # Somebody else has it: the page moves on by itself, and nothing is unread of it.
    call(taker, "POST", f"/v1{path}/claim")
    expect(seeker.locator("#finds .card.spot")).to_have_count(0)
    expect(seeker.get_by_text("No longer there")).to_be_visible()
    look_at(seeker, "wanted-gone-phone-light")
    assert until(seeker, lambda: told(seeker) == [])
    call(taker, "DELETE", f"/v1{path}/claim")
    call(owner, "DELETE", f"/v1{path}")
    call(seeker, "DELETE", f"/v1{search}")


@pytest.mark.parametrize("size", SIZES)
def test_a_search_is_paused_changed_renewed_and_deleted(window, about, somewhere, size):
    page, _ = newcomer(window, "Svea Norr", size=SIZES[size])
    owner, _ = newcomer(window, "Olle Kask", size=DESKTOP)
    heron, other = word(), word()
    there = let_thing(owner, about, "spaces", f"Loft {heron}", somewhere())
    path = look_for(page, kind="space", q=heron)
    page.goto(URL + "/me")
    page.get_by_role("link", name="My searches").click()
    row = page.locator("[data-wanted]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Looking")
    look_at(page, f"wanted-list-{size}-light")
    check_focus(page)
    check_touch(page)
    row.get_by_role("link", name=f"A space, with “{heron}” in its text").click()
    # What was there already is shown, and was not told of.
    found(page, "There already")
    expect(page.locator("#finds .card.thing")).to_contain_text(f"Loft {heron}")
    assert told(page) == []
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused. You are told nothing of it until you go on.")).to_be_visible()
    expect(page.locator("article[data-wanted]")).to_have_attribute("data-state", "paused")
    look_at(page, f"wanted-paused-{size}-light")
    check_touch(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("It is looked for again.")).to_be_visible()
    expect(page.locator("article[data-wanted]")).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Renew").click()
    expect(page.get_by_text("Renewed. It goes on.")).to_be_visible()

    page.get_by_role("link", name="Change").click()
    words = page.get_by_label("Search spaces by title or description")
    expect(words).to_have_value(heron)
    look_at(page, f"wanted-edit-{size}-light")
    check_focus(page)
    check_touch(page)
    # What is wrong is said at its field.
    words.fill(other)
    page.get_by_label("Highest price").fill("a lot")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("A price is a number")).to_be_visible()
    expect(words).to_have_value(other)
    look_at(page, f"wanted-edit-wrong-{size}-light")
    page.get_by_label("Highest price").fill("20")
    # In another window it looks for something else by then.
    call(page, "PATCH", f"/v1{path}", {"query": {"things": {"kind": "space", "q": f"{heron}s"}}})
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="This was changed meanwhile")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="This was changed meanwhile")).to_contain_text(f"{heron}s")
    expect(words).to_have_value(other)
    look_at(page, f"wanted-edit-meanwhile-{size}-light")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Changed. From now on this is looked for.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(f"A space, with “{other}” in its text, up to .*20.* a day"))

    ask = page.get_by_role("link", name="Delete")
    ask.click()
    dialog = page.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Delete this search?")).to_be_visible()
    expect(dialog).to_contain_text(other)
    look_at(page, f"wanted-delete-{size}-light")
    check_touch(page)
    dialog.get_by_role("link", name="Keep it").click()
    expect(dialog).to_be_hidden()
    ask.click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("The search is deleted.")).to_be_visible()
    expect(page.get_by_role("heading", name="You look for nothing yet")).to_be_visible()
    page.goto(URL + path)
    expect(page.locator("article[data-wanted]")).to_have_count(0)
    call(owner, "DELETE", f"/v1{there}")


@pytest.mark.parametrize("size", SIZES)
def test_around_a_place_that_one_chooses(window, house, size):
    page, _ = newcomer(window, "Sanna Berg", size=SIZES[size])
    page.goto(URL + "/wanted/new?of=spots")
    expect(page.get_by_role("heading", name="Around where?")).to_be_visible()
    look_at(page, f"wanted-where-{size}-light")
    check_focus(page)
    check_touch(page)
    page.get_by_role("button", name="Go on").click()
    place = page.get_by_label("Address or place")
    expect(place).to_have_accessible_description(re.compile("Around which place?"))
    expect(place).to_be_focused()
    look_at(page, f"wanted-where-wrong-{size}-light")
    choose(page, "Address or place", house["name"])
    page.get_by_label("How far around it").select_option("300")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(re.compile(r"A free parking spot within 300 m of \w"))).to_be_visible()
    page.get_by_role("button", name="Tell me", exact=True).click()
    expect(page.get_by_text("You are told when there is something.")).to_be_visible()
    path = page.url.removeprefix(URL).split("?")[0]
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_label("Address or place")).to_have_value(re.compile(r"\w"))
    look_at(page, f"wanted-edit-spots-{size}-light")
    page.get_by_label("How far around it").select_option("500")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^A free parking spot within 500 m of \w"))
    # Others share spots there.
    call(page, "DELETE", f"/v1{path}")
    # Around where one is, where one says so.
    page.goto(URL + "/wanted/new?of=spots")
    page.get_by_role("button", name="I am here").click()
    expect(page).to_have_url(re.compile("near="))
    expect(page.get_by_role("heading", name="Tell me")).to_be_visible()


def test_two_searches_tell_once_and_each_is_ended_by_itself(window, about, somewhere):
    seeker, _ = newcomer(window, "Stine Dahl", size=PHONE)
    owner, _ = newcomer(window, "Orla Byrne", size=DESKTOP)
    heron = word()
    one, other = look_for(seeker, kind="space", q=heron), look_for(seeker, kind="space", q=f"barn {heron}")
    seeker.goto(URL + "/wanted")
    expect(seeker.locator("[data-wanted]")).to_have_count(2)
    path = let_thing(owner, about, "spaces", f"Barn {heron}", somewhere())
    # The list follows.
    expect(seeker.locator("[data-wanted]").filter(has_text="Found 1")).to_have_count(2)
    assert until(seeker, lambda: told(seeker) == [("thingFound", path.rsplit("/", 1)[1])])
    seeker.goto(URL + f"{path}?found=yes")
    stop = seeker.get_by_role("button", name="Found it: stop looking")
    expect(stop).to_have_count(2)
    look_at(seeker, "thing-found-twice-phone-light")
    seeker.locator("form", has_text=f"barn {heron}").get_by_role("button", name="Found it: stop looking").click()
    expect(seeker.get_by_text("Good that you have it. This search has ended.")).to_be_visible()
    assert [search["id"] for search in call(seeker, "GET", "/v1/wanted")["items"]] == [one.rsplit("/", 1)[1]]
    seeker.goto(URL + other)
    expect(seeker.locator("article[data-wanted]")).to_have_count(0)
    call(owner, "DELETE", f"/v1{path}")


def until_it_says(page, path, words):
    """Without scripts one looks again."""
    for _ in range(60):
        go(page, path)
        if page.get_by_text(words).count():
            return
        page.wait_for_timeout(250)
    raise AssertionError(f"nothing new at {path}")


def test_all_of_it_without_scripts(window, about, somewhere, house):
    seeker, _ = newcomer(window, "Solveig Aas", size=PHONE, script=False)
    owner, _ = newcomer(window, "Odd Nesse", size=DESKTOP)
    heron = word()
    before = let_thing(owner, about, "cars", f"Early {heron}", somewhere(), price=2500)
    go(seeker, f"/cars?q={heron}")
    seeker.get_by_role("link", name="Tell me", exact=True).click()
    expect(seeker.get_by_text("1 fits now")).to_be_visible()
    photograph(seeker, "wanted-new-no-script-phone-light")
    seeker.get_by_role("button", name="Tell me", exact=True).click()
    expect(seeker.get_by_text("You are told when there is something.")).to_be_visible()
    path = seeker.url.removeprefix(URL).split("?")[0]
    # Brand and model in one list.
    seeker.get_by_role("link", name="Change").click()
    seeker.get_by_label("Brand and model").select_option("Toyota: Yaris")
    photograph(seeker, "wanted-edit-no-script-phone-light")
    seeker.get_by_role("button", name="Save").click()
    expect(seeker.get_by_role("heading", level=1)).to_contain_text("Toyota Yaris")
    seeker.get_by_role("button", name="Pause").click()
    expect(seeker.get_by_text("Paused. You are told nothing of it until you go on.")).to_be_visible()
    seeker.get_by_role("button", name="Go on").click()
    expect(seeker.get_by_text("It is looked for again.")).to_be_visible()
    after = let_thing(owner, about, "cars", f"Late {heron}", somewhere(), price=2500)
    until_it_says(seeker, path, "Found 1")
    photograph(seeker, "wanted-found-no-script-phone-light")
    go(seeker, "/wanted")
    expect(seeker.locator("[data-wanted]")).to_contain_text("Found 1")
    go(seeker, path)
    seeker.get_by_role("link", name=f"Late {heron}").click()
    expect(seeker).to_have_url(URL + f"{after}?found=yes")
    seeker.get_by_role("button", name="Found it: stop looking").click()
    expect(seeker.get_by_text("Good that you have it. This search has ended.")).to_be_visible()

    # Spots, around a place that is typed and chosen.
    go(seeker, "/wanted")
    expect(seeker.get_by_role("heading", name="You look for nothing yet")).to_be_visible()
    go(seeker, "/wanted/new?of=spots")
    seeker.get_by_label("Address or place").fill(house["name"])
    seeker.get_by_role("button", name="Go on").click()
    # Where only one is called so, that is the one.
    one, tell = seeker.get_by_role("radio", name=re.compile(f"^{re.escape(house['name'])}\\b")).first, seeker.get_by_role("button", name="Tell me", exact=True)
    expect(one.or_(tell).first).to_be_visible()
    if one.count():
        one.check()
        photograph(seeker, "wanted-where-no-script-phone-light")
        seeker.get_by_role("button", name="Go on").click()
    expect(seeker.get_by_text(re.compile(r"A free parking spot within 1 km of \w"))).to_be_visible()
    tell.click()
    expect(seeker.get_by_text("You are told when there is something.")).to_be_visible()
    seeker.get_by_role("link", name="Delete").click()
    expect(seeker.get_by_text("Delete this search?")).to_be_visible()
    seeker.get_by_role("button", name="Delete").click()
    expect(seeker.get_by_text("The search is deleted.")).to_be_visible()
    for one in (before, after):
        call(owner, "DELETE", f"/v1{one}")


def test_nobody_else_comes_to_a_search_and_who_is_not_signed_in_comes_back_to_theirs(window, browser):
    seeker, _ = newcomer(window, "Siv Tangen", size=PHONE)
    path = look_for(seeker, kind="space", q=word())
    stranger, _ = newcomer(window, "Nils Foss", size=PHONE)
    stranger.goto(URL + path)
    expect(stranger.locator("article[data-wanted]")).to_have_count(0)
    look_at(stranger, "wanted-of-others-phone-light")
    # Who is nobody yet signs in first, and goes on where they were.
    person = account(browser, "Sofie Wik")
    page = window(size=PHONE)
    heron = word()
    page.goto(URL + f"/spaces?q={heron}")
    page.get_by_role("link", name="Tell me when there is something").click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    sign_in(page, person)
    expect(page.get_by_text(f"A space, with “{heron}” in its text")).to_be_visible()
