"""What people are told: live on whatever page, in the list, on their devices and by mail; and how they choose what and when."""

import json
import re
import threading
import urllib.parse
import urllib.request
import uuid

import pytest
from playwright.sync_api import expect

from conftest import newcomer
from kampong import DESKTOP, PHONE, URL, look_at, sign_in
from test_messages import call, share
from test_recovery import MAILS, mail_to

# The stream of what happens to oneself.
STREAM = re.compile(r"/v1/stream\?bbox=0%2C-90")
# A browser's subscription as its vendor would make one: nobody's server answers at that address, which `deploy/test` lets be within.
DEVICE = """(() => {
    if (!("PushManager" in window)) return;
    const key = "test.subscription";
    const made = () => ({
        endpoint: localStorage.getItem(key), options: {},
        toJSON() { return { endpoint: this.endpoint, expirationTime: null, keys: {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }; },
        async unsubscribe() { localStorage.removeItem(key); return true; },
    });
    PushManager.prototype.subscribe = async () => { localStorage.setItem(key, "https://127.0.0.1:9/" + crypto.randomUUID()); return made(); };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem(key) ? made() : null);
    Notification.requestPermission = async () => "granted";
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
})()"""


@pytest.fixture(scope="module")
def olaf(browser, about):
    return newcomer(browser, about, "Olaf Berg")


@pytest.fixture
def nora(browser, about):
    """Somebody new each time, who was told nothing yet."""
    return newcomer(browser, about, "Nora Falk")


class Taken:
    """A spot of Nora's that Olaf takes when he is told to, and gives back in the end: one may hold but a few."""

    def __init__(self, owner, olaf, somewhere):
        self.owner, self.olaf, self.name = owner, olaf, f"By the mill {uuid.uuid4().hex[:6]}"
        self.id = share(owner, somewhere, self.name)
        self.sentence = f"Olaf Berg has taken your spot “{self.name}”."

    def take(self):
        call(self.olaf, "POST", f"/v1/spots/{self.id}/claim")
        return self

    def give_back(self):
        call(self.olaf, "DELETE", f"/v1/spots/{self.id}/claim")


@pytest.fixture
def spots(window, olaf, somewhere):
    """Makes spots of whoever looks at a page."""
    olafs, made = window(olaf, DESKTOP), []
    olafs.goto(URL + "/me")

    def make(owner):
        made.append(Taken(owner, olafs, somewhere))
        return made[-1]

    yield make
    for spot in made:
        olafs.request.fetch(f"{URL}/v1/spots/{spot.id}/claim", method="DELETE", headers={"X-CSRF-Token": olafs.request.get(URL + "/me/pass").json()["csrf"]})


def bell(page):
    return page.locator(".top [data-notices]")


def toast(page):
    return page.locator("#told .toast")


def unread(page, number):
    if number:
        expect(bell(page)).to_have_text(re.compile(rf"New notifications:\s*{number}"))
        expect(page).to_have_title(re.compile(rf"^\({number}\) "))
    else:
        expect(bell(page)).to_be_hidden()
        expect(page).to_have_title(re.compile(r"^[^(]"))


def come_back_until(page, path, there):
    """Without scripts one looks again."""
    for _ in range(60):
        page.goto(URL + path)
        if there.count():
            return
        page.wait_for_timeout(250)
    raise AssertionError(f"nothing new at {path}")


def rows(page):
    return page.locator("#inbox [data-notice]")


def test_one_is_told_at_once_on_whatever_page(window, nora, spots):
    page = window(nora, PHONE)
    page.goto(URL + "/me")
    unread(page, 0)
    spot = spots(page).take()
    expect(toast(page)).to_contain_text(spot.sentence)
    unread(page, 1)
    look_at(page, "told-phone-light")
    # On the next page it is still unread, and not said once more.
    page.goto(URL + "/me/spots")
    unread(page, 1)
    page.wait_for_timeout(1000)
    expect(toast(page)).to_have_count(0)
    page.get_by_role("link", name="Notifications").click()
    expect(page.get_by_role("heading", name="Notifications", level=1)).to_be_visible()
    expect(rows(page)).to_have_count(1)
    look_at(page, "notifications-one-phone-light")
    rows(page).first.get_by_role("link", name=spot.sentence).click()
    page.wait_for_url(f"{URL}/spots/{spot.id}")
    unread(page, 0)


