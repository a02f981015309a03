"""There and back: both ways asked for or none, shown once and answered at once; the same seats on other days of a commute; the way on a map; a time by two clocks."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, SIZES, URL, call, check_focus, check_touch, day, hear, listen, look_at, photograph
from test_friends import newcomer
from test_rides import HELSINKI, SALO, TURKU, offered


def there_and_back(page, about, days=3, **more):
    """A ride to Turku with its way back two days later, through `/v1`: both addresses."""
    ride = {"returnRide": {"departsAt": f"{day(days + 2)}T18:00", "cost": {"amount": 800, "currency": about["currency"]}}}
    there = offered(page, about, days, **ride, **more)
    return there, "/rides/" + call(page, "GET", f"/v1{there}")["other"]["id"]


def commute(page, about):
    """What somebody drives on each day of the next week, through `/v1`: the address of the first ride."""
    ride = {"stops": [HELSINKI, SALO, TURKU], "departsAt": f"{day(2)}T08:00", "seats": 2, "cost": {"amount": 400, "currency": about["currency"]}}
    week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    series = call(page, "POST", "/v1/ride-series", {"ride": ride, "weekdays": week, "until": day(8)})
    return f"/rides/{series['rides'][0]['id']}", f"/rides/commutes/{series['id']}"


@pytest.mark.parametrize("size", SIZES)
def test_both_ways_are_asked_for_and_accepted_at_once(window, about, size):
    driver, _ = newcomer(window, "Dagmar Vik", size=SIZES[size])
    there, back = there_and_back(driver, about)
    rider, _ = newcomer(window, "Rasmus Lind", size=SIZES[size])
    rider.goto(URL + there)
    way_back = rider.get_by_role("link", name=re.compile("There and back: the way back leaves"))
    expect(way_back).to_have_attribute("href", back)
    look_at(rider, f"ride-there-and-back-{size}-light")
    check_touch(rider)
    way_back.click()
    expect(rider.get_by_role("link", name=re.compile("This is the way back"))).to_have_attribute("href", there)
    rider.goto(URL + there)
    rider.get_by_role("link", name="Ask for a seat").click()

    # Where to get in and out on the other way is there once both are wanted.
    other = rider.locator(".other-way")
    expect(other).to_be_hidden()
    rider.get_by_label("Get out at", exact=True).first.select_option("1")
    expect(rider.locator("#shown")).to_contain_text("Salo")
    listen(rider)
    rider.get_by_role("radio", name=re.compile("^Both ways, or none")).check()
    expect(other).to_be_visible()
    quote = rider.locator("#shown")
    expect(quote).to_contain_text("Both ways together")
    expect(quote.get_by_role("heading", name="Turku → Helsinki")).to_be_visible()
    # The other way round, as long as nothing else is said.
    expect(quote.locator("dl").nth(1)).to_contain_text("Salo")
    hear(rider, "Both ways together")
    look_at(rider, f"ask-both-{size}-light")
    check_focus(rider)
    check_touch(rider)
    other.get_by_label("Get in at", exact=True).select_option("0")
    expect(quote.locator("dl").nth(1)).to_contain_text("Turku")
    rider.get_by_role("button", name="Ask Dagmar Vik").click()
    expect(rider.get_by_text("Asked for both ways.")).to_be_visible()
    expect(rider.get_by_text("Both ways, or none", exact=True)).to_be_visible()
    look_at(rider, f"seat-both-pending-{size}-light")
    check_touch(rider)
    seat = rider.url.removeprefix(URL).split("?")[0]

    driver.goto(URL + "/rides/mine?tab=pending")
    expect(driver.locator("[data-mine]")).to_have_count(1)
    expect(driver.get_by_text("Both ways, or none", exact=True)).to_have_count(1)
    look_at(driver, f"my-rides-both-{size}-light")
    check_focus(driver)
    check_touch(driver)
    driver.get_by_role("link", name="Reject both ways: Rasmus Lind").click()
    dialog = driver.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Say no to Rasmus Lind for both ways?")).to_be_visible()
    expect(dialog.get_by_text("Turku → Helsinki")).to_be_visible()
    look_at(driver, f"seat-both-reject-{size}-light")
    dialog.get_by_role("link", name="Not now").click()
    driver.get_by_role("button", name="Accept both ways: Rasmus Lind").click()
    expect(driver.get_by_text("Both ways are accepted.")).to_be_visible()
    expect(driver.get_by_role("heading", name="Nothing waits for an answer")).to_be_visible()

    # The other window moves on by itself; from now on each way is a seat by itself.
    expect(rider.get_by_text("You ride along with Dagmar Vik. Be there:")).to_be_visible()
    expect(rider.locator("[data-seat]")).to_have_attribute("data-state", "accepted")
    look_at(rider, f"seat-both-accepted-{size}-light")
    rider.get_by_role("link", name=re.compile("^The other way:")).click()
    expect(rider.locator("[data-seat]")).to_have_attribute("data-state", "accepted")
    rider.get_by_role("link", name="Leave the ride").click()
    rider.locator("#dialog").get_by_role("button", name="Leave the ride").click()
    expect(rider.get_by_text("You have left the ride. Dagmar Vik was told.")).to_be_visible()
    rider.goto(URL + seat)
    expect(rider.get_by_text("You ride along with Dagmar Vik. Be there:")).to_be_visible()


def test_both_ways_are_taken_back_at_once_while_the_driver_looks(window, about):
    driver, _ = newcomer(window, "Dina Moe", size=DESKTOP)
    there, back = there_and_back(driver, about)
    rider, _ = newcomer(window, "Ronja Beck")
    made = call(rider, "POST", f"/v1{there}/requests", {"together": {}})
    driver.goto(URL + back)
    expect(driver.get_by_role("button", name="Accept both ways: Ronja Beck")).to_be_visible()
    look_at(driver, "ride-both-asked-desktop-light")
    rider.goto(f"{URL}/seats/{made['id']}")
    rider.get_by_role("button", name="Take both ways back").click()
    expect(rider.get_by_text("Your request for both ways is taken back.")).to_be_visible()
    expect(driver.get_by_role("button", name="Accept both ways: Ronja Beck")).to_have_count(0)
    expect(driver.get_by_text("Taken back")).to_be_visible()


def test_where_the_way_back_is_full_there_is_one_way_only(window, about):
    driver, _ = newcomer(window, "Detlev Roos")
    there, back = there_and_back(driver, about, seats=1, accepts="everybody")
    other, _ = newcomer(window, "Oda Brun")
    rider, _ = newcomer(window, "Rune Falk")
    rider.goto(URL + there + "/ask")
    rider.get_by_role("radio", name=re.compile("^Both ways, or none")).check()
    expect(rider.locator("#shown")).to_contain_text("Both ways together")
    call(other, "POST", f"/v1{back}/requests", {})
    rider.get_by_role("button", name="Ask Detlev Roos").click()
    expect(rider.get_by_role("alert")).to_contain_text("there is no room for both ways any more")
    look_at(rider, "ask-both-full-phone-light")
    rider.get_by_role("button", name="Ask Detlev Roos").click()
    expect(rider.get_by_text("The seat is yours.")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_several_days_of_a_commute_are_asked_for_at_once(window, about, size):
    driver, _ = newcomer(window, "Dorte Krag", size=SIZES[size])
    ride, series = commute(driver, about)
    driver.goto(URL + ride)
    expect(driver.get_by_role("link", name="The whole commute")).to_have_attribute("href", series)
    rider, _ = newcomer(window, "Rebekka Ohm", size=SIZES[size])
    rider.goto(URL + ride)
    days = rider.get_by_role("navigation", name="The next days of this commute").get_by_role("link")
    expect(days.first).to_be_visible()
    expect(rider.get_by_role("link", name="The whole commute")).to_have_count(0)
    look_at(rider, f"ride-commute-{size}-light")
    check_touch(rider)
    rider.get_by_role("link", name="Ask for a seat").click()
    boxes = rider.get_by_role("group", name="The same on other days").get_by_role("checkbox")
    boxes.nth(0).check()
    boxes.nth(1).check()
    look_at(rider, f"ask-days-{size}-light")
    check_focus(rider)
    # One of the days is gone before the button is pressed.
    second = boxes.nth(1).get_attribute("name").removeprefix("day.")
    call(driver, "DELETE", f"/v1/rides/{second}", {})
    rider.get_by_role("button", name="Ask Dorte Krag").click()
    expect(rider.get_by_role("heading", name="What came of it")).to_be_visible()
    expect(rider.get_by_text("Dorte Krag is asked; you hear by")).to_have_count(2)
    expect(rider.get_by_text("Not asked")).to_have_count(1)
    look_at(rider, f"asked-days-{size}-light")
    check_touch(rider)
    rider.reload()
    expect(rider.get_by_text("Dorte Krag is asked; you hear by")).to_have_count(2)
    rider.get_by_role("link", name="My rides", exact=True).last.click()
    expect(rider.locator("[data-mine]")).to_have_count(2)


def test_both_ways_and_days_without_scripts(window, about):
    driver, _ = newcomer(window, "Dario Neri", script=False)
    there, _ = there_and_back(driver, about)
    rider, _ = newcomer(window, "Romy Haas", script=False)
    rider.goto(URL + there + "/ask")
    expect(rider.locator("#ride-map")).to_be_hidden()
    rider.get_by_label("Get out at", exact=True).first.select_option("1")
    rider.get_by_role("radio", name=re.compile("^Both ways, or none")).check()
    rider.get_by_role("button", name="Show the price").click()
    expect(rider.get_by_text("This is what it costs.")).to_be_visible()
    expect(rider.get_by_text("Both ways together")).to_be_visible()
    photograph(rider, "ask-both-review-phone-light")
    rider.get_by_role("button", name="Change something").click()
    expect(rider.get_by_role("radio", name=re.compile("^Both ways, or none"))).to_be_checked()
    rider.get_by_role("button", name="Show the price").click()
    rider.get_by_role("button", name="Ask Dario Neri").click()
    expect(rider.get_by_text("Both ways, or none", exact=True)).to_be_visible()
    seat = rider.url.removeprefix(URL).split("?")[0]
    driver.goto(URL + "/rides/mine?tab=pending")
    expect(driver.locator("[data-mine]")).to_have_count(1)
    photograph(driver, "my-rides-both-plain-phone-light")
    driver.get_by_role("button", name="Accept both ways: Romy Haas").click()
    expect(driver.get_by_text("Both ways are accepted.")).to_be_visible()
    rider.goto(URL + seat)
    expect(rider.get_by_text("You ride along with Dario Neri.")).to_be_visible()

    ride, _ = commute(driver, about)
    rider.goto(URL + ride + "/ask")
    rider.get_by_role("checkbox").first.check()
    rider.get_by_role("button", name="Show the price").click()
    rider.get_by_role("button", name="Ask Dario Neri").click()
    expect(rider.get_by_role("heading", name="What came of it")).to_be_visible()
    photograph(rider, "asked-days-plain-phone-light")


@pytest.mark.parametrize("size", SIZES)
def test_the_way_is_on_a_map(window, about, size):
    driver, _ = newcomer(window, "Dorian Wolf", size=SIZES[size])
    ride = offered(driver, about)
    driver.goto(URL + ride)
    line = driver.locator("#ride-map path.ride-line")
    expect(line).to_have_count(1)
    expect(driver.locator("#ride-map path.ride-stop")).to_have_count(3)
    expect(driver.get_by_text(re.compile("^Drawn (along the streets|in straight lines)"))).to_be_visible()
    look_at(driver, f"ride-map-{size}-light")
    check_focus(driver)
    # What changes elsewhere on the page leaves the map as it is looked at.
    driver.evaluate("document.querySelector('#ride-map').kept = true")
    rider, _ = newcomer(window, "Runa Dahl")
    call(rider, "POST", f"/v1{ride}/requests", {"message": "One bag."})
    expect(driver.get_by_text("One bag.")).to_be_visible()
    assert driver.evaluate("document.querySelector('#ride-map').kept") and line.count() == 1
    # Points of one's own are on it while one asks.
    other, _ = newcomer(window, "Otto Zell", size=SIZES[size])
    near = "60.1720,24.9510 Near the start"
    other.goto(f"{URL}{ride}?from={near.replace(' ', '%20')}&seats=1")
    other.get_by_role("link", name="Ask for a seat").click()
    expect(other).to_have_url(re.compile(r"/ask\?from=60\.17"))
    expect(other.locator("#ride-map path.own")).to_have_count(1)
    look_at(other, f"ask-map-{size}-light")


def test_when_to_be_there_is_said_by_both_clocks(window, about):
    driver, _ = newcomer(window, "Dana Kim")
    ride = offered(driver, about, accepts="everybody", zone="Europe/Helsinki")
    for zone, differs in (("Europe/Helsinki", False), ("America/New_York", True)):
        rider, _ = newcomer(window, f"Robin {zone.split('/')[1].split('_')[0]}", timezone_id=zone)
        made = call(rider, "POST", f"/v1{ride}/requests", {})
        rider.goto(f"{URL}/seats/{made['id']}")
        said = rider.locator("#said")
        expect(said).to_contain_text(re.compile(r"Be there: .*17:00 \(Helsinki\)\."))
        expect(said.get_by_text("By your clock:")).to_be_visible(visible=differs)
        look_at(rider, f"seat-clocks-{zone.split('/')[1].lower()}-phone-light")


def test_home_and_a_chat_know_of_rides(window, about):
    driver, _ = newcomer(window, "Dorit Stern")
    soon = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=10)).strftime("%Y-%m-%dT%H:%M:%SZ")
    ride = offered(driver, about, departsAt=soon)
    rider, _ = newcomer(window, "Rosalie Graf")
    rider.goto(URL + "/")
    expect(rider.locator(f"[data-ride='{ride.rsplit('/', 1)[1]}']")).to_be_visible()
    look_at(rider, "home-rides-phone-light")
    seat = call(rider, "POST", f"/v1{ride}/requests", {})["id"]
    rider.goto(f"{URL}/seats/{seat}")
    rider.get_by_role("button", name="Message Dorit Stern").click()
    panel = rider.locator(".room-rental")
    expect(panel).to_contain_text("Asked:")
    look_at(rider, "chat-ride-phone-light")
    # The chat knows by itself that the seat is theirs.
    call(driver, "POST", f"/v1/seat-requests/{seat}/accept", {})
    expect(panel).to_contain_text("Accepted:")
    expect(panel.get_by_role("link").first).to_have_attribute("href", f"/seats/{seat}")
