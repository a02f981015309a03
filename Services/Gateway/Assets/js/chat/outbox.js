// Messages on their way: kept on the device until the server has them, sent in order, and once, since their id is made here.

import { ask, pass } from "../ask.js";
import { isPassing, retryAfter } from "../request.js";
import * as store from "./store.js";

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("kampong-outbox") : null;
const listeners = new Set();
/** Milliseconds for which the server may ask a message to wait. */
const HOUR = 3_600_000;

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

/** What waits to be sent. */
export const waiting = async () => (await store.all()).filter(({ state }) => state === "waiting");

/** Sends what waits for whoever is signed in: what fails holds up what comes after it in its room, and no other. Resolves with the milliseconds after
    which some of it may be tried again, at the soonest; null where nothing is left. */
export const flush = () =>
  alone(async () => {
    const entries = await waiting();
    if (!entries.length) return null;
    const mine = await pass({ fresh: true }).catch(() => undefined);
    if (mine === undefined) return 0;
    /** How long each room rests. */
    const held = new Map();
    for (const entry of entries) {
      if (entry.person !== mine?.person || held.has(entry.room)) continue;
      const rest = restOf(entry) || (await send(entry));
      if (rest !== null) held.set(entry.room, rest);
    }
    return held.size ? Math.min(...held.values()) : null;
  });

/** How long it still waits, as the server asked; not at all where the clock was put back since. */
function restOf({ until = 0 }) {
  const rest = until - Date.now();
  return rest > 0 && rest <= HOUR ? rest : 0;
}

/** Keeps what became of it; it may have been deleted meanwhile. */
async function note(id, news) {
  const left = await store.find(id);
  if (left) await store.keep({ ...left, ...news });
}

/** Null where that is settled; otherwise the milliseconds for which it waits, at least. */
async function send(entry) {
  tell("sending", entry);
  const answer = await deliver(entry).catch(() => null);
  if (answer?.ok) {
    await store.drop(entry.id);
    tell("sent", entry);
    return null;
  }
  // Who is signed out may sign in again.
  if (!answer || answer.status === 401 || isPassing(answer)) {
    const rest = Math.min(retryAfter(answer), HOUR);
    if (rest) await note(entry.id, { until: Date.now() + rest });
    tell("waiting", entry);
    return rest;
  }
  const { code } = await answer.json().catch(() => ({}));
  await note(entry.id, { state: "refused", code });
  tell("refused", entry, code);
  return null;
}

async function deliver(entry) {
  if (entry.picture && !entry.photo) {
    const form = new FormData();
    form.append("file", entry.picture, "picture.jpg");
    const answer = await ask("POST", "/v1/photos", form, entry.person);
    if (!answer?.ok) return answer;
    entry.photo = (await answer.json()).id;
    await note(entry.id, { photo: entry.photo });
  }
  const { id, room, text, photo, person } = entry;
  return ask("POST", `/v1/rooms/${room}/messages`, { id, text, ...(photo ? { photo } : {}) }, person);
}
