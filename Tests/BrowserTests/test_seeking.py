"""Rides that are sought: told of one that passes by, and asked for a seat. Sought so that others see it: the box beside “Tell me”, whom a driver sees along the way and invites, and the
part of the way that the invited one asks for; the list of a region and a ride that is offered from there; a driver who is told of who begins to seek; all of it without scripts."""

import random
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, SIZES, URL, call, check_focus, check_touch, day, go, hear, listen, look_at, photograph, until
from test_friends import newcomer
from test_rides import go_on
from test_wanted import found, told

BOX = "Let others see that I seek this ride"


@pytest.fixture
def way():
    """Both ends of a way and a day, where and when nobody else drives or seeks; and what lies before it and behind it in the same direction."""
    dice = random.Random()
    start = dice.uniform(61.5, 63), dice.uniform(23.5, 27)
    at = lambda part: (start[0] + 0.35 * part, start[1] + 0.55 * part)
    return {"from": at(0), "to": at(1), "before": at(-0.25), "behind": at(1.25), "day": day(dice.randint(3, 40))}


def position(point):
    return dict(zip(("latitude", "longitude"), point))


def looked_for(way):
    """The search for rides along it: its address."""
    ends = "&".join(f"{end}={way[end][0]:.5f},{way[end][1]:.5f}%20{name}" for end, name in (("from", "Barn"), ("to", "Boathouse")))
    return f"/rides/search?{ends}&day={way['day']}"


def seek(page, way):
    """Seeks it through `/v1`, where that is not looked at: the id of the search."""
    rides = {"from": position(way["from"]), "to": position(way["to"]), "after": f"{way['day']}T08:00:00Z", "before": f"{way['day']}T12:00:00Z"}
    return call(page, "POST", "/v1/wanted", {"query": {"rides": rides}, "isVisible": True})["id"]


def trip(about, way, start, end):
    """What a ride from one of its ends to the other one is offered with."""
    names = {"before": "Mill Lane", "behind": "Quay"}
    stops = [{"name": names[stop], "position": position(way[stop])} for stop in (start, end)]
    return {"stops": stops, "departsAt": f"{way['day']}T09:00:00Z", "seats": 3, "maxDetour": 10_000, "cost": {"amount": 800, "currency": about["currency"]}}


def drive(page, about, way):
    """Offers a ride that goes all along it, through `/v1`: its address, once it can be looked for who seeks along it."""
    id = call(page, "POST", "/v1/rides", trip(about, way, "before", "behind"))["id"]
    assert until(page, lambda: page.request.get(URL + f"/v1/rides/{id}/seekers").ok)
    return f"/rides/{id}"


def along(page, ride):
    """Those who seek along a ride, once there is anybody."""
    return until(page, lambda: call(page, "GET", f"/v1{ride}/seekers")["items"])


