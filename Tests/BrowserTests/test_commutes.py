"""Ways back and commutes: offered with a ride, shown before they are posted, changed, ended and removed; at both sizes, in two languages, without scripts."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from kampong import SIZES, URL, call, check_focus, check_touch, day, look_at, look_at_both, photograph
from test_friends import newcomer
from test_rides import HELSINKI, TURKU, asked, choose, go_on

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def weekday(after):
    return WEEKDAYS[datetime.date.fromisoformat(day(after)).weekday()]


def said(after):
    """As pages say a day of this half of a year: Thursday, 17 December."""
    date = datetime.date.fromisoformat(day(after))
    return f"{weekday(after)}, {date.day} {date:%B}"


def commute(page, **more):
    """From Helsinki to Turku on two days of each week from the third day on, and back, through `/v1`: as `/v1` answers it."""
    ride = {"stops": [HELSINKI, TURKU], "departsAt": f"{day(3)}T08:00", "seats": 2, "returnRide": {"departsAt": f"{day(3)}T17:00"}}
    draft = {"ride": ride, "weekdays": [weekday(3).lower(), weekday(5).lower()], "until": day(40)}
    return call(page, "POST", "/v1/ride-series", draft | more)


@pytest.mark.parametrize("size", SIZES)
def test_a_commute_is_offered_changed_and_ended(window, size):
    page, _ = newcomer(window, "Dagmar Lund", size=SIZES[size])
    page.goto(URL + "/rides/mine")
    page.get_by_role("link", name="Commutes", exact=True).click()
    expect(page.get_by_role("heading", name="No commutes yet")).to_be_visible()
    look_at_both(page, f"commutes-none-{size}")
    check_touch(page)
    page.get_by_role("link", name="Offer a commute").click()
    choose(page, "From", "Helsinki")
    choose(page, "To", "Turku")
    go_on(page)
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    expect(page.get_by_role("checkbox", name="I drive this each week")).to_be_checked()
    back = page.get_by_label("Leaves there at", exact=True)
    expect(back).to_be_hidden()
    page.get_by_label("Day", exact=True).fill(day(3))
    page.get_by_label("Leaves at", exact=True).fill("08:00")
    # What is missing is said at the boxes and at the field.
    go_on(page)
    first = page.locator("input[name^='on.']").first
    expect(first).to_be_focused()
    expect(first).to_have_accessible_description("On which days? Choose one or more.")
    expect(page.get_by_label("The last day")).to_have_accessible_description(re.compile("Until which day?"))
    look_at(page, f"offer-repeat-wrong-{size}-light")
    for name in (weekday(3), weekday(5)):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_label("The last day").fill(day(40))
    page.get_by_label("Left out 1").fill(day(10))
    page.get_by_role("button", name="Another day").click()
    expect(page.get_by_label("Left out 2")).to_be_focused()
    expect(page.get_by_label("Left out 1")).to_have_value(day(10))
    page.get_by_role("checkbox", name="I also drive back").check()
    # Each time on the day of the way there.
    expect(page.get_by_label("Day of the way back")).to_be_hidden()
    expect(page.get_by_text("Each time on the same day")).to_be_visible()
    back.fill("17:00")
    look_at_both(page, f"offer-repeat-{size}")
    check_focus(page)
    check_touch(page)
    go_on(page)
    page.get_by_label("Seats", exact=True).fill("3")
    page.get_by_label("Seats on the way back").fill("2")
    page.get_by_role("radio", name=re.compile("^Friends")).check()
    look_at(page, f"offer-seats-back-{size}-light")
    go_on(page)
    expect(page.get_by_role("heading", name=re.compile("times there and back"))).to_be_visible()
    days = page.locator(".ride-days")
    expect(days).to_contain_text(said(3))
    expect(days).to_contain_text(said(12))
    expect(days).not_to_contain_text(said(10))
    expect(page.get_by_text("Way back", exact=True)).to_be_visible()
    look_at_both(page, f"offer-summary-commute-{size}")
    check_focus(page)
    # What was looked over is kept while it is changed.
    page.get_by_role("button", name="Change: Repeat").click()
    expect(page.get_by_role("checkbox", name=weekday(5))).to_be_checked()
    expect(page.get_by_label("Left out 1")).to_have_value(day(10))
    go_on(page)
    go_on(page, "Offer this commute")
    expect(page.get_by_role("heading", name="Commute submitted")).to_be_visible()
    expect(page.get_by_text(re.compile(f"times there and back until .*; the first on {said(3)}"))).to_be_visible()
    look_at(page, f"commute-done-{size}-light")

    page.get_by_role("link", name="See your commute").click()
    rides = page.locator(".menu > li")
    expect(rides.first).to_contain_text(f"{said(3)}, 08:00")
    expect(rides.nth(1)).to_contain_text("Way back")
    expect(rides.first).to_contain_text("Nobody has asked yet")
    expect(page.get_by_text(said(10))).to_be_visible()
    look_at_both(page, f"commute-{size}")
    check_focus(page)
    check_touch(page)
    page.get_by_role("link", name="Change", exact=True).click()
    expect(page.get_by_label("Leaves there at", exact=True)).to_have_value("17:00")
    look_at_both(page, f"commute-change-{size}")
    check_focus(page)
    page.get_by_role("checkbox", name=weekday(5)).uncheck()
    page.get_by_label("Leaves at", exact=True).fill("08:30")
    go_on(page, "Save")
    expect(page.get_by_text("Saved. Rides that nobody has asked for follow.")).to_be_visible()
    expect(page.locator(".menu")).to_contain_text(f"{said(3)}, 08:30")
    expect(page.locator(".menu")).not_to_contain_text(said(12))

    page.get_by_role("link", name="End", exact=True).click()
    expect(page.get_by_role("heading", name="End this commute?")).to_be_visible()
    expect(page.get_by_text(re.compile("rides are removed$"))).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)
    look_at_both(page, f"commute-end-{size}")
    check_focus(page)
    page.get_by_label("Why").fill("I have a new job.")
    page.get_by_role("button", name="End the commute").click()
    expect(page.get_by_text("Your commute has ended.")).to_be_visible()
    expect(page.get_by_text("Over", exact=True)).to_be_visible()
    look_at(page, f"commutes-{size}-light")
    page.get_by_role("link", name=re.compile("^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days 08:30")).click()
    expect(page.get_by_text("This commute is over")).to_be_visible()
    expect(page.get_by_role("link", name="End", exact=True)).to_have_count(0)
    look_at(page, f"commute-over-{size}-light")
    page.goto(URL + "/rides/mine")
    expect(page.get_by_role("heading", name="No rides ahead")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_ride_and_its_way_back_are_offered_and_removed_together(window, size):
    page, _ = newcomer(window, "Dorit Blom", size=SIZES[size])
    page.goto(URL + "/rides/new")
    choose(page, "From", "Helsinki")
    choose(page, "To", "Turku")
    go_on(page)
    page.get_by_label("Day", exact=True).fill(day(3))
    page.get_by_label("Leaves at", exact=True).fill("17:00")
    expect(page.get_by_label("Day of the way back")).to_be_hidden()
    page.get_by_role("checkbox", name="I also drive back").check()
    page.get_by_label("Day of the way back").fill(day(3))
    page.get_by_label("Leaves there at", exact=True).fill("17:10")
    go_on(page)
    page.get_by_label("Cost of a seat in").fill("12")
    page.get_by_label("Cost of a seat on the way back").fill("8")
    # One has not arrived by then: said at its field, on its step.
    go_on(page)
    expect(page.get_by_label("Leaves there at", exact=True)).to_be_focused()
    expect(page.get_by_label("Leaves there at", exact=True)).to_have_accessible_description("You have not arrived there by then. Choose a later time.")
    look_at(page, f"offer-back-wrong-{size}-light")
    page.get_by_label("Day of the way back").fill(day(5))
    go_on(page)
    go_on(page)
    expect(page.get_by_role("heading", name="Helsinki → Turku")).to_be_visible()
    expect(page.get_by_role("heading", name="Turku → Helsinki")).to_be_visible()
    look_at_both(page, f"offer-summary-back-{size}")
    go_on(page, "Offer both rides")
    expect(page.get_by_role("heading", name="Ride and way back submitted")).to_be_visible()
    look_at(page, f"offer-done-both-{size}-light")
    page.get_by_role("link", name="See your ride").click()
    page.get_by_role("link", name="Remove", exact=True).click()
    dialog = page.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Remove this ride?")).to_be_visible()
    dialog.get_by_role("checkbox", name=f"Remove the way back on {said(5)}, too").check()
    look_at(page, f"ride-remove-both-{size}-light")
    dialog.get_by_role("button", name="Remove the ride").click()
    expect(page.get_by_text("Both rides are removed.")).to_be_visible()
    expect(page.get_by_role("heading", name="No rides ahead")).to_be_visible()


def test_rides_that_somebody_has_asked_for_stay(window):
    driver, _ = newcomer(window, "Dunja Roth")
    series = commute(driver)
    path, ride = f"/rides/commutes/{series['id']}", f"/rides/{series['rides'][0]['id']}"
    rider, _ = newcomer(window, "Rune Dahl")
    asked(rider, ride)
    for rest in ("", "/change", "/end"):
        assert rider.request.get(URL + path + rest, headers={"Accept": "text/html"}).status == 404
    driver.goto(URL + path)
    expect(driver.locator(".menu > li").first).to_contain_text("1 neighbour rides along or asks")
    driver.get_by_role("link", name="Change", exact=True).click()
    expect(driver.get_by_text("These stay as they are, because somebody has asked:")).to_be_visible()
    expect(driver.get_by_role("link", name=f"{said(3)}, 08:00")).to_be_visible()
    look_at(driver, "commute-change-asked-phone-light")
    # In another window it is changed meanwhile.
    other = driver.context.new_page()
    other.goto(URL + path + "/change")
    other.get_by_label("Notes").fill("Quiet, please.")
    go_on(other, "Save")
    expect(other.get_by_text("Saved. Rides that nobody has asked for follow.")).to_be_visible()
    other.close()
    driver.get_by_label("Leaves at", exact=True).fill("09:00")
    go_on(driver, "Save")
    told = driver.get_by_role("alert")
    expect(told.get_by_role("heading", name="This was changed meanwhile")).to_be_visible()
    expect(told).to_contain_text("Quiet, please.")
    look_at(driver, "commute-change-meanwhile-phone-light")
    go_on(driver, "Save")
    rides = driver.locator(".menu > li")
    expect(rides.first).to_contain_text(f"{said(3)}, 08:00")
    expect(rides.nth(2)).to_contain_text("09:00")
    driver.get_by_role("link", name="End", exact=True).click()
    expect(driver.get_by_text("Somebody has asked for these")).to_be_visible()
    expect(driver.get_by_role("radio", name=re.compile("^They stay"))).to_be_checked()
    look_at_both(driver, "commute-end-asked-phone")
    check_touch(driver)
    driver.get_by_role("button", name="End the commute").click()
    expect(driver.get_by_text("Your commute has ended.")).to_be_visible()
    driver.goto(URL + "/rides/mine")
    expect(driver.locator("[data-mine]")).to_have_count(1)
    # The ride is one by itself now.
    rider.goto(URL + ride)
    expect(rider.get_by_role("heading", level=1)).to_contain_text("Helsinki")


def test_commutes_in_german(window):
    page, _ = newcomer(window, "Detlef Kranz", language="de-DE")
    page.goto(URL + "/rides/commutes")
    expect(page.get_by_role("heading", name="Noch keine Pendelfahrten")).to_be_visible()
    series = commute(page, weekdays=["monday", "tuesday", "wednesday", "thursday", "friday"])
    page.reload()
    link = page.get_by_role("link", name=re.compile("Montag bis Freitag 08:00 Uhr, Helsinki → Turku, zurück um 17:00 Uhr, bis"))
    expect(link).to_be_visible()
    look_at(page, "commutes-german-phone-light")
    link.click()
    expect(page).to_have_url(f"{URL}/rides/commutes/{series['id']}")
    look_at(page, "commute-german-phone-light")


def test_ways_back_and_commutes_work_without_scripts(window):
    page, _ = newcomer(window, "Dolf Peters", script=False)
    page.goto(URL + "/rides/new")
    page.get_by_label("From", exact=True).fill("Helsinki")
    page.get_by_label("To", exact=True).fill("Turku")
    go_on(page)
    for name in ("from", "to"):
        page.locator(f"input[type=radio][name='{name}.at']").first.check()
    go_on(page)
    page.get_by_label("Day", exact=True).fill(day(3))
    page.get_by_label("Leaves at", exact=True).fill("08:00")
    expect(page.get_by_label("The last day")).to_be_hidden()
    page.get_by_role("checkbox", name="I drive this each week").check()
    page.get_by_role("checkbox", name=weekday(3)).check()
    page.get_by_label("The last day").fill(day(24))
    page.get_by_role("checkbox", name="I also drive back").check()
    page.get_by_label("Leaves there at", exact=True).fill("17:00")
    page.get_by_label("Left out 1").fill(day(10))
    page.get_by_role("button", name="Another day").click()
    expect(page.get_by_label("Left out 2")).to_be_visible()
    photograph(page, "offer-repeat-plain-phone-light")
    go_on(page)
    # Back keeps all of it.
    go_on(page, "Back")
    expect(page.get_by_role("checkbox", name=weekday(3))).to_be_checked()
    expect(page.get_by_label("Leaves there at", exact=True)).to_have_value("17:00")
    go_on(page)
    go_on(page)
    expect(page.get_by_role("heading", name="3 times there and back")).to_be_visible()
    photograph(page, "offer-summary-commute-plain-phone-light")
    go_on(page, "Offer this commute")
    expect(page.get_by_role("heading", name="Commute submitted")).to_be_visible()
    page.get_by_role("link", name="See your commute").click()
    page.get_by_role("link", name="Change", exact=True).click()
    page.get_by_label("Left out 2").fill(day(17))
    go_on(page, "Save")
    expect(page.locator(".menu > li")).to_have_count(4)
    # One of its rides alone, with its way back.
    page.locator(".menu > li a").first.click()
    page.get_by_role("link", name="Remove", exact=True).click()
    expect(page.get_by_text("This ride is one day of a commute")).to_be_visible()
    page.get_by_role("checkbox", name=re.compile("^Remove the way back on")).check()
    photograph(page, "ride-remove-both-plain-phone-light")
    page.get_by_role("button", name="Remove the ride").click()
    expect(page.get_by_text("Both rides are removed.")).to_be_visible()
    page.get_by_role("link", name="Commutes", exact=True).click()
    page.locator("main h2 a").click()
    expect(page.get_by_text("You have removed the ride of that day.")).to_be_visible()
    photograph(page, "commute-gaps-plain-phone-light")
    page.get_by_role("link", name="End", exact=True).click()
    page.get_by_role("button", name="End the commute").click()
    expect(page.get_by_text("Your commute has ended.")).to_be_visible()
