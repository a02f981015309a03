"""Places on pages: names filled in, addresses suggested, what is near, the way there; with every other host out of reach."""

import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, RUN, URL, hear, listen, look_at, settle_position, until

ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@pytest.fixture
def alone(window):
    """Opens windows from which no other host can be reached, and holds them to asking none."""
    foreign = []

    def cut_off(route):
        if route.request.url.startswith(URL):
            return route.fallback()
        foreign.append(route.request.url)
        return route.abort()

    def opened(*args, **more):
        page = window(*args, **more)
        page.context.route("**/*", cut_off)
        return page

    yield opened
    assert not foreign, foreign


def name_field(page):
    return page.get_by_label("Name or address of the spot")


def search_field(page):
    return page.get_by_role("combobox", name="Search for an address or a place")


def at(house, north=0.0):
    return {"latitude": house["position"]["latitude"] + north, "longitude": house["position"]["longitude"]}


def open_form(page):
    page.goto(URL + "/share")
    page.get_by_role("button", name="Go on without a picture").click()
    settle_position(page)
    expect(page.get_by_label("Latitude")).not_to_have_value("")


def called(house, near="near"):
    return f"{near} {house['name']}, {house['locality']}"


def test_a_spot_is_called_after_where_it_is_until_somebody_types(alone, ada, house, far_house):
    page = alone(ada, geolocation=at(house))
    open_form(page)
    expect(name_field(page)).to_have_value(called(house))
    look_at(page, "share-named-phone-light")
    for label, degrees in zip(("Latitude", "Longitude"), at(far_house).values()):
        page.get_by_label(label).fill(f"{degrees:.6f}")
    expect(name_field(page)).to_have_value(called(far_house))
    name_field(page).fill("Next to the bakery")
    page.get_by_role("button", name="I am here").click()
    expect(page.get_by_label("Latitude")).to_have_value(f"{at(house)['latitude']:.6f}")
    page.wait_for_timeout(1000)
    expect(name_field(page)).to_have_value("Next to the bakery")


@pytest.mark.intercepted
def test_a_name_that_comes_late_replaces_nothing_that_was_typed(alone, ada, house):
    page = alone(ada, geolocation=at(house))
    held = []
    page.route("**/places/name?*", lambda route: held.append(route))
    open_form(page)
    assert until(page, lambda: held)
    name_field(page).press_sequentially("Ne")
    for route in held:
        route.continue_()
    page.wait_for_timeout(600)
    expect(name_field(page)).to_have_value("Ne")


def test_german_names(alone, ada, house):
    page = alone(ada, language="de-DE", geolocation=at(house))
    page.goto(URL + "/share")
    page.get_by_role("button", name="Ohne Bild weiter").click()
    expect(page.get_by_label("Name oder Adresse des Platzes")).to_have_value(called(house, "bei"))


@pytest.mark.intercepted
def test_the_form_works_while_places_is_away(alone, ada, house):
    page = alone(ada, geolocation=at(house))
    page.route("**/places/*", lambda route: route.fulfill(status=503, body=""))
    open_form(page)
    page.get_by_label("Address or place").fill("Fabian")
    expect(page.get_by_text("Suggestions can't be shown just now.").first).to_be_visible()
    page.get_by_label("Address or place").fill("")
    expect(name_field(page)).to_have_value("")
    name_field(page).fill(f"While places is away {RUN}")
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("Your spot is on the map")).to_be_visible()


@SIZES
def test_an_address_is_chosen_by_keyboard(alone, size, house):
    page = alone(size=size, permissions=[])
    page.goto(URL + "/parking")
    field = search_field(page)
    expect(field).to_have_attribute("aria-expanded", "false")
    listen(page)
    field.press_sequentially(house["name"][:5])
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "true")
    hear(page, "Choose with the arrow keys.")
    expect(page.locator(".offers-list")).to_contain_text("OpenStreetMap")
    assert field.get_attribute("aria-controls") == page.get_by_role("listbox").get_attribute("id")
    look_at(page, f"suggestions-{'phone' if size is PHONE else 'desktop'}-light")
    for key, chosen in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", -1)):
        page.keyboard.press(key)
        option = options.nth(chosen)
        expect(option).to_have_attribute("aria-selected", "true")
        expect(field).to_have_attribute("aria-activedescendant", option.get_attribute("id"))
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(options.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    name = options.first.locator("strong").inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile(f"near {re.escape(name)}$"), level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/parking\?near=.*&place="))


def test_an_address_is_chosen_by_touch(alone, ada, house, far_house):
    page = alone(ada, geolocation=at(house))
    open_form(page)
    expect(name_field(page)).to_have_value(called(house))
    field = page.get_by_label("Address or place")
    field.tap()
    field.press_sequentially(far_house["name"])
    page.get_by_role("option", name=re.compile(f"^{re.escape(far_house['name'])}\\b")).first.tap()
    expect(field).to_have_value(f"{far_house['name']}, {far_house['locality']}")
    latitude, longitude = (float(page.get_by_label(label).input_value()) for label in ("Latitude", "Longitude"))
    assert abs(latitude - at(far_house)["latitude"]) < 0.001 and abs(longitude - at(far_house)["longitude"]) < 0.001
    expect(name_field(page)).to_have_value(re.compile(f"^near {re.escape(far_house['name'])}"))
    look_at(page, "share-address-phone-light")
    # What is put elsewhere by hand is no longer at that address.
    page.get_by_role("button", name="I am here").click()
    expect(field).to_have_value("")
    expect(name_field(page)).to_have_value(called(house))


@pytest.mark.intercepted
def test_answers_to_what_was_typed_before_are_dropped(alone, house):
    page = alone(permissions=[])
    held = []

    def hold(route):
        held.append(route) if "q=He&" in route.request.url + "&" else route.continue_()

    page.route("**/places/suggestions?*", hold)
    page.goto(URL + "/parking")
    field = search_field(page)
    field.press_sequentially("He")
    assert len(until(page, lambda: held)) == 1
    field.fill(house["name"])
    expect(page.get_by_role("option").first).to_contain_text(house["name"])
    for route in held:
        try:
            route.continue_()
        except Exception:  # the page has given it up, as it should
            pass
    page.wait_for_timeout(500)
    expect(page.get_by_role("option").first).to_contain_text(house["name"])
    field.fill("H")
    expect(page.get_by_role("option")).to_have_count(0)
    field.fill("Qqxyzzyplugh")
    expect(page.locator(".offers-list")).to_have_text("No place of that name is known here.")


def test_a_place_one_is_not_at_without_scripts(alone, ada, far_house):
    page = alone(ada, script=False)
    page.goto(URL + "/parking")
    page.get_by_label("Search for an address or a place").fill(far_house["name"])
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("heading", name=f"Places called “{far_house['name']}”")).to_be_visible()
    page.get_by_role("link", name=far_house["name"], exact=True).first.click()
    expect(page.get_by_role("heading", name=f"near {far_house['name']}")).to_be_visible()

    page.goto(URL + "/share")
    page.get_by_label("Address or place").fill(far_house["name"])
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("Several places are called so.")).to_be_visible()
    page.get_by_role("radio", name=re.compile(f"^{re.escape(far_house['name'])}\\b")).first.check()
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("You left the name empty")).to_be_visible()
    expect(name_field(page)).to_have_value(re.compile("^near "))
    name_field(page).fill(f"Without scripts, by its address {RUN}")
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("Your spot is on the map")).to_be_visible()


