"""Rides of one's own: offered step by step, asked for with the price in sight, answered on My rides, left, taken back; live, and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, SIZES, URL, call, check_focus, check_touch, day, hear, listen, look_at, photograph
from test_friends import newcomer

HELSINKI, SALO, TURKU = [
    {"name": name, "position": {"latitude": latitude, "longitude": longitude}}
    for name, latitude, longitude in (("Helsinki", 60.1708, 24.9495), ("Salo", 60.3831, 23.1331), ("Turku", 60.4515, 22.2687))
]


def offered(page, about, days=3, **more):
    """A ride from Helsinki by Salo to Turku, through `/v1`, where its steps are not what is looked at: its address."""
    draft = {"stops": [HELSINKI, SALO, TURKU], "departsAt": f"{day(days)}T17:00", "seats": 2, "cost": {"amount": 1200, "currency": about["currency"]}}
    return "/rides/" + call(page, "POST", "/v1/rides", draft | more)["id"]


def asked(page, ride, **draft):
    """Asked through `/v1`: the request's address."""
    return "/seats/" + call(page, "POST", f"/v1{ride}/requests", draft)["id"]


def act(page, seat, what, **draft):
    call(page, "POST", f"/v1/seat-requests/{seat.rsplit('/', 1)[1]}/{what}", draft)


def two(window, about, driver, rider, size=PHONE, ride={}, **how):
    drivers, _ = newcomer(window, driver, size=size)
    path = offered(drivers, about, **ride)
    riders, _ = newcomer(window, rider, size=size, **how)
    return drivers, riders, path


def choose(page, label, typed, name=None):
    """A place of those that are suggested."""
    field = page.get_by_label(label, exact=True)
    field.fill("")
    field.press_sequentially(typed)
    option = page.get_by_role("option", name=re.compile(f"^{re.escape(name or typed)}"))
    option.first.click()
    expect(field).to_have_value(re.compile(f"^{re.escape(name or typed)}"))


