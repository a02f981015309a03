"""What the service worker does while no page is open: what waited is sent, and the browser's new subscription is told to the server."""

from playwright.sync_api import expect

from chats import pair, said, sam, tea, there, write
from kampong import PHONE, URL, until


def test_what_waits_is_sent_though_no_page_is_open(pair):
    tea, sam = pair.meet().tea, pair.sam
    # Not by the browser's own doing, which comes when it likes.
    sam.add_init_script("SyncManager.prototype.register = async () => {}")
    sam.reload()
    sam.evaluate("navigator.serviceWorker.ready.then(() => true)")
    sam.context.set_offline(True)
    for words in ("From the lift", "And from the cellar"):
        write(sam, words)
        expect(sam.locator("#waiting .message", has_text=words)).to_contain_text("Waiting for the line")
    # A page of nobody's, to reach the browser by.
    blank = sam.context.new_page()
    sam.close()
    tools, known = blank.context.new_cdp_session(blank), []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(
        one["registrationId"] for one in event["registrations"] if one["scopeURL"] == URL + "/"))
    tools.send("ServiceWorker.enable")
    assert until(blank, lambda: known)
    blank.context.set_offline(False)
    blank.wait_for_timeout(1000)
    assert said(tea) == []
    tools.send("ServiceWorker.dispatchSyncEvent", {"origin": URL, "registrationId": known[-1], "tag": "outbox", "lastChance": False})
    there(tea, "From the lift")
    there(tea, "And from the cellar")
    assert said(tea) == ["From the lift", "And from the cellar"]
    # Nothing is left, and nothing comes twice.
    blank.goto(URL + pair.room)
    there(blank, "And from the cellar")
    expect(blank.locator("#waiting")).to_be_hidden()
    assert said(blank) == said(tea) == ["From the lift", "And from the cellar"]


# As when the browser's vendor gives up a subscription, and has made another one or leaves that to the worker.
RENEW = """async (hasNew) => {
    const made = () => {
        const endpoint = "https://127.0.0.1:9/" + crypto.randomUUID();
        return { endpoint, options: { applicationServerKey: "of the old one" }, toJSON: () => ({ endpoint, expirationTime: null, keys: {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }) };
    };
    const asked = [];
    PushManager.prototype.subscribe = async (options) => (asked.push(options.applicationServerKey), made());
    const event = new Event("pushsubscriptionchange");
    let work;
    Object.assign(event, { oldSubscription: made(), newSubscription: hasNew ? made() : null, waitUntil: (promise) => (work = promise) });
    dispatchEvent(event);
    await work;
    return asked;
}"""


def test_another_subscription_of_the_browser_is_told_to_the_server(window, nora):
    page = window(nora, PHONE)
    page.goto(URL + "/me")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = until(page, lambda: page.context.service_workers)

    def devices():
        return len(page.request.get(URL + "/v1/push-subscriptions").json()["items"])

    assert devices() == 0
    assert worker.evaluate(RENEW, True) == []
    assert devices() == 1
    assert worker.evaluate(RENEW, False) == ["of the old one"]
    assert devices() == 2
    # Nobody is signed in: there is nobody whose device it would be.
    cookies = page.context.cookies()
    page.context.clear_cookies()
    assert worker.evaluate(RENEW, True) == []
    page.context.add_cookies(cookies)
    assert devices() == 2
