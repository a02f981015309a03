// The way of a delivery on a map: its line, its stops, and where the deliverer is, where they show it. The page says the same in words.

import { makeMap } from "./map.js";
import { read } from "./place.js";
/* global L */

const points = (text) => (text || "").split(";").map(read).filter(Boolean).map(({ latitude, longitude }) => [latitude, longitude]);
let map, dot;

export function drawMatch() {
  const element = document.getElementById("match-map");
  map = element && makeMap(element, 15);
  if (!map) return;
  const way = points(element.dataset.way), straight = "straight" in element.dataset;
  L.polyline(way, { className: "match-line", interactive: false, dashArray: straight ? "2 10" : null }).addTo(map);
  for (const at of points(element.dataset.stops)) L.circleMarker(at, { className: "match-stop", radius: 7, interactive: false }).addTo(map);
  map.fitBounds(L.latLngBounds(way), { padding: [24, 24], maxZoom: 17, animate: false });
}

/** @param place `{ latitude, longitude }`; null where it is not known. @param isOld whether that was a while ago. */
export function showDeliverer(place, isOld) {
  dot?.remove();
  dot = undefined;
  if (!map || !place) return;
  dot = L.circleMarker([place.latitude, place.longitude], { className: `match-stop own${isOld ? " old" : ""}`, radius: 9, interactive: false }).addTo(map);
}
