"""Sharing for rent: a car with photos and a plate that is wrong at first, a space step by step, drafts, and looking after what one shares."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, RUN, URL, look_at, picture, plate, see_through, until

DIGEST = "[0-9a-f]{64}"


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Two that nobody has sent yet."""
    folder = tmp_path_factory.mktemp("cars")
    return [picture(folder / f"{name}.png", seed=len(RUN) + extra, width=400 + extra, height=300) for name, extra in (("front", 11), ("inside", 22))]


def choose_region(page, about):
    field = page.get_by_label("Region")
    field.select_option(about["regions"][0]) if about["regions"] else field.fill("Harbour")


def test_a_car_is_shared_with_photos_and_a_plate_that_was_wrong_at_first(window, about, ada, ben, photos, house):
    page, title, mine = window(ada), f"Honda, nearly new {RUN}", plate()
    wrong = mine[:-1] + ("A" if mine[-1] != "A" else "B")
    page.goto(URL + "/cars/new")
    page.get_by_label("Choose photos").set_input_files(photos)
    # Each is sent at once, and the order is that of the list.
    expect(page.locator("[data-ids]")).to_have_value(re.compile(f"^{DIGEST} {DIGEST}$"))
    first, second = page.locator("[data-ids]").input_value().split()
    expect(page.get_by_role("button", name="Move photo 1 forward")).to_be_disabled()
    page.get_by_role("button", name="Move photo 2 forward").click()
    expect(page.locator("[data-ids]")).to_have_value(f"{second} {first}")
    expect(page.locator(".shot").first.get_by_text("Cover")).to_be_visible()
    # A model is one of its brand's.
    model = page.get_by_label("Model")
    expect(model).to_be_disabled()
    page.get_by_label("Brand").select_option("Honda")
    model.select_option("Jazz")
    page.get_by_label("Number plate").fill(wrong)
    page.get_by_label("Title").fill(title)
    page.get_by_label("Description").fill("Five seats.\nNo smoking, please.")
    # The address says what everybody may know: without the number of the house.
    page.get_by_label("Find it on the map").press_sequentially(house["name"])
    page.locator("[role=option]").first.click()
    place = page.get_by_label("What everybody may know of where it is")
    expect(place).to_have_value(re.compile(r"^near \D+$"))
    door = page.get_by_label("The door")
    expect(door).not_to_have_value("")
    door.fill(f"{house['name']} B 12")
    choose_region(page, about)
    page.get_by_label("Price for a day").fill("25,50")
    page.get_by_label("At most how many days").fill("7")
    page.locator("label", has_text="Strict").click()
    page.get_by_role("button", name="Share this car").click()
    expect(page.get_by_text("The last letter does not belong to this number.")).to_be_visible()
    expect(page.get_by_label("Number plate")).to_be_focused()
    expect(page.locator(".shot")).to_have_count(2)
    expect(page.get_by_label("Model")).to_have_value("Honda: Jazz")
    expect(page.get_by_role("radio", name=re.compile("Strict"))).to_be_checked()
    look_at(page, "share-car-refused-phone-light")
    page.get_by_label("Number plate").fill(mine)
    page.get_by_role("button", name="Share this car").click()
    expect(page.get_by_text("Shared. Your neighbours can ask for it now.")).to_be_visible()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    car = page.url.split("?")[0]
    other = window(ben)
    other.goto(car)
    expect(other.get_by_role("heading", name=title)).to_be_visible()
    assert mine not in other.content() and wrong not in other.content(), "the plate is its owner's alone"
    expect(other.get_by_text("B 12", exact=False)).to_have_count(0)

    # Edited: the plate stays where none is typed, and one photo goes.
    page.goto(URL + f"/things/{car.rsplit('/', 1)[1]}/edit")
    assert mine not in page.content()
    page.get_by_role("button", name="Remove photo 2").click()
    expect(page.locator(".shot")).to_have_count(1)
    page.get_by_label("Title").fill(f"{title}!")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=f"{title}!")).to_be_visible()

    # Its calendar: a day is kept for oneself, and let again.
    day = datetime.date.today() + datetime.timedelta(days=40)
    page.goto(URL + f"/things/{car.rsplit('/', 1)[1]}/calendar")
    page.get_by_label("Last day").fill(day.isoformat())
    page.get_by_role("button", name="Block it").click()
    expect(page.get_by_label("First day")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("First day").fill(day.isoformat())
    page.get_by_role("button", name="Block it").click()
    expect(page.get_by_text("Blocked. Nobody can ask for it then.")).to_be_visible()
    look_at(page, "own-calendar-phone-light")
    page.get_by_role("link", name="Let it again").click()
    page.get_by_role("button", name="Let it again").click()
    expect(page.get_by_text("It can be had again then.")).to_be_visible()

    # Off the list, and on it again.
    page.goto(URL + "/me/things")
    page.get_by_role("link", name=about_it("Take off the list", f"{title}!")).click()
    expect(page.get_by_role("dialog")).to_contain_text("What you have agreed stays agreed")
    page.get_by_role("button", name="Take it off").click()
    expect(page.get_by_role("heading", name="Off the list")).to_be_visible()
    page.get_by_role("navigation", name="Which of what I share").get_by_role("link", name="Off the list").click()
    expect(page).to_have_url(URL + "/me/things?state=withdrawn")
    look_at(page, "my-things-withdrawn-phone-light")
    assert other.goto(car).status == 404
    page.get_by_role("link", name=about_it("List again", f"{title}!")).click()
    page.get_by_role("button", name="List it").click()
    expect(page.get_by_text("It is on the list again.")).to_be_visible()


# What a picture shows in the middle of each of its three parts.
PIXELS = """async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const at = (part) => [...context.getImageData(Math.floor(canvas.width * part / 6), Math.floor(canvas.height / 2), 1, 1).data];
    return [at(1), at(3), at(5)];
}"""


def test_what_is_transparent_is_white_once_a_picture_was_made_smaller(window, ben, tmp_path):
    page = window(ben)
    page.goto(URL + "/private-parking/new")
    page.get_by_label("Choose photos").set_input_files(see_through(tmp_path / "logo.png"))
    expect(page.locator("[data-ids]")).to_have_value(re.compile(f"^{DIGEST}$"))
    shown = page.evaluate(PIXELS, f"/photos/{page.locator('[data-ids]').input_value()}/full")
    # The server would keep what is transparent as it is.
    for seen, meant in zip(shown, [(255, 255, 255), (127, 127, 127), (0, 160, 0)]):
        assert seen[3] == 255 and all(abs(one - other) <= 12 for one, other in zip(seen, meant)), shown


@pytest.mark.intercepted
def test_scripts_that_come_late_leave_whoever_writes_where_they_are(window, ada):
    page, held = window(ada, DESKTOP), []
    page.goto(URL + "/spaces/new")
    page.route(re.compile(r"/js/app\.js"), lambda route: held.append(route))
    press(page, "Next")
    expect(page.get_by_text("At which door is it?")).to_be_visible()
    expect(page.get_by_label("What everybody may know of where it is")).to_be_focused()
    page.get_by_label("The door").focus()
    [script] = until(page, lambda: held)
    script.continue_()
    page.wait_for_load_state("load")
    expect(page.get_by_label("The door")).to_be_focused()


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_space_is_shared_step_by_step(window, about, ada, photos, script):
    page, title = window(ada, DESKTOP if script else {"width": 390, "height": 844}, script=script), f"Dry cellar {script} {RUN}"
    page.goto(URL + "/spaces/new")
    press(page, "Next")
    expect(page.get_by_text("At which door is it?")).to_be_visible()
    page.get_by_label("What everybody may know of where it is").fill("Well Street")
    page.get_by_label("The door").fill("Well Street 5, cellar")
    choose_region(page, about)
    press(page, "Next")
    expect(page.get_by_text("Step 2 of 5")).to_be_visible()
    page.get_by_label("Title").fill(title)
    # Back keeps what was typed, on both sides.
    press(page, "Back")
    expect(page.get_by_label("The door")).to_have_value("Well Street 5, cellar")
    press(page, "Next")
    expect(page.get_by_label("Title")).to_have_value(title)
    # Cancelled and kept, it goes on where it lacks something; nobody else finds it.
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Keep it for later").click()
    expect(page.get_by_role("heading", name="Drafts")).to_be_visible()
    page.get_by_role("link", name=about_it("Go on", title)).click()
    expect(page.get_by_text("Step 2 of 5")).to_be_visible()
    page.get_by_label("Size in square metres").fill("12")
    press(page, "Next")
    page.get_by_label("Price for a day").fill("-3")
    press(page, "Next")
    expect(page.get_by_text("A price is a number, zero or more")).to_be_visible()
    page.get_by_label("Price for a day").fill("3")
    page.get_by_label("Time zone").select_option("Europe/Vienna")
    look_at(page, "wizard-terms-desktop-light") if script else None
    press(page, "Next")
    expect(page.get_by_text("Step 4 of 5")).to_be_visible()
    page.get_by_label("Choose photos").set_input_files(photos)
    if not script:
        page.get_by_role("button", name="Add what I have chosen").click()
        page.get_by_role("button", name="Move photo 2 forward").click()
        page.get_by_role("button", name="Remove photo 2").click()
    expect(page.locator(".shot")).to_have_count(2 if script else 1)
    press(page, "Next")
    expect(page.get_by_text("Step 5 of 5")).to_be_visible()
    expect(page.get_by_text("12 square metres")).to_be_visible()
    expect(page.get_by_text("Europe/Vienna")).to_be_visible()
    expect(page.locator(".shot")).to_have_count(2 if script else 1)
    look_at(page, f"wizard-confirm-{'desktop' if script else 'plain-phone'}-light") if script else None
    page.get_by_role("link", name=about_it("Change", "Size")).click()
    page.get_by_label("Size in square metres").fill("14")
    press(page, "Next")
    expect(page.get_by_text("14 square metres")).to_be_visible()
    press(page, "Share this space")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/spaces/[0-9a-f-]{36}"))


def test_of_two_windows_that_fill_in_one_draft_the_second_of_a_step_says_so(window, about, ada):
    one = window(ada)
    one.goto(URL + "/spaces/new")
    one.get_by_label("What everybody may know of where it is").fill(f"Mill Street {RUN}")
    one.get_by_label("The door").fill("Mill Street 1")
    choose_region(one, about)
    press(one, "Next")
    expect(one.get_by_text("Step 2 of 5")).to_be_visible()
    other = one.context.new_page()
    window.watch(other)
    other.goto(one.url)
    one.get_by_label("Title").fill("Dry <b>cellar")
    one.get_by_label("Size in square metres").fill("12")
    press(one, "Next")
    expect(one.get_by_text("Step 3 of 5")).to_be_visible()
    other.get_by_label("Title").fill("Wet cellar")
    other.get_by_label("Size in square metres").fill("14")
    press(other, "Next")
    told = other.get_by_role("alert")
    expect(told.get_by_role("heading", name="This was changed meanwhile")).to_be_visible()
    expect(told).to_contain_text("Dry <b>cellar")
    expect(other.get_by_text("Step 2 of 5")).to_be_visible()
    expect(other.get_by_label("Title")).to_have_value("Wet cellar")
    look_at(other, "wizard-meanwhile-phone-light")
    # Nothing was taken back, and what one decides is done.
    press(other, "Next")
    expect(other.get_by_text("Step 3 of 5")).to_be_visible()
    # The other step of the first window is nobody else's: it knows an older title, and takes nothing back.
    one.get_by_label("Price for a day").fill("3")
    press(one, "Next")
    expect(one.get_by_text("Step 4 of 5")).to_be_visible()
    # Back and forth in one window is one's own.
    one.go_back()
    expect(one.get_by_label("Price for a day")).to_have_value("3")
    one.go_back()
    expect(one.get_by_label("Title")).to_have_value("Wet cellar")
    one.get_by_label("Title").fill("Dry again")
    press(one, "Next")
    expect(one.get_by_text("Step 3 of 5")).to_be_visible()
    # What is shared is what was looked over.
    confirm = one.url.replace("/price", "/confirm")
    other.goto(confirm)
    expect(other.get_by_role("heading", name="Dry again")).to_be_visible()
    one.get_by_label("Price for a day").fill("5")
    press(one, "Next")
    expect(one.get_by_text("Step 4 of 5")).to_be_visible()
    press(other, "Share this space")
    expect(other.get_by_role("alert")).to_contain_text("Look it over once more")
    expect(other.locator(".facts")).to_contain_text(re.compile(r"\b5(\.00)? a day"))
    press(other, "Share this space")
    expect(other.get_by_text("Shared. Your neighbours can ask for it now.")).to_be_visible()


def test_a_draft_that_is_cancelled_is_deleted_after_a_question(window, about, ben):
    page = window(ben)
    page.goto(URL + "/spaces/new")
    page.get_by_role("link", name="Cancel").click()
    expect(page).to_have_url(re.compile("/spaces$"))
    page.goto(URL + "/spaces/new")
    page.get_by_label("What everybody may know of where it is").fill(f"Hill Street {RUN}")
    page.get_by_label("The door").fill("Hill Street 1")
    choose_region(page, about)
    press(page, "Next")
    expect(page.get_by_text("Step 2 of 5")).to_be_visible()
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Delete the draft").click()
    expect(page.get_by_text("The draft is deleted.")).to_be_visible()
    expect(page.get_by_text(f"Hill Street {RUN}")).to_have_count(0)


def test_where_it_is_is_a_pin_on_the_map(window, about, ada, ben, somewhere):
    page, title, here = window(ada, DESKTOP), f"Garage with a pin {RUN}", somewhere()
    page.context.set_geolocation({"latitude": here[0], "longitude": here[1]})
    page.goto(URL + "/private-parking/new")
    position = page.locator("[data-position]")
    expect(page.locator("#pin-map canvas").first).to_be_attached()
    expect(position).to_have_value("")
    # Where the person is; then elsewhere by a touch, and by the keyboard alone.
    page.get_by_role("button", name="I am here").click()
    expect(position).to_have_value(f"{here[0]:.6f},{here[1]:.6f}")
    expect(page.locator("#pin-hint")).to_contain_text("The pin is where you are.")
    page.locator("#pin-map").click(position={"x": 60, "y": 60})
    expect(position).not_to_have_value(f"{here[0]:.6f},{here[1]:.6f}")
    touched = position.input_value()
    page.locator("#pin-map").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400)
    page.get_by_role("button", name="Pin in the middle of the map").press("Enter")
    expect(position).not_to_have_value(touched)
    expect(page.locator("#pin-hint")).to_contain_text("Others see only the area.")
    pin = position.input_value()
    look_at(page, "share-parking-pin-desktop-light")
    page.get_by_label("Title").fill(title)
    page.get_by_label("What everybody may know of where it is").fill("Well Street")
    page.get_by_label("The door").fill("Well Street 4")
    choose_region(page, about)
    page.get_by_role("button", name="Share this parking place").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    latitude, longitude = (number.rstrip("0") for number in pin.split(","))
    page.wait_for_load_state()
    assert latitude in page.content(), "its owner has the pin"
    path = page.url.split("?")[0]
    page.goto(URL + f"/things/{path.rsplit('/', 1)[1]}/edit")
    expect(page.locator("#pin-map .pin")).to_be_visible()
    # Others have the field of the grid, and never the pin.
    other = window(ben)
    other.goto(path)
    expect(other.locator("#pinned-map .area")).to_be_attached()
    assert latitude not in other.content() and longitude not in other.content()


def about_it(text, what):
    """A link's text with what it is about behind it, which is there for those who do not see."""
    return re.compile(rf"^{text}\s*: {re.escape(what)}")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()
