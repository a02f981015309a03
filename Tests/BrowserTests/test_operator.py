"""The operator's pages: mails and texts, what one says with its link, and that nobody else sees any of it."""

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, RUN, URL, Person, join, look_at, promote, sign_in
from test_notifications import come_back_until
from test_phone import NUMBER, text_to
from test_recovery import MAILS, mail_about, show_address


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_an_operator_reads_a_mail_with_its_link_and_nobody_else_does(window, about):
    person = Person(f"Olga {RUN}")
    first = window()
    join(first, person)
    show_address(first, person.email)
    asking = window()
    asking.goto(URL + "/forgot-password")
    asking.get_by_label("Email").fill(person.email)
    asking.get_by_role("button", name="Send me a link").click()
    expect(asking.get_by_role("heading", name="Look into your mail")).to_be_visible()
    mail_about(person.email, "A new password")

    # A moderator is no operator, and neither is who has an account.
    promote(person)
    assert first.goto(URL + "/operator/mails").status == 403
    promote(person, role="operator")
    # From the next call on, whatever the token says; the way there is in the menu with the next token.
    assert first.goto(URL + "/operator/mails").status == 200
    expect(first.get_by_role("heading", name="Mails and texts")).to_be_visible()
    look_at(first, "mails-phone-light")

    page = window(size=DESKTOP)
    page.goto(URL + "/sign-in")
    sign_in(page, person)
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    page.goto(URL + "/me")
    page.get_by_role("link", name="Mails and texts").click()
    row = page.get_by_role("listitem").filter(has_text=person.email).filter(has_text="A new password")
    expect(row).to_contain_text("Delivered")
    look_at(page, "mails-desktop-light")
    row.get_by_role("link", name="A new password").click()
    expect(page.get_by_role("heading", name="A new password for")).to_be_visible()
    expect(page.get_by_text("That you looked at it is in the audit log.")).to_be_visible()
    look_at(page, "mail-desktop-light")
    read = page.url
    page.get_by_role("link", name="/new-password?token=").click()
    expect(page.get_by_text(f"For the account of {person.name}")).to_be_visible()
    page.goto(URL + "/moderation/audit")
    expect(page.get_by_text(f"A mail was read by {person.name}").first).to_be_visible()

    if about.get("verifiesPhones"):
        number = NUMBER[:-5] + f"{(int(NUMBER[-5:]) + 2) % 100000:05}"
        page.goto(URL + "/me/phone")
        page.get_by_label("Phone").fill(number)
        page.get_by_role("button", name="Send me a code").click()
        said = text_to(number)
        row = page.get_by_role("listitem").filter(has_text=number)
        come_back_until(page, "/operator/mails?of=text", row)
        row.get_by_role("link").click()
        expect(page.get_by_text(said)).to_be_visible()
        look_at(page, "text-desktop-light")

    promote(person, "--remove", role="operator")
    # At once, with the token and the link that they have.
    assert page.goto(read).status == 403
    stranger = window()
    stranger.goto(read)
    assert "/sign-in" in stranger.url
