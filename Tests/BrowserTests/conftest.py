"""One browser for the run; for each test people in windows of their own. Whatever a page complains about fails its test."""

import collections
import contextlib
import functools
import os
import pathlib
import random
import re

import pytest
from playwright.sync_api import Error, Locator, expect, sync_playwright

import kampong
from kampong import CHROMIUM, CHROMIUM_SHELL, FAILURES, PHONE, RUN, URL, Person, begin_anew, call, join, picture, promote

# How long a busy machine may take is nothing that a test is about: what is not there after this does not come.
expect.set_options(timeout=15_000)
FLAGS = ["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--force-color-profile=srgb"]
TOLD = {401, 403, 404, 409, 413, 415, 422, 429, 502, 503}  # a page that says so is a page


def once_loaded(act):
    """`act` on a page whose scripts have run: whoever is faster than they are gets what works without them, which other tests are about."""
    @functools.wraps(act)
    def patient(locator, *arguments, **more):
        locator.page.wait_for_load_state()
        return act(locator, *arguments, **more)
    return patient


for name in ("check", "click", "fill", "press", "press_sequentially", "select_option", "set_input_files", "tap", "uncheck"):
    setattr(Locator, name, once_loaded(getattr(Locator, name)))


def pytest_sessionstart(session):
    if not URL:
        pytest.exit("KAMPONG_URL is not set: the address of a running Kampong.", returncode=3)
    if not CHROMIUM:
        pytest.exit("There is no chromium: install the package chromium, or set KAMPONG_CHROMIUM.", returncode=3)


def pytest_configure(config):
    config.addinivalue_line("markers", "intercepted: answers its pages' own requests, which a service worker that has just come may send past the test")
    config.addinivalue_line("markers", "device: is about what the device itself shows of Kampong, which a Chromium without a screen has nothing for")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed and "window" in item.funcargs:
        report.sections.append(("windows", item.funcargs["window"].keep(item.nodeid)))
        if "college" in item.funcargs:
            report.sections.append(("college", item.funcargs["college"].log()))
    return report


@pytest.fixture(autouse=True)
def one_day():
    """A test begins on the day on which it ends: it says more than once which day is the third from now."""
    kampong.not_at_the_end_of(24 * 3600)


@pytest.fixture
def one_hour():
    """The same for hours."""
    kampong.not_at_the_end_of(3600)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium):
    browser = chromium.launch(executable_path=CHROMIUM_SHELL, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_browser(chromium):
    browser = chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def about(browser):
    context = browser.new_context()
    answer = context.request.get(URL + "/v1/about").json()
    context.close()
    return answer


@pytest.fixture(scope="session")
def somewhere(about):
    """Places of this run: near the centre, never twice the same, so that runs on one Kampong don't meet."""
    dice = random.Random(RUN)
    center = about["center"]
    return lambda: (center["latitude"] + dice.uniform(-0.006, 0.006), center["longitude"] + dice.uniform(-0.012, 0.012))


@pytest.fixture(scope="session")
def photo(tmp_path_factory):
    return picture(tmp_path_factory.mktemp("pictures") / "street.png", seed=len(RUN))


@pytest.fixture(scope="session")
def houses(browser):
    """House numbers of the extract that deploy/test imports, each the only one of its name."""
    context = browser.new_context()
    found = context.request.get(URL + "/v1/places?q=Fabianinkatu%203&near=60.1708,24.9495&kind=address&limit=20").json()["items"]
    context.close()
    assert len(found) > 2, "The extract is not imported: deploy/places import, as deploy/test does."
    return found


@pytest.fixture(scope="session")
def house(houses):
    return houses[0]


@pytest.fixture(scope="session")
def far_house(houses):
    """Another one, which is not named like the first."""
    return max(houses, key=lambda other: other["distance"])


@pytest.fixture(scope="session")
def restaurants(browser):
    """Restaurants of the extract, each the only one of its name, those of this process alone: nobody is asked for what belongs to another test."""
    context = browser.new_context()
    found, asked = [], {"at": "60.1708,24.9495", "kind": "restaurant", "radius": 700, "limit": 50}
    while asked and len(found) < 400:
        answer = context.request.get(URL + "/v1/places/nearby", params=asked).json()
        found += answer["items"]
        asked = answer.get("next") and {**asked, "cursor": answer["next"]}
    context.close()
    # As people search: by however much of a name, in whatever letters.
    names = collections.Counter(place["name"].casefold() for place in found)
    once = [place for place in found if len(place["name"]) > 4 and sum(names[name] for name in names if name.startswith(place["name"].casefold())) == 1]
    mine = once[int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])::int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))]
    random.Random(RUN).shuffle(mine)
    assert len(mine) > 12, "The extract is not imported: deploy/places import, as deploy/test does."
    return mine


