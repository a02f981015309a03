"""Reviews: a spot is claimed, the one who claimed it parks there, both say what it was like, and one replies."""

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, SMALL, URL, look_at, share_spot
from test_friends import newcomer


def park(ada, ben, name):
    """Ben parks where Ada said that there was room."""
    path = share_spot(ada, name, (60.1702, 24.9520))
    ben.goto(URL + path + "/claim")
    ben.get_by_role("button", name="Claim it").click()
    expect(ben.get_by_text("This spot is yours.")).to_be_visible()
    ben.get_by_role("button", name="I have parked").click()
    expect(ben.get_by_text("You have parked here.")).to_be_visible()
    return path


def wait_for(page, link):
    """What one service says reaches the other one a moment later."""
    for _ in range(50):
        if page.get_by_role("link", name=link).count():
            return
        page.wait_for_timeout(200)
        page.reload()
    raise AssertionError(f"no link {link} on {page.url}")


def check_stars(page):
    """Five in a row, from one as one reads, full up to the chosen one; arrow keys go from one to the next."""
    stars = page.get_by_role("radio", name="of five")
    boxes = [star.bounding_box() for star in stars.all()]
    assert len(boxes) == 5 and len({round(box["y"]) for box in boxes}) == 1, boxes
    assert [box["x"] for box in boxes] == sorted(box["x"] for box in boxes) and all(min(box["width"], box["height"]) >= 44 for box in boxes)
    expect(stars.first).to_have_accessible_name("1 star of five")
    stars.nth(2).check()
    full = "(all) => all.map((star) => getComputedStyle(star).fill !== 'none')"
    assert page.locator(".rating .icon").evaluate_all(full) == [True, True, True, False, False]
    stars.nth(2).press("ArrowRight")
    expect(stars.nth(3)).to_be_checked()
    expect(stars.nth(3)).to_be_focused()


def write(page, stars, text):
    page.get_by_role("radio", name=f"{stars} star").check()
    page.get_by_label("What was it like?").fill(text)
    page.get_by_role("button", name="Send the review").click()


def test_both_say_what_it_was_like(window):
    ada, adas = newcomer(window, "Anneli Korpi")
    ben, bens = newcomer(window, "Bram de Vries")
    ben.set_viewport_size(DESKTOP)
    path = park(ada, ben, "By the old mill")
    look_at(ben, "parked-desktop-light")
    ben.goto(URL + adas)
    wait_for(ben, "Write a review")
    ben.goto(URL + path)
    ben.get_by_role("link", name="Review Anneli Korpi").click()
    ben.get_by_role("button", name="Send the review").click()
    expect(ben.get_by_text("Choose one to five stars.")).to_be_visible()
    expect(ben.get_by_text("Write a few words.")).to_be_visible()
    look_at(ben, "review-wrong-desktop-light")
    write(ben, 4, "Just as described, and easy to find.")
    expect(ben.get_by_text("Thank you. It is shown when they have written too")).to_be_visible()

    ada.goto(URL + "/me")
    ada.get_by_role("link", name="Reviews to write").click()
    look_at(ada, "encounters-phone-light")
    ada.get_by_role("link", name="Review Bram de Vries").click()
    check_stars(ada)
    look_at(ada, "review-phone-light")
    ada.set_viewport_size(SMALL)
    check_stars(ada)
    ada.set_viewport_size(PHONE)
    write(ada, 5, "Came, parked, waved.\nAny time again.")
    expect(ada.get_by_text("Both reviews can be read now.")).to_be_visible()
    expect(ada.get_by_text("5 stars of five in 1 review").first).to_be_attached()
    look_at(ada, "person-reviewed-phone-light")

    ada.goto(URL + "/me")
    ada.get_by_role("link", name="What others say of me").click()
    expect(ada.get_by_role("img", name="4 stars of five")).to_be_visible()
    ada.get_by_role("link", name="Reply").click()
    look_at(ada, "reply-phone-light")
    ada.get_by_label("Your reply").fill("Glad it helped.")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("Anneli Korpi replies:")).to_be_visible()
    look_at(ada, "reviews-phone-light")
    ada.emulate_media(color_scheme="dark")
    look_at(ada, "reviews-phone-dark")
    # Of two windows in which one replies the second says so, and what was written is there.
    ada.get_by_role("link", name="Reply").click()
    expect(ada.get_by_label("Your reply")).to_have_value("Glad it helped.")
    other = ada.context.new_page()
    window.watch(other)
    other.goto(ada.url)
    ada.get_by_label("Your reply").fill("Glad it helped!")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("Glad it helped!")).to_be_visible()
    other.get_by_label("Your reply").fill("Thanks.")
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_role("alert")).to_contain_text("Glad it helped!")
    expect(other.get_by_label("Your reply")).to_have_value("Thanks.")
    other.get_by_role("link", name="Go on with what is saved").click()
    expect(other.get_by_label("Your reply")).to_have_value("Glad it helped!")
    ben.goto(URL + adas + "/reviews")
    expect(ben.get_by_text("Glad it helped!")).to_be_visible()
    expect(ben.get_by_role("link", name="Reply")).to_have_count(0)
    look_at(ben, "reviews-desktop-light")


def test_without_scripts(window):
    ada, adas = newcomer(window, "Aroha Ngata")
    ben, bens = newcomer(window, "Bogdan Ilic", script=False)
    park(ada, ben, "Behind the theatre")
    ben.goto(URL + adas)
    wait_for(ben, "Write a review")
    ben.get_by_role("link", name="Write a review").click()
    expect(ben.get_by_text("Behind the theatre")).to_be_visible()
    check_stars(ben)
    write(ben, 3, "It was narrow.")
    expect(ben.get_by_text("Thank you. It is shown when they have written too")).to_be_visible()
    ben.goto(URL + "/me/encounters")
    expect(ben.get_by_role("heading", name="Nothing to review just now")).to_be_visible()


@pytest.mark.parametrize("path", ["/people/{}/review", "/people/{}/reviews"])
def test_nothing_yet(window, path):
    ada, adas = newcomer(window, "Alma Sand")
    ben, _ = newcomer(window, "Björn Lund")
    ben.goto(URL + path.format(adas.split("/")[-1]))
    if path.endswith("s"):
        expect(ben.get_by_role("heading", name="No reviews yet")).to_be_visible()
        look_at(ben, "reviews-empty-phone-light")
    else:
        expect(ben.get_by_text("There is nothing to review just now.")).to_be_visible()