def go_on(page, name="Next"):
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("size", SIZES)
def test_a_ride_is_offered_step_by_step(window, house, size):
    page, _ = newcomer(window, "Dagny Holm", size=SIZES[size])
    page.goto(URL + "/rides/new")
    expect(page.get_by_text("Step 1 of 3")).to_be_visible()
    look_at(page, f"offer-where-{size}-light")
    check_focus(page)
    check_touch(page)
    # Nothing was chosen: what is missing is said at its field, which has the focus.
    go_on(page)
    start = page.get_by_label("From", exact=True)
    expect(start).to_be_focused()
    expect(start).to_have_accessible_description(re.compile("Which place\\?"))
    look_at(page, f"offer-where-wrong-{size}-light")
    choose(page, "From", house["name"])
    page.get_by_role("button", name="Add a stop").click()
    choose(page, "Stop 1 (optional)", "Hämeenlinna")
    choose(page, "To", "Turku")
    look_at(page, f"offer-where-filled-{size}-light")
    go_on(page)
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    look_at(page, f"offer-when-{size}-light")
    page.get_by_label("Day", exact=True).fill(day(-2))
    page.get_by_label("Leaves at").fill("17:00")
    page.get_by_label("At the latest at").fill("18:30")
    go_on(page)
    expect(page.get_by_text("Step 3 of 3")).to_be_visible()
    page.get_by_label("Seats", exact=True).fill("3")
    page.get_by_label("Cost of a seat in").fill("12.50")
    page.get_by_label("Detour in kilometres").fill("7")
    page.get_by_role("radio", name=re.compile("^Medium")).check()
    page.get_by_label("Notes").fill("No smoking, please.\nDogs are fine.")
    look_at(page, f"offer-seats-{size}-light")
    check_focus(page)
    # What the service refuses is said on the step where it is.
    go_on(page)
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    expect(page.get_by_label("Day", exact=True)).to_have_accessible_description(re.compile("That time is over."))
    look_at(page, f"offer-when-wrong-{size}-light")
    page.get_by_label("Day", exact=True).fill(day(3))
    go_on(page)
    expect(page.get_by_label("Notes")).to_have_value("No smoking, please.\nDogs are fine.")
    go_on(page)
    expect(page.get_by_role("heading", name="Is everything right?")).to_be_visible()
    expect(page.get_by_text("Only who rides along is told this.")).to_have_count(1)
    expect(page.locator(".facts").last).to_contain_text("12.50")
    look_at(page, f"offer-summary-{size}-light")
    # Back and forth nothing is lost.
    go_on(page, "Back")
    expect(page.get_by_label("Cost of a seat in")).to_have_value("12.50")
    go_on(page, "Back")
    go_on(page, "Back")
    expect(page.get_by_label("From", exact=True)).to_have_value(re.compile(re.escape(house["name"])))
    expect(page.get_by_label("Stop 1 (optional)")).to_have_value(re.compile("Hämeenlinna"))
    page.get_by_role("button", name="Remove stop 1").click()
    expect(page.get_by_label("Stop 1 (optional)")).to_have_count(0)
    go_on(page)
    expect(page.get_by_role("heading", name="Is everything right?")).to_be_visible()
    page.get_by_role("button", name="Change: Luggage").click()
    page.get_by_role("radio", name=re.compile("^Large")).check()
    go_on(page)
    expect(page.locator(".facts").first).to_contain_text("Large")
    go_on(page, "Offer this ride")
    expect(page.get_by_role("heading", name="Your ride can be found")).to_be_visible()
    look_at(page, f"offer-done-{size}-light")
    page.get_by_role("link", name="My rides", exact=True).last.click()
    expect(page.get_by_role("heading", name="My rides", level=1)).to_be_visible()
    expect(page.locator("[data-mine]")).to_have_count(1)
    expect(page.locator("[data-mine]")).to_contain_text("You drive")
    look_at(page, f"my-rides-current-{size}-light")
    # The way back is there but for when.
    page.go_back()
    page.get_by_role("link", name="Offer the way back").click()
    expect(page.get_by_label("From", exact=True)).to_have_value("Turku")
    expect(page.get_by_label("To", exact=True)).to_have_value(re.compile(re.escape(house["name"])))


