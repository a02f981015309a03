"""Showing by an address where one belongs: the code of the mail, and the badge that everybody sees."""

import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, RUN, URL, Person, join, look_at, share_spot
from test_recovery import MAILS, mail_to

ADDRESS = f"noor.{RUN}@hill.example.org"
BADGE = "Hill Campus, verified"


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_a_code_brings_a_badge_that_everybody_sees(window, about, somewhere):
    if "hill" not in [campus["id"] for campus in about.get("campuses", [])]:
        pytest.skip("the Kampong at KAMPONG_URL has no campus hill (KAMPONG_COMMUNITY_CAMPUSES; see deploy/test)")
    page = window()
    join(page, Person("Noor Haddad"))
    spot = share_spot(page, f"Behind the library {RUN}", somewhere())
    page.goto(URL + "/me")
    page.get_by_role("link", name="Verify a campus address").click()
    look_at(page, "campus-phone-light")
    page.get_by_label("Campus address").fill("noor@elsewhere.example.org")
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_label("Campus address")).to_have_accessible_description("This is no address of a campus here.")
    page.get_by_label("Campus address").fill(ADDRESS)
    page.get_by_role("button", name="Send me a code").click()
    code = page.get_by_label("Code")
    expect(code).to_be_visible()
    look_at(page, "campus-code-phone-light")
    _, message = mail_to(ADDRESS)
    right = re.search(r"^(\d{6})\s*$", message.get_body(("plain",)).get_content(), re.M).group(1)
    code.fill("111111" if right != "111111" else "222222")
    page.get_by_role("button", name="That is me").click()
    expect(code).to_be_focused()
    look_at(page, "campus-wrong-phone-light")
    code.fill(f"{right[:3]} {right[3:]}")
    page.get_by_role("button", name="That is me").click()
    expect(page.get_by_text("Everybody sees now where you belong.")).to_be_visible()
    expect(page.get_by_text(BADGE)).to_be_visible()
    look_at(page, "me-verified-phone-light")

    other = window(size=DESKTOP)
    join(other, Person("Teo Lind"))
    other.goto(URL + spot)
    expect(other.get_by_text(BADGE)).to_be_visible()
    look_at(other, "spot-verified-desktop-light")
    other.get_by_role("link", name="Noor Haddad").click()
    expect(other.get_by_text(BADGE)).to_be_visible()
    look_at(other, "person-verified-desktop-light")


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_without_scripts_and_in_german(window, about):
    if "hill" not in [campus["id"] for campus in about.get("campuses", [])]:
        pytest.skip("the Kampong at KAMPONG_URL has no campus hill (KAMPONG_COMMUNITY_CAMPUSES; see deploy/test)")
    person, address = Person("Ilse Brandt"), f"ilse.{RUN}@cs.bay.example.org"
    page = window(script=False, language="de-DE")
    page.goto(URL + "/join")
    page.get_by_label("Name", exact=True).fill(person.name)
    page.get_by_label("E-Mail").fill(person.email)
    page.get_by_label("Passwort", exact=True).fill("ein Weg durch das Schilf")
    page.get_by_role("button", name="Mitmachen").click()
    expect(page.get_by_role("heading", name="Hallo Ilse")).to_be_visible()
    page.goto(URL + "/me/campus")
    page.get_by_label("Adresse am Campus").fill(address)
    page.get_by_role("button", name="Code schicken").click()
    expect(page.get_by_role("heading", name="Gib den Code ein")).to_be_visible()
    _, message = mail_to(address)
    assert message["Subject"].endswith(" ist dein Code für " + about["community"])
    page.get_by_label("Code").fill(message["Subject"][:6])
    page.get_by_role("button", name="Das bin ich").click()
    expect(page.get_by_text("Bay Campus, bestätigt")).to_be_visible()
