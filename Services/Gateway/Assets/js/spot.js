// The page of one spot says at once when somebody else takes it or it goes.

import { Live } from "./live.js";
import { readWhole } from "./request.js";
import { signedIn } from "./session.js";
import { text } from "./text.js";

const page = document.querySelector("[data-watch]");
const notice = document.getElementById("changed");
let sending = false;

// What this page itself is doing may be heard before its answer is here, and is told by the page that follows.
addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

function say(sentence, icon) {
  notice.hidden = false;
  const use = notice.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${icon}`));
  notice.querySelector("span").textContent = sentence;
  document.querySelectorAll(".main-action").forEach((element) => (element.hidden = true));
  const dialog = document.getElementById("dialog");
  if (dialog.open) dialog.close();
}

/** That it was taken, at once; and by whom, where the server says so to whoever looks. */
async function sayTaken() {
  say(text("live.takenHere"), "hand");
  if (!signedIn) return;
  const answer = await readWhole(`/spots/${page.dataset.watch}/claimed`, { headers: { "HX-Request": "true" } });
  const holder = document.createElement("template");
  holder.innerHTML = answer?.ok ? answer.content : "";
  const sentence = holder.content.textContent.trim();
  const said = notice.querySelector("span");
  if (sentence && said.textContent !== sentence) said.textContent = sentence;
}

/** The longest that an answer takes; if this page is still here then, what was heard was not its own doing. */
const hear = (tell) => (sending ? setTimeout(tell, 15_000) : tell());

/** The page as it is now. */
const anew = () => sending || location.reload();

if (page?.dataset.state === "free") {
  new Live(page.dataset.box, page.dataset.since, (kind, { spot, id = spot.id, reason }) => {
    if (id !== page.dataset.watch) return;
    if (kind === "spotClaimed") hear(sayTaken);
    // It stands elsewhere now, perhaps outside the box that is listened to.
    else if (kind === "spotRemoved" && reason === "moved") anew();
    else if (kind === "spotRemoved") hear(() => say(text("live.goneHere"), "gone"));
    // Given back, after it was said to be taken.
    else if (kind === "spotAdded" && !notice.hidden) anew();
  }, anew);
}