@pytest.mark.parametrize("size", SIZES)
def test_asked_answered_on_my_rides_and_left(window, about, size):
    driver, rider, ride = two(window, about, "Disa Berg", "Ruben Kok", SIZES[size])
    rider.goto(URL + ride + "/ask")
    quote = rider.locator("#shown")
    expect(quote).to_contain_text("12")
    look_at(rider, f"ask-{size}-light")
    check_focus(rider)
    check_touch(rider)
    listen(rider)
    rider.get_by_label("Get out at", exact=True).select_option("1")
    expect(quote).to_contain_text("Salo")
    hear(rider, "recorded here, paid in the car")
    rider.get_by_label("Get out at", exact=True).select_option("2")
    expect(quote).to_contain_text("Turku")
    rider.get_by_label("Seats", exact=True).select_option("2")
    expect(quote).to_contain_text("24")
    rider.get_by_label("For whom?").fill("Ava, Tom")
    rider.get_by_label("Message to Disa Berg").fill("With two bags.\nThank you!")
    rider.get_by_label("Answer within").select_option("6")
    look_at(rider, f"ask-filled-{size}-light")
    rider.get_by_role("button", name="Ask Disa Berg").click()
    expect(rider.get_by_text("Disa Berg is asked; you hear by")).to_be_visible()
    look_at(rider, f"seat-pending-{size}-light")
    check_touch(rider)
    seat = rider.url.removeprefix(URL).split("?")[0]
    rider.goto(URL + "/rides/mine?tab=pending")
    expect(rider.get_by_role("button", name="Take it back: Disa Berg")).to_be_visible()
    look_at(rider, f"my-rides-asked-{size}-light")
    rider.goto(URL + seat)

    driver.goto(URL + "/rides/mine")
    driver.get_by_role("link", name="Pending", exact=True).click()
    expect(driver).to_have_url(URL + "/rides/mine?tab=pending")
    row = driver.locator("[data-mine]")
    expect(row).to_contain_text("Ruben Kok asks for a seat. Answer by")
    expect(row).to_contain_text("With two bags.")
    look_at(driver, f"my-rides-pending-{size}-light")
    check_focus(driver)
    driver.get_by_role("button", name="Accept: Ruben Kok").click()
    expect(driver.get_by_text("Accepted. You can reach each other now.")).to_be_visible()
    expect(driver.get_by_role("heading", name="Nothing waits for an answer")).to_be_visible()
    look_at(driver, f"my-rides-none-{size}-light")

    # The other window knows it by itself.
    expect(rider.get_by_text("You ride along with Disa Berg. Be there:")).to_be_visible()
    expect(rider.locator("[data-seat]")).to_have_attribute("data-state", "accepted")
    look_at(rider, f"seat-accepted-{size}-light")
    driver.goto(URL + seat)
    expect(driver.get_by_text("Ruben Kok rides along with you and gets in:")).to_be_visible()
    expect(driver.get_by_text("For Ava, Tom")).to_be_visible()
    look_at(driver, f"seat-of-driver-{size}-light")
    rider.goto(URL + "/rides/mine")
    expect(rider.locator("[data-mine]")).to_contain_text("You ride along with Disa Berg.")
    rider.goto(URL + seat)
    rider.get_by_role("button", name="Message Disa Berg").click()
    expect(rider.get_by_role("textbox", name="Message to Disa Berg")).to_be_visible()

    rider.goto(URL + seat)
    rider.get_by_role("link", name="Leave the ride").click()
    dialog = rider.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Leave this ride?")).to_be_visible()
    expect(dialog.get_by_text("Disa Berg is told, and your seat goes to the next on the list.")).to_be_visible()
    look_at(rider, f"seat-leave-{size}-light")
    dialog.get_by_role("link", name="Not now").click()
    expect(dialog).to_be_hidden()
    rider.get_by_role("link", name="Leave the ride").click()
    dialog.get_by_label("A word to Disa Berg").fill("My train goes after all.")
    dialog.get_by_role("button", name="Leave the ride").click()
    expect(rider.get_by_text("You have left the ride. Disa Berg was told.")).to_be_visible()
    look_at(rider, f"seat-left-{size}-light")
    expect(driver.get_by_text("Ruben Kok does not ride along any more.")).to_be_visible()
    expect(driver.get_by_text("My train goes after all.")).to_be_visible()
    rider.goto(URL + "/rides/mine?tab=past")
    expect(rider.locator("[data-mine]")).to_contain_text("You have left the ride.")


def test_a_seat_is_taken_back_after_a_question(window, about):
    driver, rider, ride = two(window, about, "Dora Lund", "Ravi Nair", ride={"accepts": "everybody"})
    rider.goto(URL + ride + "/ask")
    expect(rider.get_by_text("the seat is yours at once")).to_be_visible()
    rider.get_by_role("button", name="Ask Dora Lund").click()
    expect(rider.get_by_text("The seat is yours.")).to_be_visible()
    seat = rider.url.removeprefix(URL).split("?")[0]
    driver.goto(URL + seat)
    driver.get_by_role("link", name="Take the seat back").click()
    dialog = driver.locator("#dialog")
    expect(dialog.get_by_text("Ravi Nair counts on it, and is told at once.")).to_be_visible()
    look_at(driver, "seat-remove-phone-light")
    dialog.get_by_label("Why").fill("The car is broken.")
    dialog.get_by_role("button", name="Take the seat back").click()
    expect(driver.get_by_text("You have taken the seat back. Ravi Nair was told.")).to_be_visible()
    expect(rider.get_by_text("Dora Lund can't take you along any more.")).to_be_visible()
    expect(rider.get_by_text("The car is broken.")).to_be_visible()
    look_at(rider, "seat-removed-phone-light")
    # Who comes with an old page sees how it is now.
    rider.goto(URL + seat + "/leave")
    expect(rider.get_by_text("This is how it stands now.")).to_be_visible()


