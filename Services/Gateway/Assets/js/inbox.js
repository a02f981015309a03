// The inbox, as it changes.

import { hear } from "./chat/wire.js";
import { isLookedAt, onceLookedAt } from "./looking.js";
import { persistent } from "./persistent.js";
import { request, settled } from "./request.js";
import { refreshTimes } from "./time.js";
/* global htmx */

let timer;

const renew = persistent(async () => {
  // Tried again, or a moment later, it may be that nobody looks any more.
  if (!isLookedAt()) return renewSoon();
  const list = document.querySelector("#inbox[data-self]");
  // Whoever has opened more of it keeps that; what is new is on the bell.
  if (!list || list.querySelectorAll("[data-notice]").length > 20) return;
  const answer = settled(await request(list.dataset.self, { headers: { "HX-Request": "true", "HX-Target": "inbox" } }));
  if (!answer.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const fresh = holder.content.firstElementChild;
  const focused = document.activeElement?.closest("[data-notice]")?.dataset.notice;
  list.replaceWith(fresh);
  htmx.process(fresh);
  refreshTimes(fresh);
  if (focused) fresh.querySelector(`[data-notice="${focused}"] a`)?.focus();
});

/** What the list shows counts as seen, and is told on no device: so it waits for somebody who looks. What comes at once is fetched once. */
const renewSoon = onceLookedAt(() => {
  clearTimeout(timer);
  timer = setTimeout(renew, 150);
});

hear((kind) => ["opened", "notification", "notificationsRead"].includes(kind) && renewSoon());
