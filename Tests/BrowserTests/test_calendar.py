"""The calendar that other programs read: the address, and what a parser of iCalendar makes of the file."""

import datetime
import urllib.error
import urllib.request

import icalendar
import pytest
from playwright.sync_api import expect

from conftest import newcomer
from kampong import PHONE, URL, call, look_at, plate

PARKING = {"title": "Garage; by the well, left", "price": {"amount": 200, "currency": "EUR"}, "longest": 8, "zone": "Europe/Helsinki",
           "address": "Fabianinkatu 33, Helsinki", "isInstant": True, "isComplete": True}
VAN = {"title": "Ein grüner Lieferwagen für Umzüge, Möbel und alles, was sonst in kein Auto passt", "brand": "Toyota", "model": "Hiace",
       "price": {"amount": 4500, "currency": "EUR"}, "longest": 14, "zone": "Europe/Helsinki", "isInstant": True, "isComplete": True}


def fetch(address, headers={}):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, b""


def address(page):
    """On the host of the pages, which tests reach at another address."""
    return URL + "/calendar/" + page.get_by_label("Address of your calendar").input_value().rsplit("/", 1)[1]


def let(owner, path, draft, about, somewhere):
    lat, lon = somewhere()
    draft = {**draft, "region": about["regions"][0], "place": "Kluuvi", "position": {"latitude": lat, "longitude": lon}, "price": {**draft["price"], "currency": about["currency"]}}
    return call(owner, "POST", path, draft | ({"plate": plate()} if path == "/v1/cars" else {}))


@pytest.fixture
def ulla(browser, window):
    """A page of somebody new."""
    page = window(newcomer(browser, "Ulla Sten"), PHONE)
    page.goto(URL + "/me")
    return page


@pytest.fixture
def finn(browser, window):
    page = window(newcomer(browser, "Finn Aho"), PHONE)
    page.goto(URL + "/me")
    return page


def test_what_one_rents_and_lets_stands_in_a_calendar_that_programs_read(about, ulla, finn, somewhere):
    garage = let(ulla, "/v1/private-parking", PARKING, about, somewhere)
    van = let(finn, "/v1/cars", VAN, about, somewhere)
    day = datetime.date.today() + datetime.timedelta(days=20)
    last = day + datetime.timedelta(days=2)
    let_ = call(finn, "POST", f"/v1/private-parking/{garage['id']}/rentals", {"from": f"{day}T14:00", "until": f"{day}T16:00"})
    rented = call(ulla, "POST", f"/v1/cars/{van['id']}/rentals", {"from": str(day), "until": str(last)})

    ulla.goto(URL + "/me/calendar")
    look_at(ulla, "calendar")
    ulla.get_by_role("button", name="Make an address").click()
    look_at(ulla, "calendar-address")
    status, headers, body = fetch(address(ulla))
    assert status == 200 and headers["Content-Type"] == "text/calendar; charset=utf-8" and headers["Cache-Control"].startswith("private")
    assert all(len(line) <= 75 for line in body.split(b"\r\n")) and b"\n" not in body.replace(b"\r\n", b"")
    calendar = icalendar.Calendar.from_ical(body)
    events = {str(event["UID"]): event for event in calendar.walk("VEVENT")}
    assert set(events) == {let_["id"], rented["id"]} and all(not event.errors for event in events.values())
    hours, days = events[let_["id"]], events[rented["id"]]
    assert hours["SUMMARY"] == f"{PARKING['title']}, let to Finn Aho" and hours["STATUS"] == "CONFIRMED"
    assert hours["LOCATION"] == PARKING["address"] and hours["DTSTART"].dt.tzinfo is not None
    assert hours["DTEND"].dt - hours["DTSTART"].dt == datetime.timedelta(hours=2)
    assert days["SUMMARY"] == f"{VAN['title']}, from Finn Aho" and str(days["URL"]).endswith(f"/rentals/{rented['id']}")
    assert (days["DTSTART"].dt, days["DTEND"].dt) == (day, last + datetime.timedelta(days=1))
    assert fetch(address(ulla), {"If-None-Match": headers["ETag"]})[0] == 304

    call(finn, "POST", f"/v1/rentals/{let_['id']}/cancel", {"reason": "I need it not."})
    again = icalendar.Calendar.from_ical(fetch(address(ulla))[2])
    assert {str(event["UID"]): event["STATUS"] for event in again.walk("VEVENT")}[let_["id"]] == "CANCELLED"


def test_an_address_leads_nowhere_once_there_is_another_or_none(ulla):
    page = ulla
    page.goto(URL + "/me/calendar")
    page.get_by_role("button", name="Make an address").click()
    first = address(page)
    assert not icalendar.Calendar.from_ical(fetch(first)[2]).walk("VEVENT")
    shown = page.get_by_label("Address of your calendar")
    before = shown.input_value()
    page.get_by_role("button", name="Make a new address").click()
    expect(shown).not_to_have_value(before)
    second = address(page)
    assert first != second and fetch(first)[0] == 404 and fetch(second)[0] == 200
    page.get_by_role("button", name="Turn it off").click()
    expect(page.get_by_role("button", name="Make an address")).to_be_visible()
    assert fetch(second)[0] == 404
    assert fetch(URL + "/calendar/nonsense.ics")[0] == 404


def test_a_request_is_told_to_who_lets_and_leads_to_it(about, ulla, finn, somewhere):
    van = let(ulla, "/v1/cars", {**VAN, "isInstant": False}, about, somewhere)
    day = datetime.date.today() + datetime.timedelta(days=25)
    rental = call(finn, "POST", f"/v1/cars/{van['id']}/rentals", {"from": str(day), "until": str(day)})
    expect(ulla.get_by_text("Finn Aho asks for “Ein grüner Lieferwagen").first).to_be_visible()
    ulla.goto(URL + "/notifications")
    look_at(ulla, "notices-of-rentals")
    ulla.get_by_role("link", name="Finn Aho asks for").first.click()
    expect(ulla).to_have_url(f"{URL}/rentals/{rental['id']}")
