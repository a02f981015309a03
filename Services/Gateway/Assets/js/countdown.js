// How long somebody has left, counted down by the server's clock.

import { countdown, now } from "./clock.js";

/** Writes what is left of every `[data-until]` below `root`. */
export function countDown(root = document) {
  for (const element of root.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round((Date.parse(element.dataset.until) - now()) / 1000));
    const said = countdown(left);
    if (element.textContent !== said) element.textContent = said;
  }
}

countDown();
setInterval(() => countDown(), 1000);
