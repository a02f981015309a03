// Sends what was written without a network, when the browser says that there is one again, though no page may be open.

import { flush } from "../chat/outbox.js";

addEventListener("sync", (event) => {
  if (event.tag !== "outbox") return;
  event.waitUntil(flush().then((rest) => {
    // The browser tries again by itself, ever more rarely.
    if (rest !== null) throw new Error("The outbox is not empty yet.");
  }));
});
