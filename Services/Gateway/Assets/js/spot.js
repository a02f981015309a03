// The page of one spot says at once when somebody else takes it or it goes.

import { Live } from "./live.js";
import { text } from "./text.js";

const page = document.querySelector("[data-watch]");
const notice = document.getElementById("changed");

function say(sentence) {
  notice.hidden = false;
  notice.querySelector("span").textContent = sentence;
  document.querySelectorAll(".main-action").forEach((element) => (element.hidden = true));
  const dialog = document.getElementById("dialog");
  if (dialog.open) dialog.close();
}

if (page?.dataset.state === "free") {
  new Live(page.dataset.box, (kind, data) => {
    if (data.id !== page.dataset.watch) return;
    if (kind === "spotClaimed") say(text("live.takenHere"));
    if (kind === "spotRemoved") say(text("live.goneHere"));
  });
}
