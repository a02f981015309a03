// Messages of mine that are on their way, below those that have arrived.

import { me } from "../session.js";
import { text } from "../text.js";
import { drop, heard, put } from "./outbox.js";
import { isNewest, list, pull, room } from "./rows.js";
import { send } from "./sender.js";
import * as store from "./store.js";

const waiting = document.getElementById("waiting");
const pattern = document.getElementById("pending");
const rowOf = (id) => waiting.querySelector(`[data-waiting="${id}"]`);
const arrived = (id) => list.querySelector(`[data-message="${id}"]`);

export function show(entry) {
  if (rowOf(entry.id) || arrived(entry.id)) return;
  const row = pattern.content.firstElementChild.cloneNode(true);
  row.dataset.waiting = entry.id;
  const words = row.querySelector(".words");
  words.hidden = !entry.text;
  words.textContent = entry.text;
  if (entry.picture) {
    const picture = row.querySelector("img");
    picture.hidden = false;
    picture.src = URL.createObjectURL(entry.picture);
  }
  row.querySelector("[data-again]").addEventListener("click", async () => (await put(await store.find(entry.id)), send()));
  row.querySelector("[data-delete]").addEventListener("click", () => drop(entry));
  waiting.append(row);
  say(row, entry.state, entry.code);
  waiting.hidden = false;
}

function say(row, state, code) {
  const refused = state === "refused";
  const why = text(`chat.refusedWhy.${code}`);
  row.classList.toggle("refused", refused);
  row.querySelector(".choices").hidden = !refused;
  row.querySelector("[data-state]").textContent = !refused ? text(`chat.${state}`) : why.startsWith("chat.") ? text("chat.refused") : why;
}

function forget(id) {
  const row = rowOf(id);
  if (!row) return;
  const picture = row.querySelector("img");
  if (picture.src) URL.revokeObjectURL(picture.src);
  row.remove();
  waiting.hidden = !waiting.children.length;
}

/** It has arrived. Where the newest messages are not shown, that is where one goes, unless something is half written here, or nobody looks. */
function leave(id) {
  const row = rowOf(id);
  if (!row || document.hidden) return forget(id);
  const composer = document.getElementById("composer");
  if (composer?.elements.text.value || composer?.querySelector("#chosen:not([hidden])")) return say(row, "tick.sent");
  location.assign(`/messages/${room}#newest`);
}

/** Those that have arrived are shown by the server's own rows. */
export const settle = () => [...waiting.children].forEach((row) => arrived(row.dataset.waiting) && forget(row.dataset.waiting));

heard(async ({ kind, id, room: where, code }) => {
  if (where !== room) return;
  if (kind === "sent") return isNewest ? void pull().then(() => arrived(id) && forget(id)) : leave(id);
  if (kind === "dropped") return forget(id);
  const entry = await store.find(id);
  if (entry) show(entry);
  const row = rowOf(id);
  if (row) say(row, kind, code);
});

/** What waits here from before. */
export async function begin() {
  for (const entry of await store.all()) if (entry.room === room && entry.person === me) show(entry);
}
