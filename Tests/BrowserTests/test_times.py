"""One calendar of time: what nobody could ask for is said where one looks for it, is not free in the calendar, and a thing's time zone stays while it is in use."""

import re

import pytest
from playwright.sync_api import expect

from kampong import RUN, URL, call, day, look_at
from test_rentals import asked, one_day, two  # noqa: F401, one_day is used by all tests here


@pytest.mark.parametrize("script", [True, False])
def test_what_nobody_could_ask_for_is_said_where_one_looks_for_it(window, ada, script):
    page = window(ada, script=script)
    for begin, end, label, said in [
        (-3, -2, "From this day", "That is over already."), (380, 381, "From this day", "Nobody can ask for what is that far ahead."),
        (10, 150, "To this day", "That is longer than it may be."), (4, 3, "To this day", "It ends before it begins."),
    ]:
        page.goto(URL + f"/spaces?from={day(begin)}&until={day(end)}")
        expect(page.get_by_label(label)).to_have_accessible_description(re.compile(re.escape(said)))
    page.get_by_label("To this day").fill(day(5))
    page.get_by_role("button", name="Show what fits").click()
    expect(page).to_have_url(re.compile(f"until={day(5)}"))


def test_days_too_far_ahead_are_not_free(window, about, somewhere):
    _, renter, thing = two(window, about, somewhere, "Ilse Maar", "Jun Abe", f"Shed by the lock {RUN}")
    renter.goto(URL + thing + f"/rent?month={day(365)[:7]}")
    last, late = renter.locator(f"#day-{day(365)}"), renter.locator(f"[data-day='{day(366)}']")
    expect(last).to_be_visible()
    # Of the month after the last one nothing is shown before something has begun.
    if day(366)[:7] == day(365)[:7]:
        expect(late).to_contain_text("too far ahead")
    expect(renter.locator(f"#day-{day(366)}")).to_have_count(0)
    look_at(renter, "rent-far-phone-light")
    # What begins in time may end later, and costs what it costs.
    last.click()
    expect(renter.get_by_label("First day")).to_have_value(day(365))
    if day(366)[:7] != day(365)[:7]:
        renter.locator("#months-later").click()
    renter.locator(f"#day-{day(366)}").click()
    expect(renter.locator("#quote")).to_contain_text("2 days")
    renter.goto(URL + thing + f"/rent?from={day(366)}&until={day(366)}")
    expect(renter.locator("#quote")).to_contain_text("Nobody can ask for what is that far ahead.")


@pytest.mark.parametrize("script", [True, False])
def test_turning_ends_with_the_last_month_that_has_a_free_day(window, about, somewhere, script):
    _, renter, thing = two(window, about, somewhere, "Ole Brandt", "Pia Koch", f"Shed by the weir {RUN} {script}", script=script)
    renter.goto(URL + thing + "/rent")
    later, earlier = renter.locator("#months-later"), renter.locator("#months-earlier")
    first = renter.locator("table.month caption").first
    expect(later).to_be_visible()
    for _ in range(12):
        if not later.count():
            break
        shown = first.inner_text()
        later.click()
        expect(first).not_to_have_text(shown)
    expect(later).to_have_count(0)
    expect(renter.locator(f"#day-{day(365)}")).to_be_visible()
    if script:
        look_at(renter, "rent-last-month-phone-light")
    end = first.inner_text()
    renter.goto(URL + thing + "/rent?month=2999-01")
    expect(first).to_have_text(end)
    expect(later).to_have_count(0)
    earlier.click()
    expect(later).to_be_visible()


def test_a_time_zone_stays_while_somebody_has_asked(window, about, somewhere):
    title = f"Loft with a crane {RUN}"
    owner, renter, thing = two(window, about, somewhere, "Kaja Lund", "Luc Petit", title)
    path = asked(renter, thing)

    def move():
        owner.goto(URL + thing + "/edit")
        owner.get_by_label("Time zone").select_option("Europe/Vienna")
        owner.get_by_role("button", name="Save").click()

    move()
    expect(owner.get_by_label("Time zone")).to_have_accessible_description(re.compile("its time zone stays as it is"))
    expect(owner.get_by_label("Time zone")).to_have_value("Europe/Vienna")
    look_at(owner, "zone-in-use-phone-light")
    call(owner, "POST", f"/v1{path}/decline", {})
    move()
    expect(owner.get_by_role("heading", name=title)).to_be_visible()
