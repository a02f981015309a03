// Things on a map beside their list: the list says what there is, the map shows where. Of most that is a field of the grid, which is drawn where one looks closer.

import { latLng, makeMap, markHere } from "./map.js";
import { Markers } from "./markers.js";
import { read, remembered, written } from "./place.js";
import { text } from "./text.js";
/* global L */

const results = () => document.getElementById("results");
const cards = () => results().querySelectorAll("[data-thing][data-latitude]");
const map = makeMap(document.getElementById("map"), 13);
const searchHere = document.getElementById("search-here");
const elsewhere = document.getElementById("elsewhere");
/** Metres around where one looks from within which things decide what the map shows at first: one far thing would make it a map of the world. */
const REACH = 25_000;
let area;

/** The field in which it lies whose popup is open. */
function outline(card) {
  area?.remove();
  area = null;
  if (!card?.dataset.area) return;
  const [west, south, east, north] = card.dataset.area.split(",").map(Number);
  area = L.rectangle([[south, west], [north, east]], { className: "area", interactive: false }).addTo(map);
}

const markers = map && new Markers(map, "thing", outline);

/** Where it was looked for, where the person is, or the community. */
const middle = () => read(results().dataset.near) ?? remembered() ?? read(results().dataset.center);

function fit(points) {
  if (points.length > 1) map.fitBounds(L.latLngBounds(points), { padding: [48, 48], maxZoom: 15, animate: false });
  else map.setView(points[0], 13, { animate: false });
}

/** What of the list is about there; the rest is told of. */
function frame() {
  const { latitude, longitude } = middle();
  const around = L.latLng(latitude, longitude).toBounds(2 * REACH);
  fit([[latitude, longitude], ...[...cards()].map(latLng).filter((point) => around.contains(point))]);
  tell();
}

/** Whether the map shows it, in whichever of its worlds. */
const isShown = ([lat, lng]) => [-360, 0, 360].some((turn) => map.getBounds().contains([lat, lng + turn]));
const beside = () => [...cards()].map(latLng).filter((point) => !isShown(point));

/** How many of the list lie beside what the map shows. */
function tell() {
  const n = beside().length;
  elsewhere.hidden = n === 0;
  elsewhere.textContent = text("map.elsewhere", { n });
  elsewhere.setAttribute("aria-label", text("map.elsewhereLabel", { n }));
}

if (map) {
  markers.sync(cards());
  frame();
  const here = remembered();
  if (here) markHere(map, here);
  // Another list is another map; more of the same is more on it, and what changes in it changes there.
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (!["results", "more"].includes(detail.target.id)) return;
    markers.sync(cards());
    if (detail.target.id === "results") frame();
    else tell();
  });
  document.addEventListener("things:changed", () => (markers.sync(cards()), tell()));
  map.on("moveend", tell);
  elsewhere.addEventListener("click", () => {
    const there = beside();
    fit(there);
    // Too far from each other for one map: one after the other.
    if (!there.some(isShown)) fit(there.slice(0, 1));
    // It may be gone then, and the focus would be with it.
    if (elsewhere.hidden) map.getContainer().focus();
  });
  map.on("dragend", () => {
    const address = new URL(location);
    address.searchParams.delete("cursor");
    address.searchParams.set("sort", "nearest");
    const { lat, lng } = map.getCenter().wrap();
    address.searchParams.set("near", written({ latitude: +lat.toFixed(4), longitude: +lng.toFixed(4) }));
    searchHere.href = address;
    searchHere.hidden = false;
  });
  map.on("popupopen", () => (searchHere.hidden = true));
}