def test_what_the_toast_says_leads_there_and_is_read_then(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/me")
    spot = spots(page).take()
    toast(page).get_by_role("link", name=spot.sentence).click()
    page.wait_for_url(f"{URL}/spots/{spot.id}")
    unread(page, 0)
    # Where the thing itself is shown, nothing needs to be said of it.
    spot.give_back()
    unread(page, 1)
    page.wait_for_timeout(1000)
    expect(toast(page)).to_have_count(0)


def test_nothing_is_lost_between_a_page_and_its_stream(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/me")
    spot, held, isOpen = spots(page), [], threading.Event()
    page.route(STREAM, lambda route: route.continue_() if isOpen.is_set() else held.append(route))
    page.goto(URL + "/me/spots")
    page.wait_for_timeout(500)
    spot.take()
    page.wait_for_timeout(1500)
    expect(toast(page)).to_have_count(0)
    isOpen.set()
    for route in held:
        route.continue_()
    expect(toast(page)).to_contain_text(spot.sentence)
    unread(page, 1)


def test_it_is_said_in_one_tab_and_counted_in_all(window, nora, spots):
    first = window(nora, DESKTOP)
    first.goto(URL + "/me")
    spot = spots(first)
    second = first.context.new_page()
    window.watch(second)
    second.goto(URL + "/me/spots")
    unread(second, 0)
    spot.take()
    for page in (first, second):
        unread(page, 1)
    second.wait_for_timeout(1000)
    assert toast(first).count() + toast(second).count() == 1
    # Read in one of them, it is read in the other.
    second.goto(URL + "/notifications")
    second.get_by_role("button", name="Mark all as read").click()
    expect(second.get_by_text("All read.")).to_be_visible()
    unread(first, 0)
    expect(toast(first)).to_have_count(0)


def test_the_list_keeps_up_and_is_read_at_once(window, nora, spots):
    page = window(nora, DESKTOP)
    page.goto(URL + "/notifications")
    expect(page.get_by_role("heading", name="Nothing yet")).to_be_visible()
    look_at(page, "notifications-empty-desktop-light")
    taken = [spots(page).take() for _ in range(2)]
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text(taken[1].sentence)
    expect(toast(page)).to_have_count(0)
    unread(page, 2)
    look_at(page, "notifications-two-desktop-light")
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("All read.")).to_be_visible()
    unread(page, 0)
    expect(page.get_by_role("button", name="Mark all as read")).to_have_count(0)
    page.get_by_role("link", name="Unread", exact=True).click()
    expect(page.get_by_role("heading", name="You have read everything")).to_be_visible()
    # Given back: that it was taken is no news any more, that it is back is.
    taken[0].give_back()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).first).to_contain_text(f"Olaf Berg has given your spot “{taken[0].name}” back.")


def test_older_ones_follow(window, nora, olaf, somewhere):
    page, other = window(nora, DESKTOP), window(olaf, DESKTOP)
    page.goto(URL + "/notifications")
    other.goto(URL + "/me")
    # Each taken and given back: of a spot there is one of either kind.
    for number in range(11):
        spot = Taken(page, other, somewhere).take()
        spot.give_back()
        call(page, "DELETE", f"/v1/spots/{spot.id}")
    page.goto(URL + "/notifications")
    # That it was taken is no news any more when it is back.
    unread(page, 11)
    expect(rows(page)).to_have_count(20)
    page.get_by_role("link", name="More").click()
    expect(rows(page)).to_have_count(22)


