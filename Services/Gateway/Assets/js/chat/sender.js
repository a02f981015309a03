// Keeps trying to send what waits, on whatever page one is; and takes it along when one signs out.

import { me, signedIn } from "../session.js";
import { leave as leaveDevice } from "../push/device.js";
import { text } from "../text.js";
import { flush, waiting } from "./outbox.js";
import * as store from "./store.js";

/** Where a tab remembers that it has sent a form which ends the session. */
const leavingKey = "kampong.leaving";
const FIRST = 2000;
const LONGEST = 60_000;
let wait = FIRST;
let timer;
let sending = false;
/** Whether it was asked for again while what waited before was being sent: that look at the store, or at the network, may have come too early. */
let more = false;

/** The browser is asked to send it as well, before the first attempt: in the middle of that the line may die, or this page go. */
async function attempt() {
  if (!(await waiting()).length) return null;
  navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("outbox")).catch(() => {});
  return flush();
}

/** Sends now; what can't be sent is tried again, ever more rarely, and by the browser itself where it can. */
export function send() {
  if (sending) return void (more = true);
  clearTimeout(timer);
  sending = true;
  more = false;
  attempt().catch(() => null).then((rest) => {
    sending = false;
    if (rest === null) wait = FIRST;
    if (more) return send();
    if (rest === null) return;
    timer = setTimeout(send, Math.max(wait, rest));
    wait = Math.min(wait * 2, LONGEST);
  });
}

async function begin() {
  if ("bare" in document.documentElement.dataset) return;
  // An address alone says nothing, since anybody can make a link to it: one has left by a form, and the server says that nobody is signed in.
  const left = sessionStorage.getItem(leavingKey) && !signedIn;
  sessionStorage.removeItem(leavingKey);
  if (left) await store.clear();
  await store.own(me);
  if (signedIn) send();
}

function again() {
  wait = FIRST;
  if (signedIn) send();
}

addEventListener("online", again);
document.addEventListener("visibilitychange", () => document.hidden || again());

document.addEventListener("submit", (event) => {
  const form = event.target;
  const action = form.getAttribute("action");
  if (!signedIn) return;
  // What is refused there leaves everything as it is.
  if (action === "/me/erase") return sessionStorage.setItem(leavingKey, me);
  if (!["/sign-out", "/me/sessions/end-all"].includes(action)) return;
  event.preventDefault();
  leave(form).catch(() => form.submit());
});

/** What waits would go with a session that nobody has any more: that is asked about, once. */
async function leave(form) {
  const mine = (await store.all()).filter(({ person }) => person === me);
  const stays = mine.length > 0 && !confirm(text("chat.leave", { n: mine.length }));
  if (stays) return form.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
  sessionStorage.setItem(leavingKey, me);
  await store.clear();
  await leaveDevice(me);
  form.submit();
}

// Without a database on the device messages are sent by the form alone.
begin().catch(() => {});
