"""How people choose what they are told and when, and the mail that says how to have no more of them."""

import re
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, URL, call, look_at
from test_recovery import MAILS, mail_to, show_address


@pytest.mark.parametrize("size, name", [(PHONE, "phone"), (DESKTOP, "desktop")], ids=["phone", "desktop"])
def test_one_chooses_what_and_when(window, nora, size, name):
    page = window(nora, size, timezone_id="Asia/Singapore")
    page.goto(URL + "/notifications/settings")
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value(re.compile("^[A-Z][a-z]+/"))
    zone.fill("Atlantis/Capital")
    page.get_by_label("My spot is taken: Mail").uncheck()
    page.get_by_label("Messages: Device").uncheck()
    page.get_by_role("radio", name="Once a day").check()
    page.get_by_label("The daily mail comes at").select_option("18")
    page.get_by_label("Tell me nothing in between").check()
    page.get_by_label("From").fill("22:30")
    page.get_by_label("To", exact=True).fill("06:45")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("There is no such time zone.")).to_be_visible()
    look_at(page, f"notification-settings-wrong-{name}-light")
    expect(page.get_by_label("My spot is taken: Mail")).not_to_be_checked()
    zone.fill("Asia/Singapore")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(URL + "/notifications/settings")
    expect(page.get_by_label("My spot is taken: Mail")).not_to_be_checked()
    expect(page.get_by_label("Questions for friendship: Mail")).to_be_checked()
    expect(page.get_by_label("Messages: Device")).not_to_be_checked()
    expect(page.get_by_label("The daily mail comes at")).to_have_value("18")
    expect(page.get_by_label("From")).to_have_value("22:30")
    expect(page.get_by_label("Tell me nothing in between")).to_be_checked()
    expect(zone).to_have_value("Asia/Singapore")
    look_at(page, f"notification-settings-{name}-light")


def test_in_german(window, nora):
    page = window(nora, PHONE, language="de-DE")
    page.goto(URL + "/notifications/settings")
    expect(page.get_by_role("heading", name="Wie du es erfährst")).to_be_visible()
    look_at(page, "notification-settings-german-phone-light")
    page.get_by_role("link", name="Mitteilungen").first.click()
    expect(page.get_by_role("heading", name="Noch nichts")).to_be_visible()
    look_at(page, "notifications-german-phone-light")


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_a_mail_says_how_to_have_no_more_of_them(window, nora, olaf):
    """Nora is away: her window was closed when she had joined. `deploy/test` lets mails come after seconds."""
    hers = window(nora)
    show_address(hers, nora.email)
    shown, _ = mail_to(nora.email)
    id = hers.request.get(URL + "/v1/me").json()["id"]
    other = window(olaf, DESKTOP)
    other.goto(URL + "/me")
    call(other, "PUT", f"/v1/friends/{id}")
    # Before it is due, whether she is away is looked at once more.
    _, mail = mail_to(nora.email, seen={shown})
    link = re.search(r"/unsubscribe/[\w.~%-]+", mail.get_body(("plain",)).get_content())[0]
    header = mail["List-Unsubscribe"]
    assert link in header.replace("\r\n", "").replace(" ", "") and mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stranger = window()
    stranger.goto(URL + link)
    expect(stranger.get_by_role("heading", name="No more mails?")).to_be_visible()
    expect(stranger.get_by_text("no more mails about: Questions for friendship.")).to_be_visible()
    expect(stranger.get_by_text("They go to the account of")).to_be_visible()
    assert nora.email not in stranger.content()
    look_at(stranger, "unsubscribe-phone-light")
    stranger.get_by_role("button", name="No more of these mails").click()
    expect(stranger.get_by_role("heading", name="Done")).to_be_visible()
    look_at(stranger, "unsubscribed-phone-light")
    page = window(nora, PHONE)
    page.goto(URL + "/notifications/settings")
    expect(page.get_by_label("Questions for friendship: Mail")).not_to_be_checked()
    # As a mail program does it by itself.
    page.get_by_label("Questions for friendship: Mail").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    body = urllib.parse.urlencode({"List-Unsubscribe": "One-Click"}).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + link, data=body), timeout=20) as answer:
        assert answer.status == 200
    page.goto(URL + "/notifications/settings")
    expect(page.get_by_label("Questions for friendship: Mail")).not_to_be_checked()
