"""Food that students bring each other: offered, ordered, asked, accepted, brought and completed, by two people side by side; declined, taken back, shown on its way; live, and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, SIZES, URL, call, check_facts, check_focus, check_touch, go, hear, listen, look_at, photograph
from test_friends import newcomer
from test_rides import choose


def going(page, restaurant, house, **more):
    """Offers to bring something from there to the house, through `/v1`, where the form is not what is looked at."""
    to = {"name": house["name"], "position": house["position"]}
    return call(page, "PUT", "/v1/delivery", {"restaurant": restaurant["id"], "dropOff": to} | more)


def ordered(page, about, restaurant, house, **more):
    """Orders from there to the house, through `/v1`: the order's address."""
    draft = {
        "from": [{"restaurant": restaurant["id"], "items": "A soup, and bread with it."}], "dropOff": {"name": house["name"], "position": house["position"]},
        "door": "Behind the blue door", "fee": {"amount": 200, "currency": about["currency"]}, "limit": {"amount": 1500, "currency": about["currency"]}}
    return "/orders/" + call(page, "POST", "/v1/orders", draft | more)["id"]


def offered(page):
    """The address of what is offered to somebody, once something is."""
    for _ in range(300):
        matches = call(page, "GET", "/v1/matches?role=deliverer&isOver=false")["items"]
        if found := [match for match in matches if match["state"] == "offered"]:
            return f"/matches/{found[0]['id']}"
        page.wait_for_timeout(100)
    raise AssertionError("nothing was offered")


def act(page, match, what, **draft):
    return call(page, "POST", f"/v1{match}/{what}", draft)


def two(window, deliverer, orderer, size=PHONE, **how):
    """Windows of two people who have nothing to do with each other yet."""
    one, _ = newcomer(window, deliverer, size=size, **how)
    other, _ = newcomer(window, orderer, size=size, **how)
    return one, other


def stage(page, state, of="match"):
    """Waits until the page says so by itself."""
    expect(page.locator(f"article[data-{of}]")).to_have_attribute("data-state", state)


def fill_order(page, house):
    page.locator(".of-restaurants").get_by_label("What would you like?").fill("The lentil soup.\nNo coriander, please.")
    if house:
        choose(page, "Where do you want it?", house["name"])
    page.get_by_label(re.compile("^Door")).fill("Behind the blue door")
    page.get_by_label(re.compile("^Spend at most")).fill("12")
    page.get_by_label(re.compile("^For bringing it")).fill("2")


@pytest.mark.parametrize("size", SIZES)
def test_it_is_offered_ordered_accepted_brought_and_completed(window, restaurant, house, size):
    place = restaurant()
    deliverer, orderer = two(window, "Dagny Holm", "Olga Berg", SIZES[size])

    deliverer.goto(URL + "/deliver")
    look_at(deliverer, f"deliver-begin-{size}-light")
    check_focus(deliverer)
    check_touch(deliverer)
    # What is missing is said at its field, which has the focus.
    deliverer.get_by_role("button", name="Able to deliver").click()
    where = deliverer.get_by_label("Restaurant where you are", exact=True)
    expect(where).to_be_focused()
    expect(where).to_have_attribute("aria-invalid", "true")
    look_at(deliverer, f"deliver-begin-wrong-{size}-light")
    choose(deliverer, "Restaurant where you are", place["name"])
    choose(deliverer, "Where you go from there", house["name"])
    deliverer.get_by_role("radio", name="2 orders").check()
    deliverer.get_by_role("button", name="Able to deliver").click()
    expect(deliverer.get_by_text("You can bring something along. You are told as soon as somebody asks.")).to_be_visible()
    expect(deliverer.locator("article[data-deliver]")).to_contain_text(place["name"])
    look_at(deliverer, f"deliver-on-{size}-light")
    check_focus(deliverer)
    check_touch(deliverer)

    order_by_form(orderer, place, house, size)
    # The offer opens before the one who is asked, and the orderer reads who that is.
    expect(deliverer).to_have_url(re.compile("/matches/"))
    expect(deliverer.get_by_role("heading", name="Can you bring this?")).to_be_visible()
    expect(deliverer.get_by_text("No coriander, please.")).to_be_visible()
    expect(deliverer.get_by_role("timer")).to_have_text(re.compile(r"^\d:\d\d left$"))
    expect(deliverer.get_by_text("Behind the blue door")).to_have_count(0)
    stage(orderer, "offered", of="order")
    expect(orderer.locator("#said")).to_contain_text("We ask Dagny Holm")
    deliverer.get_by_label("The food is ready in").select_option("10")
    deliverer.get_by_role("button", name="Accept").click()
    expect(deliverer.get_by_text("Accepted. You can reach each other now.")).to_be_visible()
    stage(deliverer, "accepted")
    expect(deliverer.get_by_text("Behind the blue door")).to_be_visible()
    expect(orderer).to_have_url(re.compile("/matches/"))
    stage(orderer, "accepted")
    for page, role in ((deliverer, "deliverer"), (orderer, "orderer")):
        look_at(page, f"match-{role}-accepted-{size}-light")
        check_focus(page)
        check_touch(page)
        check_facts(page)

    pick_up(deliverer, size)
    stage(orderer, "pickedUp")
    expect(orderer.locator("#said")).to_contain_text("Dagny Holm has it and is on the way.")
    code = orderer.locator(".match-code").inner_text()
    assert re.fullmatch(r"\d{4}", code)
    deliverer.get_by_role("link", name="It is there").click()
    dialog = deliverer.locator("#dialog")
    dialog.get_by_label(re.compile("^Four digits")).fill(code)
    look_at(deliverer, f"match-complete-{size}-light")
    dialog.get_by_role("button", name="It is there").click()
    stage(deliverer, "completed")
    stage(orderer, "completed")
    expect(orderer.locator("#said")).to_contain_text("Done: Dagny Holm has brought it.")
    expect(orderer.locator(".amount")).to_contain_text(re.compile(r"11[.,]50"))

    orderer.get_by_role("link", name="Give a tip").click()
    dialog = orderer.locator("#dialog")
    dialog.get_by_label(re.compile("^How much")).fill("1")
    dialog.get_by_role("button", name="Give it").click()
    expect(orderer.get_by_text("Your tip is noted. They are told.")).to_be_visible()
    expect(orderer.locator(".amount")).to_contain_text(re.compile(r"12[.,]50"))
    look_at(orderer, f"match-completed-{size}-light")
    check_touch(orderer)
    deliverer.goto(URL + "/matches?over=yes")
    expect(deliverer.get_by_role("link", name=re.compile(re.escape(place["name"]))).first).to_be_visible()
    look_at(deliverer, f"matches-over-{size}-light")
    call(deliverer, "DELETE", "/v1/delivery")


