// A marker for each card of the list, in clusters where they are many; the list says what there is, the map shows where.

import { latLng, pinIcon } from "./map.js";
import { signedIn } from "./session.js";
import { refreshTimes } from "./time.js";
import { text } from "./text.js";
/* global L, htmx */

export class Markers {
  #map;
  #cluster;
  #markers = new Map();
  #byKeyboard = false;

  constructor(map) {
    this.#map = map;
    this.#cluster = L.markerClusterGroup({
      showCoverageOnHover: false, maxClusterRadius: 44, animate: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      iconCreateFunction: (cluster) => L.divIcon({ className: "cluster", html: `<span>${cluster.getChildCount()}</span>`, iconSize: [44, 44] }),
    }).addTo(map);
    const container = map.getContainer();
    container.addEventListener("keydown", () => (this.#byKeyboard = true), true);
    container.addEventListener("pointerdown", () => (this.#byKeyboard = false), true);
  }

  /** Makes the markers what the cards are. */
  sync(cards, { arriving = false } = {}) {
    const wanted = new Map([...cards].map((card) => [card.dataset.spot, card]));
    for (const [id, { marker }] of this.#markers) {
      if (wanted.has(id)) continue;
      this.#cluster.removeLayer(marker);
      this.#markers.delete(id);
    }
    for (const [id, card] of wanted) this.#put(id, card, arriving);
  }

  /** A marker stays while its card is exchanged for a newer one, and so does the popup that somebody is reading. */
  #put(id, card, arriving) {
    const known = this.#markers.get(id);
    if (known && known.place === latLng(card).join() && known.tone === card.dataset.tone) return void (known.card = card);
    if (known) this.#cluster.removeLayer(known.marker);
    const { tone, name } = card.dataset;
    const marker = L.marker(latLng(card), { icon: pinIcon(`${tone} ${arriving && !known ? "arrive" : ""}`), title: name });
    const entry = { marker, card, tone, place: latLng(card).join() };
    marker.bindPopup(() => this.#popup(entry.card), { minWidth: 240, maxWidth: 240, autoPanPaddingTopLeft: [16, 16], autoPanPaddingBottomRight: [76, 32] });
    marker.on("add", () => marker.getElement()?.setAttribute("aria-label", text("map.spot", { name: entry.card.dataset.name })));
    marker.on("popupopen", ({ popup }) => this.#opened(popup, entry.card));
    marker.on("popupclose", () => this.#closed(marker, entry.card));
    this.#cluster.addLayer(marker);
    this.#markers.set(id, entry);
  }

  #popup(card) {
    const { spot, name, mine } = card.dataset;
    const box = document.createElement("div");
    box.className = "popup";
    const image = card.querySelector("img.thumb")?.cloneNode();
    if (image) {
      image.className = "photo";
      image.src = image.src.replace(/thumb$/, "medium");
      box.append(image);
    }
    const body = document.createElement("div");
    body.className = "body";
    const heading = document.createElement("h3");
    heading.textContent = name;
    const links = document.createElement("div");
    links.className = "row wrap";
    if (mine === undefined) links.append(this.#link(`/spots/${spot}/claim`, text("map.claim"), "button", signedIn));
    links.append(this.#link(`/spots/${spot}`, text("map.details"), "button quiet"));
    body.append(heading, card.querySelector("p.small").cloneNode(true), card.querySelector(".tags").cloneNode(true), links);
    box.append(body);
    return box;
  }

  #link(href, label, className, asks = false) {
    const link = document.createElement("a");
    Object.assign(link, { href, className, textContent: label });
    if (asks) for (const [name, value] of [["hx-get", href], ["hx-target", "#dialog"], ["hx-swap", "innerHTML"]]) link.setAttribute(name, value);
    return link;
  }

  #opened(popup, card) {
    const box = popup.getElement();
    htmx.process(box);
    refreshTimes(box);
    box.setAttribute("aria-label", card.dataset.name);
    card.classList.add("chosen");
    if (this.#byKeyboard) box.querySelector(".button")?.focus();
  }

  #closed(marker, card) {
    card.classList.remove("chosen");
    if (this.#byKeyboard) marker.getElement()?.focus();
  }
}