@pytest.fixture(scope="session")
def restaurant(restaurants):
    """The next one that no test has used."""
    return functools.partial(next, iter(restaurants))


class Windows:
    """Opens windows and remembers what was wrong in them."""

    def __init__(self, browser, about, **more):
        self.browser = browser
        self.about = about
        self.more = more
        self.open = []
        self.wrong = []

    def __call__(self, person=None, size=PHONE, scheme="light", script=True, language="en-GB", **more):
        center = self.about["center"]
        context = self.browser.new_context(
            viewport=size, color_scheme=scheme, java_script_enabled=script, locale=language, reduced_motion="reduce",
            storage_state=person.state if person else None, has_touch=size is PHONE, device_scale_factor=1,
            **{"geolocation": center, "permissions": ["geolocation", "camera"], **self.more, **more})
        context.set_default_timeout(20_000)
        self.open.append((context, person))
        page = context.new_page()
        self.watch(page)
        return page

    def watch(self, page):
        page.on("pageerror", lambda error: self.wrong.append(f"error at {page.url}: {error}"))
        page.on("console", lambda message: self.hear(page, message))
        page.on("response", lambda response: self.see(page, response))

    def hear(self, page, message):
        # What an identity provider's pages complain about is its own business.
        if not page.url.startswith(URL) or message.text == "Service Worker registration blocked by Playwright":
            return
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.wrong.append(f"console at {page.url}: {message.text}")

    def see(self, page, response):
        if response.status < 400 or not response.url.startswith(URL) or response.request.resource_type == "document" and response.status in TOLD:
            return
        if response.request.resource_type in ("fetch", "xhr", "eventsource") and response.status in TOLD:
            return
        self.wrong.append(f"{response.status} for {response.url} at {page.url}")

    def told(self):
        """What was wrong until now, which is then no longer kept."""
        told, self.wrong = self.wrong, []
        return told

    def keep(self, name):
        """What all the windows show: said in words, and pictures of it in the folder for those who ask why a test has failed."""
        name, said = re.sub(r"[^\w.-]+", "-", name.rpartition("/")[2]).strip("-"), []
        for number, page in enumerate([page for context, _ in self.open for page in context.pages], 1):
            said.append(f"{number}: {page.url}")
            # What hangs has neither words nor a picture, and the test says itself what was wrong.
            with contextlib.suppress(Error):
                said.append(page.locator("body").inner_text(timeout=5_000)[:1000])
            if FAILURES:
                with contextlib.suppress(Error):
                    page.screenshot(path=pathlib.Path(FAILURES) / f"{name}-{number}.png", timeout=10_000)
        return "\n".join(said)

    def close(self):
        for context, person in self.open:
            if person and person.state:
                person.state = context.storage_state()
            context.close()


@pytest.fixture
def window(browser, about, request):
    chosen = request.getfixturevalue("whole_browser") if request.node.get_closest_marker("device") else browser
    windows = Windows(chosen, about, **({"service_workers": "block"} if request.node.get_closest_marker("intercepted") else {}))
    yield windows
    if windows.wrong:
        windows.wrong.append(windows.keep(request.node.nodeid))
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)


def newcomer(browser, name, keeps_order=False):
    person, context = Person(name), browser.new_context()
    join(context, person)
    if keeps_order:
        person.id = call(context, "GET", "/v1/me")["id"]
        assert "keeps order" in promote(person)
        begin_anew(context, person)
    person.state = context.storage_state()
    context.close()
    return person


@pytest.fixture(scope="session")
def ada(browser):
    return newcomer(browser, "Ada Lindqvist")


@pytest.fixture(scope="session")
def ben(browser):
    return newcomer(browser, "Ben Tan")


@pytest.fixture(scope="session")
def olaf(browser):
    return newcomer(browser, "Olaf Berg")


@pytest.fixture(scope="session")
def maud(browser):
    """Who keeps order, where it is not looked at how one comes to do so, or does no longer."""
    return newcomer(browser, "Maud Koch", keeps_order=True)


