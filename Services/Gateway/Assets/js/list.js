// The list of spots kept up to date: cards come and go as the stream says, and what changes is announced.

import { listFailed } from "./listfailed.js";
import { announce } from "./notice.js";
import { request, settled } from "./request.js";
import { refreshTimes } from "./time.js";
import { text } from "./text.js";
/* global htmx */

export const cards = () => document.querySelectorAll("#spots [data-spot]");
const root = () => document.getElementById("results");
const cardOf = (id) => document.getElementById(`spot-${id}`);

/** Which event the card on its way belongs to, by spot: an answer to an older one may not undo what came after it. */
const awaited = new Map();

/** Does what an event says to the list; resolves with whether anything changed. */
export async function apply(kind, { spot, id = spot.id, reason }) {
  if (kind === "spotAdded") return show(id);
  if (kind === "spotChanged") return (cardOf(id) || awaited.has(id)) && show(id);
  awaited.delete(id);
  // What has moved is announced where it comes, if that is in this list.
  return remove(id, kind === "spotClaimed" ? "live.taken" : reason === "moved" ? null : "live.gone");
}

async function show(id) {
  const turn = Symbol(id);
  const list = root();
  awaited.set(id, turn);
  const card = await fetchCard(id);
  if (awaited.get(id) !== turn) return false;
  awaited.delete(id);
  // Something is missing in the list, or is as it was before.
  if (card === undefined && root() === list) return listFailed(list, () => document.getElementById("refresh").click()), false;
  // The list of another area has been shown meanwhile: it knows itself what is in it.
  if (!card || root() !== list) return false;
  const known = cardOf(id);
  if (known) known.replaceWith(card);
  else insert(card);
  htmx.process(card);
  refreshTimes(card);
  if (!known) {
    card.classList.add("arrive");
    announce(text("live.added", { name: card.dataset.name }));
    count(+1);
  }
  return true;
}

/** The card as the server draws it for this person; null where the spot is gone again, undefined where there is no telling. */
async function fetchCard(id) {
  const at = root().dataset.at;
  const holder = document.createElement("template");
  try {
    const answer = settled(await request(`/spots/${id}/card${at ? `?at=${encodeURIComponent(at)}` : ""}`, { headers: { "HX-Request": "true" } }));
    if (!answer.ok) return null;
    holder.innerHTML = await answer.text();
  } catch {
    return undefined;
  }
  return holder.content.querySelector("[data-spot]");
}

/** Nearest first or newest first, as the list is ordered. */
function insert(card) {
  const nearest = root().dataset.order === "nearest" && card.dataset.metres !== undefined;
  const before = [...cards()].find((other) => (nearest ? Number(other.dataset.metres) > Number(card.dataset.metres) : other.dataset.posted < card.dataset.posted));
  document.getElementById("spots").insertBefore(card, before ?? document.getElementById("more"));
}

function remove(id, sentence) {
  const card = cardOf(id);
  if (!card) return false;
  const hadFocus = card.contains(document.activeElement);
  const all = [...cards()];
  const neighbour = all[all.indexOf(card) + 1] ?? all[all.indexOf(card) - 1];
  if (sentence) announce(text(sentence, { name: card.dataset.name }));
  card.removeAttribute("data-spot");
  card.removeAttribute("id");
  card.classList.add("leave");
  if (hadFocus) (neighbour?.querySelector("a") ?? document.getElementById("refresh")).focus();
  setTimeout(() => card.remove(), matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350);
  count(-1);
  return true;
}

function count(change) {
  const heading = document.getElementById("count");
  if (!heading) return;
  const now = Math.max(0, Number(heading.dataset.count) + change);
  heading.dataset.count = now;
  heading.textContent = text(`count.${root().dataset.around}`, { n: heading.hasAttribute("data-partial") ? `${now}+` : now, place: root().dataset.place });
  document.getElementById("none").hidden = now > 0;
}
