"""What happens elsewhere while a page is being loaded, left, refused or answered late: nothing is missed, nothing comes back."""

import re

import pytest
from playwright.sync_api import expect

from kampong import RESYNC, RUN, URL, call, give_back, share_spot, until
from test_rentals import asked, tell_number, two

pytestmark = pytest.mark.intercepted
# Of what happens somewhere; what happens to oneself comes by another one, to all tabs.
STREAM = re.compile(r"/v1/stream\?bbox=(?!0%2C-90)")
QUIET = "retry: 60000\n:\n\n"


def card(page, name):
    return page.locator("[data-spot]", has_text=name)


def near(place):
    """The list around a place, where the page has no reason to search for another."""
    return f"{URL}/parking?near={place[0]:.6f},{place[1]:.6f}"


def witness(page, kind):
    """Hears in the page what its own scripts hear; answers with a function that waits for one more of them."""
    page.evaluate("""kind => new Promise(opened => {
        window.heard = 0;
        const source = new EventSource("/v1/stream");
        source.addEventListener(kind, () => window.heard++);
        source.addEventListener("open", opened);
    })""", kind)

    def wait():
        before = page.evaluate("window.waited ?? 0")
        # Not wait_for_function, which evaluates text in the page: the pages' own policy forbids that.
        page.evaluate("""before => new Promise(heard => {
            const look = () => window.heard > before ? heard() : setTimeout(look, 50);
            look();
        })""", before)
        page.evaluate("window.waited = (window.waited ?? 0) + 1")
        page.wait_for_timeout(200)

    return wait


class Held:
    """Requests that wait until the test lets them go."""

    def __init__(self, page, pattern, method="GET"):
        self.page, self.routes, self.method = page, [], method
        page.route(pattern, self.take)

    def take(self, route):
        if route.request.method == self.method:
            self.routes.append(route)
        else:
            route.fallback()

    def __getitem__(self, index):
        assert until(self.page, lambda: len(self.routes) > index), f"request {index} did not come"
        return self.routes[index]


def opened(page, streams, count):
    """Waits until so many streams were asked for."""
    assert until(page, lambda: len(streams) >= count), f"{len(streams)} streams, not {count}"


def rename(page, path, name):
    spot = call(page, "GET", f"/v1{path}")
    call(page, "PUT", f"/v1{path}", {"name": name, "position": spot["position"]})


def take_back(page, path):
    call(page, "DELETE", f"/v1{path}")


def test_a_spot_that_went_before_its_card_came_stays_away(window, ada, ben, somewhere):
    place, name = somewhere(), f"Gone at once {RUN}"
    page, adas = window(ben), window(ada)
    page.goto(near(place))
    gone = witness(page, "spotRemoved")
    held = Held(page, "**/spots/*/card*")
    path = share_spot(adas, name, place)
    answer = held[0].fetch()
    assert answer.ok
    take_back(adas, path)
    gone()
    held[0].fulfill(response=answer)
    page.wait_for_timeout(500)
    expect(card(page, name)).to_have_count(0)


def test_what_a_page_hears_before_all_of_it_has_come_is_heard_by_all_of_it(window, about, somewhere):
    owner, renter, thing = two(window, about, somewhere, "Aila Ranta", "Bo Holm", "Attic by the park")
    tell_number(owner)
    path = asked(renter, thing, 5, 6)
    room = call(renter, "POST", "/v1/rooms", {"subject": {"kind": "thing", "id": thing.rsplit("/", 1)[1]}, "with": call(owner, "GET", "/v1/me")["id"]})["id"]
    # The bell is there, and listens; what the chat itself listens by is still on its way.
    script = Held(renter, "**/js/chat/room.js*")
    renter.goto(f"{URL}/messages/{room}", wait_until="commit")
    script[0]
    call(owner, "POST", f"/v1{path}/accept", {})
    expect(renter.get_by_role("link", name="Notifications New notifications: 1")).to_be_visible()
    script[0].continue_()
    expect(renter.locator("a[href='tel:+6587654321']")).to_be_visible()


def test_a_card_of_another_area_stays_out_of_the_list(window, ada, ben, somewhere):
    place, name = somewhere(), f"Elsewhere {RUN}"
    page = window(ben)
    page.goto(near(place))
    held = Held(page, "**/spots/*/card*")
    share_spot(window(ada), name, place)
    answer = held[0].fetch()
    page.evaluate("htmx.ajax('GET', '/parking?bbox=0,0,1,1', { target: '#results', swap: 'outerHTML' })")
    expect(page.get_by_role("heading", name="here", level=1)).to_be_visible()
    held[0].fulfill(response=answer)
    page.wait_for_timeout(500)
    expect(card(page, name)).to_have_count(0)


def test_the_older_answer_does_not_win(window, ada, ben, somewhere):
    place = somewhere()
    page, adas = window(ben), window(ada)
    page.goto(near(place))
    path = share_spot(adas, f"First name {RUN}", place)
    # By its event: none of it is still to come.
    expect(card(page, f"First name {RUN}")).to_be_visible()
    held = Held(page, "**/spots/*/card*")
    rename(adas, path, f"Second name {RUN}")
    older = held[0].fetch()
    rename(adas, path, f"Third name {RUN}")
    newer = held[1].fetch()
    held[1].fulfill(response=newer)
    expect(card(page, f"Third name {RUN}")).to_be_visible()
    held[0].fulfill(response=older)
    page.wait_for_timeout(500)
    expect(card(page, f"Third name {RUN}")).to_be_visible()