@pytest.fixture
def nora(browser):
    """Somebody new each time, who was told nothing yet."""
    return newcomer(browser, "Nora Falk")


@pytest.fixture(scope="session")
def shown(browser, about, ada, photo, somewhere):
    """A spot of Ada's with picture and price that no test claims: its address."""
    windows = Windows(browser, about)
    price = {"amount": 250, "currency": about["currency"]}
    path = kampong.share_spot(windows(ada), f"Next to the bakery {RUN}", somewhere(), photo, price=price)
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return path


@pytest.fixture(scope="session")
def room(browser, about, ben, shown):
    """Ben's chat with Ada about that spot: its address."""
    windows = Windows(browser, about)
    page = windows(ben)
    page.goto(URL + shown)
    page.get_by_role("button", name="Message Ada Lindqvist").click()
    page.get_by_role("textbox", name="Message to Ada Lindqvist").fill("Hello Ada! Is there room for a van? 🚐\nSee https://example.org/van")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#messages .message")).to_have_count(1)
    path = page.url.removeprefix(URL).split("#")[0]
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return path


@pytest.fixture(scope="session")
def things(browser, about, ada, photo, somewhere):
    """What Ada lets: the addresses of a car, a space and a driveway; and of a space that is a draft."""
    windows = Windows(browser, about)
    page = windows(ada)
    paths = {
        "car": kampong.let_thing(page, about, "cars", f"Quiet Yaris {RUN}", somewhere(), photo, description="Five seats.\nNo smoking, please."),
        "space": kampong.let_thing(page, about, "spaces", f"Dry cellar {RUN}", somewhere(), isInstant=True),
        "driveway": kampong.let_thing(page, about, "private-parking", f"Driveway {RUN}", somewhere(), price=None),
        "draft": kampong.let_thing(page, about, "spaces", f"Half a cellar {RUN}", somewhere(), photo, isComplete=False),
    }
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return paths


@pytest.fixture(scope="session")
def rental(browser, about, ben, things):
    """What Ben has asked of Ada, and waits for an answer to: the agreement's address, and what fills in the others' of its pages."""
    windows = Windows(browser, about)
    page = windows(ben)
    car = things["car"].rsplit("/", 1)[1]
    days = {"from": kampong.day(20), "until": kampong.day(22)}
    asked = kampong.call(page, "POST", f"/v1/cars/{car}/rentals", days | {"message": "For a move across town."})
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return {"rental": f"/rentals/{asked['id']}", "car_id": car, "driveway_id": things["driveway"].rsplit("/", 1)[1], **days}


@pytest.fixture(scope="session")
def ride(browser, about, ada, ben, somewhere):
    """One that Ada drives, and Ben has on his list: its address, and that of what is looked for where it is found."""
    windows = Windows(browser, about)
    stops = [(f"Bakery {RUN}", somewhere()), (f"Halfway {RUN}", (60.28, 25.02)), (f"Harbour {RUN}", (60.39, 25.1))]
    draft = {
        "stops": [{"name": name, "position": dict(zip(("latitude", "longitude"), position))} for name, position in stops], "departsAt": kampong.day(9) + "T15:00:00Z",
        "seats": 3, "cost": {"amount": 800, "currency": about["currency"]}, "notes": "No smoking, please.\nThere is room for a cello."}
    id = kampong.call(windows(ada), "POST", "/v1/rides", draft)["id"]
    kampong.call(windows(ben), "PUT", f"/v1/saved-rides/{id}")
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    found = f"/rides/search?from=60.1708,24.944%20Centre&to=60.39,25.1%20Harbour&day={kampong.day(9)}&time=17:00"
    return {"ride": f"/rides/{id}", "found": found}


@pytest.fixture(scope="session")
def seat(browser, about, ada, ben, somewhere):
    """What Ben has asked for in another ride of Ada's, and waits for an answer to: the addresses of both."""
    windows = Windows(browser, about)
    stops = [(f"Mill {RUN}", somewhere()), (f"Crossing {RUN}", (60.28, 25.02)), (f"Quay {RUN}", (60.39, 25.1))]
    draft = {
        "stops": [{"name": name, "position": dict(zip(("latitude", "longitude"), position))} for name, position in stops], "departsAt": kampong.day(11) + "T15:00:00Z",
        "seats": 3, "cost": {"amount": 800, "currency": about["currency"]}}
    ride = kampong.call(windows(ada), "POST", "/v1/rides", draft)["id"]
    asked = kampong.call(windows(ben), "POST", f"/v1/rides/{ride}/requests", {"seats": 2, "riders": ["Ava", "Tom"], "message": "With two bags.\nThank you!"})["id"]
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return {"asked_ride": f"/rides/{ride}", "seat": f"/seats/{asked}"}


