// The messages of a chat as they come: in order, each once, however often and wherever from one hears of it.

import { persistent } from "../persistent.js";
import { request, settled } from "../request.js";
import { refreshTimes } from "../time.js";
import { markDays } from "./days.js";

export const talk = document.querySelector(".talk");
export const list = document.getElementById("messages");
export const room = talk.dataset.room;
/** Whether the newest messages are on this page, and what comes next belongs below them. */
export const isNewest = "newest" in talk.dataset;
/** As many as the server gives at once. */
const MOST = 50;
const numbers = () => list.querySelectorAll("[data-number]");
let added = () => {};

/** The number of the last message that is shown. */
export const last = () => Number([...numbers()].at(-1)?.dataset.number ?? 0);

/** `act` gets the rows that were added. */
export const onAdded = (act) => (added = act);

/** Gets what came since; one look after the other, until one succeeds. */
export const pull = persistent(async () => {
  if (!isNewest) return;
  for (;;) {
    const rows = await fetchRows(`/messages/${room}/rows?after=${last()}`);
    append(rows);
    if (rows.length < MOST) return;
  }
});

async function fetchRows(path) {
  const answer = settled(await request(path, { headers: { "HX-Request": "true" } }));
  if (!answer.ok) return [];
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  return [...holder.content.children];
}

/** The numbers of messages that may not be any more as they are shown. */
const changed = new Set();
const said = (row) => row.querySelector(".words")?.textContent;
const renewChanged = persistent(async () => {
  while (changed.size) {
    const from = Math.min(...changed);
    const rows = await fetchRows(`/messages/${room}/rows?after=${from - 1}`);
    for (const row of rows) if (changed.delete(Number(row.dataset.number))) renew(row);
    // What is gone for good stays as it is.
    changed.delete(from);
    if (!rows.length) changed.clear();
  }
});

/** What says the same stays, with its ticks, and with what is looked at of it. */
function renew(row) {
  const old = list.querySelector(`[data-number="${row.dataset.number}"]`);
  if (!old || said(old) === said(row)) return;
  row.classList.toggle("run", old.classList.contains("run"));
  old.replaceWith(row);
  refreshTimes(row);
}

/** Messages as they are now, where they are shown: what was hidden must not stay. */
export async function renewRows(isChanged) {
  for (const { dataset } of numbers()) if (isChanged(Number(dataset.number))) changed.add(Number(dataset.number));
  await renewChanged();
}

function append(rows) {
  const shown = last();
  const fresh = rows.filter((row) => Number(row.dataset.number) > shown);
  if (!fresh.length) return;
  list.append(...fresh);
  markDays(list);
  document.getElementById("silence").hidden = true;
  added(fresh);
}

/** Puts what was before above what is shown, which stays where it is on the screen. */
async function extend(link) {
  const rows = await fetchRows(link.dataset.rows);
  if (!rows.length || !link.isConnected) return;
  const edge = list.querySelector("[data-number]");
  const from = edge.getBoundingClientRect().top;
  link.closest("li").remove();
  list.prepend(...rows);
  markDays(list);
  scrollBy({ top: edge.getBoundingClientRect().top - from, behavior: "instant" });
  watch();
}

const extendOn = persistent(async () => {
  const link = list.querySelector("[data-rows]");
  if (link) await extend(link);
});

const near = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
  if (!isIntersecting) return;
  near.unobserve(target);
  extendOn();
}), { rootMargin: "300px" });

/** Earlier messages come by themselves as one scrolls up; the link is there for those who don't. */
export function watch() {
  const link = list.querySelector("[data-rows]");
  if (!link) return;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    extend(link).catch(() => location.assign(link.href));
  });
  near.observe(link);
}

markDays(list);