def order_by_form(orderer, place, house, size):
    """From the list of restaurants to the page of the order that waits."""
    orderer.goto(URL + "/deliveries")
    row = orderer.locator("[data-restaurant]", has_text=place["name"])
    expect(row).to_contain_text("1 person")
    look_at(orderer, f"deliveries-{size}-light")
    check_focus(orderer)
    check_touch(orderer)
    row.get_by_role("link").click()
    expect(orderer.get_by_role("heading", name=place["name"])).to_be_visible()
    expect(orderer.locator("[data-deliverer]")).to_contain_text("Dagny Holm")
    look_at(orderer, f"restaurant-{size}-light")
    check_touch(orderer)
    orderer.get_by_role("link", name="Ask whoever fits best").click()
    orderer.get_by_role("button", name="Ask somebody").click()
    expect(orderer.locator("[aria-invalid]").first).to_be_focused()
    look_at(orderer, f"order-new-wrong-{size}-light")
    fill_order(orderer, house)
    look_at(orderer, f"order-new-{size}-light")
    check_focus(orderer)
    check_touch(orderer)
    orderer.get_by_role("button", name="Ask somebody").click()
    expect(orderer.get_by_text("Ordered. You read here who is asked.")).to_be_visible()


def pick_up(deliverer, size):
    deliverer.get_by_role("link", name="I have it").click()
    spent = deliverer.get_by_label(re.compile("^What you have paid"))
    spent.fill("99")
    look_at(deliverer, f"match-pick-up-{size}-light")
    deliverer.get_by_role("button", name="I have it").click()
    expect(deliverer.get_by_text("That is more than was agreed. Ask them to raise the limit.")).to_be_visible()
    spent.fill("9.50")
    deliverer.get_by_role("button", name="I have it").click()
    expect(deliverer.get_by_text("Noted. They are told that you have it.")).to_be_visible()
    stage(deliverer, "pickedUp")


