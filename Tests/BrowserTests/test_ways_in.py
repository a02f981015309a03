"""Address and password: shown, changed, and asked for before ways into the account are removed."""

import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PASSWORD, PHONE, URL, Person, join, look_at, photograph, sign_in
from test_recovery import MAILS, mail_to


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
@pytest.mark.parametrize("size, name", [(PHONE, "phone"), (DESKTOP, "desktop")], ids=["phone", "desktop"])
def test_a_mistyped_address_is_corrected(window, size, name):
    person = Person("Mia Holm")
    typed, person.email = person.email, person.email.replace("@", ".right@")
    page = window(size=size)
    join(page, Typed(person, typed))
    page.goto(URL)
    page.get_by_role("link", name="Send me a code").click()
    expect(page.get_by_text(f"You have not shown yet that {typed} is yours.")).to_be_visible()
    look_at(page, f"me-email-{name}-light")
    page.get_by_role("textbox", name="Email").fill(person.email)
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()
    _, message = mail_to(person.email)
    code = re.search(r"\b\d{6}\b", message.get_body(("plain",)).get_content())[0]
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="That is me").click()
    expect(page.get_by_text("Thank you. The address is yours, and mails go there.")).to_be_visible()
    expect(page.get_by_text(person.email)).to_be_visible()
    page.goto(URL)
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    expect(page.get_by_role("link", name="Send me a code")).to_have_count(0)
    other = window()
    other.goto(URL + "/sign-in")
    sign_in(other, person)
    expect(other.get_by_role("heading", name="Hello")).to_be_visible()


def test_a_password_is_changed_and_the_other_device_is_signed_out(window):
    person = Person("Pia Lund")
    page, other = window(), window()
    join(page, person)
    other.goto(URL + "/sign-in")
    sign_in(other, person)
    expect(other.get_by_role("heading", name="Hello")).to_be_visible()
    page.goto(URL + "/me")
    page.get_by_role("link", name="Change your password").click()
    look_at(page, "me-password-phone-light")
    page.get_by_label("Current password").fill("not this one")
    page.get_by_label("New password", exact=True).fill("a path through the reeds")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_label("Current password")).to_have_accessible_description(re.compile("This is not your password."))
    # In the lists that guessers have, in whatever case.
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("RuSH2112")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_label("New password", exact=True)).to_have_accessible_description(re.compile("Too many people use that one."))
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("a path through the reeds")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Your new password is set. Your other devices are signed out.")).to_be_visible()
    other.goto(URL + "/me")
    other.wait_for_url(URL + "/sign-in?next=/me")


def test_whether_it_is_oneself_is_asked_in_german_and_leads_back(window, ada):
    page = window(ada, PHONE, language="de-DE", script=False)
    page.goto(URL + "/me/proof?next=/me/calendar")
    expect(page.get_by_role("heading", name="Bist du es?")).to_be_visible()
    photograph(page, "me-proof-german-phone-light")
    page.get_by_label("Passwort", exact=True).fill("daneben")
    page.get_by_role("button", name="Ich bin es").click()
    expect(page.get_by_text("Das ist nicht dein Passwort.")).to_be_visible()
    page.get_by_label("Passwort", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Ich bin es").click()
    expect(page.get_by_text("Danke. Weiter geht es.")).to_be_visible()
    assert "/me/calendar" in page.url


class Typed:
    """Somebody with another address than theirs."""

    def __init__(self, person, email):
        self.name, self.email = person.name, email
