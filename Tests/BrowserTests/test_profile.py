"""Who one is: joining with a whole profile, usernames that are taken, and what others see of it."""

import re

from playwright.sync_api import expect

from kampong import DESKTOP, PASSWORD, RUN, URL, Person, join, look_at, share_spot


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
    join(window(), Person("Lena Berg"), username=f"lena_{RUN}")
    page = window()
    fill_join(page, Person("Lena Falk"), f"LENA_{RUN}")
    expect(page.get_by_text("Somebody has that name already. How about one of these?")).to_be_visible()
    look_at(page, "join-taken-phone-light")
    page.get_by_role("button", name=f"lena_{RUN}2").click()
    expect(page.get_by_label("Username")).to_have_value(f"lena_{RUN}2")
    expect(page.get_by_text(f"lena_{RUN}2 is free.")).to_be_visible()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Hello Lena")).to_be_visible()


def test_a_taken_username_without_scripts(window):
    taken = f"mika_{RUN}"
    join(window(), Person("Mika Sato"), username=taken)
    page = window(script=False)
    fill_join(page, Person("Mika Aalto"), taken)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_label("Username")).to_have_accessible_description(re.compile("^Somebody has that name already."))
    expect(page.get_by_label("Username")).to_have_value(taken)
    expect(page.locator(".without-script", has_text=f"{taken}2").first).to_be_visible()
    expect(page.get_by_role("button", name=f"{taken}2")).to_be_hidden()
    page.get_by_label("Username").fill(f"{taken}2")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Hello Mika")).to_be_visible()


def test_a_whole_profile_is_edited(window):
    page = window()
    join(page, Person("Nora Sund"))
    page.goto(URL + "/me/edit")
    page.get_by_label("About you").fill("A cook.\nTwo children, one <bicycle>.")
    page.get_by_label("Phone").fill("9123 4567")
    page.get_by_label("Make").fill("Toyota")
    page.get_by_label("Model").fill("Yaris")
    page.get_by_label("Year").fill("1492")
    page.get_by_label("Colour").fill("blue")
    page.get_by_role("radio", name="I deliver").check()
    page.get_by_role("button", name="Save").click()
    phone, year = page.get_by_label("Phone"), page.get_by_label("Year")
    expect(phone).to_be_focused()
    expect(phone).to_have_accessible_description(re.compile("^Begin with \\+ and the country's code"))
    expect(year).to_have_accessible_description("No car was built in that year.")
    expect(page.get_by_label("About you")).to_have_value("A cook.\nTwo children, one <bicycle>.")
    look_at(page, "me-edit-errors-phone-light")
    phone.fill("+65 9123 4567")
    year.fill("2015")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    for words in ("+6591234567", "Toyota Yaris, blue, 2015", "I deliver", "Two children, one <bicycle>."):
        expect(page.get_by_text(words)).to_be_visible()
    look_at(page, "me-whole-phone-light")
    page.goto(URL + "/me/edit")
    expect(page.get_by_role("radio", name="I deliver")).to_be_checked()
    page.get_by_label("Phone").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_text("+6591234567")).to_have_count(0)


def test_somebody_is_opened_from_their_post(window, ben, somewhere):
    """From a spot to who posted it: who they are, and what else they share; never what is theirs alone."""
    owner, person, place = window(), Person("Olga Ruiz"), somewhere()
    join(owner, person)
    owner.goto(URL + "/me/edit")
    owner.get_by_label("About you").fill("I know every corner here.")
    owner.get_by_label("Phone").fill("+65 8765 4321")
    owner.get_by_label("Make").fill("Fiat")
    owner.get_by_role("button", name="Save").click()
    expect(owner.get_by_text("Saved.")).to_be_visible()
    paths = [share_spot(owner, f"Olga's place {number} {RUN}", place) for number in (1, 2)]
    page = window(ben, size=DESKTOP)
    page.goto(URL + paths[0])
    page.get_by_role("link", name="Olga Ruiz").click()
    expect(page.get_by_role("heading", name="Olga Ruiz", exact=True)).to_be_visible()
    expect(page.get_by_text("I know every corner here.")).to_be_visible()
    expect(page.get_by_text("Fiat")).to_be_visible()
    expect(page.get_by_text("8765")).to_have_count(0)
    expect(page.get_by_text(person.email)).to_have_count(0)
    expect(page.locator("[data-spot]")).to_have_count(2)
    look_at(page, "person-spots-desktop-light")
    page.get_by_role("link", name=f"Olga's place 2 {RUN}", exact=True).click()
    page.wait_for_url(URL + paths[1])


def test_of_two_windows_in_which_the_same_is_changed_the_second_says_so(window):
    one = window()
    join(one, Person("Rosa Vidal"))
    other = one.context.new_page()
    window.watch(other)
    for page in (one, other):
        page.goto(URL + "/me/edit")
    one.get_by_label("About you").fill("A cook <b>")
    one.get_by_role("button", name="Save").click()
    expect(one.get_by_text("Saved.")).to_be_visible()
    other.get_by_label("About you").fill("A baker")
    other.get_by_role("button", name="Save").click()
    told = other.get_by_role("alert")
    expect(told.get_by_role("heading", name="This was changed meanwhile")).to_be_visible()
    expect(told).to_contain_text("A cook <b>")
    expect(other.get_by_label("About you")).to_have_value("A baker")
    look_at(other, "edit-meanwhile-phone-light")
    # Nothing was taken back; what is saved can be gone on with, or replaced.
    one.goto(URL + "/me/edit")
    expect(one.get_by_label("About you")).to_have_value("A cook <b>")
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_text("Saved.")).to_be_visible()
    one.get_by_label("About you").fill("A cook again")
    one.get_by_role("button", name="Save").click()
    one.get_by_role("link", name="Go on with what is saved").click()
    expect(one.get_by_label("About you")).to_have_value("A baker")