@pytest.mark.parametrize("size", SIZES)
def test_somebody_is_asked_by_name_declines_and_the_orderer_says_whom_to_ask(window, restaurant, house, size):
    place = restaurant()
    deliverer, orderer = two(window, "Detlev Roos", "Odile Faure", SIZES[size])
    going(deliverer, place, house)
    orderer.goto(f"{URL}/restaurants/{place['id']}")
    orderer.get_by_role("link", name="Ask Detlev Roos").click()
    expect(orderer.get_by_text("Detlev Roos is asked first")).to_be_visible()
    expect(orderer.get_by_label("If Detlev Roos can't, ask anybody")).not_to_be_checked()
    look_at(orderer, f"order-new-one-{size}-light")
    fill_order(orderer, house)
    orderer.get_by_role("button", name="Ask Detlev Roos").click()
    stage(orderer, "offered", of="order")
    look_at(orderer, f"order-offered-{size}-light")
    check_focus(orderer)
    check_touch(orderer)

    listen(orderer)
    deliverer.goto(URL + offered(deliverer))
    look_at(deliverer, f"match-offer-{size}-light")
    check_focus(deliverer)
    check_touch(deliverer)
    deliverer.get_by_role("button", name="Decline").click()
    expect(deliverer.get_by_text("Declined. Somebody else is asked.")).to_be_visible()
    # The other window moves on by itself, and says so.
    stage(orderer, "asking", of="order")
    hear(orderer, "Detlev Roos can't bring it.")
    expect(orderer.get_by_role("heading", name="Whom shall we ask?")).to_be_visible()
    look_at(orderer, f"order-asking-{size}-light")
    check_touch(orderer)
    orderer.get_by_role("button", name="Ask anybody").click()
    stage(orderer, "waiting", of="order")
    expect(orderer.locator("#said")).to_contain_text("Nobody who could bring it is there just now.")

    # Somebody comes, and is asked.
    other, _ = newcomer(window, "Dorte Krag", size=SIZES[size])
    going(other, place, house)
    stage(orderer, "offered", of="order")
    expect(orderer.locator("#said")).to_contain_text("We ask Dorte Krag")
    orderer.get_by_role("link", name="Cancel the order").click()
    dialog = orderer.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Take the order back?")).to_be_visible()
    look_at(orderer, f"order-cancel-{size}-light")
    dialog.get_by_role("button", name="Take it back").click()
    expect(orderer.get_by_text("Your order is taken back.")).to_be_visible()
    stage(orderer, "cancelled", of="order")
    expect(orderer.get_by_role("link", name="Order the same again")).to_be_visible()
    look_at(orderer, f"order-cancelled-{size}-light")
    for page in (deliverer, other):
        call(page, "DELETE", "/v1/delivery")


def test_what_is_taken_back_is_gone_from_the_page_of_who_is_asked(window, about, restaurant, house):
    place = restaurant()
    deliverer, orderer = two(window, "Dina Moe", "Oda Brun")
    going(deliverer, place, house)
    order = ordered(orderer, about, place, house)
    deliverer.goto(URL + offered(deliverer))
    expect(deliverer.get_by_role("button", name="Accept")).to_be_visible()
    call(orderer, "DELETE", f"/v1{order}")
    stage(deliverer, "withdrawn")
    expect(deliverer.locator("#said")).to_contain_text("This is not offered to you any more.")
    expect(deliverer.get_by_role("button", name="Accept")).to_have_count(0)
    look_at(deliverer, "match-withdrawn-phone-light")
    call(deliverer, "DELETE", "/v1/delivery")


def test_who_orders_sees_where_it_is_while_that_is_shown(window, about, restaurant, house):
    place = restaurant()
    deliverer, orderer = two(window, "Dario Neri", "Otto Zell")
    going(deliverer, place, house)
    order = ordered(orderer, about, place, house)
    match = offered(deliverer)
    act(deliverer, match, "accept")
    act(deliverer, match, "pick-up", spent={"amount": 900, "currency": about["currency"]})
    # Somebody brings it: the order leads there.
    orderer.goto(URL + order)
    expect(orderer).to_have_url(URL + match)
    deliverer.context.set_geolocation(place["position"])
    deliverer.goto(URL + match)
    expect(orderer.get_by_role("heading", name="Where it is")).to_have_count(0)
    deliverer.get_by_role("button", name="Show where I am").click()
    expect(deliverer.get_by_text("Shown while you look at this page.")).to_be_visible()
    look_at(deliverer, "match-showing-phone-light")
    expect(orderer.get_by_role("heading", name="Where it is")).to_be_visible()
    live = orderer.locator("#live")
    expect(live).to_contain_text("away")
    look_at(orderer, "match-live-phone-light")
    before = live.inner_text()
    deliverer.context.set_geolocation(house["position"])
    expect(live).not_to_have_text(before)
    deliverer.get_by_role("button", name="Show it no more").click()
    expect(orderer.get_by_role("heading", name="Where it is")).to_have_count(0)
    act(deliverer, match, "complete")
    stage(orderer, "delivered")
    orderer.get_by_role("button", name="I have it").click()
    stage(orderer, "completed")
    call(deliverer, "DELETE", "/v1/delivery")


