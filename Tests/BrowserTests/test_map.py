"""Maps: moved, looked at closely, in clusters, with one's own place; the list beside them says and does the same. No other host is asked for anything."""

import json
import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, RUN, URL, Person, join, look_at, share_spot
from maps import COLOURS, drawn

BOTH = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
# What pins and clusters come to.
PINS = """() => [...document.querySelectorAll('#map .pin')].length
    + [...document.querySelectorAll('#map .cluster span')].reduce((sum, count) => sum + Number(count.textContent), 0)"""


@pytest.fixture
def alone(window):
    """Windows in which every host but Kampong's is cut off; at the end, nobody has wanted any."""
    wanted = []

    def refuse(route):
        wanted.append(route.request.url)
        route.abort()

    def open_window(*given, **more):
        page = window(*given, **more)
        page.context.route(lambda address: address.startswith("http") and not address.startswith(URL), refuse)
        return page

    yield open_window
    assert not wanted, wanted


@pytest.fixture(scope="module")
def three(browser, about, somewhere):
    """Three spots of somebody's a few steps from each other: their place, their names."""
    from conftest import Windows
    windows, (latitude, longitude) = Windows(browser, about), somewhere()
    page, names = windows(), [f"Arcade {number} {RUN}" for number in (1, 2, 3)]
    join(page, Person("Cara Ong"))
    for step, name in enumerate(names):
        share_spot(page, name, (latitude + step * 0.00001, longitude))
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return (latitude, longitude), names


def scale(page):
    return page.locator(".leaflet-control-scale-line").inner_text()


def look_closer(page, name):
    """Presses the cluster until the pin of that name is out of it."""
    for _ in range(6):
        if page.locator(f'#map .pin[aria-label="Free spot: {name}"]').count():
            return
        page.locator("#map .cluster").first.click()
        page.wait_for_timeout(300)
    raise AssertionError(f"{name} is still in a cluster")


def box_around(place, reach=0.0004):
    return ",".join(f"{number:.6f}" for number in (place[1] - 2 * reach, place[0] - reach, place[1] + 2 * reach, place[0] + reach))


def shift_of(page):
    return page.evaluate("getComputedStyle(document.querySelector('#map .leaflet-map-pane')).transform")


@BOTH
def test_pan_and_zoom(alone, ben, about, size):
    page, center = alone(ben, size), about["center"]
    page.goto(f"{URL}/parking?near={center['latitude']},{center['longitude']}")
    assert drawn(page) > 20, "streets and houses have more colours than that"
    credit = page.locator("#map .leaflet-control-attribution")
    expect(credit).to_contain_text("© OpenStreetMap contributors, ODbL 1.0")
    expect(credit).not_to_contain_text("Natural Earth")
    expect(page.locator(".map-note")).to_have_count(0)

    frame = page.locator("#map").bounding_box()
    x, y = frame["x"] + frame["width"] * 0.3, frame["y"] + frame["height"] * 0.4
    before = shift_of(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=4)
    page.mouse.up()
    assert shift_of(page) != before
    assert drawn(page) > 20

    near = scale(page)
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    expect(page.locator(".leaflet-control-scale-line")).not_to_have_text(near)
    drawn(page)
    for _ in range(14):
        if page.locator(".leaflet-control-zoom-out.leaflet-disabled").count():
            break
        page.get_by_role("button", name="Zoom out").click()
    assert drawn(page) > 3, "land, sea, and names of towns"
    expect(credit).to_contain_text("Natural Earth")
    expect(credit).to_contain_text("GeoNames, CC BY 4.0")
    expect(credit).not_to_contain_text("OpenStreetMap")
    look_at(page, f"map-world-{size['width']}")


@BOTH
def test_by_keyboard_and_without_motion(alone, ben, about, size):
    page, center = alone(ben, size), about["center"]
    page.goto(f"{URL}/parking?near={center['latitude']},{center['longitude']}")
    drawn(page)
    world = page.get_by_role("group", name="Map. Arrow keys move it")
    world.focus()
    before = shift_of(page)
    page.keyboard.press("ArrowRight")
    assert shift_of(page) != before, "moved at once, since less motion is wanted"
    assert page.locator(".leaflet-pan-anim, .leaflet-zoom-anim").count() == 0
    near = scale(page)
    page.keyboard.press("-")
    page.keyboard.press("-")
    expect(page.locator(".leaflet-control-scale-line")).not_to_have_text(near)


