// Things on a map beside their list: the list says what there is, the map shows where. Of most that is a field of the grid, which is drawn where one looks closer.

import { latLng, makeMap, markHere } from "./map.js";
import { Markers } from "./markers.js";
import { read, remembered, written } from "./place.js";
/* global L */

const results = () => document.getElementById("results");
const cards = () => results().querySelectorAll("[data-thing][data-latitude]");
const map = makeMap(document.getElementById("map"), 13);
const searchHere = document.getElementById("search-here");
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

/** All that is in the list, and from where it was looked for. */
function frame() {
  const points = [...cards()].map(latLng);
  const near = read(results().dataset.near);
  if (near) points.push([near.latitude, near.longitude]);
  if (points.length > 1) map.fitBounds(L.latLngBounds(points), { padding: [48, 48], maxZoom: 15, animate: false });
  else if (points.length) map.setView(points[0], 14, { animate: false });
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
  });
  document.addEventListener("things:changed", () => markers.sync(cards()));
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