@pytest.mark.parametrize("size", SIZES)
def test_who_carries_two_sees_in_which_order_the_way_is_the_shortest(window, about, restaurant, house, size):
    place = restaurant()
    deliverer, one = two(window, "Dorrit Falk", "Oksana Lind", SIZES[size])
    other, _ = newcomer(window, "Olaf Ekman", size=SIZES[size])
    going(deliverer, place, house, capacity=2, detour=500)
    at = place["position"]
    corner = {"name": "The corner", "position": at | {"latitude": at["latitude"] + 0.0001}}
    for orderer, to in ((one, house), (other, corner)):
        ordered(orderer, about, place, to)
        act(deliverer, offered(deliverer), "accept")
    deliverer.goto(URL + "/deliver")
    rows = deliverer.locator("#carried + ul > li")
    expect(rows.locator(".drop-number")).to_have_text(["1", "2"])
    expect(rows.nth(0)).to_contain_text("The corner")
    expect(rows.nth(1)).to_contain_text(house["name"])
    expect(deliverer.get_by_text("In this order the way is the shortest.")).to_be_visible()
    # The restaurant, the corner, and the house, to which the deliverer goes anyway.
    expect(deliverer.locator("#match-map .match-stop")).to_have_count(3)
    look_at(deliverer, f"deliver-two-{size}-light")
    check_focus(deliverer)
    check_touch(deliverer)
    call(deliverer, "DELETE", "/v1/delivery")


def test_who_orders_again_is_asked_whether_they_still_deliver(window, restaurant, house):
    place = restaurant()
    page, _ = newcomer(window, "Dorian Wolf", size=DESKTOP)
    going(page, place, house)
    page.goto(URL + "/deliveries")
    modes = page.get_by_role("group", name="What you do")
    expect(modes.get_by_role("button", name="Ordering")).to_have_attribute("aria-pressed", "true")
    modes.get_by_role("button", name="Delivering").click()
    expect(page).to_have_url(URL + "/deliver")
    # The home of deliveries is this one from now on.
    page.goto(URL + "/deliveries")
    expect(page).to_have_url(URL + "/deliver")
    page.get_by_role("group", name="What you do").get_by_role("button", name="Ordering").click()
    expect(page.get_by_role("heading", name="You are still offering to deliver")).to_be_visible()
    look_at(page, "deliver-still-desktop-light")
    page.get_by_role("button", name="Stop offering").click()
    expect(page).to_have_url(re.compile("/deliveries"))
    expect(page.locator("[data-restaurant]", has_text=place["name"])).to_have_count(0)


def test_without_scripts_all_of_it_works(window, restaurant, house):
    place = restaurant()
    deliverer, orderer = two(window, "Dagmar Vik", "Ondine Petit", script=False)
    go(deliverer, "/deliver")
    deliverer.get_by_label("Restaurant where you are", exact=True).fill(place["name"])
    deliverer.get_by_label("Where you go from there", exact=True).fill(house["name"])
    send(deliverer, "Able to deliver")
    expect(deliverer.get_by_text("You can bring something along.")).to_be_visible()
    photograph(deliverer, "deliver-on-plain-phone-light")

    go(orderer, f"/orders/new?restaurant={place['id']}")
    fill_order(orderer, None)
    orderer.get_by_label("Where do you want it?", exact=True).fill(house["name"])
    photograph(orderer, "order-new-plain-phone-light")
    send(orderer, "Ask somebody")
    expect(orderer.get_by_text("Ordered. You read here who is asked.")).to_be_visible()
    photograph(orderer, "order-plain-phone-light")

    go(deliverer, offered(deliverer))
    photograph(deliverer, "match-offer-plain-phone-light")
    send(deliverer, "Accept")
    stage(deliverer, "accepted")
    # A browser without scripts looks again by itself.
    expect(orderer).to_have_url(re.compile("/matches/"))
    match = orderer.url.removeprefix(URL).split("?")[0]
    go(deliverer, f"{match}/pick-up")
    deliverer.get_by_label(re.compile("^What you have paid")).fill("9.50")
    send(deliverer, "I have it")
    stage(deliverer, "pickedUp")
    go(deliverer, f"{match}/complete")
    photograph(deliverer, "match-complete-plain-phone-light")
    send(deliverer, "It is there")
    stage(deliverer, "delivered")
    stage(orderer, "delivered")
    send(orderer, "I have it")
    stage(orderer, "completed")
    photograph(orderer, "match-completed-plain-phone-light")
    call(deliverer, "DELETE", "/v1/delivery")


def send(page, button):
    """Sends a form without scripts. Where several places are called so, the first of them is meant."""
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()
    choices = page.locator("[data-offered]")
    if choices.count() == 0:
        return
    for one in choices.all():
        one.get_by_role("radio").first.check()
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()