def test_what_happens_before_the_stream_opens_is_heard(window, ada, ben, somewhere):
    place, name = somewhere(), f"In the gap {RUN}"
    page = window(ben)
    held = Held(page, STREAM)
    page.goto(near(place))
    first = held[0]
    share_spot(window(ada), name, place)
    first.continue_()
    expect(card(page, name)).to_be_visible(timeout=15_000)


def test_a_page_that_was_left_and_comes_back_hears_what_it_missed(window, ada, ben, somewhere):
    place, name = somewhere(), f"While away {RUN}"
    page = window(ben)
    page.goto(near(place))
    show = "name => dispatchEvent(new PageTransitionEvent(name, { persisted: true }))"
    page.evaluate(show, "pagehide")
    added = witness(page, "spotAdded")
    share_spot(window(ada), name, place)
    added()
    page.wait_for_timeout(500)
    expect(card(page, name)).to_have_count(0)
    page.evaluate(show, "pageshow")
    expect(card(page, name)).to_be_visible(timeout=15_000)


def test_a_list_that_missed_something_is_loaded_anew(window, ben, somewhere):
    page = window(ben)
    page.route(STREAM, lambda route: route.fulfill(content_type="text/event-stream", body=RESYNC), times=1)
    refreshed = lambda request: "/parking" in request.url and request.headers.get("hx-target") == "results"  # noqa: E731
    with page.expect_request(refreshed):
        page.goto(near(somewhere()))


def test_a_spot_that_missed_something_is_loaded_anew(window, ada, ben, somewhere):
    adas, page = window(ada), window(ben)
    path = share_spot(adas, f"Missed {RUN}", somewhere())
    held = Held(page, STREAM)
    page.goto(URL + path)
    first = held[0]
    take_back(adas, path)
    first.fulfill(content_type="text/event-stream", body=RESYNC)
    expect(page.get_by_role("link", name="Claim this spot")).to_be_hidden()


def test_a_stream_that_was_refused_goes_on_where_it_was(window, ada, ben, somewhere):
    adas, page = window(ada), window(ben)
    path = share_spot(adas, f"Refused {RUN}", somewhere())
    held = Held(page, STREAM)
    page.goto(URL + path)
    held[0].fulfill(status=429)
    take_back(adas, path)
    held[1].continue_()
    expect(page.get_by_text("This spot is no longer free.")).to_be_visible(timeout=15_000)


def test_a_stream_that_falls_silent_is_opened_anew(window, ada, ben, somewhere):
    place, name = somewhere(), f"After the silence {RUN}"
    page, streams = window(ben), []
    page.on("request", lambda request: STREAM.search(request.url) and streams.append(request.url))
    page.clock.install()
    page.goto(near(place))
    opened(page, streams, 1)
    beat = witness(page, "beat")
    # Its heart is enough to keep it, for longer than silence may last.
    page.clock.fast_forward(23_000)
    beat()
    page.clock.fast_forward(23_000)
    assert len(streams) == 1
    page.clock.fast_forward(46_000)
    opened(page, streams, 2)
    assert "&lastEventId=" in streams[1]
    # As when the network is another one.
    page.evaluate("dispatchEvent(new Event('online'))")
    opened(page, streams, 3)
    share_spot(window(ada), name, place)
    expect(card(page, name)).to_be_visible()


def test_a_list_that_moves_while_its_stream_is_refused_has_one_stream(window, ben, somewhere):
    page = window(ben)
    streams, alive = Held(page, STREAM), Held(page, "**/me/alive")
    page.goto(near(somewhere()))
    streams[0].fulfill(status=429)
    asked = alive[0]
    page.evaluate("htmx.ajax('GET', '/parking?bbox=0,0,1,1', { target: '#results', swap: 'outerHTML' })")
    streams[1].fulfill(content_type="text/event-stream", body=QUIET)
    asked.continue_()
    page.wait_for_timeout(3000)
    assert len(streams.routes) == 2


def test_a_spot_whose_pin_was_moved_is_still_there(window, ada, ben, somewhere):
    place = somewhere()
    # As many digits as are shown: of more, rounding twice can make another number.
    moved = str(round(place[0] + 0.01, 5))
    adas, page = window(ada), window(ben)
    path = share_spot(adas, f"Moved {RUN}", place)
    page.goto(URL + path)
    adas.goto(URL + path + "/edit")
    adas.get_by_label("Latitude").fill(moved)
    adas.get_by_role("button", name="Save").click()
    expect(adas.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_text(moved)).to_be_visible(timeout=15_000)
    expect(page.get_by_role("link", name="Claim this spot")).to_be_visible()


def test_the_claimer_is_not_told_that_somebody_took_it(window, ada, ben, somewhere):
    """The event of one's own claim may come before the claim's answer: here in the very moment in which the form is sent."""
    adas, page = window(ada), window(ben)
    path = share_spot(adas, f"Claimed {RUN}", somewhere())
    page.add_init_script("window.EventSource = class extends EventSource { constructor(...all) { super(...all); if (!all[0].includes('bbox=0%2C-90')) window.source = this; } };")
    page.goto(URL + path)
    page.get_by_role("link", name="Claim this spot").click()
    expect(page.get_by_role("button", name="Claim it")).to_be_visible()
    said = page.evaluate("""id => {
        const tell = () => source.dispatchEvent(new MessageEvent("spotClaimed", { data: JSON.stringify({ id }) }));
        const hidden = () => document.getElementById("changed").hidden;
        document.querySelector("#dialog form").requestSubmit();
        tell();
        const own = hidden();
        // The same, had this page sent nothing.
        dispatchEvent(new PageTransitionEvent("pageshow"));
        tell();
        return { own, others: hidden() };
    }""", path.rpartition("/")[2])
    assert said == {"own": True, "others": False}
    expect(page.get_by_text("This spot is yours.")).to_be_visible()
    give_back(page)
