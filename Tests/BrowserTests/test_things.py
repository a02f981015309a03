"""Cars, spaces and private parking: found as one types, narrowed, opened, with and without scripts, told of at once."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, RUN, URL, call, let_thing, look_at


def cards(page):
    return page.locator(".card.thing")


def pins(page, name):
    return page.locator(f'#map .pin[aria-label^="{name}"]')


def test_cars_are_found_as_one_types(window, about, ada, ben, somewhere):
    owner, word = window(ada), f"lantern{RUN}"
    let_thing(owner, about, "cars", f"Roomy {word}", somewhere(), price=6000, brand="Toyota", model="Hiace", description=f"A ROOF RACK, {RUN}")
    let_thing(owner, about, "cars", f"Small {word}", somewhere())
    page = window(ben)
    page.goto(URL + "/cars")
    search = page.get_by_role("searchbox", name="Search cars by title or description")
    search.press_sequentially(f"roof rack, {RUN}")
    expect(cards(page)).to_have_count(1)
    expect(page.get_by_role("link", name=f"Roomy {word}")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/cars\?q=roof%20rack"))
    # Several that come at once are said at once.
    expect(page.locator("#announcer")).to_have_text(re.compile(r"(^|\s)1 car$"))
    search.fill(word.upper())
    expect(cards(page)).to_have_count(2)
    # Narrowed by brand and model, whose list the brand brings; then put in order.
    page.get_by_text("Filter", exact=True).click()
    model = page.get_by_label("Model")
    expect(model).to_be_disabled()
    page.get_by_label("Brand").select_option("Toyota")
    expect(model).to_be_enabled()
    model.select_option("Yaris")
    expect(cards(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("model=Yaris"))
    look_at(page, "cars-narrowed-phone-light")
    page.get_by_role("link", name="Remove “Yaris” from the filter").click()
    expect(cards(page)).to_have_count(2)
    page.get_by_role("link", name="Price, highest first").click()
    expect(cards(page).first).to_contain_text("Roomy")
    page.get_by_role("link", name="Nearest", exact=True).click()
    expect(page).to_have_url(re.compile("sort=nearest.*near="))
    expect(cards(page).first).to_contain_text("away")
    # Back leads to the list as it was, and so does its chip from elsewhere.
    page.get_by_role("link", name=f"Small {word}").click()
    expect(page.get_by_role("heading", name=f"Small {word}")).to_be_visible()
    page.go_back()
    expect(cards(page)).to_have_count(2)
    page.goto(URL + "/")
    page.get_by_role("navigation", name="What to look at").get_by_role("link", name="Cars").click()
    expect(page).to_have_url(re.compile("sort=nearest"))
    expect(cards(page)).to_have_count(2)
    page.get_by_role("link", name="Show all").click()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_everything_about_a_thing_without_scripts(window, about, ada, ben, somewhere, far_house):
    name = f"Plain Yaris {RUN}"
    path = let_thing(window(ada), about, "cars", name, somewhere())
    page = window(ben, script=False)
    page.goto(URL + "/")
    page.get_by_role("navigation", name="What to look at").get_by_role("link", name="Cars").click()
    page.get_by_role("searchbox").fill(name)
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Brand").select_option("Toyota")
    page.get_by_label("Highest price").fill("a lot")
    page.get_by_role("button", name="Show what fits").click()
    expect(page.get_by_text("A price is a number")).to_be_visible()
    expect(page.get_by_label("Brand")).to_have_value("Toyota")
    page.get_by_label("Highest price").fill("30")
    page.get_by_label("Model").select_option("Yaris")
    page.get_by_label("Near an address").fill(far_house["name"])
    page.get_by_role("button", name="Show what fits").click()
    page.get_by_role("radio", name=re.compile(f"^{re.escape(far_house['name'])}\\b")).first.check()
    page.get_by_role("button", name="Show what fits").click()
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("away")
    assert "place" not in page.url and "near=" in page.url
    page.get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_url(re.compile(path))
    expect(page.get_by_role("link", name="Ask to rent")).to_have_attribute("href", re.compile("/things/.*/rent"))
    expect(page.get_by_text("The map shows the area")).to_be_visible()
    expect(page.get_by_text("Moderate").or_(page.get_by_text("Flexible"))).to_be_visible()
    expect(page.get_by_role("button", name="Message Ada Lindqvist")).to_be_visible()
    page.goto(URL + path.replace("/cars/", "/spaces/"))
    expect(page).to_have_url(URL + path)


def test_whoever_looks_is_told_when_it_changes_or_goes(window, about, ada, ben, somewhere):
    owner = window(ada, DESKTOP)
    path = let_thing(owner, about, "spaces", f"Attic {RUN}", somewhere())
    page = window(ben, DESKTOP)
    page.goto(URL + path)
    expect(page.get_by_role("link", name="Ask to rent")).to_be_visible()
    expect(page.locator("#pinned-map .area")).to_be_attached()
    owner.goto(URL + path)
    expect(owner.get_by_role("button", name="Your own space")).to_be_disabled()
    expect(owner.get_by_role("link", name="Edit")).to_be_visible()
    call(owner, "PATCH", f"/v1{path}", {"title": f"Large attic {RUN}"})
    expect(page.get_by_text("Something has changed here.")).to_be_visible()
    page.get_by_role("link", name="Show it as it is now").click()
    expect(page.get_by_role("heading", name=f"Large attic {RUN}")).to_be_visible()
    call(owner, "DELETE", f"/v1{path}")
    expect(page.get_by_text("This is no longer on offer.")).to_be_visible()
    expect(page.get_by_role("link", name="Ask to rent")).to_be_hidden()
    page.goto(URL + "/people/" + owner.evaluate("document.documentElement.dataset.signedIn"))
    expect(page.get_by_role("heading", name="For rent from Ada Lindqvist")).to_be_visible()


def test_the_map_beside_a_list_shows_what_the_list_has(window, about, ada, ben, somewhere):
    owner, word = window(ada), f"harbour{RUN}"
    path = let_thing(owner, about, "spaces", f"Loft {word}", somewhere())
    let_thing(owner, about, "spaces", f"Shed {word}", somewhere(), price=None)
    page = window(ben, DESKTOP)
    page.goto(URL + f"/spaces?q={word}")
    expect(cards(page)).to_have_count(2)
    page.locator("#map-toggle").click()
    expect(page).to_have_url(URL + f"/spaces?q={word}&map=yes")
    expect(page.get_by_role("region", name="Map of the spaces in the list")).to_be_visible()
    expect(page.locator("#map canvas").first).to_be_attached()
    # Both may lie in one field of the grid, and are one cluster then.
    expect(page.locator("#map .leaflet-marker-icon.pin, #map .leaflet-marker-icon.cluster").first).to_be_visible()
    page.get_by_role("searchbox").fill(f"loft {word}")
    expect(cards(page)).to_have_count(1)
    pin = page.locator("#map .leaflet-marker-icon.pin")
    expect(pin).to_have_count(1)
    # By the keyboard: the popup leads to the thing, and the field in which it lies is drawn.
    pin.focus()
    page.keyboard.press("Enter")
    popup = page.get_by_role("dialog", name=f"Loft {word}").or_(page.locator(".leaflet-popup"))
    expect(popup.first).to_contain_text(f"Loft {word}")
    expect(page.locator("#map .area")).to_be_attached()
    expect(page.locator(".card.thing.chosen")).to_contain_text(f"Loft {word}")
    look_at(page, "spaces-map-popup-desktop-light")
    popup.first.get_by_role("link", name="Details").click()
    expect(page).to_have_url(re.compile(path))
    page.go_back()
    expect(page.locator("#map canvas").first).to_be_attached()
    page.locator("#map-toggle").click()
    expect(page.locator("#map")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_one_distant_thing_does_not_make_it_a_map_of_the_world(window, about, ada, ben, somewhere, size):
    owner, word = window(ada), f"antipode{uuid.uuid4().hex[:8]}"
    let_thing(owner, about, "spaces", f"Near {word}", somewhere())
    let_thing(owner, about, "spaces", f"Far {word}", (-41.2889, 174.7772))
    page = window(ben, size)
    page.goto(URL + f"/spaces?q={word}&map=yes")
    expect(cards(page)).to_have_count(2)
    near = pins(page, f"Near {word}")
    expect(near).to_be_visible()
    pin, frame = near.bounding_box(), page.locator("#map").bounding_box()
    assert frame["x"] < pin["x"] < frame["x"] + frame["width"] and frame["y"] < pin["y"] < frame["y"] + frame["height"]
    expect(page.locator(".map .leaflet-control-attribution")).not_to_contain_text("Natural Earth")
    # What is not on the map is said, and one press away; then the other one is.
    elsewhere = page.get_by_role("button", name="1 elsewhere: look there")
    expect(elsewhere).to_have_text("1 elsewhere")
    look_at(page, f"spaces-map-elsewhere-{size['width']}-light")
    elsewhere.click()
    expect(pins(page, f"Far {word}")).to_be_visible()
    expect(near).to_have_count(0)
    elsewhere.click()
    expect(near).to_be_visible()
    # A list in which all is there says nothing of it.
    page.get_by_role("searchbox").fill(f"near {word}")
    expect(cards(page)).to_have_count(1)
    expect(near).to_be_visible()
    expect(page.locator("#elsewhere")).to_be_hidden()


@pytest.mark.intercepted
@pytest.mark.parametrize("refuse", [lambda route: route.fulfill(status=503, body="away"), lambda route: route.abort()], ids=["503", "cut off"])
@pytest.mark.parametrize("path", ["/cars", "/parking", "/places?kind=building&near=60.1708,24.9495"])
def test_a_list_that_gets_no_answer_says_so_where_it_stands(window, ben, path, refuse):
    page, asked = window(ben), re.compile(re.escape(path.split("?")[0]) + r"\?")
    page.goto(URL + path)
    expect(page.locator("#results")).to_be_visible()
    if path != "/cars":
        # The page has looked around the person by itself.
        page.wait_for_url(re.compile("near="))
    here = page.url
    page.route(lambda address: asked.search(address), lambda route: refuse(route) if route.request.headers.get("hx-request") else route.fallback())
    if path == "/cars":
        page.get_by_role("searchbox").fill("yaris")
    else:
        page.locator("#locate").click()
    said = page.locator("#results").get_by_role("alert")
    expect(said).to_contain_text("No answer came, so the list is as it was before.")
    assert page.url == here, "the address says what is shown"
    # Once more in vain, then there is an answer: the notice is gone with the old list.
    said.get_by_role("button", name="Try again").click()
    expect(said.get_by_role("button", name="Try again")).to_be_focused()
    look_at(page, None)
    page.unroute_all(behavior="wait")
    said.get_by_role("button", name="Try again").click()
    expect(said).to_have_count(0)
    expect(page.locator("#results")).to_be_visible()
    # What htmx itself says of it in the console.
    expected = ("Response Status Error", "htmx:sendError", "htmx:afterRequest")
    assert not [line for line in window.told() if not any(said in line for said in expected)]


def test_a_list_changes_while_one_looks_at_it(window, about, ada, ben):
    owner, word = window(ada), f"meadow{RUN}"
    # Some way off: a list also tells of what others share near what it shows, whatever one looks for.
    far = (about["center"]["latitude"] + 0.05, about["center"]["longitude"])
    first = let_thing(owner, about, "spaces", f"Barn {word}", far)
    second = let_thing(owner, about, "spaces", f"Byre {word}", far)
    page = window(ben, DESKTOP)
    with page.expect_response(re.compile("/v1/stream")):
        page.goto(URL + f"/spaces?q={word}&map=yes")
    expect(cards(page)).to_have_count(2)
    call(owner, "PATCH", f"/v1{first}", {"title": f"Large barn {word}"})
    expect(page.get_by_role("link", name=f"Large barn {word}")).to_be_visible()
    call(owner, "DELETE", f"/v1{second}")
    expect(cards(page)).to_have_count(1)
    expect(page.locator("#announcer")).to_contain_text(f"Byre {word} is no longer on offer.")
    # What is new is told of, and comes where one wants it.
    expect(page.get_by_text("The list has changed.")).to_be_hidden()
    call(owner, "POST", f"/v1{second}/publish")
    expect(page.get_by_text("The list has changed.")).to_be_visible()
    page.get_by_role("link", name="Show it as it is now").click()
    expect(cards(page)).to_have_count(2)
