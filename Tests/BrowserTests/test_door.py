"""In and out: joining with field errors, coming back to where one was, sessions that end elsewhere."""

import random
import re
import string

from playwright.sync_api import expect

from kampong import DESKTOP, PASSWORD, RUN, URL, Person, call, give_back, join, join_by_page, look_at, photograph, share_spot, sign_in, until


def test_join_says_what_is_wrong_at_the_field(window):
    page = window()
    page.goto(URL + "/join")
    page.get_by_label("Name", exact=True).fill("Dana")
    page.get_by_label("Email").fill("dana@")
    page.get_by_label("Password", exact=True).fill("short")
    page.get_by_role("button", name="Join").click()
    email, password = page.get_by_label("Email"), page.get_by_label("Password", exact=True)
    expect(email).to_be_focused()
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(email).to_have_accessible_description("That is not a whole email address.")
    expect(password).to_have_accessible_description("A little longer: eight characters or more. Eight characters or more. A sentence is best.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Dana")
    expect(email).to_have_value("dana@")
    look_at(page, "join-errors-phone-light")
    email.fill(Person("Dana").email)
    password.fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Welcome!")).to_be_visible()


def test_password_can_be_looked_at(window):
    page = window()
    page.goto(URL + "/sign-in")
    password = page.get_by_label("Password", exact=True)
    password.fill("secret words")
    expect(password).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show password").click()
    expect(password).to_have_attribute("type", "text")


def test_wrong_password_tells_nothing(window, ada):
    page = window()
    page.goto(URL + "/sign-in")
    page.get_by_label("Email").fill(ada.email)
    page.get_by_label("Password", exact=True).fill("not this one at all")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Email or password is not right.")
    expect(page.get_by_label("Email")).to_have_value(ada.email)


def test_back_to_where_one_was(window, ada):
    page = window()
    page.goto(URL + "/me/spots?of=claimed")
    expect(page.get_by_text("Sign in, and you are back where you were.")).to_be_visible()
    sign_in(page, ada)
    page.wait_for_url(URL + "/me/spots?of=claimed")


def test_a_stranger_looks_first(window, ada, ben, somewhere):
    """From the welcome to a lively map; wanting a spot leads to the door, and from there to the question."""
    name = f"At the fountain {RUN}"
    page = window()
    page.goto(URL)
    page.get_by_role("link", name="See what is free now").click()
    expect(page.locator("#map canvas").first).to_be_attached()
    path = share_spot(window(ada), name, somewhere())
    card = page.locator("[data-spot]", has_text=name)
    expect(card).to_be_visible(timeout=15_000)
    card.get_by_role("link", name=name, exact=True).click()
    page.get_by_role("link", name="Claim this spot").click()
    sign_in(page, ben)
    page.wait_for_url(f"{URL}{path}/claim")
    page.get_by_role("button", name="Claim it").click()
    expect(page.get_by_text("This spot is yours.")).to_be_visible()
    give_back(page)


def test_only_back_to_this_site(window, ada):
    for elsewhere in ("https://example.org/", "//example.org/", "/\\example.org"):
        page = window()
        page.goto(URL + "/sign-in?next=" + elsewhere)
        sign_in(page, ada)
        page.wait_for_url(URL + "/")


def test_session_ended_elsewhere(window):
    """A session that another device ends leads to sign-in with the next click, and back to that page."""
    person = Person("Eero Salo")
    here, there = window(), window(size=DESKTOP)
    join_by_page(here, person)
    there.goto(URL + "/sign-in")
    sign_in(there, person)
    there.goto(URL + "/me/sessions")
    expect(there.get_by_text("This device")).to_have_count(1)
    look_at(there, "two-sessions-desktop-light")
    there.get_by_role("button", name="End").click()
    expect(there.get_by_role("button", name="End")).to_have_count(0)
    # The gateway hears of it by an event: a moment later the other one's token is worth nothing.
    assert until(here, lambda: here.request.get(URL + "/v1/me").status == 401)
    here.get_by_role("link", name="Me", exact=True).last.click()
    here.wait_for_url(URL + "/sign-in?next=/me")
    sign_in(here, person)
    here.wait_for_url(URL + "/me")
    expect(here.get_by_role("heading", name="Eero Salo")).to_be_visible()


def end_session(page):
    """As another device does it: the page hears nothing of it before its next click."""
    own = next(one for one in page.request.get(URL + "/v1/sessions").json()["items"] if one["current"])
    call(page, "DELETE", f"/v1/sessions/{own['id']}")
    assert until(page, lambda: page.request.get(URL + "/v1/me").status == 401)


def type_and_send(page):
    page.goto(URL + "/me/edit")
    page.get_by_label("About you").fill("A cook.\nTwo children <b>")
    page.get_by_label("Username").fill("g")
    page.get_by_role("radio", name="I deliver").check()
    end_session(page)
    page.get_by_role("button", name="Save").click()


def send_what_was_typed(page):
    """Without scripts: all that was typed is sent, and what is wrong with it is said at its field as ever."""
    expect(page.get_by_role("heading", name="You are signed in again")).to_be_visible()
    page.get_by_role("button", name="Send what I typed").click()
    expect(page.get_by_label("Username")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("About you")).to_have_value("A cook.\nTwo children <b>")


