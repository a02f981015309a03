"""Erasing one's account: what goes and what stays is said first, the password is asked for, and a receipt says what was done."""

import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PASSWORD, URL, look_at, share_spot
from test_friends import newcomer


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_an_account_is_erased(window, script):
    ada, adas = newcomer(window, "Adaeze Obi", script=script)
    ada.goto(URL + "/me")
    ada.get_by_role("link", name="Erase my account").click()
    expect(ada.get_by_text("This cannot be undone")).to_be_visible()
    if script:
        look_at(ada, "erase-phone-light")
    ada.get_by_label("Password", exact=True).fill("not my password")
    ada.get_by_role("button", name="Erase my account for good").click()
    expect(ada.get_by_text("This is not your password.")).to_be_visible()
    if script:
        look_at(ada, "erase-wrong-phone-light")
    assert ada.get_by_label("Password", exact=True).input_value() == ""
    ada.get_by_label("Password", exact=True).fill(PASSWORD)
    ada.get_by_role("button", name="Erase my account for good").click()
    ada.wait_for_url(re.compile("/erasures/"))
    expect(ada.get_by_text("Everything is done.")).to_be_visible(timeout=60_000)
    expect(ada.get_by_text("1 account", exact=True)).to_be_visible()
    if script:
        look_at(ada, "erasure-phone-light")
        ada.set_viewport_size(DESKTOP)
        look_at(ada, "erasure-desktop-light")
    receipt = ada.url
    assert ada.request.get(URL + "/v1" + adas).status == 404
    ada.goto(URL + "/me")
    expect(ada.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    # The receipt is for whoever has its address.
    anybody = window(language="de-DE")
    anybody.goto(receipt)
    expect(anybody.get_by_role("heading", name="Quittung")).to_be_visible()
    assert anybody.request.get(URL + "/erasures/5b0d3c1e-8f1a-4c2d-9e3f-405162738495").status == 404


def test_a_spot_of_somebody_who_is_gone_names_nobody(window):
    ada, _ = newcomer(window, "Amina Noor")
    ben, _ = newcomer(window, "Bruno Keller")
    spot = share_spot(ada, "Beside the mill", (60.2031, 25.1012))
    ben.goto(URL + spot + "/claim")
    ben.get_by_role("button", name="Claim it").click()
    expect(ben.get_by_text("This spot is yours.")).to_be_visible()
    ada.goto(URL + "/me/erase")
    ada.get_by_label("Password", exact=True).fill(PASSWORD)
    ada.get_by_role("button", name="Erase my account for good").click()
    expect(ada.get_by_text("Everything is done.")).to_be_visible(timeout=60_000)
    ben.goto(URL + spot)
    expect(ben.get_by_text("Someone")).to_be_visible()
    expect(ben.get_by_role("link", name="Someone")).to_have_count(0)
    look_at(ben, "spot-of-nobody-phone-light")
