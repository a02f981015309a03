"""What is drawn on a map."""

# How many colours there are on the tiles that can be seen.
COLOURS = """() => {
    const seen = new Set(), frame = document.getElementById('map').getBoundingClientRect();
    const copy = Object.assign(document.createElement('canvas'), { width: 128, height: 128 }).getContext('2d', { willReadFrequently: true });
    for (const tile of document.querySelectorAll('#map canvas.leaflet-tile-loaded')) {
        const box = tile.getBoundingClientRect();
        if (box.right < frame.left || box.left > frame.right || box.bottom < frame.top || box.top > frame.bottom) continue;
        copy.drawImage(tile, 0, 0, 128, 128);
        for (const colour of new Uint32Array(copy.getImageData(0, 0, 128, 128).data.buffer)) seen.add(colour);
    }
    return seen.size;
}"""


def drawn(page):
    """Waits until all tiles are there; how many colours are on them."""
    page.wait_for_function("""() => {
        const all = [...document.querySelectorAll('#map canvas.leaflet-tile')];
        return all.length > 0 && all.every((tile) => tile.matches('.leaflet-tile-loaded'));
    }""")
    return page.evaluate(COLOURS)