def test_my_rides_follow_what_happens(window, about):
    driver, rider, ride = two(window, about, "Dina Falk", "Rosa Klein", DESKTOP)
    driver.goto(URL + "/rides/mine?tab=pending")
    expect(driver.get_by_role("heading", name="Nothing waits for an answer")).to_be_visible()
    listen(driver)
    seat = asked(rider, ride, message="Is there room for a dog?")
    row = driver.locator("[data-mine]")
    expect(row).to_contain_text("Rosa Klein asks for a seat.")
    hear(driver, "Your rides have changed.")
    look_at(driver, "my-rides-live-desktop-light")
    driver.get_by_role("link", name="Reject: Rosa Klein").click()
    dialog = driver.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Say no to Rosa Klein?")).to_be_visible()
    look_at(driver, "seat-reject-desktop-light")
    # It is taken back while one thinks about it.
    act(rider, seat, "withdraw")
    expect(row).to_have_count(0)
    dialog.get_by_role("button", name="Reject").click()
    expect(driver.get_by_text("This is how it stands now.")).to_be_visible()
    expect(driver.get_by_text("Rosa Klein has taken the request back.")).to_be_visible()


def test_where_there_is_no_room_one_waits(window, about):
    driver, rider, ride = two(window, about, "Dag Nyman", "Rita Sand", ride={"seats": 1})
    other, _ = newcomer(window, "Olga Vik")
    seat = asked(other, ride)
    act(driver, seat, "accept")
    rider.goto(URL + ride + "/ask")
    expect(rider.get_by_text("There is no room for that on this part.")).to_be_visible()
    look_at(rider, "ask-full-phone-light")
    rider.get_by_role("button", name="Join the list").click()
    expect(rider.get_by_text("You are next on the list")).to_be_visible()
    look_at(rider, "seat-waiting-phone-light")
    waiting = rider.url.removeprefix(URL).split("?")[0]
    driver.goto(URL + waiting)
    driver.get_by_role("button", name="Give them the next seat").click()
    expect(driver.get_by_text("They get the next seat that comes free.")).to_be_visible()
    expect(rider.get_by_text("and Dag Nyman agrees")).to_be_visible()
    # A seat comes free: it is theirs once they say that they keep it.
    act(other, seat, "leave")
    expect(rider.get_by_text("whether you keep the seat")).to_be_visible()
    look_at(rider, "seat-to-keep-phone-light")
    rider.goto(URL + "/rides/mine")
    rider.get_by_role("button", name="Keep the seat: Dag Nyman").click()
    expect(rider.get_by_text("The seat stays yours.")).to_be_visible()
    expect(rider.get_by_text("You ride along with Dag Nyman.")).to_be_visible()


def test_what_changed_meanwhile_is_shown_with_its_price(window, about):
    driver, rider, ride = two(window, about, "Dilan Aksoy", "Rolf Moe")
    rider.goto(URL + ride + "/ask")
    expect(rider.locator("#shown")).to_contain_text("12")
    call(driver, "PATCH", f"/v1{ride}", {"cost": {"amount": 1500, "currency": about["currency"]}})
    rider.get_by_role("button", name="Ask Dilan Aksoy").click()
    expect(rider.get_by_role("alert")).to_contain_text("The ride has changed meanwhile.")
    expect(rider.locator("#shown")).to_contain_text("15")
    look_at(rider, "ask-changed-phone-light")
    rider.get_by_role("button", name="Ask Dilan Aksoy").click()
    expect(rider.get_by_text("Dilan Aksoy is asked; you hear by")).to_be_visible()


