"""What the map costs a telephone: KAMPONG_URL=… python3 measure_map.py LATITUDE,LONGITUDE [TIMES SLOWER]

Opens the page with the map, zooms out twice, in twice, and moves it four steps. Says the kilobytes of map that were fetched, the CPU of the page's main thread (which does not depend on what
else the machine does), and by the clock how long it took until all tiles were drawn.
"""

import sys
import time

from playwright.sync_api import sync_playwright

from kampong import CHROMIUM, PHONE, URL

DRAWN = """() => {
    const all = document.querySelectorAll('#map .leaflet-tile');
    return all.length > 0 && [...all].every((tile) => tile.matches('.leaflet-tile-loaded'));
}"""


class Watch:
    """One page, and what it has cost so far."""

    def __init__(self, page, slower):
        self.page, self.fetched, self.address = page, {}, {}
        self.tools = page.context.new_cdp_session(page)
        self.tools.send("Network.enable")
        self.tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        self.tools.on("Network.requestWillBeSent", lambda event: self.address.__setitem__(event["requestId"], event["request"]["url"]))
        self.tools.on("Network.loadingFinished", lambda event: self.fetched.__setitem__(event["requestId"], event["encodedDataLength"]))

    def numbers(self):
        return {entry["name"]: entry["value"] for entry in self.tools.send("Performance.getMetrics")["metrics"]}

    def step(self, name, act, opening=False):
        before, begin = 0 if opening else self.numbers()["TaskDuration"], time.monotonic()
        act()
        self.page.wait_for_function(DRAWN, timeout=90_000)
        took = time.monotonic() - begin
        self.page.wait_for_timeout(1000)
        kilobytes = sum(length for id, length in self.fetched.items() if "/map/" in self.address.get(id, "")) / 1000
        now = self.numbers()
        print(f"{name:10} {(now['TaskDuration'] - before) * 1000:5.0f} ms of CPU, {took * 1000:5.0f} ms by the clock; {kilobytes:4.0f} kB of map so far, heap {now['JSHeapUsedSize'] / 1e6:.0f} MB", flush=True)


def main():
    place, slower = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True).new_page()
        watch = Watch(page, slower)
        watch.step("open", lambda: page.goto(f"{URL}/parking?near={place}", wait_until="commit"), opening=True)
        for name in ("out", "out", "in", "in"):
            watch.step(f"zoom {name}", page.locator(f".leaflet-control-zoom-{name}").click)

        def move():
            page.locator("#map").focus()
            for _ in range(4):
                page.keyboard.press("ArrowRight")
                page.wait_for_timeout(120)

        watch.step("move", move)
        browser.close()


if __name__ == "__main__":
    main()
