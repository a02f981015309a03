// The page with the map and the list: both show the same spots, wherever they were asked for.

import { apply, cards } from "./list.js";
import { listFailed, loadList } from "./listfailed.js";
import { Live } from "./live.js";
import { latLng, makeMap, markHere } from "./map.js";
import { Markers } from "./markers.js";
import { locate, mayAsk, read, remembered, written } from "./place.js";
/* global L */

const results = () => document.getElementById("results");
const boxOf = (words) => {
  const [west, south, east, north] = words.split(",").map(Number);
  // Across the date line east is less than west; Leaflet counts on.
  return L.latLngBounds([south, west], [north, east < west ? east + 360 : east]);
};
/** Longitudes as the earth has them: a map that is dragged across the date line counts on beyond 180°. */
const wrapped = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;
const wordsOf = (box) => {
  const whole = box.getEast() - box.getWest() >= 360;
  const [west, east] = whole ? [-180, 180] : [wrapped(box.getWest()), wrapped(box.getEast())];
  return [west, box.getSouth(), east, box.getNorth()].map((number) => number.toFixed(5)).join(",");
};

const map = makeMap(document.getElementById("map"));
const markers = map && new Markers(map);
const searchHere = document.getElementById("search-here");
const locateButton = document.getElementById("locate");
let framing = false;
let here = remembered() ?? read(results().dataset.from);

/** What the map is about: the place that was chosen, or the person. */
const middle = () => (["place", "here"].includes(results().dataset.around) ? read(results().dataset.at) : null) ?? here;

function sync(options) {
  markers?.sync(cards(), options);
}

/** Shows the list of another area, and says it in the address, so that it can be reloaded and sent to a friend. */
async function search(address, fit) {
  try {
    await loadList(address);
  } catch {
    return listFailed(results(), () => search(address, fit));
  }
  history.replaceState(null, "", address);
  searchHere.hidden = true;
  if (fit) frame();
}

/** The person and the nearest few, or all there are. */
function frame() {
  framing = true;
  const all = [...cards()];
  // What is within a walk, or else the nearest one: far ones would make the map of here too small to read.
  const close = all.filter(({ dataset }) => Number(dataset.metres) <= 1500).slice(0, 8);
  const place = middle();
  const points = (place ? (close.length ? close : all.slice(0, 1)) : all.slice(0, 60)).map(latLng);
  if (place) points.push([place.latitude, place.longitude]);
  if (points.length > 1) map?.fitBounds(L.latLngBounds(points), { padding: [48, 48], maxZoom: 17, animate: false });
  else if (points.length) map?.setView(points[0], 16, { animate: false });
  else map?.fitBounds(boxOf(results().dataset.box), { animate: false });
  framing = false;
}

const around = (place) => `/parking?near=${encodeURIComponent(written(place))}`;

async function goHere(quiet) {
  locateButton.setAttribute("aria-busy", "true");
  const place = await locate({ quiet });
  locateButton.removeAttribute("aria-busy");
  if (!place) return;
  here = place;
  showHere();
  await search(around(here), true);
}

function showHere() {
  if (!here || !map) return;
  markHere(map, here);
  locateButton.setAttribute("aria-pressed", "true");
}

locateButton?.addEventListener("click", () => goHere(false));
searchHere?.addEventListener("click", () => {
  search(`/parking?bbox=${wordsOf(map.getBounds())}${here ? `&at=${written(here)}` : ""}`, false);
});

/** Up to where the stream's events are in what the server rendered last. */
const since = () => document.getElementById("more").dataset.since;

const live = new Live(
  results().dataset.box,
  since(),
  async (kind, data) => (await apply(kind, data)) && sync({ arriving: true }),
  () => document.getElementById("refresh").click());

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (!["results", "more"].includes(detail.target.id)) return;
  sync();
  // Also for the same box: what was heard while this part was on its way may not be in it.
  live.listen(results().dataset.box, since());
});

if (map) {
  sync();
  showHere();
  frame();
  const offer = () => {
    const covered = boxOf(results().dataset.box).pad(0.02);
    const shown = map.getBounds();
    // On whichever copy of the earth the map is.
    const isCovered = [-360, 0, 360].some((turn) =>
      covered.contains(L.latLngBounds([shown.getSouth(), shown.getWest() + turn], [shown.getNorth(), shown.getEast() + turn])));
    searchHere.hidden = isCovered || map.getZoom() < 6;
  };
  // Only where the person has moved the map beyond what the list covers is there anything to search.
  map.on("dragend zoomend", () => framing || offer());
  map.on("popupopen", () => (searchHere.hidden = true));
}

const asked = new URL(location).searchParams;
if (!asked.has("near") && !asked.has("bbox")) {
  if (here) search(around(here), true);
  else mayAsk().then((allowed) => allowed && goHere(true));
}
