// The list of chats, as it changes.

import { persistent } from "../persistent.js";
import { request, settled } from "../request.js";
import { refreshTimes } from "../time.js";
import { hear } from "./wire.js";
/* global htmx */

let timer;

const renew = persistent(async () => {
  const list = document.querySelector("#rooms[data-live]");
  // Whoever has opened more of it keeps that; what is new is on the tab.
  if (!list || list.querySelectorAll("[data-room]").length > 20) return;
  const answer = settled(await request(list.dataset.self, { headers: { "HX-Request": "true", "HX-Target": "rooms" } }));
  if (!answer.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const fresh = holder.content.firstElementChild;
  const focused = document.activeElement?.closest("[data-room]")?.dataset.room;
  list.replaceWith(fresh);
  htmx.process(fresh);
  refreshTimes(fresh);
  if (focused) fresh.querySelector(`[data-room="${focused}"] a`)?.focus();
});

hear((kind) => {
  if (!["opened", "message", "messageHidden", "read", "roomChanged"].includes(kind)) return;
  clearTimeout(timer);
  timer = setTimeout(renew, 150);
});
