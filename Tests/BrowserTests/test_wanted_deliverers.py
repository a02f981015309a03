"""Standing searches for somebody who can bring something: made from an empty restaurant, told of when somebody begins to deliver there, ended where they are found; who is gone; around a
place that one chooses; all of it without scripts."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, SIZES, URL, call, check_focus, check_touch, go, look_at, photograph, until
from test_deliveries import going, send
from test_friends import newcomer
from test_rides import choose
from test_wanted import found, told, until_it_says

TELL = "Tell me when somebody is there"


def wanted_at(house):
    """As an address says where something is to be brought."""
    return quote(f"{house['position']['latitude']},{house['position']['longitude']} {house['name']}")


def begins(page, place, house):
    """Offers to bring something from there to the house: the id of what is offered. Others are told of the house itself, since Places knows it."""
    return going(page, place, house, dropOff={"place": house["id"]})["id"]


def tell_me(page, sentence):
    """From what one would be told of to the search: its address."""
    expect(page.get_by_text(re.compile(sentence))).to_be_visible()
    page.get_by_role("button", name="Tell me", exact=True).click()
    expect(page.get_by_text("You are told when there is something.")).to_be_visible()
    return page.url.removeprefix(URL).split("?")[0]


@pytest.mark.parametrize("size", SIZES)
def test_told_of_who_comes_and_ended_where_they_are(window, restaurant, house, size):
    place = restaurant()
    seeker, _ = newcomer(window, "Selma Lind", size=SIZES[size])
    deliverer, _ = newcomer(window, "Dag Moen", size=DESKTOP)
    seeker.goto(f"{URL}/restaurants/{place['id']}?to={wanted_at(house)}")
    expect(seeker.get_by_role("heading", name="Nobody is here right now")).to_be_visible()
    look_at(seeker, f"restaurant-nobody-{size}-light")
    check_touch(seeker)
    seeker.get_by_role("link", name=TELL).click()
    expect(seeker.get_by_role("heading", name="Tell me")).to_be_visible()
    expect(seeker.get_by_role("link", name="Today", exact=True)).to_have_attribute("aria-current", "true")
    look_at(seeker, f"wanted-new-deliverer-{size}-light")
    check_focus(seeker)
    check_touch(seeker)
    search = tell_me(seeker, f"^Somebody at {re.escape(place['name'])} who goes near {re.escape(house['name'])}.*, today$")
    found(seeker, "Found nothing yet")

    # Elsewhere in the meantime: said at once on whatever page.
    seeker.goto(URL + "/me")
    id = begins(deliverer, place, house)
    toast = seeker.locator("#told .toast")
    expect(toast).to_contain_text(f"Dag Moen can bring you something from “{place['name']}”.")
    toast.get_by_role("link", name=re.compile(re.escape(place["name"]))).click()
    expect(seeker).to_have_url(re.compile(rf"/restaurants/{place['id']}\?to=.*&found=yes&deliverer={id}$"))
    box = seeker.get_by_role("region", name="You were looking for this")
    expect(box).to_contain_text(f"Somebody at {place['name']}")
    expect(seeker.locator("[data-deliverer]")).to_contain_text("Dag Moen")
    look_at(seeker, f"restaurant-found-{size}-light")
    check_focus(seeker)
    check_touch(seeker)
    assert until(seeker, lambda: told(seeker) == [])

    seeker.goto(URL + search)
    found(seeker, "Found 1")
    card = seeker.locator(f"#finds [data-found='{id}']")
    expect(card).to_contain_text("Dag Moen")
    look_at(seeker, f"wanted-found-deliverer-{size}-light")
    check_focus(seeker)
    check_touch(seeker)
    card.get_by_role("link", name=place["name"]).click()
    # Not yet: then it is as for everybody.
    box.get_by_role("link", name="Keep looking").click()
    expect(seeker.get_by_role("heading", name=place["name"])).to_be_visible()
    expect(box).to_have_count(0)
    seeker.go_back()
    box.get_by_role("button", name="Found it: stop looking").click()
    expect(seeker.get_by_text("Good that you have it. This search has ended.")).to_be_visible()
    seeker.goto(URL + "/wanted")
    expect(seeker.get_by_role("heading", name="You look for nothing yet")).to_be_visible()
    call(deliverer, "DELETE", "/v1/delivery")


def test_who_is_gone_is_told_of_no_more(window, restaurant, house):
    place, other = restaurant(), restaurant()
    seeker, _ = newcomer(window, "Signe Holt", size=PHONE)
    deliverer, _ = newcomer(window, "Didrik Aas", size=DESKTOP)
    stranger, _ = newcomer(window, "Dina Falk", size=DESKTOP)
    draft = {"query": {"deliverers": {"restaurant": place["id"], "to": house["position"]}}}
    search = "/wanted/" + call(seeker, "POST", "/v1/wanted", draft)["id"]
    seeker.goto(URL + search)
    # Somewhere else nobody is looked for.
    begins(stranger, other, house)
    id = begins(deliverer, place, house)
    found(seeker, "Found 1")
    assert until(seeker, lambda: told(seeker) == [("delivererFound", id)])
    call(deliverer, "DELETE", "/v1/delivery")
    expect(seeker.get_by_text("No longer there")).to_be_visible()
    assert until(seeker, lambda: told(seeker) == [])
    # An old link says so, and leads on.
    seeker.goto(f"{URL}/deliverers/{id}")
    expect(seeker.get_by_role("heading", name="They are not there any more")).to_be_visible()
    look_at(seeker, "deliverer-gone-phone-light")
    check_focus(seeker)
    check_touch(seeker)
    seeker.get_by_role("link", name="My searches").click()
    expect(seeker.locator("[data-wanted]")).to_have_count(1)
    seeker.go_back()
    seeker.locator("main").get_by_role("link", name="Deliveries").click()
    expect(seeker.get_by_role("heading", name="Deliveries")).to_be_visible()
    call(stranger, "DELETE", "/v1/delivery")
    call(seeker, "DELETE", f"/v1{search}")


@pytest.mark.parametrize("size", SIZES)
def test_around_a_place_and_changed(window, restaurant, house, size):
    place = restaurant()
    page, _ = newcomer(window, "Sanna Berg", size=SIZES[size])
    page.goto(URL + "/deliveries")
    page.get_by_role("link", name=TELL).click()
    expect(page.get_by_role("heading", name="Who can bring something")).to_be_visible()
    look_at(page, f"wanted-deliverers-{size}-light")
    check_focus(page)
    check_touch(page)
    page.get_by_role("button", name="Go on").click()
    one = page.get_by_label("Restaurant", exact=True)
    expect(one).to_be_focused()
    expect(one).to_have_accessible_description(re.compile("From which restaurant?"))
    look_at(page, f"wanted-deliverers-wrong-{size}-light")
    page.get_by_role("radio", name="From any restaurant around a place").check()
    expect(one).to_be_hidden()
    choose(page, "Around which place?", house["name"])
    page.get_by_label("How far from there?").select_option("200")
    page.get_by_label("How long to look").select_option(label="Until I say so")
    look_at(page, f"wanted-deliverers-around-{size}-light")
    check_touch(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(re.compile(r"Somebody at any restaurant within 200 m of \w.*"))).to_be_visible()
    # What it would find is counted anew.
    page.get_by_role("link", name="400 m", exact=True).click()
    expect(page.get_by_role("link", name="400 m", exact=True)).to_have_attribute("aria-current", "true")
    search = tell_me(page, r"^Somebody at any restaurant within 400 m of \w")
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_role("radio", name="From any restaurant around a place")).to_be_checked()
    page.get_by_role("radio", name="From one restaurant").check()
    choose(page, "Restaurant", place["name"])
    look_at(page, f"wanted-edit-deliverers-{size}-light")
    check_focus(page)
    check_touch(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Changed. From now on this is looked for.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Somebody at {place['name']}")
    call(page, "DELETE", f"/v1{search}")


def test_all_of_it_without_scripts(window, restaurant, house):
    place = restaurant()
    seeker, _ = newcomer(window, "Solveig Vik", size=PHONE, script=False)
    deliverer, _ = newcomer(window, "Dorte Juul", size=DESKTOP)
    go(seeker, f"/restaurants/{place['id']}?to={wanted_at(house)}")
    photograph(seeker, "restaurant-nobody-plain-phone-light")
    seeker.get_by_role("link", name=TELL).click()
    seeker.get_by_role("link", name="Until I say so", exact=True).click()
    photograph(seeker, "wanted-new-deliverer-plain-phone-light")
    search = tell_me(seeker, f"^Somebody at {re.escape(place['name'])} who goes near ")
    id = begins(deliverer, place, house)
    until_it_says(seeker, search, "Found 1")
    photograph(seeker, "wanted-found-deliverer-plain-phone-light")
    # What one is told of leads to where they are.
    go(seeker, f"/deliverers/{id}")
    expect(seeker.locator("[data-deliverer]")).to_contain_text("Dorte Juul")
    seeker.get_by_role("button", name="Found it: stop looking").click()
    expect(seeker.get_by_text("Good that you have it. This search has ended.")).to_be_visible()
    call(deliverer, "DELETE", "/v1/delivery")

    # A restaurant that is typed, and chosen where several are called so.
    go(seeker, "/wanted/new?of=deliverers")
    seeker.get_by_label("Restaurant", exact=True).fill(place["name"])
    send(seeker, "Go on")
    search = tell_me(seeker, f"^Somebody at {re.escape(place['name'])}")
    seeker.get_by_role("link", name="Change").click()
    seeker.get_by_label(re.compile("^Where do you want it?")).fill(house["name"])
    photograph(seeker, "wanted-edit-deliverers-plain-phone-light")
    send(seeker, "Save")
    expect(seeker.get_by_role("heading", level=1)).to_have_text(re.compile(f"^Somebody at {re.escape(place['name'])} who goes near "))
    seeker.get_by_role("link", name="Delete").click()
    seeker.get_by_role("button", name="Delete").click()
    expect(seeker.get_by_text("The search is deleted.")).to_be_visible()
