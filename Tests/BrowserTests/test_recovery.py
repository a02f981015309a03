"""A forgotten password: the mail lies in the operator's folder, its link leads to a new password, once."""

import email
import email.policy
import os
import pathlib
import re
import time

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, URL, Person, call, join, look_at, until
from test_door import send_what_was_typed, type_and_send

MAILS = os.environ.get("KAMPONG_MAILS")


def mail_to(address, seen=()):
    """The newest mail to an address that was not seen yet; waits for it."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for path in sorted(pathlib.Path(MAILS).glob("*.eml"), reverse=True):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            if message["To"].addresses[0].addr_spec == address and path.name not in seen:
                return path.name, message
        time.sleep(0.2)
    raise AssertionError(f"no mail to {address} in {MAILS}")


def show_address(window, address):
    """Shows that an address is theirs who are signed in in the window: before, nobody writes to them."""
    call(window, "POST", "/v1/me/email", {"email": address})
    _, message = mail_to(address)
    code = re.search(r"\b\d{6}\b", message.get_body(("plain",)).get_content())[0]
    call(window, "POST", "/v1/me/email/confirm", {"code": code})


def mail_about(address, words):
    """The newest mail to an address whose subject begins so; waits for it."""
    seen = set()
    while True:
        name, message = mail_to(address, seen)
        if message["Subject"].startswith(words):
            return name, message
        seen.add(name)
        time.sleep(0.2)


def link_in(message, part):
    content = message.get_body((part,)).get_content()
    return re.search(r'http[^\s"<]+/new-password\?token=[\w-]+', content).group()


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_a_forgotten_password(window):
    person = Person("Ines Vik")
    here = window()
    join(here, person)
    show_address(here, person.email)

    page = window(size=DESKTOP)
    page.goto(URL + "/sign-in")
    page.get_by_role("link", name="Forgot your password?").click()
    look_at(page, "forgot-desktop-light")
    page.get_by_label("Email").fill("ines@")
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_label("Email")).to_have_accessible_description("That is not a whole email address.")
    page.get_by_label("Email").fill(person.email)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    look_at(page, "look-into-your-mail-desktop-light")

    _, message = mail_about(person.email, "A new password for ")
    assert link_in(message, "plain") == link_in(message, "html")
    link = link_in(message, "plain")
    assert link.startswith(URL)

    page.goto(link)
    expect(page.get_by_text("For the account of Ines Vik")).to_be_visible()
    look_at(page, "new-password-desktop-light")
    password = page.get_by_label("New password", exact=True)
    password.fill("short")
    page.get_by_role("button", name="Set the password").click()
    expect(password).to_be_focused()
    password.fill("a path through the reeds")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Your new password is set.")).to_be_visible()
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill("a path through the reeds")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()

    # The other device is signed out, and the link is good for nothing any more.
    assert until(here, lambda: here.request.get(URL + "/v1/me").status == 401)
    here.goto(URL + "/me")
    here.wait_for_url(URL + "/sign-in?next=/me")
    here.goto(link)
    expect(here.get_by_role("heading", name="This link is no longer good")).to_be_visible()
    look_at(here, "dead-link-phone-light")


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_what_was_typed_without_scripts_is_there_after_a_forgotten_password(window):
    person = Person("Ove Sand")
    page = window(script=False)
    join(page, person)
    show_address(page, person.email)
    type_and_send(page)
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill(person.email)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    _, message = mail_about(person.email, "A new password for ")
    page.goto(link_in(message, "plain"))
    page.get_by_label("New password", exact=True).fill("a path through the reeds")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Your new password is set.")).to_be_visible()
    expect(page.get_by_text("What you typed is kept for an hour")).to_be_visible()
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill("a path through the reeds")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(URL + "/resume")
    send_what_was_typed(page)


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_without_scripts_and_in_german(window):
    person = Person("Jon Berg")
    first = window()
    join(first, person)
    show_address(first, person.email)
    page = window(script=False, language="de-DE")
    page.goto(URL + "/forgot-password")
    page.get_by_label("E-Mail").fill(person.email)
    page.get_by_role("button", name="Link schicken").click()
    expect(page.get_by_role("heading", name="Sieh in deine Mails")).to_be_visible()
    _, message = mail_about(person.email, "Ein neues Passwort für ")
    page.goto(link_in(message, "html"))
    page.get_by_label("Neues Passwort", exact=True).fill("ein Weg durch das Schilf")
    page.get_by_role("button", name="Passwort setzen").click()
    expect(page.get_by_text("Dein neues Passwort gilt.")).to_be_visible()