def test_a_message_is_told_unless_it_is_read_at_once(window, nora, olaf, somewhere):
    page, other = window(nora, DESKTOP), window(olaf, PHONE)
    page.goto(URL + "/me")
    spot = share(page, somewhere, f"By the lake {uuid.uuid4().hex[:6]}")
    other.goto(f"{URL}/spots/{spot}")
    other.get_by_role("button", name="Message Nora Falk").click()
    field = other.get_by_role("textbox", name="Message to Nora Falk")
    field.fill("Is it free?")
    other.get_by_role("button", name="Send").click()
    expect(toast(page)).to_contain_text("Olaf Berg has written to you.")
    # One chat and one notice of it are one thing that is new.
    unread(page, 1)
    toast(page).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Olaf Berg")).to_be_visible()
    unread(page, 0)
    field.fill("Hello?")
    other.get_by_role("button", name="Send").click()
    expect(page.locator("#messages .message", has_text="Hello?")).to_have_count(1)
    page.wait_for_timeout(1000)
    expect(toast(page)).to_have_count(0)
    unread(page, 0)


def test_without_scripts(window, nora, olaf, somewhere):
    page, other = window(nora, PHONE, script=False), window(olaf, DESKTOP)
    page.goto(URL + "/me")
    other.goto(URL + "/me")
    spot = Taken(page, other, somewhere).take()
    come_back_until(page, "/", page.locator(".top [data-notices]:not([hidden])"))
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("link", name=spot.sentence).click()
    page.wait_for_url(f"{URL}/spots/{spot.id}")
    expect(bell(page)).to_be_hidden()
    spot.give_back()
    come_back_until(page, "/notifications", page.get_by_role("button", name="Mark all as read"))
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_text("All read.")).to_be_visible()
    page.get_by_role("link", name="How you are told").click()
    page.get_by_label("Messages: Mail").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Messages: Mail")).not_to_be_checked()


@pytest.mark.parametrize("size, name", [(PHONE, "phone"), (DESKTOP, "desktop")], ids=["phone", "desktop"])
def test_one_chooses_what_and_when(window, nora, size, name):
    page = window(nora, size, timezone_id="Asia/Singapore")
    page.goto(URL + "/notifications/settings")
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value(re.compile("^[A-Z][a-z]+/"))
    zone.fill("Atlantis/Capital")
    page.get_by_label("My spot is taken: Mail").uncheck()
    page.get_by_label("Messages: Device").uncheck()
    page.get_by_text("Once a day", exact=True).click()
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


def said_of_device(page):
    return page.locator("#push [data-said]")


def test_a_device_is_turned_on_and_off_and_goes_with_who_signs_out(window, nora):
    page = window(nora, PHONE)
    page.context.add_init_script(DEVICE)
    page.goto(URL + "/notifications/settings")
    expect(said_of_device(page)).to_contain_text("This device tells you nothing")
    page.get_by_role("button", name="Tell me on this device").click()
    expect(said_of_device(page)).to_contain_text("This device tells you, also while no page is open.")
    devices = page.locator("#push-devices [data-device]")
    expect(devices).to_have_count(1)
    expect(devices).to_contain_text("This device")
    look_at(page, "device-on-phone-light")
    page.get_by_role("button", name="Nothing on this device any more").click()
    expect(said_of_device(page)).to_contain_text("This device tells you nothing")
    expect(devices).to_have_count(0)
    # Removed from the list, it is off as well.
    page.get_by_role("button", name="Tell me on this device").click()
    expect(devices).to_have_count(1)
    devices.get_by_role("button", name="Remove").click()
    expect(devices).to_have_count(0)
    expect(said_of_device(page)).to_contain_text("This device tells you nothing")
    page.get_by_role("button", name="Tell me on this device").click()
    expect(devices).to_have_count(1)
    page.goto(URL + "/me")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Join")).to_be_visible()
    assert page.evaluate("[localStorage.getItem('kampong.push'), localStorage.getItem('test.subscription')]") == [None, None]
    page.goto(URL + "/sign-in")
    sign_in(page, nora)
    expect(page.get_by_role("heading", name="Cars", exact=True)).to_be_visible()
    assert page.request.get(URL + "/v1/push-subscriptions").json()["items"] == []


