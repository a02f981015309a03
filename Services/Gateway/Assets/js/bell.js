// The bell: how much one was told and has not read, as it changes; and what is new is said once, on whatever page one is.

import { ask } from "./ask.js";
import { hear, leading, tell } from "./chat/wire.js";
import { persistent } from "./persistent.js";
import { takeAway } from "./push/shown.js";
import { request, settled } from "./request.js";
import { me } from "./session.js";
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

const countAnew = persistent(async () => {
  const answer = settled(await request("/v1/notifications/unread"));
  if (answer.ok) tell("notices", (await answer.json()).unread);
});

/** What comes at once is counted once. */
function recount() {
  clearTimeout(timer);
  timer = setTimeout(countAnew, 100);
}

/** Whether the page shows the thing itself, or a list in which it stands. */
function isHere(kind, link) {
  const here = location.pathname;
  return here === "/notifications" || new URL(link, location).pathname === here || (kind === "message" && here === "/messages");
}

/** A function that does `act(id, what)` of all that it was given, each until it succeeds; what is newer takes the place of what was to be done. */
function each(act) {
  const due = new Map();
  const doAll = persistent(async () => {
    const done = await Promise.allSettled([...due].map(async ([id, what]) => {
      await act(id, what);
      if (due.get(id) === what) due.delete(id);
    }));
    const failed = done.find(({ status }) => status === "rejected");
    if (failed) throw failed.reason;
  });
  return (id, what) => (due.set(id, what), doAll());
}

/** What stood before somebody's eyes, as it was then, is told on no device and in no mail. */
const seen = each(async (id, asOf) => settled(await ask("PUT", "/v1/notifications/seen", { ids: [id], asOf }, me)));

const say = each(async (id, { kind }) => {
  const answer = settled(await request(`/notifications/${id}/toast`, { headers: { "HX-Request": "true" } }));
  if (answer.status !== 200) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const box = holder.content.querySelector("[data-notice]");
  if (!box || !first(`${id} ${box.dataset.version}`)) return;
  if (isHere(kind, box.dataset.link)) return void showsItself(id, box.dataset.version);
  place.replaceChildren(box);
  refreshTimes(box);
  leaveLater(box);
});

/** Does `over(isSeen)` after a while in which the page was in view: whether its window had the focus all the time, so that somebody looked at it. */
function stand(over, isThere = () => true) {
  let wait;
  const gone = new AbortController();
  const stop = () => clearTimeout(wait);
  const start = () => {
    stop();
    if (!isThere()) return gone.abort();
    if (document.hidden) return;
    const isLookedAt = document.hasFocus();
    wait = setTimeout(() => {
      gone.abort();
      if (isThere()) over(isLookedAt);
    }, SHOWN);
  };
  document.addEventListener("visibilitychange", start, { signal: gone.signal });
  for (const kind of ["focus", "blur"]) addEventListener(kind, start, { signal: gone.signal });
  start();
  return { start, stop };
}

/** The page shows it. A list of what one is told says by itself what of it was seen. */
const showsItself = (id, version) => location.pathname !== "/notifications" && stand((isSeen) => isSeen && seen(id, version));

/** It goes when it has stood for long enough, and nobody is at it. */
function leaveLater(box) {
  const leave = (isSeen) => {
    box.remove();
    if (isSeen) seen(box.dataset.notice, box.dataset.version);
  };
  const { start, stop } = stand(leave, () => box.isConnected);
  box.addEventListener("pointerenter", stop);
  box.addEventListener("pointerleave", start);
  box.addEventListener("focusin", stop);
  box.addEventListener("focusout", start);
  box.querySelector("[data-close]").addEventListener("click", () => leave(true));
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
    if (kind === "notification" && data.notice) say(data.notice, data);
  });
}
