// The page of one ride shows it as it is now: its way, its seats, and, to its driver, who asks for them.

import { ANYWHERE, Live } from "./live.js";
import { tellApart } from "./elsewhere.js";
import { onceLookedAt } from "./looking.js";
import { announce } from "./notice.js";
import { persistent } from "./persistent.js";
import { request, settled } from "./request.js";
import { drawWay } from "./ridemap.js";
import { refreshTimes } from "./time.js";
/* global htmx */

const KINDS = ["ridePosted", "rideChanged", "rideRemoved", "seatRequested", "seatAnswered", "seatChanged"];
const dialog = document.getElementById("dialog");
const page = () => document.querySelector("article[data-ride]");
/** Of kinds that say what they are about within what they tell. */
const subject = ({ ride, request: seat, id }) => ride?.id ?? seat?.ride.id ?? id;
let sending = false;

addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

/** What stands there for people. Each making of it has other keys, and the map words of its own. */
function words(article) {
  const copy = article.cloneNode(true);
  copy.querySelector("#ride-map")?.remove();
  return copy.textContent.replace(/\s+/g, " ");
}

/** A map of the same way stays as it is looked at. */
function keepMap(known, fresh) {
  const [map, next] = [known, fresh].map((article) => article.querySelector("#ride-map"));
  if (map && map.dataset.way === next?.dataset.way) next.replaceWith(map);
}

/** Puts the ride as it is now in the place of what is shown, where that says something else. */
function show(fresh) {
  const known = page();
  refreshTimes(fresh);
  tellApart(fresh);
  refreshTimes(known);
  document.getElementById("changed").hidden = true;
  if (words(known) === words(fresh)) return;
  // Its button has heard what it does.
  fresh.querySelector(".share").replaceWith(known.querySelector(".share"));
  const focused = known.contains(document.activeElement) ? document.activeElement.closest("a, button, summary") : null;
  const href = focused?.getAttribute("href");
  keepMap(known, fresh);
  known.replaceWith(fresh);
  drawWay();
  htmx.process(fresh);
  if (focused) ([...fresh.querySelectorAll("a[href]")].find((link) => href && link.getAttribute("href") === href) ?? document.getElementById("main")).focus();
  announce(fresh.querySelector("#changed span").firstChild.textContent.trim());
}

/** Nobody but those who have to do with it sees it any more. */
function sayGone() {
  const notice = document.getElementById("changed");
  notice.hidden = false;
  notice.querySelector("span").textContent = notice.dataset.gone;
  page().querySelectorAll(".main-action").forEach((element) => (element.hidden = true));
}

const renew = onceLookedAt(persistent(async () => {
  // What this page itself does is told by the page that follows; who is just answering a question is not interrupted.
  if (sending) return;
  if (dialog.open) return void (document.getElementById("changed").hidden = false);
  const answer = settled(await request(location.pathname + location.search));
  if (!answer.ok) return sayGone();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("article[data-ride]");
  // Somebody signed out meanwhile: that is another page.
  if (!fresh) return location.reload();
  show(document.adoptNode(fresh));
}));

if (page()) {
  // Its start may be somewhere else by now.
  new Live(ANYWHERE, page().dataset.since, (kind, data) => {
    if (subject(data) === page().dataset.ride) renew();
  }, renew, { kinds: KINDS });
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || renew());
}

document.querySelector("[data-print]")?.addEventListener("click", () => print());
