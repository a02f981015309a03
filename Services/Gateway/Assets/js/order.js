// An order that waits: whom it asks and what they say, as it happens; and on to the delivery once somebody brings it.

import { hear } from "./chat/wire.js";
import { countDown } from "./countdown.js";
import { onceLookedAt } from "./looking.js";
import { announce } from "./notice.js";
import { persistent } from "./persistent.js";
import { request, settled } from "./request.js";
import { refreshTimes } from "./time.js";
/* global htmx */

/** Milliseconds after which an order that waits is looked at again: who is asked by the service is told to that one alone. */
const PAUSE = 5000;
const KINDS = ["newMatch", "matchUpdate", "orderLapsed"];
const dialog = document.getElementById("dialog");
const page = () => document.querySelector("article[data-order]");
let sending = false;

addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

/** What stands there for people: each making of it has other keys, and what is counted down is no news. */
function words(article) {
  const copy = article.cloneNode(true);
  copy.querySelectorAll("[data-until]").forEach((element) => element.remove());
  return copy.textContent.replace(/\s+/g, " ");
}

/** Puts the order as it is now in the place of what is shown, where that says something else. */
function show(fresh) {
  const known = page();
  [known, fresh].forEach((article) => refreshTimes(article));
  if (words(known) === words(fresh)) return;
  const focused = known.contains(document.activeElement) ? document.activeElement.closest("a, button, h1") : null;
  known.replaceWith(fresh);
  htmx.process(fresh);
  countDown(fresh);
  if (focused) fresh.querySelector("h1").focus();
  announce(fresh.querySelector("#said").innerText.replace(/\s+/g, " "));
}

const renew = onceLookedAt(persistent(async () => {
  // What this page itself does is told by the page that follows; who is just answering a question is not interrupted.
  if (sending) return;
  if (dialog.open) return void (document.getElementById("changed").hidden = false);
  const answer = settled(await request(location.pathname));
  const fresh = answer.ok && !answer.redirected ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("article[data-order]") : null;
  if (sending || dialog.open) return;
  // Somebody brings it, or somebody signed out meanwhile: that is another page.
  if (fresh) show(document.adoptNode(fresh));
  else location.assign(answer.redirected ? answer.url : location.pathname);
}));

if (page()) {
  const id = page().dataset.order;
  hear((kind, data) => {
    const isTold = KINDS.includes(kind) && [data?.order, data?.match?.order].includes(id);
    if (isTold || (kind === "opened" && data?.isLost)) renew();
  });
  setInterval(() => page().hasAttribute("data-waits") && !document.hidden && renew(), PAUSE);
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || renew());
}
