"""Rides, as those look for them who want to ride along: by both ends, by region; one by one, with the star; and as their drivers see them, live."""

import datetime
import re
import urllib.parse

from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, RUN, URL, call, look_at, until
from test_friends import newcomer

# Some 25 km from the house at which those of these tests begin.
FAR = (60.39, 25.10)


def leaving(**ahead):
    """A moment to come, as `/v1` takes it."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M:%SZ")


def stop(name, position, **more):
    return {"name": name, "position": dict(zip(("latitude", "longitude"), position)), **more}


def offer(page, start, to, between=(), **more):
    """Offers a ride through `/v1`, where its form is not what is looked at; answers with its address."""
    draft = {"stops": [start, *between, stop(to, FAR)], "departsAt": leaving(hours=5), "seats": 3, **more}
    return "/rides/" + call(page, "POST", "/v1/rides", draft)["id"]


def house_stop(house, **more):
    return stop(house["name"], (house["position"]["latitude"], house["position"]["longitude"]), **more)


def written(position, label):
    return f"{position[0]},{position[1]} {label}"


def search(page, house, to, **more):
    """Opens what is looked for, as its address says it."""
    start = house["position"]
    query = {"from": written((start["latitude"], start["longitude"]), house["name"]), "to": written(FAR, to), **more}
    page.goto(URL + "/rides/search?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote))


def card(page, path):
    return page.locator(f"[data-ride='{path.rsplit('/', 1)[1]}']")


def test_a_search_finds_a_ride_and_says_why(window, about, house):
    driver, _ = newcomer(window, "Dilan Aydin")
    to = f"Mill meadow {RUN}"
    path = offer(driver, house_stop(house), to, cost={"amount": 600, "currency": about["currency"]}, notes="No smoking, please.")
    seeker, _ = newcomer(window, "Enni Laine")
    seeker.goto(URL + "/rides?to=" + urllib.parse.quote(written(FAR, to)))
    expect(seeker.get_by_label("To", exact=True)).to_have_value(to)
    look_at(seeker, "rides-phone-light")

    # Typed and chosen; what was chosen before stays.
    seeker.get_by_label("From", exact=True).press_sequentially(house["name"])
    seeker.get_by_role("option", name=re.compile(f"^{re.escape(house['name'])}\\b")).first.click()
    seeker.get_by_role("button", name="Find rides").click()
    expect(seeker).to_have_url(re.compile(r"/rides/search\?from=[^&]*&to=[^&]*$"))
    expect(seeker.get_by_role("heading", level=1)).to_contain_text(f"to {to}")
    found = card(seeker, path)
    expect(found).to_contain_text("Starts near you · ends near there")
    expect(found).to_contain_text("3 seats left")
    expect(found).to_contain_text("Dilan Aydin")
    look_at(seeker, "rides-found-phone-light")
    seeker.set_viewport_size(DESKTOP)
    look_at(seeker, "rides-found-desktop-light")

    # What narrows the list is in the address, and goes again.
    seeker.get_by_role("link", name="Free seats only").click()
    expect(seeker).to_have_url(re.compile("free=yes"))
    expect(seeker.get_by_role("link", name="Free seats only")).to_have_attribute("aria-current", "true")
    expect(found).to_be_visible()
    seeker.get_by_role("link", name="Room for something big").click()
    expect(found).to_have_count(0)
    seeker.get_by_role("link", name="Room for something big").click()
    expect(found).to_be_visible()
    seeker.get_by_text("Change the search").click()
    expect(seeker.get_by_label("From", exact=True)).to_have_value(re.compile(re.escape(house["name"])))
    seeker.get_by_label("Seats").select_option("4")
    seeker.get_by_role("button", name="Find rides").click()
    expect(seeker.get_by_role("heading", level=1)).to_contain_text("4 seats")

    # One comes back to it from elsewhere.
    seeker.goto(URL + "/cars")
    seeker.get_by_role("navigation", name="What to look at").get_by_role("link", name="Rides").click()
    expect(seeker).to_have_url(re.compile(r"/rides/search\?.*seats=4"))


def test_where_nothing_fits_there_is_more_to_do(window, house):
    page, _ = newcomer(window, "Fia Holm")
    search(page, house, "Nowhere near", day="2020-01-01")
    expect(page.get_by_text("That is over already. Choose another day.")).to_be_visible()
    look_at(page, "rides-wrong-phone-light")
    page.goto(URL + "/rides/search?from=-45.0,170.5%20Dunedin&to=-44.4,171.2%20Timaru")
    expect(page.get_by_role("heading", name="No ride fits just now")).to_be_visible()
    look_at(page, "rides-none-phone-light")
    page.get_by_role("main").get_by_role("link", name="Offer a ride").click()
    expect(page).to_have_url(URL + "/rides/new")


def test_a_region_shows_what_leaves_from_it(window, house):
    driver, _ = newcomer(window, "Gero Adler")
    path = offer(driver, house_stop(house), f"Region's end {RUN}", departsAt=leaving(minutes=40))
    region = until(driver, lambda: call(driver, "GET", f"/v1{path}")["stops"][0].get("region"))
    assert region, "The ride is in no region."
    page, _ = newcomer(window, "Hanna Ek")
    page.goto(URL + "/rides")
    page.get_by_role("link", name=region, exact=True).click()
    expect(page.get_by_role("heading", name=re.compile(f"Rides (from|to) {re.escape(region)}"))).to_be_visible()
    page.get_by_role("link", name="From there").click()
    expect(page.get_by_role("link", name="From there")).to_have_attribute("aria-current", "true")
    expect(card(page, path)).to_be_visible()
    look_at(page, "rides-region-phone-light")
    page.set_viewport_size(DESKTOP)
    look_at(page, "rides-region-desktop-light")
    page.get_by_role("link", name="Refresh").click()
    expect(card(page, path)).to_be_visible()
    card(page, path).get_by_role("link").click()
    expect(page).to_have_url(URL + path)


def test_a_ride_is_read_kept_and_taken_off(window, about, house):
    driver, theirs = newcomer(window, "Ilan Weiss")
    between = stop("Halfway house", (60.28, 25.02))
    path = offer(driver, house_stop(house, address=f"Door 7 {RUN}"), f"Harbour {RUN}", [between], cost={"amount": 1000, "currency": about["currency"]},
                 notes="Dogs are welcome.\nSo are skis.", luggage="large")
    page, _ = newcomer(window, "Jonna Ranta")
    page.goto(URL + path)
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Harbour {RUN}")
    for words in ("Halfway house", "3 seats left", "Room for something big", "Dogs are welcome."):
        expect(page.get_by_text(words).first).to_be_visible()
    expect(page.get_by_role("link", name="Ask for a seat")).to_have_attribute("href", f"{path}/ask")
    expect(page.get_by_text(f"Door 7 {RUN}")).to_have_count(0)
    look_at(page, "ride-phone-light")
    page.set_viewport_size(DESKTOP)
    look_at(page, "ride-desktop-light")

    page.get_by_role("button", name="Keep on my list").click()
    expect(page.get_by_text("On your list. You find it under My rides.")).to_be_visible()
    page.get_by_role("link", name="On your list").click()
    dialog = page.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Take it off your list?")).to_be_visible()
    look_at(page, "ride-unsave-desktop-light")
    dialog.get_by_role("link", name="Leave it there").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="On your list").click()
    dialog.get_by_role("button", name="Take it off").click()
    expect(page.get_by_text("It is off your list.")).to_be_visible()
    expect(page.get_by_role("button", name="Keep on my list")).to_be_visible()

    # It is on its driver's page, and leads to a chat with them.
    page.goto(URL + theirs)
    expect(card(page, path)).to_be_visible()
    card(page, path).get_by_role("link").click()
    page.get_by_role("button", name="Message Ilan Weiss").click()
    expect(page.get_by_role("textbox", name="Message to Ilan Weiss")).to_be_visible()


def test_without_scripts_all_of_it_works(window, house):
    driver, _ = newcomer(window, "Kaja Lund")
    to = f"Old mill {RUN}"
    path = offer(driver, house_stop(house), to)
    page, _ = newcomer(window, "Leo Aalto", script=False)
    page.goto(URL + "/rides?to=" + urllib.parse.quote(written(FAR, to)))
    page.get_by_label("From", exact=True).fill(house["name"])
    page.get_by_role("button", name="Find rides").click()
    # What was typed is one of several places, perhaps; the first is the house itself.
    expect(page.get_by_text("Which one do you mean?").first).to_be_visible()
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Find rides").click()
    card(page, path).get_by_role("link").click()
    page.get_by_role("button", name="Keep on my list").click()
    page.get_by_role("link", name="On your list").click()
    expect(page.get_by_role("heading", name="Take it off your list?")).to_be_visible()
    page.get_by_role("button", name="Take it off").click()
    expect(page.get_by_role("button", name="Keep on my list")).to_be_visible()


def test_who_asks_and_what_is_left_is_there_at_once(window, house):
    driver, _ = newcomer(window, "Mika Salo")
    path = offer(driver, house_stop(house), f"Lake {RUN}", seats=2)
    driver.goto(URL + path)
    expect(driver.get_by_text("Nobody has asked for a seat yet.")).to_be_visible()
    rider, _ = newcomer(window, "Nuria Vidal", size=DESKTOP)
    watcher, _ = newcomer(window, "Oskar Blom", size=PHONE)
    watcher.goto(URL + path)
    expect(watcher.get_by_text("2 seats left").first).to_be_visible()

    call(rider, "POST", f"/v1{path}/requests", {"message": "With a small bag."})
    expect(driver.get_by_text("Nuria Vidal, 1 seat")).to_be_visible()
    expect(driver.get_by_text("With a small bag.")).to_be_visible()
    look_at(driver, "ride-own-phone-light")
    driver.set_viewport_size(DESKTOP)
    look_at(driver, "ride-own-desktop-light")
    driver.get_by_role("button", name="Accept").click()
    expect(driver.get_by_text("Accepted. You can reach each other now.")).to_be_visible()
    expect(watcher.get_by_text("1 seat left").first).to_be_visible()
    rider.goto(URL + path)
    expect(rider.get_by_role("link", name="Leave this ride")).to_be_visible()
    expect(rider.get_by_role("link", name="See how it stands")).to_be_visible()
    look_at(rider, "ride-riding-desktop-light")

    # Removing it says who will be told, and is known at once where it is looked at.
    driver.goto(URL + path)
    driver.get_by_role("link", name="Remove", exact=True).click()
    dialog = driver.locator("#dialog")
    expect(dialog.get_by_text("Nuria Vidal will be told.")).to_be_visible()
    look_at(driver, "ride-remove-desktop-light")
    dialog.get_by_label("Why").fill("The car is ill.")
    dialog.get_by_role("button", name="Remove the ride").click()
    expect(driver.get_by_text("Your ride is removed.")).to_be_visible()
    expect(rider.get_by_text("This ride was removed: it does not take place.")).to_be_visible()
