// A list that follows what happens: its first page, made anew. Whoever has opened more of it keeps that; what is new is said elsewhere.

import { request, settled } from "./request.js";
import { refreshTimes } from "./time.js";
/* global htmx */

/** How many are on the first page. */
const PAGE = 20;

/** Makes the list anew that is found by `selector` and tells in `data-self` where it is from. Throws where that may succeed later.
    @param row what the rows' data attribute is called that tells them apart. */
export async function renewList(selector, row) {
  const list = document.querySelector(selector);
  // While it is fetched, more may be opened or asked for, or another one take its place.
  const isFirstPage = () => list?.isConnected && list.querySelectorAll(`[data-${row}]`).length <= PAGE && !list.querySelector(".htmx-request");
  if (!isFirstPage()) return;
  const answer = settled(await request(list.dataset.self, { headers: { "HX-Request": "true", "HX-Target": list.id } }));
  if (!answer.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  if (!isFirstPage()) return;
  const fresh = holder.content.firstElementChild;
  const focused = document.activeElement?.closest(`[data-${row}]`)?.dataset[row];
  list.replaceWith(fresh);
  htmx.process(fresh);
  refreshTimes(fresh);
  if (focused) fresh.querySelector(`[data-${row}="${focused}"] a`)?.focus();
}
