// A list of things kept up to date: what is withdrawn goes, what changes is shown as it is now. What is new is told of and not pushed in: where it
// belongs, and whether it fits what is looked for, the server says.

import { Live } from "./live.js";
import { announce } from "./notice.js";
import { readWhole } from "./request.js";
import { refreshTimes } from "./time.js";
import { text } from "./text.js";
/* global htmx */

const KINDS = ["thingPosted", "thingChanged", "thingWithdrawn"];
/** Degrees around what is shown, and around where nothing is. */
const MARGIN = 0.01, EMPTY = 0.05;

const results = () => document.getElementById("results");
const cards = () => [...results().querySelectorAll("[data-thing]")];
const cardOf = (id) => cards().find(({ dataset }) => dataset.thing === id);
const tell = () => (document.getElementById("news").hidden = false);
const changed = () => document.dispatchEvent(new Event("things:changed"));

/** Around all that is shown: what happens elsewhere is nothing for this list. */
function box() {
  const places = cards().filter(({ dataset }) => dataset.latitude).map(({ dataset }) => [Number(dataset.longitude), Number(dataset.latitude)]);
  const margin = places.length ? MARGIN : EMPTY;
  if (!places.length) places.push(results().dataset.center.split(",").map(Number).reverse());
  const edge = (side, axis, limit) => Math.max(-limit, Math.min(limit, Math[side < 0 ? "min" : "max"](...places.map((one) => one[axis])) + side * margin));
  return [edge(-1, 0, 180), edge(-1, 1, 90), edge(1, 0, 180), edge(1, 1, 90)].map((number) => number.toFixed(5)).join(",");
}

/** Which event the card on its way belongs to: an answer to an older one may not undo what came after it. */
const awaited = new Map();

/** The card as it is now for this person; null where it is no longer on any list. */
async function now(id) {
  const answer = await readWhole(`/things/${id}/card${location.search}`, { headers: { "HX-Request": "true" } });
  if (!answer?.ok) return answer?.status === 404 ? null : undefined;
  const holder = document.createElement("template");
  holder.innerHTML = answer.content;
  return holder.content.querySelector("[data-thing]");
}

async function renew(id) {
  const turn = Symbol(id);
  awaited.set(id, turn);
  const card = await now(id);
  const known = cardOf(id);
  if (awaited.get(id) !== turn || !known) return;
  // It has changed, and how can't be shown just now.
  if (card === undefined) return tell();
  if (card === null) return remove(id);
  const hadFocus = known.contains(document.activeElement);
  known.replaceWith(card);
  htmx.process(card);
  refreshTimes(card);
  if (hadFocus) card.querySelector("a").focus();
  changed();
}

function remove(id) {
  const card = cardOf(id);
  if (!card) return;
  const all = cards(), hadFocus = card.contains(document.activeElement);
  const neighbour = all[all.indexOf(card) + 1] ?? all[all.indexOf(card) - 1];
  announce(text("things.gone", { name: card.dataset.name }));
  card.removeAttribute("data-thing");
  card.classList.add("leave");
  if (hadFocus) (neighbour ?? document.getElementById("find")).querySelector("a, input:not([type=hidden])").focus();
  setTimeout(() => card.remove(), matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350);
  if (!neighbour) tell();
  changed();
}

function heard(kind, { thing, id = thing.id, kind: of = thing?.kind }) {
  if (kind === "thingWithdrawn") remove(id);
  else if (cardOf(id)) renew(id);
  else if (kind === "thingPosted" && of === results().dataset.kind) tell();
}

/** Up to where the stream's events are in what the server rendered last. */
const since = () => document.getElementById("more").dataset.since;
const live = new Live(box(), since(), heard, tell, { kinds: KINDS });

document.addEventListener("htmx:afterSwap", ({ detail }) => ["results", "more"].includes(detail.target.id) && live.listen(box(), since()));
// Lists are left open in many tabs, and a browser has few connections to a host: the one that is looked at has one.
document.addEventListener("visibilitychange", () => (document.hidden ? live.close() : live.listen(box(), since())));
