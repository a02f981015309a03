// What is near: the list and the map show the same places.

import { listFailed, loadList } from "./listfailed.js";
import { latLng, makeMap, markHere } from "./map.js";
import { Markers } from "./markers.js";
import { locate, mayAsk, read, remembered, written } from "./place.js";
/* global L */

const results = () => document.getElementById("results");
const cards = () => document.querySelectorAll("#places [data-place]");
const map = makeMap(document.getElementById("map"));
const markers = map && new Markers(map, "place");
const locateButton = document.getElementById("locate");

/** All that is in the list, and where it was looked for. */
function frame() {
  const points = [...cards()].map(latLng);
  const { latitude, longitude } = read(results().dataset.center);
  points.push([latitude, longitude]);
  if (points.length > 1) map.fitBounds(L.latLngBounds(points), { padding: [48, 48], maxZoom: 17, animate: false });
  else map.setView(points[0], 15, { animate: false });
}

function show() {
  const chosen = results().querySelector(".chip[aria-current]");
  // Sideways only: the page itself stays where it is.
  chosen?.parentElement.scrollTo({ left: chosen.offsetLeft - chosen.parentElement.clientWidth / 3, behavior: "instant" });
  if (!map) return;
  markers.sync(cards());
  const here = remembered() ?? read(results().dataset.from);
  if (here) markHere(map, here);
  frame();
}

/** The same kind, around the person. */
async function search(place) {
  const address = new URL(location);
  for (const name of ["place", "cursor", "far", "q"]) address.searchParams.delete(name);
  address.searchParams.set("near", written(place));
  const path = address.pathname + address.search;
  try {
    await loadList(path);
  } catch {
    return listFailed(results(), () => search(place));
  }
  history.replaceState(null, "", path);
}

async function goHere(quiet) {
  locateButton.setAttribute("aria-busy", "true");
  const place = await locate({ quiet });
  locateButton.removeAttribute("aria-busy");
  if (place) await search(place);
}

locateButton?.addEventListener("click", () => goHere(false));
document.addEventListener("htmx:afterSwap", ({ detail }) => ["results", "more"].includes(detail.target.id) && show());
show();

if (!new URL(location).searchParams.has("near")) {
  if (remembered()) search(remembered());
  else mayAsk().then((allowed) => allowed && goHere(true));
}
