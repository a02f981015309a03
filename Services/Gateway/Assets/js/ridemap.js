// The way of a ride on a map: its line, its stops, and the points at which who asks for a seat would get in and out. The page says the same in words.

import { makeMap } from "./map.js";
/* global L */

const read = (text) => (text || "").split(";").filter(Boolean).map((pair) => pair.split(",").map(Number));
/** The map that is shown, its element, and what is on it for who asks. */
let map, shown, own;

/** The same points without a jump at the date line, where a way would go around the earth. */
function unrolled(points, from = points[0]) {
  let last = from?.[1];
  return points.map(([latitude, longitude]) => {
    last = longitude + 360 * Math.round((last - longitude) / 360);
    return [latitude, last];
  });
}

const dots = (points, className) => points.map((at) => L.circleMarker(at, { className, radius: 7, interactive: false }));

/** Draws the way that the page shows now, unless it is there already. */
export function drawWay() {
  const element = document.getElementById("ride-map");
  if (!element || element === shown) return;
  map?.remove();
  [shown, own] = [element, null];
  map = makeMap(element, 12);
  if (!map) return;
  const way = unrolled(read(element.dataset.way)), straight = "straight" in element.dataset;
  L.polyline(way, { className: "ride-line", interactive: false, dashArray: straight ? "2 10" : null }).addTo(map);
  dots(unrolled(read(element.dataset.stops), way[0]), "ride-stop").forEach((dot) => dot.addTo(map));
  map.fitBounds(L.latLngBounds(way), { padding: [24, 24], maxZoom: 15, animate: false });
  showOwn(way[0]);
}

/** Where who asks would get in and out, as what they have chosen last says it. */
function showOwn(near) {
  own?.remove();
  own = null;
  const points = unrolled(read(document.getElementById("shown")?.dataset.points), near);
  if (!map || points.length === 0) return;
  own = L.layerGroup(dots(points, "ride-stop own")).addTo(map);
}

drawWay();
document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => target?.id === "shown" && showOwn(read(shown?.dataset.way)[0]));
