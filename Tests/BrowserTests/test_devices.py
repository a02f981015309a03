"""What devices tell people while no page is open: turned on and off, where it cannot be, and what is pushed."""

import json
import uuid

import pytest
from playwright.sync_api import expect

from kampong import PHONE, URL, look_at, sign_in, until

pytestmark = pytest.mark.device

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
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
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


# Counts what the worker has shown. Chromium drops what is being shown from its list when somebody reads that meanwhile, though it stays on the
# screen: what is pushed is waited for without looking.
COUNT = """() => {
    const show = ServiceWorkerRegistration.prototype.showNotification;
    self.countShown = 0;
    ServiceWorkerRegistration.prototype.showNotification = async function (...words) {
        await show.apply(this, words);
        self.countShown += 1;
    };
}"""


def the_worker(page):
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = until(page, lambda: page.context.service_workers)
    return worker


def test_what_is_pushed_is_shown_by_the_device(window, nora):
    page = window(nora, PHONE, permissions=["notifications"])
    tools, known = page.context.new_cdp_session(page), []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    page.goto(URL + "/me")
    worker = the_worker(page)
    until(page, lambda: known)
    worker.evaluate(COUNT)
    message = {"id": str(uuid.uuid4()), "kind": "message", "title": "Olaf Berg", "body": "A new message", "link": "/messages", "tag": "room/1", "unread": 3}

    def shown():
        return page.evaluate("""async () => (await (await navigator.serviceWorker.ready).getNotifications())
            .map(({ title, body, tag, data, badge }) => ({ title, body, tag, data, badge: new URL(badge).pathname }))""")

    def deliver(data):
        """What the device shows, by title, once it shows `data` too: one push after the other."""
        before = worker.evaluate("countShown")
        tools.send("ServiceWorker.deliverPushMessage", {"origin": URL, "registrationId": known[-1]["registrationId"], "data": data})
        assert until(page, lambda: worker.evaluate("countShown") > before)
        return {one["title"]: one for one in shown()}

    # The page itself looks once as it begins, and that is over now.
    assert shown() == []
    assert [told["body"] for told in deliver(json.dumps(message)).values()] == ["A new message"]
    # The same thing again takes the place of the first.
    assert [told["body"] for told in deliver(json.dumps({**message, "body": "2 new messages"})).values()] == ["2 new messages"]
    # What cannot be read is shown all the same, and leads to the list.
    found = deliver("nonsense")
    assert {title: one["body"] for title, one in found.items()} == {"Olaf Berg": "2 new messages", "Kampong": ""} and len(shown()) == 2
    told = found["Olaf Berg"]
    assert told["tag"] == "room/1" and told["data"] == {"link": "/messages", "id": message["id"]}
    assert told["badge"].startswith("/assets/") and told["badge"].endswith("/icon-192.png")
    # Where all of it stands in a list, the device needs not show it any longer.
    page.goto(URL + "/notifications")
    assert until(page, lambda: not shown())


# As when what a device shows is pressed: with what, and what became of it.
PRESS = """async (data) => {
    const done = { opened: [], focused: [] };
    clients.openWindow = async (address) => void done.opened.push(new URL(address).pathname);
    WindowClient.prototype.focus = async function () {
        done.focused.push(new URL(this.url).pathname);
        return this;
    };
    const event = new Event("notificationclick");
    let work;
    Object.assign(event, { notification: { data, close() {} }, waitUntil: (promise) => (work = promise) });
    dispatchEvent(event);
    await work;
    return done;
}"""


def test_what_is_pressed_leaves_what_is_half_written(window, nora):
    page = window(nora, PHONE)
    page.goto(URL + "/me/edit")
    worker = the_worker(page)
    page.get_by_label("About you").fill("Half a sentence")
    notice = str(uuid.uuid4())
    assert worker.evaluate(PRESS, {"link": "/messages"}) == {"opened": ["/messages"], "focused": []}
    assert worker.evaluate(PRESS, {"link": "/messages", "id": notice}) == {"opened": [f"/notifications/{notice}"], "focused": []}
    assert worker.evaluate(PRESS, {"link": "/me/edit", "id": notice}) == {"opened": [], "focused": ["/me/edit"]}
    expect(page.get_by_label("About you")).to_have_value("Half a sentence")
