// Who can bring something along: what is offered to them is opened at once; what changes is shown anew.

import { hear } from "./chat/wire.js";
import { onceLookedAt } from "./looking.js";
import { drawMatch } from "./matchmap.js";
import { isJustSaid } from "./renewal.js";
import { me } from "./session.js";

const KINDS = ["matchUpdate", "availabilityChanged"];
const dialog = document.getElementById("dialog");
const page = document.querySelector("[data-deliver]");
let sending = false;
/** The offer that is opened as soon as somebody looks. */
let offer;

/** Nobody else begins or changes it. */
const doer = (kind, { what, match } = {}) => (kind === "availabilityChanged" && ["began", "changed"].includes(what) ? me : match?.by);

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
  drawMatch();
  hear((kind, data) => {
    if (kind === "newMatch" && data?.match?.deliverer?.id === me) offer = data.match.id;
    else if (!KINDS.includes(kind) && !(kind === "opened" && data?.isLost)) return;
    if (!isJustSaid(doer(kind, data))) renew();
  });
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || renew());
}
