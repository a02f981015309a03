"""A block: pressed on a person's page, confirmed where it is said what it means, found in one's list, and lifted."""

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, URL, Person, join, look_at
from test_friends import befriend, newcomer


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_somebody_is_blocked_and_unblocked(window, script):
    ada, adas = newcomer(window, "Adaeze Obi", script=script)
    ben, bens = newcomer(window, "Benno Falk", script=script)
    befriend(ada, adas, ben, bens)
    ada.goto(URL + "/me")
    ada.get_by_role("link", name="Blocked people").click()
    expect(ada.get_by_role("heading", name="You have blocked nobody")).to_be_visible()
    if script:
        look_at(ada, "blocks-empty-phone-light")
    ada.goto(URL + bens)
    if script:
        look_at(ada, "person-block-phone-light")
    ada.get_by_role("link", name="Block", exact=True).click()
    if script:
        expect(ada.get_by_role("dialog")).to_be_visible()
        look_at(ada, "block-phone-light")
    expect(ada.get_by_text("Block Benno Falk?")).to_be_visible()
    ada.get_by_role("link", name="Don't block").click()
    expect(ada.get_by_role("heading", name="Benno Falk", exact=True)).to_be_visible()
    ada.get_by_role("link", name="Block", exact=True).click()
    ada.get_by_role("button", name="Block", exact=True).click()
    expect(ada.get_by_text("Blocked. They are not told.")).to_be_visible()
    expect(ada.get_by_role("button", name="Unblock Benno Falk")).to_be_visible()
    expect(ada.get_by_role("link", name="Benno Falk")).to_have_count(0)
    if script:
        look_at(ada, "blocks-phone-light")
        ada.set_viewport_size(DESKTOP)
        look_at(ada, "blocks-desktop-light")
    # Neither is there for the other any more, nor among their friends; the one who was blocked is told nothing.
    for page, path in ((ada, bens), (ben, adas)):
        assert page.request.get(URL + path).status == 404
        page.goto(URL + "/me/friends")
        expect(page.get_by_role("heading", name="No friends here yet")).to_be_visible()
    ben.goto(URL + "/me/blocks")
    expect(ben.get_by_role("heading", name="You have blocked nobody")).to_be_visible()
    ada.goto(URL + "/me/blocks")
    ada.get_by_role("button", name="Unblock Benno Falk").click()
    expect(ada.get_by_text("You can find each other again.")).to_be_visible()
    ada.goto(URL + bens)
    expect(ada.get_by_role("button", name="Ask to be friends")).to_be_visible()


def test_the_question_and_the_list_at_other_sizes_and_in_german(window):
    amina = Person("Amina Noor")
    page = window()
    join(page, amina)
    amina.state = page.context.storage_state()
    ada = window(amina, size=DESKTOP, language="de-DE")
    _, bens = newcomer(window, "Bruno Keller")
    ada.goto(URL + bens + "/block")
    expect(ada.get_by_role("heading", name="Bruno Keller blockieren?")).to_be_visible()
    look_at(ada, "block-german-desktop-light")
    ada.get_by_role("button", name="Blockieren", exact=True).click()
    expect(ada.get_by_role("heading", name="Blockierte")).to_be_visible()
    expect(ada.get_by_role("button", name="Bruno Keller nicht mehr blockieren")).to_be_visible()
    look_at(ada, "blocks-german-desktop-light")
