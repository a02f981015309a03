"""Answers that begin and do not end, as on a line that dies meanwhile: nothing stays as it was then, and no page has an error of it."""

import pytest
from playwright.sync_api import expect

from kampong import URL
from maps import COLOURS, drawn

# Answers whose content breaks off on the way, as long as `window.breaks` says so of their address; how many did.
BREAKS = """
    const whole = window.fetch;
    window.broken = 0;
    window.fetch = async (address, ...more) => {
        const answer = await whole(address, ...more);
        if (!window.breaks?.test(answer.url)) return answer;
        window.broken += 1;
        const content = new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) });
        return new Response(content, { status: answer.status, headers: answer.headers });
    };
"""


def test_squares_that_break_off_on_the_way_are_fetched_again(window, ada, about):
    page, center = window(ada), about["center"]
    page.add_init_script(BREAKS + r"window.breaks = /\d+\/\d+\/\d+\.json$/;")
    page.goto(f"{URL}/parking?near={center['latitude']},{center['longitude']}&map=yes")
    page.wait_for_function("() => window.broken > 0")
    bare = drawn(page)
    page.evaluate("window.breaks = null; dispatchEvent(new Event('online'))")
    page.wait_for_function(f"(bare) => ({COLOURS})() > bare", arg=bare)


@pytest.mark.parametrize("path", ["{spot}", "/cars", "/share", "/parking"])
def test_what_breaks_off_on_the_way_is_no_error_of_the_page(window, ben, shown, path):
    page = window(ben)
    page.add_init_script(BREAKS + "window.breaks = /./;")
    page.goto(URL + path.format(spot=shown))
    page.wait_for_function("() => window.broken > 0")
    page.wait_for_timeout(500)
    expect(page.locator("h1").first).to_be_visible()
