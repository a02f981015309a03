// The page of one spot says at once when somebody else takes it or it goes.

import { Live } from "./live.js";
import { text } from "./text.js";

const page = document.querySelector("[data-watch]");
const notice = document.getElementById("changed");
let sending = false;

// What this page itself is doing may be heard before its answer is here, and is told by the page that follows.
addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

function say(sentence) {
  notice.hidden = false;
  notice.querySelector("span").textContent = sentence;
  document.querySelectorAll(".main-action").forEach((element) => (element.hidden = true));
  const dialog = document.getElementById("dialog");
  if (dialog.open) dialog.close();
}

/** The longest that an answer takes; if this page is still here then, what was heard was not its own doing. */
const hear = (sentence) => (sending ? setTimeout(() => say(sentence), 15_000) : say(sentence));

/** The page as it is now. */
const anew = () => sending || location.reload();

if (page?.dataset.state === "free") {
  new Live(page.dataset.box, page.dataset.since, (kind, { spot, id = spot.id, reason }) => {
    if (id !== page.dataset.watch) return;
    if (kind === "spotClaimed") hear(text("live.takenHere"));
    // It stands elsewhere now, perhaps outside the box that is listened to.
    else if (kind === "spotRemoved" && reason === "moved") anew();
    else if (kind === "spotRemoved") hear(text("live.goneHere"));
    // Given back, after it was said to be taken.
    else if (kind === "spotAdded" && !notice.hidden) anew();
  }, anew);
}