def test_what_was_typed_when_the_session_had_ended_is_there_again(window):
    person = Person("Ines Faro")
    page = window()
    join(page, person)
    type_and_send(page)
    page.wait_for_url(URL + "/sign-in?next=/me/edit")
    sign_in(page, person)
    page.wait_for_url(URL + "/me/edit")
    expect(page.get_by_text("What you typed is here again.")).to_be_visible()
    expect(page.get_by_label("About you")).to_have_value("A cook.\nTwo children <b>")
    expect(page.get_by_label("Username")).to_have_value("g")
    expect(page.locator("input[name=mode][value=delivering]")).to_be_checked()
    look_at(page, "typed-again-phone-light")
    page.get_by_label("Username").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    # Once, and not where it was sent since.
    page.goto(URL + "/me/edit")
    expect(page.get_by_label("Username")).to_have_value("")
    assert page.evaluate("sessionStorage.getItem('kampong.typed')") is None


def test_what_one_person_typed_is_nothing_of_another_who_signs_in_there(window, ben):
    page = window()
    join(page, Person("Jana Held"))
    type_and_send(page)
    page.wait_for_url(URL + "/sign-in?next=/me/edit")
    sign_in(page, ben)
    page.wait_for_url(URL + "/me/edit")
    expect(page.get_by_label("About you")).not_to_have_value("A cook.\nTwo children <b>")
    expect(page.get_by_text("What you typed is here again.")).to_have_count(0)
    assert page.evaluate("sessionStorage.getItem('kampong.typed')") is None


def test_without_scripts_it_is_taken_along_and_sent_with_one_press(window):
    person = Person("Ilja Brand")
    page = window(script=False)
    join(page, person)
    type_and_send(page)
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
    assert "A cook." not in page.content(), "whoever finds this page cannot read it"
    expect(page.get_by_text("What you typed is kept for an hour, whichever way you sign in")).to_be_visible()
    photograph(page, "sign-in-kept-phone-light")
    sign_in(page, person)
    expect(page.get_by_role("heading", name="You are signed in again")).to_be_visible()
    photograph(page, "resume-phone-light")
    send_what_was_typed(page)


def test_without_scripts_it_is_there_after_a_way_round_by_other_doors(window):
    person = Person("Lene Post")
    page = window(script=False)
    join(page, person)
    type_and_send(page)
    page.get_by_role("link", name="Join", exact=True).last.click()
    expect(page.get_by_role("heading", name="Join your neighbours")).to_be_visible()
    page.goto(URL + "/sign-in?next=/parking")
    sign_in(page, person)
    page.wait_for_url(URL + "/resume?next=/parking")
    send_what_was_typed(page)


def test_without_scripts_nobody_else_finds_it_there(window, ben):
    person = Person("Mika Rand")
    page = window(script=False)
    join(page, person)
    type_and_send(page)
    page.goto(URL + "/sign-in")
    sign_in(page, ben)
    expect(page.get_by_role("heading", name="Hello Ben")).to_be_visible()
    page.goto(URL + "/resume")
    page.wait_for_url(URL + "/")
    assert not [one for one in page.context.cookies() if one["name"].endswith("kampong_typed")]


def test_without_scripts_what_is_too_long_for_other_ways_is_said(window):
    person = Person("Nuri Lang")
    page = window(script=False)
    join(page, person)
    page.goto(URL + "/me/edit")
    page.get_by_label("About you").fill("".join(random.choices(string.ascii_letters + string.digits, k=9000)))
    end_session(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("It is too long to come along by another page.")).to_be_visible()
    photograph(page, "sign-in-too-long-phone-light")
    sign_in(page, person)
    expect(page.get_by_role("heading", name="You are signed in again")).to_be_visible()


def test_passwords_are_not_kept(window):
    page = window()
    join(page, Person("Kira Noll"))
    page.goto(URL + "/me/erase")
    form = page.locator("form[action='/me/erase']")
    form.locator("input[name=password]").fill("my own secret words")
    end_session(page)
    form.locator("button[data-once]").click()
    page.wait_for_url(re.compile("/sign-in"))
    assert page.evaluate("sessionStorage.getItem('kampong.typed')") is None


def test_sign_out_everywhere(window):
    page = window()
    join(page, Person("Fay Koh"))
    page.goto(URL + "/me/sessions")
    page.get_by_role("link", name="Sign out everywhere").click()
    dialog = page.get_by_role("dialog", name="Sign out everywhere?")
    dialog.get_by_role("button", name="Sign out everywhere").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.goto(URL + "/me")
    page.wait_for_url(URL + "/sign-in?next=/me")


def test_profile(window, photo):
    page = window()
    join(page, Person("Gus Tan"))
    page.goto(URL + "/me/edit")
    page.get_by_label("Your picture").set_input_files(photo)
    page.get_by_label("Username").fill("G!")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Username")).to_be_focused()
    page.get_by_label("Username").fill(f"gus_{RUN}")
    page.get_by_label("Name", exact=True).fill("Gus Tan the Second")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_role("heading", name="Gus Tan the Second")).to_be_visible()
    expect(page.locator("main img.face.big")).to_be_visible()
    look_at(page, "me-with-picture-phone-light")


def test_sign_out(window):
    page = window()
    join(page, Person("Hana Mori"))
    page.goto(URL + "/me")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Share with your neighbours")).to_be_visible()
