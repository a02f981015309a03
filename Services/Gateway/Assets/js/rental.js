// Renting: an agreement that changes is shown anew, a period also in the viewer's own time, what it costs is said.

import { hear } from "./chat/wire.js";
import { onceLookedAt } from "./looking.js";
import { announce } from "./notice.js";
import { me } from "./session.js";
import { language } from "./text.js";

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

/** The thing's own time says enough where its clocks show what the viewer's do. */
function tellApart(root) {
  for (const place of root.querySelectorAll("[data-elsewhere]")) {
    const time = new Date(place.querySelector("time").dateTime);
    const shown = (timeZone) => new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "short", timeZone }).format(time);
    try {
      place.hidden = shown(place.dataset.elsewhere) === shown(undefined);
    } catch {
      // A zone that this browser does not know.
      place.hidden = false;
    }
  }
}

tellApart(document);
document.addEventListener("htmx:afterSwap", () => {
  const quote = document.getElementById("quote");
  tellApart(document);
  if (quote) announce(quote.innerText.replace(/\s+/g, " "));
});

document.querySelector("[data-print]")?.addEventListener("click", () => print());
