// Ticks: how far the other one has got. And how far I have: what is read where I look, and only there.

import { ask } from "../ask.js";
import { isLookedAt } from "../looking.js";
import { persistent } from "../persistent.js";
import { settled } from "../request.js";
import { me } from "../session.js";
import { text } from "../text.js";
import { hear } from "./wire.js";
import { last, list, room, talk } from "./rows.js";

let { read: mine, delivered, theirRead } = Object.fromEntries(Object.entries(talk.dataset).map(([name, value]) => [name, Number(value)]));

export function showTicks(marks = { delivered, read: theirRead }) {
  delivered = Math.max(delivered, marks.delivered);
  theirRead = Math.max(theirRead, marks.read);
  for (const message of list.querySelectorAll(".mine[data-number]")) {
    const number = Number(message.dataset.number);
    const state = number <= theirRead ? "read" : number <= delivered ? "delivered" : "sent";
    const tick = message.querySelector("[data-tick]");
    if (tick.classList.contains(state)) continue;
    tick.className = `tick ${state}`;
    const use = tick.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace(/#.*/, state === "sent" ? "#check" : "#checks"));
    tick.querySelector(".visually-hidden").textContent = text(`chat.tick.${state}`);
  }
}

/** The last message that was shown, whether or not somebody looked. */
let shown = 0;

const say = persistent(async () => {
  const number = shown;
  if (number <= mine || !isLookedAt()) return;
  settled(await ask("PUT", `/v1/rooms/${room}/read`, { number }, me));
  mine = number;
});

/** The end is on the screen: whoever looks, now or later, sees all of it. */
export function see() {
  shown = Math.max(shown, last());
  say();
}

addEventListener("focus", say);
document.addEventListener("visibilitychange", say);
hear((kind, data) => kind === "read" && data.room === room && data.by !== me && showTicks(data.marks));
