// A delivery: one that changes is shown anew, the time to answer an offer runs, and where the deliverer is, is shown.

import { hear } from "./chat/wire.js";
import { countdown, now } from "./clock.js";
import { drawMatch, showDeliverer } from "./matchmap.js";
import { Sharing } from "./matchshare.js";
import { announce } from "./notice.js";
import { read } from "./place.js";
import { renewOnChange } from "./renewal.js";
import { readWhole } from "./request.js";
import { text } from "./text.js";
import { refreshTimes } from "./time.js";

/** Milliseconds after which where somebody is, is said again, seen and heard. */
const MINUTE = 60_000;
const page = document.querySelector("[data-match]");
const live = document.getElementById("live");
let saidAt = 0;

/** What the deliverer does with their own position, this page shows already. */
const isOwn = (what) => page.dataset.role === "deliverer" && ["shared", "hidden"].includes(what);

function countDown(ring) {
  const end = Date.parse(ring.dataset.until), whole = Number(ring.dataset.whole) * 1000;
  const [said, circle] = [document.querySelector("[data-left]"), ring.lastElementChild];
  const timer = setInterval(() => {
    const left = Math.max(0, end - now());
    circle.setAttribute("stroke-dashoffset", String(Math.min(100, Math.max(0, 100 * (1 - left / whole)))));
    said.textContent = text("match.left", { time: countdown(Math.ceil(left / 1000)) });
    if (left > 0) return;
    clearInterval(timer);
    // What became of it says the server.
    setTimeout(() => location.reload(), 1500);
  }, 1000);
}

function showLive() {
  const shown = live.querySelector("[data-at]");
  showDeliverer(read(shown?.dataset.at), shown?.classList.contains("old"));
  refreshTimes(live);
  if (Date.now() - saidAt < MINUTE) return;
  saidAt = Date.now();
  announce(live.innerText.replace(/\s+/g, " "));
}

async function renewLive() {
  const answer = await readWhole(live.dataset.href, { headers: { "HX-Request": "true" } });
  if (!answer?.ok) return;
  live.innerHTML = answer.content;
  showLive();
}

if (page) {
  renewOnChange(page, (kind, { match, what } = {}) => ["newMatch", "matchUpdate"].includes(kind) && match?.id === page.dataset.match && !isOwn(what) && match);
  drawMatch();
  const ring = page.querySelector("[data-until]"), showing = document.getElementById("showing");
  if (ring) countDown(ring);
  if (showing) new Sharing(showing, page.dataset.match);
}

if (live) {
  showLive();
  hear((kind, data) => kind === "matchMoved" && data?.match === page.dataset.match && !document.hidden && renewLive());
  setInterval(() => document.hidden || renewLive(), MINUTE);
}
