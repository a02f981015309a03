// Keeps trying to send what waits, on whatever page one is; and takes it along when one signs out.

import { me, signedIn } from "../session.js";
import { leave as leaveDevice } from "../push/device.js";
import { text } from "../text.js";
import { flush } from "./outbox.js";
import * as store from "./store.js";

const FIRST = 2000;
const LONGEST = 60_000;
let wait = FIRST;
let timer;
let sending = false;
/** Whether something was written while what waited before was being sent: that look at the store may have missed it. */
let more = false;

/** Sends now; what can't be sent is tried again, ever more rarely, and by the browser itself where it can. */
export function send() {
  if (sending) return void (more = true);
  clearTimeout(timer);
  sending = true;
  more = false;
  flush().catch(() => true).then((done) => {
    sending = false;
    if (done) wait = FIRST;
    if (done && more) return send();
    if (done) return;
    timer = setTimeout(send, wait);
    wait = Math.min(wait * 2, LONGEST);
    navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("outbox")).catch(() => {});
  });
}

async function begin() {
  if ("bare" in document.documentElement.dataset) return;
  const { pathname, searchParams } = new URL(location);
  if (searchParams.get("done") === "signedOut" || pathname.startsWith("/erasures/")) await store.clear();
  await store.own(me);
  if (signedIn) send();
}

addEventListener("online", () => {
  wait = FIRST;
  if (signedIn) send();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!signedIn || !["/sign-out", "/me/sessions/end-all"].includes(form.getAttribute("action"))) return;
  event.preventDefault();
  leave(form).catch(() => form.submit());
});

/** What waits would go with a session that nobody has any more: that is asked about, once. */
async function leave(form) {
  const waiting = (await store.all()).filter(({ person }) => person === me);
  const stays = waiting.length > 0 && !confirm(text("chat.leave", { n: waiting.length }));
  if (stays) return form.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
  await store.clear();
  await leaveDevice(me);
  form.submit();
}

// Without a database on the device messages are sent by the form alone.
begin().catch(() => {});