@BOTH
def test_what_is_close_together_is_one_cluster_until_one_looks_closer(alone, ben, three, size):
    page, (place, names) = alone(ben, size), three
    page.goto(f"{URL}/parking?bbox={box_around(place)}&at={place[0]},{place[1]}")
    for name in names:
        expect(page.locator("#spots [data-spot]", has_text=name)).to_be_visible()
    cards = page.locator("#spots [data-spot]").count()
    assert page.evaluate(PINS) == cards, "the map has as many as the list"
    cluster = page.locator("#map .cluster").first
    expect(cluster).to_have_attribute("aria-label", re.compile(r"^\d+ places here: look closer$"))
    look_at(page, f"map-cluster-{size['width']}")
    look_closer(page, names[0])
    for name in names:
        expect(page.locator(f'#map .pin[aria-label="Free spot: {name}"]')).to_be_visible()


@BOTH
def test_the_list_says_and_does_what_the_map_does(alone, ben, three, size):
    page, (place, names) = alone(ben, size), three
    page.goto(f"{URL}/parking?bbox={box_around(place)}&at={place[0]},{place[1]}")
    look_closer(page, names[0])
    card = page.locator("#spots [data-spot]", has_text=names[0])
    page.locator(f'#map .pin[aria-label="Free spot: {names[0]}"]').click(force=True)
    popup = page.locator(".leaflet-popup")
    expect(popup.get_by_role("heading")).to_have_text(names[0])
    # Not the words: how long ago that is may turn between the two.
    expect(popup.locator("p.small time")).to_have_attribute("datetime", card.locator("p.small time").get_attribute("datetime"))
    expect(popup.locator("p.small [data-distance]")).to_have_text(card.locator("p.small [data-distance]").inner_text())
    expect(popup.locator("[data-price]")).to_have_text(card.locator("[data-price]").inner_text())
    assert popup.get_by_role("link", name="Details").get_attribute("href") == card.locator("h2 a").get_attribute("href")
    expect(card).to_have_class(re.compile("chosen"))
    # And by the list alone, to the same question.
    href = popup.get_by_role("link", name="Claim").get_attribute("href")
    card.locator("h2 a").click()
    assert page.get_by_role("link", name="Claim this spot").get_attribute("href") == href


COUNT = ("window.asked = 0; const ask = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation);"
         "navigator.geolocation.getCurrentPosition = (...given) => { asked += 1; ask(...given); };")


@BOTH
def test_ones_own_place_is_asked_for_when_it_is_wanted(alone, ben, about, size):
    here = {"latitude": about["center"]["latitude"] + 0.0015, "longitude": about["center"]["longitude"]}
    page = alone(ben, size, permissions=[])
    page.add_init_script(COUNT)
    page.goto(URL + "/parking")
    drawn(page)
    assert page.evaluate("asked") == 0 and page.locator("#map .here").count() == 0
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation(here)
    with page.expect_response(lambda answer: "/parking?near=" in answer.url):
        page.get_by_role("button", name="Spots near me").click()
    assert page.evaluate("asked") == 1
    expect(page.locator("#map .here")).to_be_visible()
    expect(page.locator("#locate")).to_have_attribute("aria-pressed", "true")
    metres = page.locator("#spots [data-spot]").evaluate_all("(cards) => cards.map((card) => Number(card.dataset.metres))")
    assert metres == sorted(metres) and metres, "nearest first"


@BOTH
def test_sharing_asks_for_it_by_its_button(alone, ben, about, size):
    page = alone(ben, size, permissions=[])
    page.add_init_script(COUNT)
    page.goto(URL + "/share")
    page.get_by_role("button", name="Go on without a picture").click()
    expect(page.locator("#pin-map canvas").first).to_be_attached()
    assert page.evaluate("asked") == 0
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation(about["center"])
    page.locator("#pin-here").click()
    expect(page.get_by_label("Latitude")).to_have_value(f"{about['center']['latitude']:.6f}")
    assert page.evaluate("asked") == 1


