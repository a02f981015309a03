"""Keeping order: a spot is reported, a moderator looks at it with its context, hides it, and shows it again."""

import re

import pytest
from playwright.sync_api import expect

import conftest
from chats import there, write
from kampong import DESKTOP, RESYNC, RUN, URL, Person, call, join, look_at, promote, share_spot, sign_in, until
from test_friends import newcomer


def moderator(window, name, **how):
    """A window of somebody who keeps order, other than `maud`."""
    person = conftest.newcomer(window.browser, name, keeps_order=True)
    return window(person, **how), person


def report(page, path, reason, text=None):
    page.goto(URL + path)
    page.get_by_role("link", name="Report", exact=True).click()
    page.get_by_role("radio", name=reason).check()
    if text:
        page.get_by_label("In your words").fill(text)
    page.get_by_role("button", name="Report", exact=True).click()
    expect(page.get_by_text("Thank you. Moderators will look at it.")).to_be_visible()


def tell(page, kind, path, reason, text=None):
    """The same through `/v1`, where the reporting is not what is looked at."""
    call(page, "POST", "/v1/reports", {"subject": {"kind": kind, "id": path.rsplit("/", 1)[1]}, "reason": reason, "text": text})


def open_case(page, title):
    """Cases of other tests may wait as well, the oldest first."""
    page.goto(URL + "/moderation")
    while not page.get_by_role("link", name=title, exact=True).count():
        page.locator("a[rel=next]").click()
        page.wait_for_load_state()
    page.get_by_role("link", name=title, exact=True).click()
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    return page.url


