"""Renting: asked with the cost in sight, accepted in another window, handed over with photos, given back, reviewed; by the hour; cancelled, disputed."""

import re
import time

import pytest
from playwright.sync_api import expect

from kampong import DESKTOP, PHONE, RUN, SIZES, URL, call, day, hour, let_thing, look_at, photograph
from test_friends import newcomer
from test_notifications import unread
from test_reviews import write


@pytest.fixture(autouse=True)
def one_day():
    """What is today and tomorrow stays so while a test says it: none begins just before midnight."""
    left = 86_400 - time.time() % 86_400
    if left < 180:
        time.sleep(left + 1)


def two(window, about, somewhere, owner, renter, title, kind="spaces", size=PHONE, draft={}, **how):
    """Who lets something, who looks for it, and its address; its days begin with those of UTC."""
    owners, _ = newcomer(window, owner, size=size)
    path = let_thing(owners, about, kind, title, somewhere(), zone="UTC", **draft)
    renters, _ = newcomer(window, renter, size=size, **how)
    return owners, renters, "/things/" + path.rsplit("/", 1)[1]


def asked(page, thing, first=0, last=1):
    """Asked through `/v1`, where the asking itself is not what is looked at: the agreement's address."""
    draft = {"from": day(first), "until": day(last)}
    return "/rentals/" + call(page, "POST", f"/v1/spaces/{thing.rsplit('/', 1)[1]}/rentals", draft)["id"]


def tell_number(page):
    """+65 8765 4321, for those with whom something is agreed."""
    page.goto(URL + "/me/edit")
    page.get_by_label("Phone").fill("+65 8765 4321")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def press_hour(page, begin):
    """In the calendar of what is let by the hour, which shows the hours of one day."""
    link = page.locator(f"a[id='hour-{begin}']")
    if not link.count():
        page.locator(f"#day-{begin[:10]}").click()
    link.click()


