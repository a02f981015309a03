// The map of one place, or of the area in which it lies, and the languages of its names in the reader's own words.

import { makeMap, pinIcon } from "./map.js";
import { language } from "./text.js";
/* global L */

const element = document.getElementById("pinned-map");
const map = makeMap(element, 16);
if (map && element.dataset.area) {
  const [west, south, east, north] = element.dataset.area.split(",").map(Number);
  const area = L.latLngBounds([south, west], [north, east]);
  L.rectangle(area, { className: "area", interactive: false }).addTo(map);
  map.fitBounds(area, { padding: [24, 24], animate: false });
} else if (map) {
  L.marker(map.getCenter(), { icon: pinIcon("place"), interactive: false, keyboard: false }).addTo(map);
}

const languages = new Intl.DisplayNames([language], { type: "language" });
for (const word of document.querySelectorAll("[data-language]")) {
  try {
    word.textContent = languages.of(word.dataset.language);
  } catch {
    // What the source calls it is no language that a browser knows.
  }
}
