// Leaflet maps as Kampong uses them.

import { addBasemap } from "./basemap.js";
import { read } from "./place.js";
import { text } from "./text.js";
/* global L */

/** A map in `element`, or null where Leaflet did not load: the page does without it then. */
export function makeMap(element, zoom = 16) {
  if (!window.L) {
    (element.closest(".map-panel") ?? element).hidden = true;
    return null;
  }
  const center = read(element.dataset.center) ?? { latitude: 0, longitude: 0 };
  // markercluster needs to know how far one can zoom.
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map(element, {
    center: [center.latitude, center.longitude], zoom, minZoom: 3, maxZoom: 19, zoomControl: false, worldCopyJump: true,
    zoomAnimation: !still, fadeAnimation: !still, markerZoomAnimation: !still, inertia: !still,
  });
  // A pan by key is animated as well, and there is no option of the map against that.
  if (still) map.panBy = (offset, options) => L.Map.prototype.panBy.call(map, offset, { ...options, animate: false });
  map.attributionControl.setPrefix(false);
  L.control.scale({ imperial: false, maxWidth: 80 }).addTo(map);
  if (!element.hasAttribute("role")) element.setAttribute("role", "group");
  if (!element.hasAttribute("aria-label")) element.setAttribute("aria-label", text("map.keys"));
  L.control.zoom({ position: "bottomright", zoomInTitle: text("map.zoomIn"), zoomOutTitle: text("map.zoomOut") }).addTo(map);
  addBasemap(map);
  const resized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  resized.observe(element);
  map.once("unload", () => resized.disconnect());
  return map;
}

const drop = '<svg viewBox="0 0 40 48" aria-hidden="true"><path class="drop" d="M20 46S4 31 4 18a16 16 0 1 1 32 0c0 13-16 28-16 28Z"/><text x="20" y="23">P</text></svg>';

export const pinIcon = (tone = "") => L.divIcon({ className: `pin ${tone}`, html: drop, iconSize: [44, 48], iconAnchor: [22, 46], popupAnchor: [0, -40] });

export const hereIcon = () => L.divIcon({ className: "here", iconSize: [20, 20] });

/** The blue point where the person is. */
export function markHere(map, place) {
  const at = [place.latitude, place.longitude];
  if (map.hereMarker) map.hereMarker.setLatLng(at);
  else map.hereMarker = L.marker(at, { icon: hereIcon(), interactive: false, keyboard: false, zIndexOffset: -100 }).addTo(map);
}

export const latLng = ({ dataset }) => [Number(dataset.latitude), Number(dataset.longitude)];
