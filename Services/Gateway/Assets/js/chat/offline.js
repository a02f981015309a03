// The page without a network: what waits on this device for whoever was signed in last, and the way back.

import { refreshTimes } from "../time.js";
import * as store from "./store.js";

const list = document.getElementById("waiting");
const pattern = document.getElementById("pending");
const anew = () => location.reload();

async function show() {
  const owner = await store.owner();
  for (const entry of await store.all()) {
    if (!owner || entry.person !== owner) continue;
    const row = pattern.content.firstElementChild.cloneNode(true);
    row.querySelector(".words").textContent = entry.text || "🖼";
    row.querySelector("time").dateTime = new Date(entry.at).toISOString();
    list.append(row);
  }
  document.getElementById("waits-here").hidden = !list.children.length;
  refreshTimes(list);
}

document.getElementById("again").addEventListener("click", anew);
addEventListener("online", anew);
show().catch(() => {});