def test_a_ride_is_changed_but_for_a_way_that_somebody_counts_on(window, about):
    driver, rider, ride = two(window, about, "Doris Hahn", "Remo Kunz")
    driver.goto(URL + ride + "/change")
    expect(driver.get_by_label("From", exact=True)).to_have_value("Helsinki")
    look_at(driver, "offer-change-phone-light")
    driver.get_by_label("Notes").fill("Quiet, please.")
    other = driver.context.new_page()
    other.goto(URL + ride + "/change")
    other.get_by_label("Cost of a seat in").fill("14")
    go_on(other, "Save")
    expect(other.get_by_text("Saved.")).to_be_visible()
    go_on(driver, "Save")
    told = driver.get_by_role("alert")
    expect(told.get_by_role("heading", name="This was changed meanwhile")).to_be_visible()
    expect(told).to_contain_text("14")
    look_at(driver, "offer-change-meanwhile-phone-light")
    driver.get_by_label("Cost of a seat in").fill("14")
    go_on(driver, "Save")
    expect(driver.get_by_text("Saved.")).to_be_visible()
    asked(rider, ride)
    driver.goto(URL + ride + "/change")
    expect(driver.get_by_text("so the way stays as it is")).to_be_visible()
    expect(driver.get_by_label("From", exact=True)).to_have_count(0)
    look_at(driver, "offer-change-closed-phone-light")
    other.close()


def test_offering_and_asking_work_without_scripts(window, about):
    page, _ = newcomer(window, "Dolores Paz", script=False)
    page.goto(URL + "/rides/new")
    page.get_by_label("From", exact=True).fill("Helsinki")
    page.get_by_label("To", exact=True).fill("Turku")
    go_on(page)
    # Typed and not chosen: which one is meant is asked at the field.
    expect(page.get_by_text("Several places are called so.").first).to_be_visible()
    photograph(page, "offer-choose-phone-light")
    for name in ("from", "to"):
        page.locator(f"input[type=radio][name='{name}.at']").first.check()
    go_on(page)
    page.get_by_label("Day", exact=True).fill(day(4))
    page.get_by_label("Leaves at").fill("08:15")
    go_on(page)
    page.get_by_label("Seats", exact=True).fill("1")
    go_on(page, "Back")
    expect(page.get_by_label("Leaves at")).to_have_value("08:15")
    go_on(page)
    expect(page.get_by_label("Seats", exact=True)).to_have_value("1")
    go_on(page)
    expect(page.get_by_role("heading", name="Is everything right?")).to_be_visible()
    photograph(page, "offer-summary-plain-phone-light")
    go_on(page, "Offer this ride")
    expect(page.get_by_role("heading", name="Your ride can be found")).to_be_visible()
    ride = page.url.removeprefix(URL).removesuffix("/offered")

    rider, _ = newcomer(window, "Raisa Noor", script=False)
    rider.goto(URL + ride + "/ask")
    rider.get_by_label("For whom?").fill("Ava")
    rider.get_by_role("button", name="Show the price").click()
    expect(rider.get_by_text("This is what it costs.")).to_be_visible()
    photograph(rider, "ask-review-phone-light")
    rider.get_by_role("button", name="Change something").click()
    expect(rider.get_by_label("For whom?")).to_have_value("Ava")
    rider.get_by_role("button", name="Show the price").click()
    rider.get_by_role("button", name="Ask Dolores Paz").click()
    expect(rider.get_by_text("Dolores Paz is asked; you hear by")).to_be_visible()
    seat = rider.url.removeprefix(URL).split("?")[0]

    page.goto(URL + "/rides/mine?tab=pending")
    expect(page.get_by_role("link", name="Refresh")).to_be_visible()
    photograph(page, "my-rides-pending-plain-phone-light")
    page.get_by_role("link", name="Reject: Raisa Noor").click()
    expect(page.get_by_role("heading", name="Say no to Raisa Noor?")).to_be_visible()
    page.get_by_role("link", name="Not now").click()
    expect(page).to_have_url(URL + "/rides/mine?tab=pending")
    page.get_by_role("button", name="Accept: Raisa Noor").click()
    expect(page.get_by_text("Accepted. You can reach each other now.")).to_be_visible()
    rider.goto(URL + seat)
    expect(rider.get_by_text("You ride along with Dolores Paz.")).to_be_visible()
    rider.get_by_role("link", name="Leave the ride").click()
    rider.get_by_role("button", name="Leave the ride").click()
    expect(rider.get_by_text("You have left the ride. Dolores Paz was told.")).to_be_visible()
    photograph(rider, "seat-left-plain-phone-light")
