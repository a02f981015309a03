// A small map with one pin, and the two fields that say the same in numbers: each follows the other.

import { makeMap, pinIcon } from "./map.js";
import { nameAfter } from "./naming.js";
import { locate, remembered } from "./place.js";
import { text } from "./text.js";
/* global L */

const fields = { latitude: document.getElementById("latitude"), longitude: document.getElementById("longitude") };
const hint = document.getElementById("pin-hint");
/** Where an address can be typed instead: it says where the pin is only until the pin is put elsewhere. */
const address = document.querySelector("[data-places]");
const forget = () => address.dispatchEvent(new Event("place:forget"));
let map, pin, edited = false;

const typed = () => {
  const latitude = parseFloat(fields.latitude.value), longitude = parseFloat(fields.longitude.value);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
};

function put({ latitude, longitude }, { write = true, look = true } = {}) {
  if (write) {
    fields.latitude.value = latitude.toFixed(6);
    fields.longitude.value = longitude.toFixed(6);
    for (const field of Object.values(fields)) field.removeAttribute("aria-invalid");
  }
  nameAfter({ latitude, longitude });
  if (!map) return;
  if (!pin) {
    pin = L.marker([latitude, longitude], { icon: pinIcon("warm"), draggable: true, autoPan: true, title: text("pin.title") }).addTo(map);
    pin.on("dragend", () => place(fromLeaflet(pin.getLatLng()), { look: false }));
  }
  pin.setLatLng([latitude, longitude]);
  if (look) map.setView([latitude, longitude], Math.max(map.getZoom(), 17), { animate: false });
}

/** By hand. */
function place(point, options) {
  edited = true;
  forget();
  put(point, options);
}

const fromLeaflet = (point) => {
  const { lat, lng } = point.wrap();
  return { latitude: lat, longitude: lng };
};

async function useMine(quiet) {
  hint.textContent = text("pin.looking");
  const here = await locate({ quiet });
  hint.textContent = text(here ? "pin.found" : "pin.byHand");
  // What was typed while the device was looking is not overwritten.
  if (here && !(quiet && edited)) quiet ? put(here) : place(here);
}

/** Shows the map and, where nothing is typed yet and `ask` is set, puts the pin where the person is. */
export function startPin({ ask = false } = {}) {
  if (map !== undefined) return;
  map = makeMap(document.getElementById("pin-map"), 15);
  map?.on("click", ({ latlng }) => place(fromLeaflet(latlng), { look: false }));
  for (const field of Object.values(fields)) field.addEventListener("input", () => {
    edited = true;
    forget();
    if (typed()) put(typed(), { write: false });
  });
  address.addEventListener("place:chosen", ({ detail }) => {
    edited = true;
    put(detail);
  });
  document.getElementById("pin-here").addEventListener("click", () => useMine(false));
  if (fields.latitude.value || fields.longitude.value) return typed() && put(typed(), { write: false });
  if (remembered()) put(remembered());
  if (ask) useMine(true);
}

if (document.querySelector("[data-pin]")) startPin();
