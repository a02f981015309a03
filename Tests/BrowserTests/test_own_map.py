"""A town of the operator's own: one command brings its places and its map, another takes them away, while people look."""

import os
import pathlib
import subprocess

import pytest
from playwright.sync_api import expect

from kampong import RUN, URL

TOOL = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "places"
SOURCE = f"town {RUN}"
# Far from everything else that the tests have.
LATITUDE, LONGITUDE = -8.2, 115.1


def extract(path):
    """A street, a park and a hall, as OpenStreetMap's editors save them."""
    nodes, ways = [], []

    def node(north, east):
        nodes.append(f'<node id="{len(nodes) + 1}" version="1" lat="{LATITUDE + north / 111320:.7f}" lon="{LONGITUDE + east / 110180:.7f}"/>')
        return len(nodes)

    def way(points, closed, **tags):
        ids = [node(*point) for point in points]
        ids += ids[:1] if closed else []
        said = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        ways.append(f'<way id="{len(ways) + 1}" version="1">' + "".join(f'<nd ref="{id}"/>' for id in ids) + said + "</way>")

    way([(0, -500), (0, 500)], False, highway="primary", name=f"Jalan {RUN}")
    way([(40, -200), (40, 0), (240, 0), (240, -200)], True, leisure="park", name=f"Taman {RUN}")
    way([(-60, 20), (-60, 80), (-20, 80), (-20, 20)], True, building="yes", name=f"Balai {RUN}")
    box = f'<bounds minlat="{LATITUDE - 0.01}" minlon="{LONGITUDE - 0.01}" maxlat="{LATITUDE + 0.01}" maxlon="{LONGITUDE + 0.01}"/>'
    path.write_text(f'<?xml version="1.0"?><osm version="0.6">{box}{"".join(nodes)}{"".join(ways)}</osm>')
    return path


def places(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def town(tmp_path):
    yield lambda: places("import", extract(tmp_path / "town.osm"), "--source", SOURCE)
    places("remove", SOURCE)


def names_there(page):
    """What is written on the map around the town, as scripts read it."""
    return page.evaluate("""async () => {
        const index = await (await fetch('/map/index.json')).json(), names = [];
        for (const { squares, levels } of index.sets) {
            const level = levels.find(({ zoom }) => zoom === 14);
            for (const [row, runs] of Object.entries(level.rows)) for (let i = 0; i < runs.length; i += 2) for (let column = runs[i]; column <= runs[i + 1]; column++)
                names.push(...((await (await fetch(`${squares}/14/${column}/${row}.json`)).json()).names ?? []).map(([name]) => name));
        }
        return names;
    }""")


@pytest.mark.skipif(not os.environ.get("KAMPONG_HOME"), reason="no KAMPONG_HOME: this Kampong is not one that deploy/places of this checkout reaches")
def test_a_town_is_imported_shown_and_removed(window, ben, town):
    page, address = window(ben), f"{URL}/parking?near={LATITUDE},{LONGITUDE}"
    note = page.get_by_text("There is no map of streets here yet.")
    page.goto(address)
    expect(note).to_be_visible()

    said = town()
    assert said.returncode == 0, said.stdout + said.stderr
    assert "squares" in said.stderr, said.stderr
    page.reload()
    expect(page.locator("#map canvas.leaflet-tile-loaded").first).to_be_attached()
    expect(note).to_have_count(0)
    expect(page.locator("#map .leaflet-control-attribution")).to_contain_text("OpenStreetMap contributors")
    assert {f"Jalan {RUN}", f"Taman {RUN}"} <= set(names_there(page))
    found = page.request.get(f"{URL}/v1/places?q=Jalan {RUN}").json()
    assert f"Jalan {RUN}" in str(found)

    # An extract that breaks off changes nothing of it, and neither does what is none.
    whole = pathlib.Path(extract(pathlib.Path(said.args[2])))
    packed = whole.with_name("packed.osm.pbf")
    subprocess.run(["osmium", "cat", "--no-progress", whole, "-o", packed], check=True)
    torn, torn_packed, empty, other = (whole.with_name(name) for name in ("torn.osm", "torn.osm.pbf", "empty.osm.pbf", "other.osm.pbf"))
    torn.write_text(whole.read_text()[:900])
    torn_packed.write_bytes(packed.read_bytes()[:-40])
    empty.touch()
    other.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    for bad in (torn, torn_packed, empty, other):
        refused = places("import", bad, "--source", SOURCE)
        assert refused.returncode != 0 and "what was imported before is still there" in refused.stderr, (bad, refused)
        assert f"Jalan {RUN}" in names_there(page)
        assert f"Jalan {RUN}" in str(page.request.get(f"{URL}/v1/places?q=Jalan {RUN}").json())

    # Somebody looks at the map while it is taken away: what they go to next is not there, and the page takes note of it.
    removed = places("remove", SOURCE)
    assert removed.returncode == 0, removed.stderr
    assert f"Jalan {RUN}" not in names_there(page)
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    expect(note).to_be_visible()