def test_from_the_question_to_the_review(window, about, somewhere, photo):
    owner, renter, thing = two(window, about, somewhere, "Anneli Korpi", "Bram de Vries", "Cellar by the mill")
    tell_number(owner)

    # The first and the last day are pressed; the cost is there before anything is asked.
    renter.goto(URL + thing)
    renter.goto(URL + thing + "/rent")
    expect(renter.locator("#quote")).to_contain_text("Choose the first and the last day")
    renter.locator(f"#day-{day(0)}").click()
    expect(renter.get_by_label("First day")).to_have_value(day(0))
    renter.locator(f"#day-{day(1)}").press("Enter")
    expect(renter.locator("#quote")).to_contain_text("2 days")
    expect(renter.get_by_label("Last day")).to_have_value(day(1))
    expect(renter.locator("#announcer")).to_contain_text("2 days")
    renter.get_by_label("Last day").fill(day(2))
    expect(renter.locator("#quote")).to_contain_text("3 days")
    renter.get_by_label("Message to Anneli Korpi").fill("For my boxes.\nFriday would suit me.")
    look_at(renter, "rent-phone-light")
    renter.set_viewport_size(DESKTOP)
    look_at(renter, "rent-desktop-light")
    renter.get_by_role("button", name="Ask Anneli Korpi").click()
    expect(renter.get_by_text("Anneli Korpi is asked; you hear by")).to_be_visible()
    look_at(renter, "rental-requested-desktop-light")
    path = renter.url.removeprefix(URL).split("?")[0]

    owner.goto(URL + "/rentals")
    expect(owner.get_by_role("heading", name="Waiting for your answer")).to_be_visible()
    look_at(owner, "rentals-waiting-phone-light")
    stages = owner.get_by_role("navigation", name="How they stand")
    stages.get_by_role("link", name="Waiting for my answer (1)").click()
    expect(owner).to_have_url(URL + "/rentals?role=owner&stage=waiting")
    expect(stages.get_by_role("link", name="Waiting for my answer (1)")).to_have_attribute("aria-current", "page")
    owner.get_by_role("link", name="Cellar by the mill").click()
    expect(owner.get_by_text("Friday would suit me.")).to_be_visible()
    look_at(owner, "rental-to-answer-phone-light")
    owner.get_by_role("link", name="Accept").click()
    dialog = owner.locator("#dialog")
    expect(dialog.get_by_role("heading", name="Let it to Bram de Vries?")).to_be_visible()
    look_at(owner, "rental-accept-phone-light")
    dialog.get_by_label("A word to Bram de Vries").fill("Ring twice.")
    dialog.get_by_role("button", name="Accept").click()
    expect(owner.get_by_text("Accepted. You can reach each other now.")).to_be_visible()

    # The other window knows it by itself, with the door and the number.
    expect(renter.get_by_text("Its time has begun.")).to_be_visible()
    expect(renter.get_by_text("Well Street 4")).to_be_visible()
    expect(renter.locator("a[href='tel:+6587654321']")).to_be_visible()
    look_at(renter, "rental-agreed-desktop-light")
    renter.get_by_role("button", name="Message Anneli Korpi").click()
    expect(renter.get_by_role("link", name=re.compile("Agreed: "))).to_be_visible()
    expect(renter.locator("a[href='tel:+6587654321']")).to_be_visible()
    look_at(renter, "room-rental-desktop-light")

    renter.goto(URL + path)
    renter.get_by_role("link", name="Confirm the hand-over").click()
    renter.locator("input[type=file]").set_input_files([photo])
    expect(renter.locator("[data-list] .shot")).to_have_count(1)
    expect(renter.locator("[data-ids]")).not_to_have_value("", timeout=20_000)
    renter.get_by_label("Note").fill("Dry, and the light works.")
    look_at(renter, "rental-hand-over-desktop-light")
    renter.get_by_role("button", name="Confirm", exact=True).click()
    expect(renter.get_by_text("Thank you. The hand-over is noted.")).to_be_visible()
    expect(renter.get_by_alt_text(re.compile("photo 1 by Bram de Vries"))).to_be_visible()

    expect(owner.get_by_text("Bram de Vries has it, and gives it back by")).to_be_visible()
    expect(owner.get_by_text("Dry, and the light works.")).to_be_visible()
    look_at(owner, "rental-handed-over-phone-light")
    owner.get_by_role("link", name="Confirm the return").click()
    owner.get_by_role("button", name="Confirm", exact=True).click()
    expect(owner.get_by_text("Thank you. The return is noted.")).to_be_visible()

    expect(renter.get_by_text("It is back with Anneli Korpi.")).to_be_visible()
    look_at(renter, "rental-returned-desktop-light")
    # What one service says reaches the other one a moment later.
    for _ in range(50):
        renter.goto(URL + path)
        renter.get_by_role("link", name="Review Anneli Korpi").click()
        renter.wait_for_load_state()
        if renter.get_by_role("radio").count():
            break
        renter.wait_for_timeout(200)
    write(renter, 5, "Dry and easy to find.")
    expect(renter.get_by_text("Thank you. It is shown when they have written too")).to_be_visible()
    renter.goto(URL + path + "/print")
    expect(renter.get_by_role("heading", name="Agreement: Cellar by the mill")).to_be_visible()
    renter.emulate_media(media="print")
    expect(renter.get_by_role("button", name="Print")).to_be_hidden()
    expect(renter.get_by_role("navigation", name="Main")).to_be_hidden()
    renter.emulate_media(media="screen")
    look_at(renter, "rental-print-desktop-light")


