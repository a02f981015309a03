"""Who one is: joining with a whole profile, usernames that are taken, and what others see of it."""

import re

from playwright.sync_api import expect

from kampong import PASSWORD, RUN, URL, Person, look_at


def fill_join(page, person, username):
    page.goto(URL + "/join")
    page.get_by_label("Name", exact=True).fill(person.name)
    page.get_by_label("Username").fill(username)
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)


def test_join_with_a_whole_profile(window, about, photo):
    page, person = window(), Person("Kaya Oduya")
    fill_join(page, person, f"kaya.{RUN}")
    expect(page.get_by_text(f"kaya.{RUN} is free.")).to_be_visible()
    if about["regions"]:
        page.get_by_label("Region").select_option(about["regions"][0])
    else:
        page.get_by_label("Region").fill("Harbour")
    page.get_by_label("Your picture").set_input_files(photo)
    expect(page.locator("[data-portrait]")).to_have_attribute("src", re.compile("^blob:"))
    look_at(page, "join-whole-phone-light")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Hello Kaya")).to_be_visible()
    page.goto(URL + "/me")
    expect(page.get_by_text(f"@kaya.{RUN} · {about['regions'][0] if about['regions'] else 'Harbour'}")).to_be_visible()
    expect(page.locator("main img.face.big")).to_be_visible()


def test_a_taken_username_offers_free_ones(window):
    first = window()
    fill_join(first, Person("Lena Berg"), f"lena_{RUN}")
    first.get_by_role("button", name="Join").click()
    expect(first.get_by_role("heading", name="Hello Lena")).to_be_visible()
    page = window()
    fill_join(page, Person("Lena Falk"), f"LENA_{RUN}")
    expect(page.get_by_text("Somebody has that name already. How about one of these?")).to_be_visible()
    look_at(page, "join-taken-phone-light")
    page.get_by_role("button", name=f"lena_{RUN}2").click()
    expect(page.get_by_label("Username")).to_have_value(f"lena_{RUN}2")
    expect(page.get_by_text(f"lena_{RUN}2 is free.")).to_be_visible()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Hello Lena")).to_be_visible()


def test_a_taken_username_without_scripts(window, ada):
    taken = f"mika_{RUN}"
    first = window(script=False)
    fill_join(first, Person("Mika Sato"), taken)
    first.get_by_role("button", name="Join").click()
    expect(first.get_by_role("heading", name="Hello Mika")).to_be_visible()
    page = window(script=False)
    fill_join(page, Person("Mika Aalto"), taken)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_label("Username")).to_have_accessible_description(re.compile("^Somebody has that name already."))
    expect(page.get_by_label("Username")).to_have_value(taken)
    expect(page.get_by_text(f"{taken}2", exact=True)).to_be_visible()
    page.get_by_label("Username").fill(f"{taken}2")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Hello Mika")).to_be_visible()