def hide(page, title, why):
    open_case(page, title)
    page.get_by_role("link", name="Hide it").click()
    page.get_by_label("Why").fill(why)
    page.get_by_role("button", name="Hide it").click()
    expect(page.get_by_text(f"Hidden. Why: {why}")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_a_spot_is_reported_hidden_and_restored(window, script):
    name = f"Bus stop {'with' if script else 'without'} scripts {RUN}"
    ada, _ = newcomer(window, "Agneta Lund")
    ben, _ = newcomer(window, "Bashir Amin", script=script)
    spot = share_spot(ada, name, (60.1731, 24.9411))
    mod, mods = moderator(window, "Mona Reyes", script=script)

    ben.goto(URL + spot)
    if script:
        look_at(ben, "spot-report-phone-light")
    ben.get_by_role("link", name="Report", exact=True).click()
    expect(ben.get_by_role("heading", name="Report what is shared")).to_be_visible()
    ben.get_by_role("radio", name="Something else").check()
    ben.get_by_role("button", name="Report", exact=True).click()
    expect(ben.get_by_text("Say in a few words what is wrong.")).to_be_visible()
    if script:
        look_at(ben, "report-wrong-phone-light")
    report(ben, spot, "Not what it says it is", "Buses stop here all day.")
    ben.get_by_role("link", name="Report", exact=True).click()
    ben.get_by_role("radio", name="Advertising or spam").check()
    ben.get_by_role("button", name="Report", exact=True).click()
    expect(ben.get_by_text("You have reported this already.")).to_be_visible()

    mod.goto(URL + "/me")
    mod.get_by_role("link", name="Keeping order").click()
    expect(mod.get_by_role("link", name=name, exact=True)).to_be_visible()
    if script:
        look_at(mod, "cases-phone-light")
    case = open_case(mod, name)
    expect(mod.get_by_text("Buses stop here all day.")).to_be_visible()
    if script:
        look_at(mod, "case-phone-light")
    mod.get_by_role("link", name="Hide it").click()
    mod.get_by_role("button", name="Hide it").click()
    expect(mod.get_by_text("Say in a few words why.")).to_be_visible()
    mod.get_by_label("Why").fill("Buses stop there.")
    if script:
        look_at(mod, "act-hide-phone-light")
    mod.get_by_role("button", name="Hide it").click()
    expect(mod.get_by_text("Done, and noted in the audit log.")).to_be_visible()
    expect(mod.get_by_text("Hidden. Why: Buses stop there.")).to_be_visible()

    assert until(ben, lambda: ben.request.get(URL + spot).status == 404)
    ada.goto(URL + spot)
    expect(ada.get_by_text("Why: Buses stop there.")).to_be_visible()
    if script:
        look_at(ada, "spot-hidden-phone-light")
    mod.goto(URL + spot)
    expect(mod.get_by_text("Why: Buses stop there.")).to_be_visible()

    mod.goto(case)
    mod.get_by_role("link", name="Restore it").click()
    mod.get_by_role("button", name="Restore it").click()
    expect(mod.get_by_text(f"Restored by {mods.name}").first).to_be_visible()
    assert until(ben, lambda: ben.request.get(URL + spot).status == 200)
    mod.get_by_role("link", name="All of it").click()
    expect(mod.get_by_role("heading", name="Audit log")).to_be_visible()
    expect(mod.get_by_text("Only Agneta Lund")).to_be_visible()
    if script:
        look_at(mod, "audit-phone-light")
        mod.set_viewport_size(DESKTOP)
        look_at(mod, "audit-desktop-light")
        mod.goto(case)
        look_at(mod, "case-desktop-light")
    # Whose role is taken away has it no longer, at once.
    promote(mods, "--remove")
    assert mod.request.get(URL + "/moderation").status == 403


def test_the_second_moderator_hears_that_it_was_decided_and_nobody_decides_about_themselves(window, maud):
    carla, _ = newcomer(window, f"Carla {RUN}")
    ditte, _ = newcomer(window, "Ditte Holm")
    one, ones = moderator(window, f"Oona {RUN}", size=DESKTOP)
    two = window(maud, language="de-DE")
    report(carla, "/people/" + person_id(one), "Insults, threats", "Shouts at people.")
    case = open_case(two, ones.name)
    look_at(two, "case-german-phone-light")
    one.goto(case)
    expect(one.get_by_text("This is about you, or yours")).to_be_visible()
    expect(one.get_by_role("link", name="Dismiss")).to_have_count(0)
    look_at(one, "case-own-desktop-light")

    tell(ditte, "person", "/people/" + person_id(carla), "spam")
    first = open_case(one, f"Carla {RUN}")
    one.get_by_role("link", name="Dismiss: nothing to do").click()
    two.goto(first + "/dismiss")
    two.get_by_role("button", name="Abweisen").click()
    expect(two.get_by_text("Abgewiesen von Maud Koch").first).to_be_visible()
    look_at(one, "act-dismiss-desktop-light")
    one.get_by_role("button", name="Dismiss").click()
    expect(one.get_by_text("Something was done here meanwhile.")).to_be_visible()
    look_at(one, "case-meanwhile-desktop-light")


def person_id(page):
    """Of whoever is signed in there."""
    return page.request.get(URL + "/v1/me").json()["id"]


def test_somebody_is_warned_and_then_suspended_while_a_page_is_open(window, maud):
    ada, person = window(), Person(f"Alva {RUN}")
    join(ada, person)
    adas = "/people/" + person_id(ada)
    spot = share_spot(ada, f"Alva's place {RUN}", (60.1742, 24.9466))
    held = share_spot(ada, f"Held place {RUN}", (60.1744, 24.9470))
    other = window()
    other.goto(URL + "/sign-in")
    sign_in(other, person)
    expect(other.get_by_role("heading", name="Hello")).to_be_visible()
    # Every page listens.
    other.goto("about:blank")
    ben, _ = newcomer(window, "Bo Lindgren")
    call(ben, "POST", f"/v1{held}/claim")
    # Eira has a chat with her open all the while.
    eira, _ = newcomer(window, "Eira Moen")
    eira.goto(URL + adas)
    eira.get_by_role("button", name=f"Message {person.name}").click()
    expect(eira.get_by_role("textbox", name="Message to")).to_be_visible()
    mod = window(maud)
    tell(ben, "person", adas, "harassment", "Shouts at people who park.")

    case = open_case(mod, person.name)
    mod.get_by_role("link", name="Warn the person").click()
    mod.get_by_label("Why").fill("Nobody is shouted at here.\nNot even once.")
    mod.get_by_role("button", name=f"Warn {person.name}").click()
    expect(mod.get_by_text(f"Warned by Maud Koch").first).to_be_visible()
    ada.goto(URL + "/me")
    expect(ada.get_by_text("Nobody is shouted at here.")).to_be_visible()
    look_at(ada, "notice-warning-phone-light")
    ada.get_by_role("button", name="I have read it").click()
    expect(ada.get_by_text("Thank you.")).to_be_visible()
    expect(ada.get_by_text("Nobody is shouted at here.")).to_have_count(0)

    # She has the map open, and so has Ben.
    ada.goto(URL + f"/parking?near=60.1742,24.9466")
    ben.goto(URL + f"/parking?near=60.1742,24.9466")
    expect(ben.locator("[data-spot]", has_text=f"Alva's place {RUN}")).to_be_visible()
    ada.wait_for_timeout(1500)
    mod.goto(case)
    mod.get_by_role("link", name="Suspend the person").click()
    look_at(mod, "act-suspend-phone-light")
    mod.get_by_label("For how long").select_option("3 days")
    mod.get_by_label("Why").fill("She was warned.")
    mod.get_by_role("button", name=f"Suspend {person.name}").click()
    expect(mod.get_by_text("Suspended until")).to_be_visible()
    # What is said to him goes away by itself, and pictures take a while.
    expect(ben.get_by_text(f"Who shares “Held place {RUN}”, which you hold, was suspended.")).to_be_visible()
    expect(ada.get_by_text("Your account was suspended. Why: She was warned.")).to_be_visible()
    look_at(mod, "case-suspended-phone-light")
    look_at(ada, "suspended-live-phone-light")
    expect(eira.get_by_text("Nothing can be written here just now.")).to_be_visible()
    expect(eira.get_by_role("textbox", name="Message to")).to_have_count(0)
    expect(eira.get_by_text("She was warned.")).to_have_count(0)
    expect(ben.locator("[data-spot]", has_text=f"Alva's place {RUN}")).to_have_count(0)
    look_at(ben, "concerned-live-phone-light")
    ben.goto(URL + "/me")
    expect(ben.get_by_role("main").get_by_text(f"Who shares “Held place {RUN}”")).to_be_visible()

    # Her other device, on which no page listens, hears it with the next one.
    other.goto(URL + "/me")
    expect(other.get_by_role("heading", name="Your account is suspended")).to_be_visible()
    expect(other.get_by_text("Why: She was warned.")).to_be_visible()
    look_at(other, "suspended-phone-light")
    ada.goto(URL + "/sign-in")
    sign_in(ada, person)
    # What is hers she still comes to, and every other page leads there.
    expect(ada).to_have_url(URL + "/suspended")
    expect(ada.get_by_text("Why: She was warned.")).to_be_visible()
    look_at(ada, "suspended-page-phone-light")
    ada.set_viewport_size(DESKTOP)
    look_at(ada, "suspended-page-desktop-light", allow=())
    for path in ["/", "/parking", "/share", "/messages", "/me", "/me/edit", "/me/sessions", adas, "/sign-in"]:
        ada.goto(URL + path)
        expect(ada).to_have_url(URL + "/suspended")
    assert ada.request.get(URL + "/v1/me").status == 403
    ada.locator("a[href='/me/export']").click()
    ada.locator("form[action='/me/export'] button").click()
    expect(ada.locator("a[href='/v1/me/export/archive']")).to_be_visible(timeout=30000)
    assert ada.request.get(URL + "/v1/me/export/archive").status == 200
    ada.locator("a.back").click()
    ada.get_by_role("link", name="Erase my account").click()
    expect(ada.get_by_role("button", name="Erase my account for good")).to_be_visible()
    ada.locator("a.back").click()
    answer = ben.request.get(URL + adas)
    assert answer.status == 404 and person.name not in answer.text()
    mod.goto(URL + adas)
    expect(mod.get_by_role("heading", name=person.name, exact=True)).to_be_visible()

    mod.goto(case)
    mod.get_by_role("link", name="End the suspension").click()
    mod.get_by_role("button", name="End the suspension").click()
    expect(mod.get_by_text("Reinstated by Maud Koch").first).to_be_visible()
    expect(eira.get_by_role("textbox", name="Message to")).to_be_visible()
    ada.goto(URL + "/sign-in")
    sign_in(ada, person)
    expect(ada.get_by_role("heading", name="Hello")).to_be_visible()
    ada.goto(URL + "/me")
    expect(ada.get_by_text("Your account is no longer suspended.")).to_be_visible()
    look_at(ada, "notices-desktop-light")
    assert until(ben, lambda: ben.request.get(URL + spot).status == 200)


def test_who_holds_what_was_hidden_talks_to_whose_it_is_as_long_as_they_hold_it(window, maud):
    name = f"Side entrance {RUN}"
    astrid, _ = newcomer(window, "Astrid Holm")
    bo, _ = newcomer(window, "Bo Kimura")
    mod = window(maud)
    spot = share_spot(astrid, name, (60.1728, 24.9437))
    tell(bo, "spot", spot, "other", "It is somebody's entrance.")
    call(bo, "POST", f"/v1{spot}/claim")
    hide(mod, name, "It is an entrance.")

    bo.goto(URL + spot)
    bo.get_by_role("button", name="Message Astrid Holm").click()
    write(bo, "I stand there still. Shall I go?")
    there(bo, "I stand there still. Shall I go?")
    astrid.goto(bo.url)
    there(astrid, "I stand there still. Shall I go?")
    write(astrid, "Please do.")
    there(bo, "Please do.")
    # The room's title is what was hidden.
    expect(bo.get_by_text(name)).to_have_count(0)
    look_at(bo, "room-hidden-phone-light")
    call(bo, "DELETE", f"/v1{spot}/claim")
    expect(bo.get_by_role("textbox", name="Message to")).to_have_count(0)


# Keeps what the time of the one message is, whenever something has become of the messages.
KEEP_CLOCKS = """() => {
    window.clocks = [];
    const look = () => window.clocks.push(document.querySelector("#messages [data-number] time").textContent);
    new MutationObserver(look).observe(document.getElementById("messages"), { childList: true, subtree: true });
}"""


def test_a_message_is_reported_read_hidden_and_shown_as_such_to_both(window, maud):
    tea, _ = newcomer(window, "Tilde Berg")
    samir = f"Samir {RUN}"
    sam, _ = newcomer(window, samir)
    mod = window(maud)
    teas = "/people/" + person_id(tea)
    sam.goto(URL + teas)
    sam.get_by_role("button", name="Message Tilde Berg").click()
    expect(sam.get_by_role("textbox", name="Message to")).to_be_visible()
    room = sam.url.split("#")[0]
    words = f"I know where you live {RUN}"
    sam.get_by_role("textbox", name="Message to").fill(words)
    sam.get_by_role("button", name="Send").click()
    expect(sam.locator("#messages .message", has_text=words)).to_have_count(1)
    tea.goto(room)
    expect(tea.get_by_text(words)).to_be_visible()
    look_at(tea, "message-report-phone-light")
    tea.get_by_role("link", name="Report this message").click()
    expect(tea.get_by_role("heading", name="Report a message")).to_be_visible()
    tea.get_by_role("radio", name="Insults, threats").check()
    tea.get_by_role("button", name="Report", exact=True).click()
    expect(tea.get_by_text("Thank you. Moderators will look at it.")).to_be_visible()

    # At another desk, a machine that sleeps for longer than anybody remembers what it missed.
    asleep = window(size=DESKTOP, service_workers="block")
    asleep.context.add_cookies(sam.context.cookies())
    asleep.route("**/v1/stream*", lambda route: route.abort())
    asleep.goto(room)
    expect(asleep.get_by_text(words)).to_be_visible()

    case = open_case(mod, samir)
    expect(mod.get_by_text(f"A message from {samir}")).to_be_visible()
    expect(mod.get_by_text(words)).to_have_count(0)
    mod.get_by_role("link", name="Read the message").click()
    expect(mod.get_by_text(words)).to_be_visible()
    look_at(mod, "message-read-by-moderator-phone-light")
    mod.goto(case)
    expect(mod.get_by_text("were read by Maud Koch").first).to_be_visible()
    mod.locator("a[href$='/hide']").click()
    mod.get_by_label("Why").fill("Threats.")
    for page in (tea, sam):
        page.evaluate(KEEP_CLOCKS)
    mod.locator("form [data-once], form button.danger").first.click()
    # Both look at it, and see it go.
    for page in (tea, sam):
        expect(page.get_by_text("Moderators have hidden this message.")).to_be_visible(timeout=15_000)
        expect(page.get_by_text(words)).to_have_count(0)
        # From the first moment with the time as the viewer's own clock has it: later, all times are written anew in any case.
        clocks = page.evaluate("window.clocks")
        assert clocks and all(re.fullmatch(r"\d?\d:\d\d", clock) for clock in clocks), clocks
    expect(asleep.get_by_text(words)).to_be_visible()
    asleep.unroute("**/v1/stream*")
    asleep.route("**/v1/stream*", lambda route: route.fulfill(content_type="text/event-stream", body=RESYNC))
    expect(asleep.get_by_text("Moderators have hidden this message.")).to_be_visible(timeout=30_000)
    expect(asleep.get_by_text(words)).to_have_count(0)
    look_at(tea, "message-hidden-phone-light")
    assert mod.request.get(case + "/messages").status == 409
