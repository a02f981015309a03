// The bell: how much one was told and has not read, as it changes; and what is new is said once, on whatever page one is.

import { hear, leading, tell } from "./chat/wire.js";
import { takeAway } from "./push/shown.js";
import { request } from "./request.js";
import { refreshTimes } from "./time.js";
import { count, show, shown } from "./title.js";

const badge = document.querySelector("[data-notices]");
const place = document.getElementById("told");
const key = "kampong.told";
/** As many as are remembered to have been said. */
const MOST = 100;
/** Milliseconds for which what is new is shown to somebody who looks. */
const SHOWN = 8000;
let timer;

/** What was said already, in any tab: an event may come again, and pages come and go. */
const said = new Set();
try {
  for (const one of JSON.parse(localStorage.getItem(key) || "[]")) said.add(one);
} catch {
  // What cannot be read is said once more.
}

/** Whether it is said for the first time. */
function first(words) {
  if (said.has(words)) return false;
  said.add(words);
  try {
    const others = JSON.parse(localStorage.getItem(key) || "[]");
    if (others.includes(words)) return false;
    localStorage.setItem(key, JSON.stringify([...others, words].slice(-MOST)));
  } catch {
    // A device that keeps nothing says it once on each page.
  }
  return true;
}

/** What comes at once is counted once. */
function recount() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const answer = await request("/v1/notifications/unread").catch(() => null);
    if (answer?.ok) tell("notices", (await answer.json()).unread);
  }, 100);
}

/** Whether the page shows the thing itself, or a list in which it stands. */
function isHere(kind, link) {
  const here = location.pathname;
  return here === "/notifications" || new URL(link, location).pathname === here || (kind === "message" && here === "/messages");
}

async function say(kind, id) {
  const answer = await request(`/notifications/${id}/toast`, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (answer?.status !== 200) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const box = holder.content.querySelector("[data-notice]");
  if (!box || !first(`${id} ${box.dataset.version}`) || isHere(kind, box.dataset.link)) return;
  place.replaceChildren(box);
  refreshTimes(box);
  leaveLater(box);
}

/** It goes after a while in which somebody looked at the page and not at it. */
function leaveLater(box) {
  let wait;
  const start = () => {
    clearTimeout(wait);
    if (!box.isConnected) return document.removeEventListener("visibilitychange", start);
    if (!document.hidden) wait = setTimeout(() => box.remove(), SHOWN);
  };
  box.addEventListener("pointerenter", () => clearTimeout(wait));
  box.addEventListener("pointerleave", start);
  box.addEventListener("focusin", () => clearTimeout(wait));
  box.addEventListener("focusout", start);
  box.querySelector("[data-close]").addEventListener("click", () => box.remove());
  document.addEventListener("visibilitychange", start);
  start();
}

/** What was read, or stands in the list that is shown, needs no device to say it. */
const quieten = (notices) => takeAway(notices).catch(() => {});

if (badge) {
  count("notices", shown(badge));
  if (!shown(badge) || location.pathname === "/notifications") quieten();
  hear((kind, data) => {
    if (kind === "notices") {
      show(badge, data);
      count("notices", data);
    } else if (kind === "notificationsRead") {
      quieten(data.notices);
      // Of a toast that is still shown, what it said may have been read meanwhile.
      const box = place.firstElementChild;
      if (box && (!data.notices || data.notices.includes(box.dataset.notice))) box.remove();
    }
    if (!leading()) return;
    if (["opened", "notification", "notificationsRead"].includes(kind)) recount();
    if (kind === "notification" && data.notice) say(data.kind, data.notice);
  });
}
