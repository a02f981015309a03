// A small map with one pin: where something is that is being shared, which the fields of its form say as well.

import { makeMap, pinIcon } from "./map.js";
import { locate, remembered } from "./place.js";
import { text } from "./text.js";
/* global L */

const fromLeaflet = (point) => {
  const { lat, lng } = point.wrap();
  return { latitude: lat, longitude: lng };
};

export class Pin {
  #map;
  #marker;
  #fields;
  #words;
  #hint = document.getElementById("pin-hint");
  /** Where an address can be typed instead: it says where the pin is only until the pin is put elsewhere. */
  #address = document.querySelector("[data-places]");
  #edited = false;

  /** @param fields `read()` says where they have it, or null; `write(point)` says it to them; `moved(point)` hears of each new place.
      @param words the sentences of the pin, in the scripts' catalogue. */
  constructor(fields, words) {
    this.#fields = fields;
    this.#words = words;
    this.#address.addEventListener("place:chosen", ({ detail }) => {
      this.#edited = true;
      this.put(detail);
    });
    document.getElementById("pin-here").addEventListener("click", () => this.#useMine(false));
    document.getElementById("pin-middle")?.addEventListener("click", () => this.#map && this.#place(fromLeaflet(this.#map.getCenter()), { look: false }));
  }

  /** Shows the map, with the pin where the fields have it. Where they have nothing yet, the map shows where the person is, the pin
      is put there if `assume` is set, and the device is asked if `ask` is set. */
  show({ assume = false, ask = false } = {}) {
    if (this.#map !== undefined) return;
    this.#map = makeMap(document.getElementById("pin-map"), 15);
    this.#map?.on("click", ({ latlng }) => this.#place(fromLeaflet(latlng), { look: false }));
    const known = this.#fields.read();
    if (known) return this.put(known, { write: false });
    const here = remembered();
    if (here && assume) this.put(here);
    else if (here) this.#map?.setView([here.latitude, here.longitude], 15, { animate: false });
    if (ask) this.#useMine(true);
  }

  put({ latitude, longitude }, { write = true, look = true } = {}) {
    if (write) this.#fields.write({ latitude, longitude });
    this.#fields.moved({ latitude, longitude }, { written: write });
    if (!this.#map) return;
    if (!this.#marker) {
      this.#marker = L.marker([latitude, longitude], { icon: pinIcon("warm"), draggable: true, autoPan: true, title: text(`${this.#words}.title`) }).addTo(this.#map);
      this.#marker.on("dragend", () => this.#place(fromLeaflet(this.#marker.getLatLng()), { look: false }));
    }
    this.#marker.setLatLng([latitude, longitude]);
    if (look) this.#map.setView([latitude, longitude], Math.max(this.#map.getZoom(), 17), { animate: false });
  }

  /** Something was typed, or the pin was put somewhere by hand: what was chosen before no longer says where it is. */
  edit() {
    this.#edited = true;
    this.#address.dispatchEvent(new Event("place:forget"));
  }

  #place(point, options) {
    this.edit();
    this.put(point, options);
    this.#hint.textContent = text(`${this.#words}.set`);
  }

  async #useMine(quiet) {
    this.#hint.textContent = text("pin.looking");
    const here = await locate({ quiet });
    // What was typed while the device was looking is not overwritten.
    if (here && !(quiet && this.#edited)) quiet ? this.put(here) : this.#place(here);
    this.#hint.textContent = text(here ? `${this.#words}.found` : `${this.#words}.byHand`);
  }
}
