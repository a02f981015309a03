// Standing searches, as they find something: the list of them, and what one has found.

import { hear } from "./chat/wire.js";
import { renewList } from "./livelist.js";
import { onceLookedAt } from "./looking.js";
import { announce } from "./notice.js";
import { persistent } from "./persistent.js";

const KINDS = ["opened", "wantedFound", "wantedReminder"];
const dialog = document.getElementById("dialog");
const page = document.querySelector("article[data-wanted]");
/** How much it has found, in words. */
const heading = () => document.querySelector("#finds h2")?.textContent;
let sending = false;
let timer;

addEventListener("submit", (event) => (sending ||= !event.defaultPrevented));
addEventListener("pageshow", () => (sending = false));

const renew = persistent(async () => {
  const before = heading();
  await renewList("#wanted[data-self]", "wanted");
  await renewList("#finds[data-self]", "found");
  if (heading() !== before) announce(heading());
});

/** What comes at once is fetched once. */
function soon() {
  clearTimeout(timer);
  timer = setTimeout(renew, 150);
}

/** It has ended, or is about to: what can be done with it is something else. Who is just answering a question is not interrupted. */
const anew = onceLookedAt(() => {
  if (sending) return;
  if (dialog.open) document.getElementById("changed").hidden = false;
  else location.reload();
});

hear((kind, data) => {
  if (!KINDS.includes(kind)) return;
  if (page && kind === "wantedReminder") return void (data?.wanted === page.dataset.wanted && data.about !== "digest" && anew());
  soon();
});
dialog.addEventListener("close", () => page && (document.getElementById("changed").hidden || location.reload()));