def test_the_number_comes_into_an_open_chat_and_goes_again(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Aino Salo", "Bas Visser", "Loft by the station")
    tell_number(owner)
    path = asked(renter, thing, 5, 6)
    renter.goto(URL + path)
    renter.get_by_role("button", name="Message Aino Salo").click()
    expect(renter.get_by_role("heading", name="Aino Salo")).to_be_visible()
    number = renter.locator("a[href='tel:+6587654321']")
    expect(number).to_have_count(0)
    call(owner, "POST", f"/v1{path}/accept", {})
    expect(number).to_be_visible()
    call(owner, "POST", f"/v1{path}/cancel", {})
    expect(number).to_have_count(0)


HEAR_AGAIN = """path => {
    const me = document.documentElement.dataset.signedIn;
    window.isSame = true;
    const rental = { id: path.split("/").pop(), state: "accepted", by: me };
    new BroadcastChannel(`kampong-wire ${me}`).postMessage({ kind: "rentalAnswered", data: { rental } });
}"""


def test_what_one_did_is_said_though_its_event_comes_later(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Anu Virta", "Bo Lind", "Shed by the shore")
    path = asked(renter, thing)
    owner.goto(URL + path)
    owner.get_by_role("link", name="Accept").click()
    owner.locator("#dialog").get_by_role("button", name="Accept").click()
    said = owner.get_by_text("Accepted. You can reach each other now.")
    expect(said).to_be_visible()
    owner.evaluate(HEAR_AGAIN, path)
    owner.wait_for_timeout(500)
    expect(said).to_be_visible()
    assert owner.evaluate("window.isSame")

    # What the other one does is shown at once, beside the same words.
    call(renter, "POST", f"/v1{path}/cancel", {})
    expect(owner.locator(".tag").get_by_text("Cancelled")).to_be_visible()


def test_an_answer_where_nobody_looks_stays_unread(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Aino Ranta", "Berk Aydin", "Cellar by the quay")
    path = asked(renter, thing)
    renter.goto(URL + path)
    renter.evaluate("document.hasFocus = () => false")
    call(owner, "POST", f"/v1{path}/accept", {})
    unread(renter, 1)
    renter.wait_for_timeout(1000)
    expect(renter.locator("[data-rental]")).to_have_attribute("data-state", "requested")
    unread(renter, 1)
    renter.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
    expect(renter.locator("[data-rental]")).to_have_attribute("data-state", "accepted")
    unread(renter, 0)


@pytest.mark.parametrize("size", SIZES)
def test_private_parking_by_the_hour(window, about, somewhere, one_hour, size):
    owner, renter, thing = two(window, about, somewhere, "Anja Holt", "Bela Nagy", "Garage under the tower", "private-parking", SIZES[size])
    # What begins within an hour can be handed over now.
    begin, second, end, beyond, over = [hour(after) for after in range(1, 6)]
    call(owner, "POST", f"/v1/private-parking/{thing.rsplit('/', 1)[1]}/date-blocks", {"from": end, "until": over})

    renter.goto(URL + f"{thing}/rent?day={end[:10]}")
    start, until, quote = renter.get_by_label("From", exact=True), renter.get_by_label("Until", exact=True), renter.locator("#quote")
    expect(quote).to_contain_text("Choose a day and the hours")
    expect(renter.get_by_text(f"{end[11:]} – {beyond[11:]}, taken")).to_have_count(1)
    press_hour(renter, begin)
    expect(start).to_have_value(begin)
    press_hour(renter, second)
    expect(until).to_have_value(end)
    expect(quote).to_contain_text("2 hours")
    expect(quote.locator(".amount")).to_contain_text("50")
    look_at(renter, f"hours-chosen-{size}-light")
    # One hour more is another one's; up to where theirs begin it is free.
    until.fill(beyond)
    expect(quote).to_contain_text("Somebody else has it then")
    ask = renter.get_by_role("button", name="Ask Anja Holt")
    ask.click()
    expect(start).to_have_accessible_description(re.compile("Somebody else has it then"))
    look_at(renter, f"hours-taken-{size}-light")
    until.fill(end)
    expect(quote).to_contain_text("2 hours")
    ask.click()
    expect(renter.get_by_text("Anja Holt is asked; you hear by")).to_be_visible()
    path = renter.url.removeprefix(URL).split("?")[0]

    owner.goto(URL + path)
    expect(owner.get_by_text("2 hours · Days and hours as in UTC")).to_be_visible()
    expect(owner.locator(".facts")).to_contain_text(f"{begin[11:]} – ")
    look_at(owner, f"hours-to-answer-{size}-light")
    owner.get_by_role("link", name="Accept").click()
    owner.locator("#dialog").get_by_role("button", name="Accept").click()
    expect(owner.get_by_text("Accepted. You can reach each other now.")).to_be_visible()
    expect(renter.get_by_text("Well Street 4")).to_be_visible()
    renter.get_by_role("link", name="Confirm the hand-over").click()
    renter.get_by_role("button", name="Confirm", exact=True).click()
    expect(renter.get_by_text("You have it. Give it back by")).to_be_visible()
    look_at(renter, f"hours-in-hand-{size}-light")
    expect(owner.get_by_text("Bela Nagy has it, and gives it back by")).to_be_visible()
    owner.get_by_role("link", name="Confirm the return").click()
    owner.get_by_role("button", name="Confirm", exact=True).click()
    expect(owner.get_by_text("You have it back.")).to_be_visible()
    expect(owner.get_by_text(re.compile("50.*, by Bela Nagy"))).to_be_visible()
    look_at(owner, f"hours-returned-{size}-light")
    expect(renter.get_by_text("It is back with Anja Holt.")).to_be_visible()
    expect(renter.get_by_text(re.compile("50.*, by you"))).to_be_visible()
    # What is back early can be had again.
    renter.goto(URL + f"{thing}/rent?day={begin[:10]}")
    expect(renter.locator(f"a[id='hour-{begin}']")).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
def test_a_car_is_found_agreed_and_cancelled_by_its_policy(window, about, somewhere, size):
    title, door = f"Corolla with a bike rack {size} {RUN}", "Mill Lane 7"
    draft = {"model": "Corolla", "address": door, "cancellation": "moderate"}
    owner, renter, thing = two(window, about, somewhere, "Aleksi Rinne", "Bea Costa", title, "cars", SIZES[size], draft)
    tell_number(owner)
    renter.goto(URL + "/cars")
    renter.get_by_text("Filter", exact=True).click()
    renter.get_by_label("Brand").select_option("Toyota")
    expect(renter.get_by_label("Model")).to_be_enabled()
    renter.get_by_label("Model").select_option("Corolla")
    expect(renter).to_have_url(re.compile("model=Corolla"))
    renter.get_by_label("From this day").fill(day(3))
    renter.get_by_label("To this day").fill(day(4))
    renter.get_by_role("button", name="Show what fits").click()
    expect(renter).to_have_url(re.compile(f"from={day(3)}"))
    car = renter.get_by_role("link", name=title, exact=True)
    expect(car).to_be_visible()
    look_at(renter, f"car-found-{size}-light")
    found = renter.url

    # The days that one looks for go along, to where they are asked for.
    car.click()
    expect(renter.get_by_text("Moderate: no charge until five days before")).to_be_visible()
    assert door not in renter.content(), "the door is told to who rents it"
    renter.get_by_role("link", name="Ask to rent").click()
    expect(renter.get_by_label("First day")).to_have_value(day(3))
    expect(renter.locator("#quote")).to_contain_text("2 days")
    renter.get_by_role("button", name="Ask Aleksi Rinne").click()
    expect(renter.get_by_text("Aleksi Rinne is asked; you hear by")).to_be_visible()
    number = renter.locator("a[href='tel:+6587654321']")
    expect(number).to_have_count(0)
    assert door not in renter.content(), "nothing is agreed yet"
    path = renter.url.removeprefix(URL).split("?")[0]
    call(owner, "POST", f"/v1{path}/accept", {})
    expect(renter.get_by_text(door)).to_be_visible()
    expect(number).to_be_visible()
    look_at(renter, f"car-agreed-{size}-light")
    renter.goto(found)
    expect(renter.locator("#results")).to_be_visible()
    expect(car).to_have_count(0)

    renter.goto(URL + path)
    renter.get_by_role("link", name="Cancel", exact=True).click()
    dialog = renter.locator("#dialog")
    expect(dialog.get_by_text(re.compile("You owe .*25.* of .*50.* then"))).to_be_visible()
    look_at(renter, f"car-cancel-{size}-light")
    dialog.get_by_role("button", name="Cancel it").click()
    expect(renter.get_by_text("You have cancelled.")).to_be_visible()
    expect(renter.get_by_text(re.compile("25.*, by you"))).to_be_visible()
    expect(number).to_have_count(0)
    assert door not in renter.content(), "it is over"
    look_at(renter, f"car-owed-{size}-light")
    owner.goto(URL + path)
    expect(owner.get_by_text("Bea Costa has cancelled.")).to_be_visible()
    expect(owner.get_by_text(re.compile("25.*, by Bea Costa"))).to_be_visible()
    renter.goto(found)
    expect(car).to_be_visible()


def test_cancelled_with_its_cost_without_scripts(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Aroha Ngata", "Bogdan Ilic", "Dry attic", script=False)
    renter.goto(URL + thing + "/rent")
    renter.get_by_label("First day").fill(day(1))
    renter.get_by_label("Last day").fill(day(0))
    renter.get_by_label("Message to Aroha Ngata").fill("Two boxes.")
    renter.get_by_role("button", name="Show the cost").click()
    expect(renter.get_by_label("Last day")).to_have_accessible_description(re.compile("It ends before it begins."))
    photograph(renter, "rent-wrong-phone-light")
    # By links alone: the first day, then the last.
    renter.goto(URL + thing + "/rent")
    renter.locator(f"#day-{day(0)}").click()
    expect(renter.get_by_label("First day")).to_have_value(day(0))
    renter.locator(f"#day-{day(1)}").click()
    expect(renter.locator("#quote")).to_contain_text("2 days")
    renter.get_by_label("Message to Aroha Ngata").fill("Two boxes.")
    renter.get_by_role("button", name="Show the cost").click()
    expect(renter.get_by_label("Message to Aroha Ngata")).to_have_value("Two boxes.")
    renter.get_by_role("button", name="Ask Aroha Ngata").click()
    expect(renter.get_by_text("Aroha Ngata is asked; you hear by")).to_be_visible()
    path = renter.url.removeprefix(URL).split("?")[0]
    # Somebody else wants the same days; the first who is accepted has them.
    other, _ = newcomer(window, "Carla Bruni")
    others = asked(other, thing)
    call(owner, "POST", "/v1" + path + "/accept", {})
    owner.goto(URL + others + "/accept")
    expect(owner.get_by_text("This is how it stands now.")).to_be_visible()
    other.goto(URL + others)
    expect(other.get_by_text("Somebody else has it in these days, so it can't be yours.")).to_be_visible()
    look_at(other, "rental-turned-away-phone-light")
    other.goto(URL + thing + f"/rent?from={day(0)}&until={day(1)}")
    expect(other.locator("#quote")).to_contain_text("Somebody else has it then")
    other.get_by_role("button", name="Ask Aroha Ngata").click()
    expect(other.get_by_role("alert")).to_contain_text("Somebody else has it then")
    look_at(other, "rent-taken-phone-light")

    renter.reload()
    expect(renter.get_by_text("If you cancel now")).to_be_visible()
    renter.get_by_role("link", name="Cancel", exact=True).click()
    expect(renter.get_by_text(re.compile("You owe .*25.* of .*50.* then"))).to_be_visible()
    photograph(renter, "rental-cancel-phone-light")
    renter.get_by_role("button", name="Cancel it").click()
    expect(renter.get_by_text("You have cancelled.")).to_be_visible()
    photograph(renter, "rental-cancelled-phone-light")
    renter.goto(URL + "/rentals")
    expect(renter.get_by_role("heading", name="Over")).to_be_visible()
    renter.get_by_role("link", name="History").click()
    expect(renter).to_have_url(URL + "/rentals?stage=over")
    expect(renter.locator(f"a[href='{path}']")).to_be_visible()
    owner.goto(URL + path + "/hand-over")
    expect(owner.get_by_text("This is how it stands now.")).to_be_visible()
    expect(owner.get_by_text("Bogdan Ilic has cancelled.")).to_be_visible()
    # It had begun: he may have the key all the same.
    expect(owner.locator(f'a[href="{path}/dispute"]')).to_be_visible()


def test_nothing_is_asked_before_its_cost_was_seen_without_scripts(window, about, somewhere):
    _, renter, thing = two(window, about, somewhere, "Ailsa Bain", "Benat Oria", "Loft over the bakery", script=False)
    renter.goto(URL + thing + "/rent")
    renter.get_by_label("First day").fill(day(1))
    renter.get_by_label("Last day").fill(day(2))
    renter.get_by_label("Message to Ailsa Bain").fill("Two boxes.")
    ask, quote = renter.get_by_role("button", name="Ask Ailsa Bain"), renter.locator("#quote")
    ask.click()
    expect(renter.get_by_text("This is what it costs.")).to_be_visible()
    expect(quote).to_contain_text("2 days")
    expect(renter.get_by_label("Message to Ailsa Bain")).to_have_value("Two boxes.")
    photograph(renter, "rent-priced-phone-light")
    # Other days have another cost.
    renter.get_by_label("Last day").fill(day(3))
    ask.click()
    expect(quote).to_contain_text("3 days")
    assert renter.request.get(URL + "/v1/rentals").json()["items"] == []
    ask.click()
    expect(renter.get_by_text("Ailsa Bain is asked; you hear by")).to_be_visible()


def test_who_has_it_is_told_so_and_others_until_when(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Astrid Holm", "Boris Kral", "Boathouse by the lake")
    path = asked(renter, thing)
    agreement = renter.get_by_role("link", name="See how it stands")
    renter.goto(URL + thing)
    expect(renter.get_by_role("link", name="Cancel rent")).to_be_visible()
    expect(renter.get_by_text("You have asked for it:")).to_be_visible()
    call(owner, "POST", f"/v1{path}/accept", {})
    renter.goto(URL + thing)
    expect(renter.get_by_role("link", name="Cancel rent")).to_be_visible()
    expect(renter.get_by_text("It is agreed:")).to_be_visible()
    call(owner, "POST", f"/v1{path}/hand-over", {})
    renter.goto(URL + thing)
    expect(renter.get_by_text("You have it until")).to_be_visible()
    expect(agreement).to_have_attribute("href", path)
    look_at(renter, "thing-in-hand-phone-light")
    other, _ = newcomer(window, "Cora Blum")
    other.goto(URL + thing)
    expect(other.get_by_text("Somebody has it until")).to_be_visible()
    expect(other.get_by_role("link", name="See how it stands")).to_have_count(0)


def test_nobody_leaves_with_what_is_anothers(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Anouk Petit", "Bram de Wit", "Shed behind the school")
    path = asked(renter, thing)
    for act in ("accept", "hand-over"):
        call(owner, "POST", f"/v1{path}/{act}", {})
    for page, name in ((owner, "owner"), (renter, "renter")):
        page.goto(URL + "/me/erase")
        expect(page.get_by_role("heading", name="Something has to be over first")).to_be_visible()
        expect(page.get_by_role("link", name="Shed behind the school")).to_have_attribute("href", path)
        expect(page.get_by_role("button", name="Erase my account for good")).to_have_count(0)
        look_at(page, f"erase-held-{name}-phone-light")
    for person in (renter, owner):
        call(person, "POST", f"/v1{path}/return", {})
    renter.goto(URL + "/me/erase")
    expect(renter.get_by_role("button", name="Erase my account for good")).to_be_visible()


def test_a_dispute_is_settled(window, about, somewhere, maud):
    owner, renter, thing = two(window, about, somewhere, "Alma Sand", "Björn Lund", "Cupboard under the stairs")
    path = asked(renter, thing)
    for act in ("accept", "hand-over"):
        call(owner, "POST", f"/v1{path}/{act}", {})
    renter.goto(URL + path)
    renter.get_by_role("link", name="Something is wrong").click()
    expect(renter.get_by_role("heading", name="Ask a moderator to decide?")).to_be_visible()
    look_at(renter, "rental-dispute-phone-light")
    renter.get_by_role("button", name="Ask a moderator").click()
    expect(renter.get_by_text("Please say it in a few words.")).to_be_visible()
    renter.get_by_label("What is wrong?").fill("It is wet, and the key does not fit.")
    renter.get_by_role("button", name="Ask a moderator").click()
    expect(renter.get_by_text("You two don't agree.")).to_be_visible()

    owner.goto(URL + path)
    expect(owner.get_by_text("It is wet, and the key does not fit.")).to_be_visible()
    owner.get_by_role("link", name="Say something about it").click()
    owner.get_by_label("What you have to say").fill("It was dry when I handed it over.")
    look_at(owner, "rental-explain-phone-light")
    owner.get_by_role("button", name="Add it").click()
    expect(owner.get_by_role("heading", name="What the two say of it")).to_be_visible()
    owner.get_by_role("link", name="Confirm the return").click()
    owner.get_by_role("button", name="Confirm", exact=True).click()
    # It is back, and they are at odds about it all the same.
    expect(owner.get_by_text("You two don't agree.")).to_be_visible()
    expect(owner.get_by_role("link", name="Confirm the return")).to_have_count(0)
    look_at(owner, "rental-disputed-phone-light")

    judge = window(maud, DESKTOP)
    judge.goto(URL + "/moderation")
    judge.get_by_role("link", name=re.compile(r"Disputed rentals \(\d+")).click()
    look_at(judge, "disputes-desktop-light")
    judge.locator(f"a[href='{path}']").click()
    expect(judge.get_by_text("It is wet, and the key does not fit.")).to_be_visible()
    expect(judge.get_by_text("It was dry when I handed it over.")).to_be_visible()
    look_at(judge, "rental-disputed-desktop-light")
    judge.get_by_role("link", name="Settle it").click()
    judge.get_by_label("Share of the cost in percent").fill("a bit")
    judge.get_by_label("Why").fill("Half of it could be used.")
    judge.get_by_role("button", name="Settle it").click()
    expect(judge.get_by_text("A whole number from 0 to 100.")).to_be_visible()
    look_at(judge, "rental-settle-desktop-light")
    judge.get_by_label("Share of the cost in percent").fill("50")
    judge.get_by_role("button", name="Settle it").click()
    expect(judge.get_by_text("Settled. Both are told.")).to_be_visible()
    expect(renter.get_by_text("Half of it could be used.")).to_be_visible()
    expect(renter.get_by_text(re.compile("25.*, by you"))).to_be_visible()
    look_at(renter, "rental-settled-phone-light")
