"""Showing that a telephone number is one's own: the code of the text, and the badge that others see without the number."""

import pathlib
import re
import time

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, RUN, URL, Person, join, look_at
from test_recovery import MAILS

BADGE = "Phone verified"
# Of nobody: numbers of this run, told from those of another one by what is random in its name.
NUMBER = "+65880" + f"{int(RUN[:5], 16) % 100000:05}"


def texts_to(number):
    """What was sent to a number so far, the oldest first: files of the folder in which texts lie beside mails."""
    found = []
    for path in sorted(pathlib.Path(MAILS).glob("*.txt"), key=lambda path: path.stat().st_mtime_ns):
        head, _, text = path.read_bytes().decode().partition("\r\n\r\n")
        if head.startswith(f"To: {number}\r\n"):
            found.append(text.strip())
    return found


def text_to(number, count=1):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if len(texts_to(number)) >= count:
            return texts_to(number)[count - 1]
        time.sleep(0.2)
    raise AssertionError(f"no text to {number} in {MAILS}")


@pytest.fixture(autouse=True)
def texts(about):
    if not MAILS or not about.get("verifiesPhones"):
        pytest.skip("the Kampong at KAMPONG_URL sends no texts into the folder KAMPONG_MAILS (KAMPONG_TEXT_FOLDER; see deploy/test)")


def test_a_code_verifies_the_number_and_others_see_the_badge(window):
    page, person = window(), Person("Lena Ong")
    join(page, person)
    page.goto(URL + "/me")
    page.get_by_role("link", name="Verify your phone number").click()
    look_at(page, "phone-phone-light")
    page.get_by_label("Phone").fill("9123 4567")
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_label("Phone")).to_have_accessible_description(re.compile("Begin with \\+ and the country"))
    page.get_by_label("Phone").fill(f"{NUMBER[:3]} {NUMBER[3:7]} {NUMBER[7:]}")
    page.get_by_role("button", name="Send me a code").click()
    code = page.get_by_label("Code")
    expect(code).to_be_visible()
    look_at(page, "phone-code-phone-light")
    right = re.match(r"(\d{6}) is your code for ", text_to(NUMBER)).group(1)
    code.fill("111111" if right != "111111" else "222222")
    page.get_by_role("button", name="That is me").click()
    expect(code).to_be_focused()
    look_at(page, "phone-wrong-phone-light")
    code.fill(f"{right[:3]} {right[3:]}")
    page.get_by_role("button", name="That is me").click()
    expect(page.get_by_text("Your number is verified now.")).to_be_visible()
    expect(page.get_by_text(BADGE)).to_be_visible()
    expect(page.get_by_text(NUMBER)).to_be_visible()
    look_at(page, "me-phone-verified-phone-light")
    me = page.evaluate("() => fetch('/v1/me').then(answer => answer.json())")["id"]

    other = window(size=DESKTOP)
    join(other, Person("Otto Falk"))
    other.goto(f"{URL}/people/{me}")
    expect(other.get_by_text(BADGE)).to_be_visible()
    assert NUMBER not in other.content() and NUMBER[3:] not in other.content()
    look_at(other, "person-phone-verified-desktop-light")

    # Otto shows that it is his now: Lena is told, and nobody says by whom.
    other.goto(URL + "/me/phone")
    look_at(other, "phone-desktop-light")
    other.get_by_label("Phone").fill(NUMBER)
    other.get_by_role("button", name="Send me a code").click()
    other.get_by_label("Code").fill(text_to(NUMBER, 2)[:6])
    other.get_by_role("button", name="That is me").click()
    expect(other.get_by_text(BADGE)).to_be_visible()
    page.goto(URL + "/me")
    expect(page.get_by_role("heading", name="News for you")).to_be_visible()
    expect(page.get_by_text(BADGE)).to_have_count(0)
    assert "Otto" not in page.content()
    look_at(page, "me-phone-moved-phone-light")


def test_without_scripts_and_in_german(window):
    person, number = Person("Jens Roth"), NUMBER[:-5] + f"{(int(NUMBER[-5:]) + 1) % 100000:05}"
    page = window(script=False, language="de-DE")
    page.goto(URL + "/join")
    page.get_by_label("Name", exact=True).fill(person.name)
    page.get_by_label("E-Mail").fill(person.email)
    page.get_by_label("Passwort", exact=True).fill("ein Weg durch das Schilf")
    page.get_by_role("button", name="Mitmachen").click()
    expect(page.get_by_role("heading", name="Hallo Jens")).to_be_visible()
    page.goto(URL + "/me/phone")
    page.get_by_label("Telefon").fill(number)
    page.get_by_role("button", name="Code schicken").click()
    expect(page.get_by_role("heading", name="Gib den Code ein")).to_be_visible()
    code = re.match(r"(\d{6}) ist dein Code für ", text_to(number)).group(1)
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Das bin ich").click()
    expect(page.get_by_text("Telefon bestätigt")).to_be_visible()
