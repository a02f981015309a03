// A marker for each card of the list, in clusters where they are many; the list says what there is, the map shows where.

import { latLng, pinIcon } from "./map.js";
import { signedIn } from "./session.js";
import { refreshTimes } from "./time.js";
import { text } from "./text.js";
/* global L, htmx */

/** Called something for those who hear the map, whenever it is made: a cluster that grows where it is gets a new element. */
function clusterIcon(n) {
  const icon = L.divIcon({ className: "cluster", html: `<span aria-hidden="true">${n}</span>`, iconSize: [44, 44] });
  const create = icon.createIcon;
  icon.createIcon = (former) => {
    const element = create.call(icon, former);
    element.setAttribute("aria-label", text("map.cluster", { n }));
    return element;
  };
  return icon;
}

export class Markers {
  #map;
  #cluster;
  #markers = new Map();
  #byKeyboard = false;
  #id;
  #told;

  /** `id` names what is in a card's `data-…`: a `spot`, a `place` or a `thing`; `told` hears which card's popup is open, and of none. */
  constructor(map, id = "spot", told = () => {}) {
    this.#map = map;
    this.#told = told;
    this.#id = id;
    this.#cluster = L.markerClusterGroup({
      showCoverageOnHover: false, maxClusterRadius: 44, animate: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      iconCreateFunction: (cluster) => clusterIcon(cluster.getChildCount()),
    }).addTo(map);
    this.#cluster.on("clusterclick", () => this.#byKeyboard && map.getContainer().focus());
    const container = map.getContainer();
    container.addEventListener("keydown", () => (this.#byKeyboard = true), true);
    container.addEventListener("pointerdown", () => (this.#byKeyboard = false), true);
  }

  /** Makes the markers what the cards are. */
  sync(cards, { arriving = false } = {}) {
    const wanted = new Map([...cards].map((card) => [card.dataset[this.#id], card]));
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
    const at = this.#at(card);
    if (known && known.place === at.join() && known.tone === card.dataset.tone) return void (known.card = card);
    if (known) this.#cluster.removeLayer(known.marker);
    const { tone, name } = card.dataset;
    const marker = L.marker(at, { icon: pinIcon(`${tone} ${arriving && !known ? "arrive" : ""}`), title: name });
    const entry = { marker, card, tone, place: at.join() };
    marker.bindPopup(() => this.#popup(entry.card), { minWidth: 240, maxWidth: 240, autoPanPaddingTopLeft: [16, 16], autoPanPaddingBottomRight: [76, 32] });
    marker.on("add", () => marker.getElement()?.setAttribute("aria-label", text(`map.${this.#id}`, entry.card.dataset)));
    marker.on("popupopen", ({ popup }) => this.#opened(popup, entry.card));
    marker.on("popupclose", () => this.#closed(marker, entry.card));
    this.#cluster.addLayer(marker);
    this.#markers.set(id, entry);
  }

  /** On the copy of the earth that the map shows, which across the date line is another one. */
  #at(card) {
    const [latitude, longitude] = latLng(card);
    return [latitude, longitude + 360 * Math.round((this.#map.getCenter().lng - longitude) / 360)];
  }

  #popup(card) {
    const { spot, name, mine } = card.dataset;
    const page = card.querySelector("a.cover").getAttribute("href");
    const box = document.createElement("div");
    box.className = "popup";
    const image = card.querySelector("img.thumb, img.photo")?.cloneNode();
    if (image) {
      image.className = "photo";
      image.src = image.src.replace(/thumb$/, "medium");
      box.append(image);
    }
    const body = document.createElement("div");
    body.className = "body";
    const heading = document.createElement("h2");
    heading.textContent = name;
    const links = document.createElement("div");
    links.className = "row wrap";
    if (spot && mine === undefined) links.append(this.#link(`/spots/${spot}/claim`, text("map.claim"), "button", signedIn));
    links.append(this.#link(page, text("map.details"), "button quiet"));
    const go = card.querySelector(".go");
    if (go) links.append(go.cloneNode(true));
    body.append(heading, ...[...card.querySelectorAll("p.small, .tags")].map((line) => line.cloneNode(true)), links);
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
    this.#told(card);
    if (this.#byKeyboard) box.querySelector(".button")?.focus();
  }

  #closed(marker, card) {
    card.classList.remove("chosen");
    this.#told(null);
    if (this.#byKeyboard) marker.getElement()?.focus();
  }
}