@SIZES
def test_what_is_near(alone, size, house):
    page = alone(size=size, geolocation=at(house))
    page.goto(URL + "/places")
    expect(page.get_by_role("heading", name="Restaurants near you")).to_be_visible()
    cards = page.locator("[data-place]")
    distances = [int(card.get_attribute("data-metres")) for card in cards.all()]
    assert len(distances) == 20 and distances == sorted(distances)
    look_at(page, f"nearby-restaurants-{'phone' if size is PHONE else 'desktop'}-light")
    page.get_by_role("link", name="More").click()
    expect(cards).to_have_count(40)
    expect(page.locator("#map .leaflet-marker-icon.pin, #map .leaflet-marker-icon.cluster").first).to_be_visible()
    for kind in ("Buildings", "Car parks", "Towns"):
        page.get_by_role("link", name=kind, exact=True).click()
        expect(page.get_by_role("heading", name=f"{kind} near you")).to_be_visible(timeout=20_000)
        expect(cards.first).to_be_visible()
    expect(page.get_by_role("link", name="Helsinki", exact=True).first).to_be_visible()


def test_where_nothing_is_near(alone):
    page = alone(permissions=[])
    page.goto(URL + "/places?near=-48.9,-123.4&kind=hotel")
    expect(page.get_by_role("heading", name="Nothing of that kind here")).to_be_visible()
    look_at(page, "nearby-empty-phone-light")
    page.get_by_role("link", name="Look farther").click()
    expect(page.get_by_text("within 50 km").first).to_be_visible()
    expect(page.get_by_role("link", name="Look farther")).to_have_count(0)


def test_a_marker_of_the_list_leads_to_the_place(alone, house):
    page = alone(size=DESKTOP, permissions=[])
    page.goto(URL + f"/places?kind=parking&near={at(house)['latitude']},{at(house)['longitude']}")
    pin = page.locator("#map .leaflet-marker-icon.pin").first
    expect(pin).to_be_visible()
    pin.focus()
    page.keyboard.press("Enter")
    popup = page.locator(".leaflet-popup")
    expect(popup.get_by_role("link", name=re.compile("^Directions to "))).to_be_visible()
    look_at(page, "nearby-popup-desktop-light")
    heading = popup.locator("h2").inner_text()
    popup.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()


def test_the_page_of_a_place(alone, ada, house, far_house):
    page = alone(ada, geolocation=at(house))
    page.goto(URL + f"/places/{far_house['id']}")
    expect(page.get_by_text("in a straight line")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^[\d.]+ k?m on foot, about \d+ minutes?$"))).to_be_visible()
    said = page.locator("[data-way]").inner_text()
    page.goto(URL + f"/places/{far_house['id']}?at={at(house)['latitude']},{at(house)['longitude']}")
    expect(page.locator("[data-way]")).to_have_text(said)
    expect(page).to_have_url(URL + f"/places/{far_house['id']}")
    look_at(page, "place-phone-light")
    page.get_by_role("link", name="Share a spot here").click()
    page.get_by_role("button", name="Go on without a picture").click()
    expect(page.get_by_label("Latitude")).to_have_value(str(far_house["position"]["latitude"]))
    expect(name_field(page)).to_have_value(re.compile(f"^near {re.escape(far_house['name'])}"))


def test_directions_open_what_the_device_has(alone, shown):
    for agent, address in ((ANDROID, "geo:"), (None, "https://www.openstreetmap.org/directions?to=")):
        page = alone(user_agent=agent) if agent else alone()
        page.goto(URL + shown)
        link = page.get_by_role("link", name="Open in my map")
        assert link.get_attribute("href").startswith(address)
        for name in ("OpenStreetMap", "Google Maps", "Apple Maps"):
            assert page.get_by_role("link", name=name, exact=True).get_attribute("rel") == "noreferrer"