@pytest.fixture(scope="session")
def delivery(browser, about, ada, ben, house, restaurant):
    """What Ben brings Ada, with another hand free; and what she has ordered elsewhere, where nobody is: the addresses of both, and of where he is."""
    windows = Windows(browser, about)
    bens, adas, (here, elsewhere) = windows(ben), windows(ada), (restaurant(), restaurant())
    to = {"name": house["name"], "position": house["position"]}
    going = kampong.call(bens, "PUT", "/v1/delivery", {"restaurant": here["id"], "dropOff": to, "capacity": 2, "minutes": 180})
    terms = {"dropOff": to, "fee": {"amount": 200, "currency": about["currency"]}, "limit": {"amount": 1500, "currency": about["currency"]}, "minutes": 180}
    items = f"Salmon soup {RUN}, large.\nWithout dill, if they can."
    order = kampong.call(adas, "POST", "/v1/orders", terms | {"from": [{"restaurant": here["id"], "items": items}], "availability": going["id"]})
    match = order["asked"]["match"]
    kampong.call(bens, "POST", f"/v1/matches/{match}/accept", {"minutes": 10})
    waiting = kampong.call(adas, "POST", "/v1/orders", terms | {"from": [{"restaurant": elsewhere["id"], "items": "Two coffees."}]})
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return {"match": f"/matches/{match}", "order": f"/orders/{waiting['id']}", "restaurant": f"/restaurants/{here['id']}"}


@pytest.fixture(scope="session")
def search(browser, about, ada, ben, somewhere):
    """What Ben looks for, one that he has paused, and a ride that he seeks so that others see it, where nobody drives: their addresses, and that of what the first has found,
    which Ada lets."""
    windows = Windows(browser, about)
    bens, word = windows(ben), f"lighthouse{RUN}"
    look = lambda **things: kampong.call(bens, "POST", "/v1/wanted", {"query": {"things": things}})["id"]
    id, paused = look(kind="space", q=word), look(kind="car", brand="Toyota", model="Yaris", highestPrice=3000, **{"from": kampong.day(20), "until": kampong.day(22)})
    kampong.call(bens, "PATCH", f"/v1/wanted/{paused}", {"isPaused": True})
    rides = {"from": {"latitude": 61.2, "longitude": 23.0}, "to": {"latitude": 61.4, "longitude": 23.4}, "at": kampong.day(20) + "T15:00:00Z", "seats": 2}
    sought = kampong.call(bens, "POST", "/v1/wanted", {"query": {"rides": rides}, "isVisible": True})["id"]
    found = kampong.let_thing(windows(ada), about, "spaces", f"Below the {word}", somewhere())
    assert kampong.until(bens, lambda: kampong.call(bens, "GET", f"/v1/wanted/{id}")["found"] == 1)
    # He was told, and knows: others' tests count what he does not.
    about_it = {"kind": "thing", "id": found.rsplit("/", 1)[1]}
    assert kampong.until(bens, lambda: any(told["subject"] == about_it for told in kampong.call(bens, "GET", "/v1/notifications")["items"]))
    kampong.call(bens, "PUT", "/v1/notifications/read", {"about": about_it})
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return {"wanted": f"/wanted/{id}", "paused": f"/wanted/{paused}", "found_space": f"{found}?found=yes", "sought": f"/wanted/{sought}"}


@pytest.fixture(scope="session")
def neighbour(browser, about, ada, shown):
    """Ada's page, as others see it: its address."""
    windows = Windows(browser, about)
    page = windows(ada)
    page.goto(URL + "/me/edit")
    page.get_by_label("About you").fill("I bake.\nAsk me about the neighbourhood.")
    page.get_by_label("Make").fill("Toyota")
    page.get_by_label("Colour").fill("blue")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(URL + "/me")
    page.goto(URL + shown)
    path = page.locator('a[href^="/people/"]').get_attribute("href")
    windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
    return path
