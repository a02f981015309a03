// Messages on their way: kept on the device until the server has them, sent in order, and once, since their id is made here.

import { ask, pass } from "../ask.js";
import * as store from "./store.js";

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("kampong-outbox") : null;
const listeners = new Set();
/** Statuses after which the same may succeed later. */
const LATER = [401, 408, 425, 429];

/** `act` hears `{ kind: "waiting"|"sending"|"sent"|"refused"|"dropped", id, room, code }` of every page and of the worker. */
export function heard(act) {
  listeners.add(act);
}
if (channel) channel.onmessage = ({ data }) => listeners.forEach((act) => act(data));

function tell(kind, { id, room }, code) {
  const news = { kind, id, room, code };
  channel?.postMessage(news);
  listeners.forEach((act) => act(news));
}

/** A UUID of version 7: the time, then chance. */
export function newID(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 5, rest = now; index >= 0; index -= 1, rest = Math.floor(rest / 256)) bytes[index] = rest % 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export async function put(entry) {
  await store.keep({ ...entry, state: "waiting" });
  tell("waiting", entry);
}

export async function drop(entry) {
  await store.drop(entry.id);
  tell("dropped", entry);
}

/** One at a time over all pages and the worker: the order is kept, and nothing is sent twice for nothing. */
const alone = (work) => (navigator.locks ? navigator.locks.request("kampong-outbox", work) : work());

/** Sends what waits for whoever is signed in. Resolves with whether nothing is left to be tried again. */
export const flush = () =>
  alone(async () => {
    const waiting = (await store.all()).filter(({ state }) => state === "waiting");
    if (!waiting.length) return true;
    const mine = await pass({ fresh: true }).catch(() => undefined);
    if (mine === undefined) return false;
    for (const entry of waiting) {
      if (entry.person !== mine?.person) continue;
      if (!(await send(entry))) return false;
    }
    return true;
  });

/** Whether that is settled. */
async function send(entry) {
  tell("sending", entry);
  const answer = await deliver(entry).catch(() => null);
  if (answer?.ok) {
    await store.drop(entry.id);
    tell("sent", entry);
    return true;
  }
  if (!answer || LATER.includes(answer.status) || answer.status >= 500) {
    tell("waiting", entry);
    return false;
  }
  const { code } = await answer.json().catch(() => ({}));
  // It may have been deleted meanwhile.
  const left = await store.find(entry.id);
  if (left) await store.keep({ ...left, state: "refused", code });
  tell("refused", entry, code);
  return true;
}

async function deliver(entry) {
  if (entry.picture && !entry.photo) {
    const form = new FormData();
    form.append("file", entry.picture, "picture.jpg");
    const answer = await ask("POST", "/v1/photos", form, entry.person);
    if (!answer?.ok) return answer;
    entry.photo = (await answer.json()).id;
    await store.keep(entry);
  }
  const { id, room, text, photo, person } = entry;
  return ask("POST", `/v1/rooms/${room}/messages`, { id, text, ...(photo ? { photo } : {}) }, person);
}