@pytest.mark.parametrize("script, words", [
    ("delete window.PushManager", "This browser cannot tell you anything"),
    ("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })", "You have forbidden notifications of this site."),
], ids=["unsupported", "denied"])
def test_where_a_device_cannot_be_told_that_is_said(window, nora, script, words):
    page = window(nora, PHONE)
    page.context.add_init_script(script)
    page.goto(URL + "/notifications/settings")
    expect(said_of_device(page)).to_contain_text(words)
    expect(page.get_by_role("button", name="Tell me on this device")).to_have_count(0)


def test_what_is_pushed_is_shown_by_the_device(window, nora):
    page = window(nora, PHONE, permissions=["notifications"])
    tools, known = page.context.new_cdp_session(page), []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    page.goto(URL + "/me")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for _ in range(100):
        if known:
            break
        page.wait_for_timeout(100)
    message = {"id": str(uuid.uuid4()), "kind": "message", "title": "Olaf Berg", "body": "A new message", "link": "/messages", "tag": "room/1", "unread": 3}

    def deliver(data):
        tools.send("ServiceWorker.deliverPushMessage", {"origin": URL, "registrationId": known[-1]["registrationId"], "data": data})

    def shown():
        return page.evaluate("""async () => (await (await navigator.serviceWorker.ready).getNotifications())
            .map(({ title, body, tag, data, badge }) => ({ title, body, tag, data, badge: new URL(badge).pathname }))""")

    def wait_for(expected):
        """What the device shows, once it has all of `expected`, words by title: one push after the other."""
        for _ in range(100):
            if {one["title"]: one["body"] for one in shown()} == expected:
                break
            page.wait_for_timeout(100)
        found = shown()
        assert {one["title"]: one["body"] for one in found} == expected and len(found) == len(expected)
        return {one["title"]: one for one in found}

    deliver(json.dumps(message))
    wait_for({"Olaf Berg": "A new message"})
    # The same thing again takes the place of the first.
    deliver(json.dumps({**message, "body": "2 new messages"}))
    wait_for({"Olaf Berg": "2 new messages"})
    # What cannot be read is shown all the same, and leads to the list.
    deliver("nonsense")
    told = wait_for({"Olaf Berg": "2 new messages", "Kampong": ""})["Olaf Berg"]
    assert told["body"] == "2 new messages" and told["tag"] == "room/1" and told["data"] == {"link": "/messages", "id": message["id"]}
    assert told["badge"].startswith("/assets/") and told["badge"].endswith("/icon-192.png")


@pytest.mark.skipif(not MAILS, reason="KAMPONG_MAILS names no mail folder of the Kampong at KAMPONG_URL")
def test_a_mail_says_how_to_have_no_more_of_them(window, nora, olaf):
    """Nora is away: her window was closed when she had joined. `deploy/test` lets mails come after seconds."""
    id = window(nora).request.get(URL + "/v1/me").json()["id"]
    other = window(olaf, DESKTOP)
    other.goto(URL + "/me")
    call(other, "PUT", f"/v1/friends/{id}")
    # Before it is due, whether she is away is looked at once more.
    other.wait_for_timeout(8000)
    _, mail = mail_to(nora.email)
    link = re.search(r"/unsubscribe/[\w.~%-]+", mail.get_body(("plain",)).get_content())[0]
    header = mail["List-Unsubscribe"]
    assert link in header.replace("\r\n", "").replace(" ", "") and mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stranger = window()
    stranger.goto(URL + link)
    expect(stranger.get_by_role("heading", name="No more mails?")).to_be_visible()
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
