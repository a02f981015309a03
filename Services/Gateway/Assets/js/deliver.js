// Who can bring something along: what is offered to them is opened at once; what changes is shown anew.

import { hear } from "./chat/wire.js";
import { onceLookedAt } from "./looking.js";
import { me } from "./session.js";

const KINDS = ["matchUpdate", "availabilityChanged"];
const dialog = document.getElementById("dialog");
const page = document.querySelector("[data-deliver]");
let sending = false;
/** The offer that is opened as soon as somebody looks. */
let offer;

/** What was just done by a form of this page comes as news a moment later, and the page has said it: nobody's page jumps for that. */
const isSaid = (kind, { what } = {}) =>
  kind === "availabilityChanged" && ["began", "changed"].includes(what) && performance.now() < 5000 && document.querySelector("[data-toast]") !== null;

addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

/** Who is just answering a question is not interrupted. */
const renew = onceLookedAt(() => {
  if (sending) return;
  if (dialog.open) document.getElementById("changed").hidden = false;
  else if (offer) location.assign(`/matches/${offer}`);
  else location.reload();
});

if (page) {
  hear((kind, data) => {
    if (kind === "newMatch" && data?.match?.deliverer?.id === me) offer = data.match.id;
    else if (!KINDS.includes(kind) && !(kind === "opened" && data?.isLost)) return;
    if (!isSaid(kind, data)) renew();
  });
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || renew());
}
