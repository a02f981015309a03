// A request for seats: one that changes is shown anew; while one asks, what it costs is said.

import { hear } from "./chat/wire.js";
import { onceLookedAt } from "./looking.js";
import { announce } from "./notice.js";
import { me } from "./session.js";

const KINDS = ["seatRequested", "seatAnswered", "seatChanged"];
const page = document.querySelector("[data-seat]");
const dialog = document.getElementById("dialog");
let sending = false;

addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

/** Whether this is what the person did just now: the page that followed says so, and often is here before the event. Made anew, it would say nothing. */
const isSaid = ({ by, state }) => by === me && state === page.dataset.state && document.querySelector("[data-toast]") !== null;

/** What this page itself does is told by the page that follows; who is just answering a question is not interrupted. What is shown is read: by nobody,
    where nobody looks, and no phone would ring for it any more. */
const renew = onceLookedAt(() => {
  if (sending) return;
  if (dialog.open) document.getElementById("changed").hidden = false;
  else location.reload();
});

if (page) {
  hear((kind, data) => {
    if (!KINDS.includes(kind) || data?.request?.id !== page.dataset.seat) return;
    if (!isSaid(data.request)) renew();
  });
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || location.reload());
}

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  const shown = document.getElementById("shown");
  if (shown && target?.id === "shown") announce(shown.innerText.replace(/\s+/g, " "));
});