def invite(driver, ride, name):
    """From the page of the ride to the list, and back to it; the row of who was invited."""
    go(driver, ride)
    expect(driver.get_by_text("1 person seeks a ride along your way")).to_be_visible()
    driver.get_by_role("link", name="See who").click()
    row = driver.locator("[data-seeker]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(name)
    row.get_by_role("button", name=f"Invite: {name}").click()
    expect(driver.get_by_text("Invited: they are told of your ride.")).to_be_visible()
    expect(row.get_by_role("button")).to_have_count(0)
    expect(row).to_contain_text("Invited")
    return row


@pytest.mark.parametrize("size", SIZES)
def test_told_of_a_ride_that_passes_by_while_one_looks_and_asked_for_a_seat(window, about, way, size):
    seeker, _ = newcomer(window, "Sonja Salo", size=SIZES[size])
    driver, _ = newcomer(window, "Dario Conti", size=DESKTOP)
    seeker.goto(URL + looked_for(way))
    seeker.get_by_role("link", name="Tell me when there is something").click()
    seeker.get_by_role("button", name="Tell me", exact=True).click()
    expect(seeker.get_by_text("You are told when there is something.")).to_be_visible()
    expect(seeker.get_by_text("Seen by others")).to_have_count(0)
    found(seeker, "Found nothing yet")

    listen(seeker)
    # The way back passes by both points as well, but the other way round.
    call(driver, "POST", "/v1/rides", trip(about, way, "behind", "before"))
    ride = drive(driver, about, way)
    found(seeker, "Found 1")
    hear(seeker, "Found 1")
    look_at(seeker, f"wanted-ride-found-{size}-light")
    check_focus(seeker)
    check_touch(seeker)

    id = ride.rsplit("/", 1)[1]
    assert until(seeker, lambda: told(seeker) == [("rideFound", id)])
    seeker.goto(URL + "/notifications")
    seeker.get_by_role("link", name=re.compile("“Mill Lane → Quay”")).click()
    expect(seeker).to_have_url(URL + f"{ride}?found=yes")
    expect(seeker.get_by_role("region", name="You were looking for this")).to_be_visible()
    seeker.get_by_role("link", name="Ask for a seat").click()
    seeker.get_by_role("button", name="Ask Dario Conti").click()
    expect(seeker.get_by_text("Dario Conti is asked; you hear by")).to_be_visible()
    look_at(seeker, f"wanted-ride-asked-{size}-light")
    # Nobody was told of who seeks it: that was not to be seen.
    assert until(driver, lambda: [kind for kind, _ in told(driver)] == ["seatRequested"])


@pytest.mark.parametrize("size", SIZES)
def test_seen_by_a_driver_invited_and_asked_for_the_part_that_is_sought(window, about, way, size):
    seeker, _ = newcomer(window, "Signe Aho", size=SIZES[size])
    driver, _ = newcomer(window, "Daniel Rask", size=SIZES[size])
    seeker.goto(URL + looked_for(way))
    seeker.get_by_role("link", name="Tell me when there is something").click()
    box = seeker.get_by_role("checkbox", name=BOX)
    expect(box).not_to_be_checked()
    expect(box).to_have_accessible_description(re.compile("They see your name, roughly from where to where"))
    box.check()
    look_at(seeker, f"seeking-new-{size}-light")
    check_focus(seeker)
    check_touch(seeker)
    seeker.get_by_role("button", name="Tell me", exact=True).click()
    expect(seeker.get_by_text("They see your name, roughly from where to where, when, for how many, and what luggage has to fit in.")).to_be_visible()
    look_at(seeker, f"seeking-search-{size}-light")
    check_focus(seeker)
    check_touch(seeker)

    ride = drive(driver, about, way)
    seen = along(driver, ride)
    # No door, and nothing near enough to one.
    assert all(abs(seen[0]["seeker"][end]["position"][axis] - exact) > 1e-7 for end in ("from", "to") for axis, exact in position(way[end]).items())
    driver.goto(URL + ride)
    expect(driver.get_by_text("1 person seeks a ride along your way")).to_be_visible()
    look_at(driver, f"ride-sought-{size}-light")
    check_focus(driver)
    check_touch(driver)
    driver.goto(URL + ride + "/seekers")
    row = driver.locator("[data-seeker]")
    expect(row).to_contain_text(re.compile("On your way|out of your way|From stop to stop"))
    expect(row).not_to_contain_text(re.compile("Barn|Boathouse"))
    look_at(driver, f"ride-seekers-{size}-light")
    check_focus(driver)
    check_touch(driver)
    invite(driver, ride, "Signe Aho")
    look_at(driver, f"ride-seekers-invited-{size}-light")

    id = ride.rsplit("/", 1)[1]
    assert until(seeker, lambda: ("rideInvited", id) in told(seeker))
    seeker.goto(URL + "/notifications")
    seeker.get_by_role("link", name=re.compile("^Daniel Rask would take you along: “Mill Lane → Quay”")).click()
    expect(seeker).to_have_url(URL + f"{ride}?found=yes")
    expect(seeker.get_by_role("region", name="You were looking for this")).to_be_visible()
    look_at(seeker, f"ride-invited-{size}-light")
    seeker.get_by_role("link", name="Ask for a seat").click()
    expect(seeker).to_have_url(re.compile(r"/ask\?from=[^&]+&to=[^&]+$"))
    seeker.get_by_role("button", name="Ask Daniel Rask").click()
    expect(seeker.get_by_text("Daniel Rask is asked; you hear by")).to_be_visible()
    # Not all the way: where they want to get in, and out.
    asked = call(seeker, "GET", "/v1/seat-requests")["items"][0]
    assert "stop" not in asked["boarding"] and "stop" not in asked["leaving"]
    assert all(abs(asked["boarding"]["position"][axis] - exact) < 0.01 for axis, exact in position(way["from"]).items())


def test_a_driver_is_told_of_who_begins_to_seek(window, about, way):
    driver, _ = newcomer(window, "Dunja Falk", size=DESKTOP)
    seeker, _ = newcomer(window, "Sofia Wik", size=PHONE)
    ride = drive(driver, about, way)
    search = seek(seeker, way)
    id = ride.rsplit("/", 1)[1]
    assert until(driver, lambda: told(driver) == [("seekerFound", id)])
    driver.goto(URL + "/notifications")
    look_at(driver, "notifications-seeker-desktop-light")
    driver.get_by_role("link", name=re.compile("^Sofia Wik seeks a ride along your way: “Mill Lane → Quay”")).click()
    expect(driver).to_have_url(URL + f"{ride}/seekers")
    expect(driver.locator(f'[data-seeker="{search}"]')).to_contain_text("Sofia Wik")
    assert told(driver) == []
    # Who does not seek so that others see it any more is not there any more.
    seeker.goto(URL + f"/wanted/{search}/edit")
    seeker.get_by_role("checkbox", name=BOX).uncheck()
    look_at(seeker, "seeking-edit-phone-light")
    check_focus(seeker)
    check_touch(seeker)
    seeker.get_by_role("button", name="Save").click()
    expect(seeker.get_by_text("Changed. From now on this is looked for.")).to_be_visible()
    expect(seeker.get_by_text("Seen by others")).to_have_count(0)
    driver.reload()
    expect(driver.get_by_role("heading", name="Nobody seeks along your way just now")).to_be_visible()
    look_at(driver, "ride-seekers-none-desktop-light")
    # To nobody but its driver there is such a page.
    seeker.goto(URL + f"{ride}/seekers")
    expect(seeker.locator("[data-seeker]")).to_have_count(0)
    expect(seeker.get_by_role("heading", name="Who seeks along your way")).to_have_count(0)


def placed(page, search):
    """Somebody who seeks, once it is known in which regions."""
    cursor = ""
    while cursor is not None:
        found = call(page, "GET", f"/v1/seekers?limit=100{cursor}")
        for one in found["items"]:
            if one["id"] == search:
                return one if one["from"].get("region") and one["to"].get("region") else None
        cursor = f"&cursor={found['next']}" if found["next"] else None
    return None


def show(page, path, search):
    """The row of somebody in the list of a region, whatever page of it that is."""
    page.goto(URL + path)
    row = page.locator(f'[data-seeker="{search}"]')
    for _ in range(50):
        if row.count() or not page.locator("#more-seekers a").count():
            break
        number = page.locator("[data-seeker]").count()
        page.locator("#more-seekers a").click()
        page.wait_for_function("number => document.querySelectorAll('[data-seeker]').length > number", arg=number)
    return row


@pytest.mark.parametrize("size", SIZES)
def test_who_seeks_is_in_the_list_of_a_region_and_such_a_ride_is_offered(window, way, size):
    seeker, _ = newcomer(window, "Saara Lehto", size=PHONE)
    driver, _ = newcomer(window, "Didrik Moe", size=SIZES[size])
    search = seek(seeker, way)
    seen = until(driver, lambda: placed(driver, search))
    path = f"/rides/regions?region={urllib.parse.quote(seen['from']['region'])}"
    row = show(driver, path, search)
    expect(row).to_contain_text("Saara Lehto")
    look_at(driver, f"region-seekers-{size}-light")
    check_focus(driver)
    check_touch(driver)
    row.get_by_role("link", name="Offer such a ride: Saara Lehto").click()
    expect(driver.get_by_text("Step 1 of 3")).to_be_visible()
    names = {label: seen[end].get("name", "") for label, end in (("From", "from"), ("To", "to"))}
    for label, name in names.items():
        expect(driver.get_by_label(label, exact=True)).to_have_value(name)
    if all(names.values()):
        go_on(driver)
        expect(driver.get_by_label("Day", exact=True)).to_have_value(way["day"])
    # Where somebody gets, too; not to themselves, and not to who is nobody yet.
    there = f"/rides/regions?region={urllib.parse.quote(seen['to']['region'])}&direction=to"
    expect(show(driver, there, search)).to_contain_text("Saara Lehto")
    expect(show(seeker, path, search)).to_have_count(0)
    stranger = window(size=SIZES[size])
    stranger.goto(URL + path)
    expect(stranger.locator("[data-seeker]")).to_have_count(0)
    # While it is paused nobody sees it.
    seeker.goto(URL + f"/wanted/{search}")
    seeker.get_by_role("button", name="Pause").click()
    expect(seeker.get_by_text("Nobody sees it while it is paused.")).to_be_visible()
    look_at(seeker, "seeking-paused-phone-light")
    expect(show(driver, path, search)).to_have_count(0)


def test_all_of_it_without_scripts(window, about, way):
    seeker, _ = newcomer(window, "Senja Virta", size=PHONE, script=False)
    driver, _ = newcomer(window, "Dora Lund", size=DESKTOP, script=False)
    go(seeker, looked_for(way))
    seeker.get_by_role("link", name="Tell me when there is something").click()
    seeker.get_by_role("checkbox", name=BOX).check()
    photograph(seeker, "seeking-new-no-script-phone-light")
    seeker.get_by_role("button", name="Tell me", exact=True).click()
    expect(seeker.get_by_text("They see your name, roughly from where to where, when, for how many, and what luggage has to fit in.")).to_be_visible()
    photograph(seeker, "seeking-search-no-script-phone-light")
    ride = drive(driver, about, way)
    assert along(driver, ride)
    invite(driver, ride, "Senja Virta")
    photograph(driver, "ride-seekers-no-script-desktop-light")

    id = ride.rsplit("/", 1)[1]
    assert until(seeker, lambda: ("rideInvited", id) in told(seeker))
    go(seeker, "/notifications")
    seeker.get_by_role("link", name=re.compile("^Dora Lund would take you along")).click()
    expect(seeker).to_have_url(URL + f"{ride}?found=yes")
    photograph(seeker, "ride-invited-no-script-phone-light")
    seeker.get_by_role("link", name="Ask for a seat").click()
    seeker.get_by_role("button", name="Show the price").click()
    expect(seeker.get_by_text("This is what it costs.")).to_be_visible()
    seeker.get_by_role("button", name="Ask Dora Lund").click()
    expect(seeker.get_by_text("Dora Lund is asked; you hear by")).to_be_visible()
    asked = call(seeker, "GET", "/v1/seat-requests")["items"][0]
    assert "stop" not in asked["boarding"] and "stop" not in asked["leaving"]
