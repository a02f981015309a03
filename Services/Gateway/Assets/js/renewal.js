// The page of what two have agreed on, or may: shown anew when that has changed.

import { hear } from "./chat/wire.js";
import { onceLookedAt } from "./looking.js";
import { me } from "./session.js";

const dialog = document.getElementById("dialog");
let sending = false;

addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

/** News of what the person did just now, which the page that followed has said: often it is here before the news. Nobody's page jumps for that. */
export const isJustSaid = (by) => by === me && document.querySelector("[data-toast]") !== null;

/** What this page itself does is told by the page that follows; who is just answering a question is not interrupted. What is shown is read: by nobody,
    where nobody looks, and no phone would ring for it any more. */
const renew = onceLookedAt(() => {
  if (sending) return;
  if (dialog.open) document.getElementById("changed").hidden = false;
  else location.reload();
});

/** `page` shows it, and has its state as events name it. `told` answers what an event says of it: nothing of events about something else. */
export function renewOnChange(page, told) {
  hear((kind, data) => {
    const news = told(kind, data);
    if (news && !(news.state === page.dataset.state && isJustSaid(news.by))) renew();
  });
  dialog.addEventListener("close", () => document.getElementById("changed").hidden || location.reload());
}
