// Renting: an agreement that changes is shown anew, a period also in the viewer's own time, what it costs is said.

import { hear } from "./chat/wire.js";
import "./elsewhere.js";
import { onceLookedAt } from "./looking.js";
import { announce } from "./notice.js";
import { me } from "./session.js";

const page = document.querySelector("[data-rental]");
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
    if (!["rentalAnswered", "rentalChanged"].includes(kind) || data?.rental?.id !== page.dataset.rental) return;
    if (!isSaid(data.rental)) renew();
  });
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || location.reload());
}

document.addEventListener("htmx:afterSwap", () => {
  const quote = document.getElementById("quote");
  if (quote) announce(quote.innerText.replace(/\s+/g, " "));
});

document.querySelector("[data-print]")?.addEventListener("click", () => print());
