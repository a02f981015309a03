"""What the browser tests do over and over: people, pictures, and looking at a page as a whole."""

import datetime
import os
import pathlib
import random
import shutil
import struct
import subprocess
import time
import uuid
import zlib

import axe_playwright_python
from playwright.sync_api import Error, expect

URL = os.environ.get("KAMPONG_URL", "").rstrip("/")
SCREENSHOTS = os.environ.get("KAMPONG_SCREENSHOTS")
FAILURES = os.environ.get("KAMPONG_FAILURES")
CHROMIUM = os.environ.get("KAMPONG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
# The same engine without windows, menus and what else a screen needs: a window of it takes a third of the processor's time.
CHROMIUM_SHELL = os.environ.get("KAMPONG_CHROMIUM_SHELL") or shutil.which("chromium-headless-shell") or CHROMIUM
PASSWORD = "a walk along the harbour"
RUN = uuid.uuid4().hex[:8]
# What a stream says where nobody remembers any more what was missed.
RESYNC = 'retry: 60000\nid: x\nevent: resync\ndata: {"publisher":"listings"}\n\n'

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
SMALL = {"width": 320, "height": 640}
LOW = {"width": 640, "height": 450}
SIZES = {"phone": PHONE, "desktop": DESKTOP}


def picture(path, seed=0, width=900, height=640):
    """Writes a PNG that looks like a street with a free place: sky, house fronts, asphalt, white lines."""
    houses = [(196, 120, 88), (222, 190, 130), (140, 160, 150), (205, 205, 195)]
    fronts = [bytes(houses[(x // 150 + seed) % 4]) for x in range(width)]
    windows = [bytes((62, 74, 88)) if x % 50 in range(14, 34) else front for x, front in enumerate(fronts)]
    # Of asphalt there are as many rows as numbers modulo nine.
    asphalt = [[bytes((92 + (x * 7 + y) % 9, 94 + (x * 7 + y) % 9, 98)) for x in range(width)] for y in range(9)]
    line = bytes((238, 238, 232))
    rows = []
    for y in range(height):
        if y < height * 0.28:
            row = [bytes((150 + y // 6, 190, 225))] * width
        elif y < height * 0.55:
            row = windows if y % 60 in range(16, 44) else fronts
        else:
            row = [line if abs((x - width / 2) / (y - height * 0.4) * 100) % 90 < 5 else stone for x, stone in enumerate(asphalt[y * 13 % 9])]
        rows.append(b"\0" + b"".join(row))
    return write_png(path, width, height, rows)


def see_through(path, width=2400, height=600):
    """Writes a PNG of three parts: nothing at all, half of a black, and green."""
    parts = [bytes((0, 0, 0, 0)), bytes((0, 0, 0, 128)), bytes((0, 160, 0, 255))]
    row = b"\0" + b"".join(part * (width // 3) for part in parts)
    return write_png(path, width, height, [row] * height, has_alpha=True)


def write_png(path, width, height, rows, has_alpha=False):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6 if has_alpha else 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(rows), 6)
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    return str(path)


class Person:
    """Somebody with an account, whose cookies go from one browser to the next (refresh tokens are good once)."""

    def __init__(self, name):
        self.name = name
        self.email = f"{name.split()[0].lower()}-{RUN}-{uuid.uuid4().hex[:6]}@example.org"
        self.state = None
        # Where it is needed: the operator knows by it whose address nobody has shown.
        self.id = None


def join(window, person, **more):
    """Makes an account by what the form at the door sends: the window, or the browser it is of, has its session and goes nowhere. `more` is
    what else stands in the form."""
    send_form(window, "/join", {"name": person.name, "email": person.email, "password": PASSWORD, **more}, "/?done=joined")


def join_by_page(page, person):
    """The same as people do it, where that is looked at. Leaves the page at home."""
    page.goto(URL + "/join")
    page.get_by_label("Name", exact=True).fill(person.name)
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name=f"Hello {person.name.split()[0]}")).to_be_visible()


def sign_in(page, person):
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def begin_anew(context, person):
    """Another session in place of the one that a browser has: what somebody may do now, the session knows that began after it."""
    context.clear_cookies()
    send_form(context, "/sign-in", {"email": person.email, "password": PASSWORD}, "/")


def send_form(window, path, fields, there):
    """As a page's form does it where nobody is signed in; it leads `there`."""
    answer = window.request.post(URL + path, form=fields, max_redirects=0)
    assert (answer.status, answer.headers.get("location")) == (303, there), f"{answer.status} {answer.text()[:2000]}"


def call(page, method, path, body=None):
    """`/v1` as whoever is signed in in the window, as its scripts ask it. A body of bytes is a PNG."""
    head = {"X-CSRF-Token": page.request.get(URL + "/me/pass").json()["csrf"], "Idempotency-Key": str(uuid.uuid4())}
    if isinstance(body, bytes):
        head["Content-Type"] = "image/png"
    answer = page.request.fetch(URL + path, method=method, data=body, headers=head)
    assert answer.ok, f"{answer.status} {answer.text()}"
    return answer.json() if answer.status in (200, 201) else None


def promote(person, *more, role="moderator"):
    """Lets somebody keep order, or see mails, as is done at the command line: by their id, or by an address that they have shown."""
    said = run_tool(role, person.id or person.email, *more)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def run_tool(name, *arguments):
    """What one of the operator's tools says and how it ends."""
    tool = pathlib.Path(__file__).resolve().parents[2] / "deploy" / name
    return subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=60)


def plate():
    """A number plate that nobody has yet, by the checksum of Singapore."""
    letters, number = "S" + "".join(random.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=2)), random.randint(1000, 9999)
    figures = [ord(letter) - 64 for letter in letters[1:]] + [int(digit) for digit in str(number)]
    return f"{letters}{number}{'AZYXUTSRPMLKJHGEDCB'[sum(a * b for a, b in zip(figures, (9, 4, 5, 4, 3, 2))) % 19]}"


def send_photo(page, photo):
    """What the server calls it from then on."""
    return call(page, "POST", "/v1/photos", pathlib.Path(photo).read_bytes())["id"]


def not_at_the_end_of(seconds):
    """Waits for the next day, or the next hour, where less than a minute is left of the one that is running."""
    left = seconds - time.time() % seconds
    if left < 60:
        time.sleep(left)


def day(after):
    """A day so many days from now, where clocks show UTC."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=after)).strftime("%Y-%m-%d")


def hour(after):
    """An hour so many from the one that is running, where clocks show UTC."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=after)).strftime("%Y-%m-%dT%H:00")


def let_thing(page, about, kind, title, position, photo=None, price=2500, **more):
    """Shares something for rent; answers with its address. `kind` is `cars`, `spaces` or `private-parking`."""
    draft = {"title": title, "place": "Well Street", "position": dict(zip(("latitude", "longitude"), position))}
    if about["regions"]:
        draft["region"] = about["regions"][0]
    if price:
        draft["price"] = {"amount": price, "currency": about["currency"]}
    if kind == "cars":
        draft |= {"brand": "Toyota", "model": "Yaris", "plate": plate()}
    else:
        draft |= {"address": "Well Street 4"} | ({"size": 12} if kind == "spaces" else {})
    if photo:
        draft["photos"] = [send_photo(page, photo)]
    return f"/{kind}/{call(page, 'POST', f'/v1/{kind}', draft | more)['id']}"


def listen(page):
    """From now on the page keeps what it says to those who don't see it: what happens elsewhere is said there as well, one after the other."""
    page.evaluate("""() => {
        const announcer = document.getElementById("announcer");
        window.told = [];
        new MutationObserver(() => window.told.push(announcer.textContent)).observe(announcer, { childList: true, characterData: true, subtree: true });
    }""")


def through_reloads(act):
    """What is done with a page that loads itself anew every few seconds, as pages do without scripts: where it does so just then, it is done once more."""
    for is_last in (False, False, True):
        try:
            return act()
        except Error as error:
            if is_last or not any(words in error.message for words in ("ERR_ABORTED", "context was destroyed")):
                raise


def go(page, path):
    """To another page from one that may load itself anew."""
    through_reloads(lambda: page.goto(URL + path))


def until(page, found):
    """What comes of `found` once that is anything. As long as a busy machine may take; where nothing comes, that is what is given."""
    for _ in range(300):
        there = found()
        if there:
            break
        page.wait_for_timeout(100)
    return there


def hear(page, words):
    """Waits until the page has said so, since `listen`."""
    is_said = until(page, lambda: any(words in said for said in page.evaluate("window.told")))
    assert is_said, f"“{words}” was not said, but {page.evaluate('window.told')}"


def give_back(page):
    """Gives the claimed spot on the page back. One may hold but a few, and the people of a run are the same in all its tests."""
    page.get_by_role("button", name="Give it back").click()
    expect(page.get_by_text("The spot is back on the map.")).to_be_visible()


def share_spot(page, name, position, photo=None, **more):
    """Shares a spot through `/v1`, where its form is not what is looked at; answers with its address."""
    draft = {"name": name, "position": dict(zip(("latitude", "longitude"), position)), **more}
    if photo:
        draft["photo"] = send_photo(page, photo)
    return "/spots/" + call(page, "POST", "/v1/spots", draft)["id"]


def post_spot(page, name, position, photo=None, price=None):
    """Shares a spot as people do: picture, then details. Leaves the page on the map; answers with the spot's address."""
    page.goto(URL + "/share")
    if photo:
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Choose a picture").click()
        chooser.value.set_files(photo)
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_text("The picture is ready.")).to_be_visible(timeout=20_000)
    else:
        page.get_by_role("button", name="Go on without a picture").click()
    page.get_by_label("Name or address of the spot").fill(name)
    settle_position(page)
    page.get_by_label("Latitude").fill(f"{position[0]:.6f}")
    page.get_by_label("Longitude").fill(f"{position[1]:.6f}")
    if price:
        page.get_by_label("Price in").fill(price)
    page.get_by_role("button", name="Share this spot").click()
    expect(page.get_by_text("Your spot is on the map")).to_be_visible()
    card = page.locator("[data-spot]", has_text=name)
    expect(card).to_be_visible()
    return "/spots/" + card.get_attribute("data-spot")


def settle_position(page):
    """Waits until the page no longer looks for the person, so that it does not overwrite what is typed."""
    expect(page.locator("#pin-hint")).not_to_have_text("Looking for where you are …")


def look_at(page, name=None, allow=()):
    """Holds the page against what every page promises. Without scripts axe waits for ever: see `photograph`."""
    photograph(page, name, lambda: check_accessibility(page, allow))


def look_at_both(page, name):
    """By day and by night, without loading it again: at night what depends on colours is looked at once more."""
    look_at(page, f"{name}-light")
    page.emulate_media(color_scheme="dark")
    try:
        photograph(page, f"{name}-dark", lambda: check_colours(page))
    finally:
        page.emulate_media(color_scheme="light")


# Its letters are there, it was drawn with all that was put into it until now, and what fades in or out has done so: a popup of the map that is half
# there has colours that nobody can read. Without scripts nothing is put into it, and nobody is called back.
SETTLED = """async () => {
    if (matchMedia("(scripting: none)").matches) return;
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter((one) => one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime));
    await Promise.all(ending.map((one) => one.finished.catch(() => {})));
}"""


def check_settled(page, check):
    page.wait_for_load_state("load")
    page.evaluate(SETTLED)
    check()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px wider than the window"


def photograph(page, name, check=lambda: None):
    """Checks the page, and that it is no wider than its window, when all else has come that came meanwhile. A picture where somebody wants pictures."""
    through_reloads(lambda: check_settled(page, check))
    if name and SCREENSHOTS:
        page.screenshot(path=pathlib.Path(SCREENSHOTS) / f"{name}.png")


def check_colours(page):
    hold_against(page, {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}})


def check_touch(page):
    """What one presses is at least 44 px high and wide; links within a sentence may be lower."""
    small = page.evaluate("""[...document.querySelectorAll('button, .button, .chip, .tab, .round-button, input:not([type=hidden],[type=radio],[type=checkbox]), select')]
        .filter(element => element.checkVisibility() && element.getBoundingClientRect().width > 0 && element.ariaHidden !== 'true')
        .filter(element => Math.min(element.getBoundingClientRect().height, element.getBoundingClientRect().width) < 43.5)
        .map(element => element.outerHTML.slice(0, 120))""")
    assert not small, f"{page.url}: too small to be touched: {small}"


# Gives the focus to one thing after the other that can have it, and looks what stands before it: nothing that sticks to the window may cover any of it
# (WCAG 2.4.11), or all of it where it is larger than what the bars leave of the window. Toasts go by themselves.
UNCOVERED = """() => {
    const sticks = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
    const stuck = [...document.querySelectorAll("body *")].filter((one) => sticks(one) && !one.matches(".toast"));
    const over = (bars, x, y) => {
        const seen = document.elementFromPoint(x, y);
        return seen && bars.find((bar) => bar.contains(seen));
    };
    // Most things are nowhere near a bar: only for the others is it worth asking what is drawn where.
    const near = (element, left, top, right, bottom) => stuck.filter((bar) => {
        const box = bar.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top && !bar.contains(element);
    });
    // What is seen of it: a title of many lines is cut off by its heading.
    const seen = (element) => {
        let { left, top, right, bottom } = element.getBoundingClientRect();
        for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
            if (getComputedStyle(one).overflow === "visible") continue;
            const box = one.getBoundingClientRect();
            [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        return { left, top, right, bottom, width: right - left, height: bottom - top };
    };
    const name = (element) => element.cloneNode(false).outerHTML.slice(0, 140);
    const bars = stuck.filter((one) => one.matches(".top, .tabs, .main-action, .room-head, .room-foot"));
    const room = innerHeight - bars.reduce((sum, bar) => sum + (bar.offsetWidth > innerWidth / 2 ? bar.offsetHeight : 0), 0);
    const all = document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]");
    const wrong = [];
    for (const element of all) {
        // Pins move with their map, and Leaflet puts it where it was.
        if (element.tabIndex < 0 || element.disabled || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".leaflet-pane")) continue;
        element.focus();
        if (document.activeElement !== element) continue;
        const whole = element.getBoundingClientRect();
        if (whole.width * whole.height === 0) continue;
        const box = seen(element);
        const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
        const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
        if (right <= left || bottom <= top) {
            wrong.push(`out of sight: ${name(element)}`);
            continue;
        }
        const around = near(element, left, top, right, bottom);
        if (around.length === 0) continue;
        const inset = Math.min(2, (right - left) / 4, (bottom - top) / 4);
        const [middle, height] = [(left + right) / 2, (top + bottom) / 2];
        // Not the corners, which are round: there one sees what lies behind.
        const points = [[middle, top + inset], [middle, bottom - inset], [left + inset, height], [right - inset, height], [middle, height]];
        const covering = points.map(([x, y]) => over(around, x, y)).filter(Boolean);
        if (covering.length > (box.height > room ? points.length - 1 : 0)) wrong.push(`${name(covering[0])} covers ${name(element)}`);
    }
    document.activeElement.blur();
    scrollTo({ top: 0, behavior: "instant" });
    return wrong;
}"""


def check_focus(page):
    """Nothing covers what has the focus. One look for the whole page, however much there is to go through."""
    wrong = page.evaluate(UNCOVERED)
    assert not wrong, f"{page.url}: the focus is covered:\n" + "\n".join(wrong)


def check_facts(page):
    """A value has room for its words beside its name, or stands below it."""
    narrow = page.evaluate("""[...document.querySelectorAll("dl dd:not(.aside)")].filter(value => value.checkVisibility() && value.getBoundingClientRect().width < 120)
        .map(value => value.parentElement.textContent.trim().slice(0, 80))""")
    assert not narrow, f"{page.url}: pressed into syllables: {narrow}"


AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()


# What sticks to the window's edge covers other things only until one scrolls: while sizes are measured it lies where it belongs. A pin that reaches over
# the edge of its map is cut off there, and covers nothing beside it.
LOOKED_THROUGH = """async (rules) => {
    const stuck = [...document.querySelectorAll("body *")].filter((element) => getComputedStyle(element).position === "sticky");
    const cut = [...document.querySelectorAll(".leaflet-marker-icon")].filter((pin) => {
        const [box, map] = [pin, pin.closest(".leaflet-container")].map((element) => element.getBoundingClientRect());
        return box.top < map.top || box.left < map.left || box.right > map.right || box.bottom > map.bottom;
    });
    stuck.forEach((element) => (element.style.position = "relative", element.style.inset = "auto"));
    cut.forEach((pin) => (pin.style.visibility = "hidden"));
    try {
        return (await axe.run({ preload: false, resultTypes: ["violations"], ...rules })).violations;
    } finally {
        stuck.forEach((element) => (element.style.position = element.style.inset = ""));
        cut.forEach((pin) => (pin.style.visibility = ""));
    }
}"""


def hold_against(page, rules, allow=()):
    """Runs axe. Its source is parsed once for each document, and only what is wrong comes back: all that is right took longer than finding it."""
    assert page.evaluate("matchMedia('(scripting: enabled)').matches"), "without scripts axe waits for ever: photograph the page"
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    violations = page.evaluate(LOOKED_THROUGH, rules)
    wrong = [
        f"{rule['id']}: {node['html'][:160]} — {node.get('failureSummary', '')[:200]}"
        for rule in violations if rule["id"] not in allow for node in rule["nodes"]
        # Where a pin stands is where the place is: that is essential (WCAG 2.5.8), and the list beside the map has the same links.
        if not (rule["id"] == "target-size" and "leaflet-marker-icon" in node["html"].partition(">")[0])
    ]
    assert not wrong, f"{page.url}:\n" + "\n".join(wrong)


def check_accessibility(page, allow=()):
    # Off by default, as are all rules of WCAG 2.2.
    hold_against(page, {"rules": {"target-size": {"enabled": True}}}, allow)
    unnamed = page.evaluate("""[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]
        .filter(field => !field.labels?.length && !field.getAttribute('aria-label') && !field.getAttribute('aria-labelledby'))
        .map(field => field.outerHTML)""")
    assert not unnamed, f"fields without a label: {unnamed}"
