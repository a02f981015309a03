// What happens to me, on every page: one stream for all tabs. The tab that is looked at has it and tells the others.

import { Live } from "../live.js";
import { me } from "../session.js";

const KINDS = ["message", "read", "typing", "roomChanged", "messageHidden", "notification", "notificationsRead", "rentalAnswered", "rentalChanged",
  "seatRequested", "seatAnswered", "seatChanged", "newMatch", "matchUpdate", "matchMoved", "availabilityChanged", "orderLapsed", "wantedFound", "wantedReminder"];
/** Public events happen somewhere on earth; here none does. */
const NOWHERE = "0,-90,0.001,-89.999";
/** Milliseconds for which a tab that is looked at no more goes on, should the other one not come to its own stream. */
const OVERLAP = 10_000;
const lock = `kampong-wire ${me}`;
const channel = "BroadcastChannel" in window ? new BroadcastChannel(lock) : null;
const listeners = new Set();
/** Up to where this tab knows all: what its page was made of, and what it has heard since, from its own stream or another tab's. */
let since = document.body.dataset.live || undefined;
let live;
let leads = false;
let release;
let queue;
let leaving;
/** Goes up whenever the stream is wanted anew, or no more: what came of an older wish is of no interest. */
let turn = 0;
/** Whether whoever hears from now on hears all that happens from now on. */
let ready = false;
/** What was heard while this page was on its way, for scripts that come later than the one that opened the stream; nothing when all are there. */
let early = document.readyState === "complete" ? null : [];
addEventListener("load", () => (early = null));

/** `act(kind, data)` hears events of the stream, some of them twice; `opened`, after which anything may have been missed: look at what is shown
    (with `isLost` where events were missed that nobody will tell again); and `beat`, by which other tabs get to know how far the stream is. */
export function hear(act) {
  listeners.add(act);
  if (!me) return;
  const heard = [...(early ?? [])];
  if (ready && !heard.some(([kind]) => kind === "opened")) heard.push(["opened"]);
  queueMicrotask(() => heard.forEach((event) => act(...event)));
  if (!ready && listeners.size === 1) lead(!document.hidden);
}

/** Whether this is the one tab that does for all what is to be done once. */
export const leading = () => leads;

/** Tells it to all tabs. */
export function tell(kind, data, id) {
  channel?.postMessage({ kind, data, id });
  spread(kind, data, id);
}
function spread(kind, data, id) {
  ready ||= kind === "opened";
  since = id ?? since;
  early?.push([kind, data]);
  listeners.forEach((act) => act(kind, data));
}
if (channel) {
  channel.onmessage = ({ data: { kind, data, id } }) => {
    // The other tab's stream is open: nothing is lost between the two.
    if (kind === "opened" && !leads) close();
    spread(kind, data, id);
  };
}

function open() {
  clearTimeout(leaving);
  leads = true;
  const anew = (isLost) => tell("opened", { isLost });
  if (live) live.listen(NOWHERE, since);
  else live = new Live(NOWHERE, since, tell, () => anew(true), { kinds: KINDS, opened: () => anew(false), beaten: (id) => tell("beat", undefined, id) });
}

function close() {
  clearTimeout(leaving);
  leads = false;
  live?.close();
}

async function lead(steal) {
  queue?.abort();
  queue = new AbortController();
  const mine = (turn += 1);
  // The others' tab has it already.
  if (!steal && !ready) queueMicrotask(() => spread("opened"));
  if (!navigator.locks) return open();
  const hold = () => {
    if (mine !== turn) return;
    open();
    return new Promise((resolve) => (release = resolve));
  };
  try {
    await navigator.locks.request(lock, steal ? { steal: true } : { signal: queue.signal }, hold);
  } catch {
    if (mine !== turn) return;
    // Another tab is looked at now; until its stream is open, this one's goes on. When that one is closed, this one may be the last.
    leads = false;
    leaving = setTimeout(close, OVERLAP);
    lead(false);
  }
}

document.addEventListener("visibilitychange", () => me && !document.hidden && !leads && listeners.size && lead(true));
addEventListener("pagehide", () => {
  turn += 1;
  queue?.abort();
  close();
  release?.();
});
addEventListener("pageshow", (event) => {
  if (event.persisted && me && listeners.size) lead(!document.hidden);
});