@BOTH
def test_where_there_is_no_map_of_streets_it_says_so_and_shows_the_world(alone, ben, size):
    page = alone(ben, size)
    page.goto(f"{URL}/parking?near=-15.3,-30.1")
    expect(page.get_by_text("There is no map of streets here yet.")).to_be_visible()
    look_at(page, f"map-nowhere-{size['width']}")
    for _ in range(14):
        if page.locator(".leaflet-control-zoom-out.leaflet-disabled").count():
            break
        page.get_by_role("button", name="Zoom out").click()
    assert drawn(page) > 3
    expect(page.get_by_text("There is no map of streets here yet.")).to_have_count(0)


@BOTH
def test_the_page_of_a_spot_has_its_map_and_says_the_same_in_words(alone, ben, shown, size):
    page = alone(ben, size)
    page.goto(URL + shown)
    world = page.get_by_role("region", name=re.compile("bakery"))
    expect(world.locator("canvas.leaflet-tile-loaded").first).to_be_attached()
    expect(world.locator(".pin")).to_have_count(1)
    expect(world.locator(".leaflet-control-attribution")).to_contain_text("© OpenStreetMap contributors")
    latitude, longitude = (float(number) for number in world.get_attribute("data-center").split(","))
    said = [float(number) for number in re.findall(r"-?\d+\.\d+", page.locator("dl.facts").inner_text().split("Where")[-1])[:2]]
    assert said == pytest.approx([latitude, longitude], abs=1e-5)


def with_tiles(page, url, serve):
    """Lets the page believe that the operator has chosen a tile server, which `serve` plays."""
    index = {"sets": [], "tileServer": {"url": url, "maxZoom": 19, "attribution": {"text": "© Some <b>Body</b>", "link": "https://tiles.example.org/terms"}}}
    page.context.route("**/map/*/index.json", lambda route: route.fulfill(body=json.dumps(index), content_type="application/json"))

    def let_in(route):
        answer = route.fetch()
        policy = answer.headers["content-security-policy"].replace("img-src 'self'", "img-src 'self' https://tiles.example.org")
        route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})

    page.context.route(lambda address: address.startswith(URL + "/parking"), let_in)
    page.context.route("https://tiles.example.org/**", serve)


@pytest.mark.intercepted
def test_tiles_of_a_server_that_the_operator_chose(window, ben, about):
    asked, page, center = [], window(ben, DESKTOP), about["center"]

    def serve(route):
        asked.append((route.request.url, route.request.headers.get("referer")))
        route.fulfill(body='<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#cde"/></svg>',
                      content_type="image/svg+xml", headers={"Cross-Origin-Resource-Policy": "cross-origin"})

    with_tiles(page, "https://tiles.example.org/{z}/{x}/{y}.svg", serve)
    page.goto(f"{URL}/parking?near={center['latitude']},{center['longitude']}")
    expect(page.locator("#map img.leaflet-tile-loaded").first).to_be_attached()
    credit = page.locator("#map .leaflet-control-attribution")
    expect(credit).to_contain_text("© Some <b>Body</b>")
    expect(credit).to_contain_text("tiles from tiles.example.org, which sees that somebody looks here")
    assert asked and {referer for _, referer in asked} == {URL + "/"}, "who asks, and not which page"
    assert page.locator("#map canvas").count() == 0


@pytest.mark.intercepted
def test_where_the_tile_server_is_away_our_own_ground_is_drawn(window, ben, about):
    page, center = window(ben), about["center"]
    with_tiles(page, "/tiles-that-are-not/{z}/{x}/{y}.png", lambda route: route.abort())
    page.context.route("**/tiles-that-are-not/**", lambda route: route.fulfill(status=200, body="no picture", content_type="image/png"))
    page.goto(f"{URL}/parking?near={center['latitude']},{center['longitude']}")
    expect(page.locator("#map canvas").first).to_be_attached()
