"""Friends: asked from a person's page, accepted, seen in common with others, and ended once it was asked whether."""

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, URL, Person, call, join, look_at


def newcomer(window, name, **how):
    """A window of somebody new, which shows no page yet, and the address of their page."""
    page, person = window(**how), Person(name)
    join(page, person)
    return page, f"/people/{page.request.get(URL + '/v1/me').json()['id']}"


def ask(page, path):
    page.goto(URL + path)
    page.get_by_role("button", name="Ask to be friends").click()
    expect(page.get_by_text("Your question is on its way.")).to_be_visible()


def befriend(one, ones, other, others):
    """Through `/v1`, where it is not looked at."""
    call(one, "PUT", f"/v1/friends/{others.rsplit('/', 1)[1]}")
    call(other, "PUT", f"/v1/friends/{ones.rsplit('/', 1)[1]}")


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_two_become_friends_and_part(window, script):
    ada, adas = newcomer(window, "Adaeze Obi", script=script)
    ben, bens = newcomer(window, "Benno Falk", script=script)
    ben.goto(URL + "/me/friends")
    expect(ben.get_by_role("heading", name="No friends here yet")).to_be_visible()
    ask(ada, bens)
    expect(ada.get_by_text("You have asked Benno Falk.")).to_be_visible()
    ben.goto(URL + "/me")
    ben.get_by_role("link", name="Asking me").click()
    if script:
        look_at(ben, "friends-waiting-phone-light")
    ben.get_by_role("button", name="Accept Adaeze Obi").click()
    expect(ben.get_by_text("You are friends now.")).to_be_visible()
    expect(ben.get_by_role("heading", name="Nobody is waiting for you")).to_be_visible()
    ben.get_by_role("link", name="My friends").click()
    ben.get_by_role("link", name="Adaeze Obi").click()
    expect(ben.get_by_text("You are friends since")).to_be_visible()
    ben.get_by_role("link", name="End the friendship").click()
    if script:
        expect(ben.get_by_role("dialog")).to_be_visible()
        look_at(ben, "unfriend-phone-light")
    expect(ben.get_by_text("End the friendship with Adaeze Obi?")).to_be_visible()
    ben.get_by_role("button", name="End it").click()
    expect(ben.get_by_text("You are no longer friends.")).to_be_visible()
    expect(ben.get_by_role("button", name="Ask to be friends")).to_be_visible()


def test_mutual_friends_are_named(window):
    ada, adas = newcomer(window, "Amina Noor")
    ben, bens = newcomer(window, "Bruno Keller")
    common = [newcomer(window, name) for name in ("Carla Ferri", "Dov Levi")]
    for number, (page, path) in enumerate(common, 1):
        # On the page of who asks, as well as in the list of those.
        ask(ada, path)
        page.goto(URL + adas)
        page.get_by_role("button", name="Accept").click()
        expect(page.get_by_text("You are friends now.")).to_be_visible()
        befriend(page, path, ben, bens)
        ada.goto(URL + bens)
        expect(ada.get_by_role("link", name=f"{number} mutual friend" + ("s" if number > 1 else ""), exact=True)).to_be_visible()
    expect(ada.get_by_role("link", name="Carla Ferri")).to_be_visible()
    look_at(ada, "person-mutual-phone-light")
    ada.get_by_role("link", name="2 mutual friends").click()
    expect(ada.get_by_role("heading", name="2 mutual friends")).to_be_visible()
    look_at(ada, "mutual-friends-phone-light")
    ada.get_by_role("link", name="Dov Levi").click()
    expect(ada.get_by_text("You are friends since")).to_be_visible()
    ada.set_viewport_size(DESKTOP)
    ada.goto(URL + "/me/friends")
    expect(ada.get_by_role("link", name="Carla Ferri")).to_be_visible()
    look_at(ada, "friends-list-desktop-light")
