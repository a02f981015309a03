// This device's way to be told things while no page is open: whose it is, that it is kept up, and that it ends when they sign out.

import { ask } from "../ask.js";
import { request } from "../request.js";
import { register } from "./subscription.js";

/** Who has turned it on here, and when the server was told last; never, after somebody signed in anew, since a device goes with its session. */
const key = "kampong.push";
const toldKey = "kampong.push.told";

export const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Milliseconds after which somebody who signs out is not kept waiting any longer. */
const PATIENCE = 3000;
/** After which the server is told again that the device is still in use. */
const WEEK = 7 * 86_400_000;

/** The browser's subscription; null where there is none. */
export async function subscription() {
  if (!isSupported) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** Nobody in a browser that keeps nothing, and says so by throwing: it must not keep anybody from signing out. */
export function owner() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function own(person) {
  if (person) localStorage.setItem(key, person);
  else localStorage.removeItem(key);
  localStorage.setItem(toldKey, person ? String(Date.now()) : "");
}

/** Tells the server; resolves with whether it took it. */
export async function keep(found, person) {
  const answer = await register(found, person);
  if (answer?.ok) own(person);
  return Boolean(answer?.ok);
}

/** The server's ids of this session's browser. */
async function kept() {
  const answer = await request("/v1/push-subscriptions");
  if (!answer.ok) throw new Error(`push-subscriptions: ${answer.status}`);
  return (await answer.json()).items.filter(({ kind, current }) => current && kind === "webPush").map(({ id }) => id);
}

/** Nobody is told anything on this device any more. Where the server cannot be told, the vendor's server will tell it. */
export async function forget(person) {
  const found = await subscription();
  if (person && owner() === person) for (const id of await kept().catch(() => [])) await ask("DELETE", `/v1/push-subscriptions/${id}`, undefined, person).catch(() => null);
  own(null);
  await found?.unsubscribe();
}

/** The same before one signs out, within a while. */
export const leave = (person) =>
  owner() ? Promise.race([forget(person), new Promise((resolve) => setTimeout(resolve, PATIENCE))]).catch(() => {}) : Promise.resolve();

/** On each page of `person`: what somebody else has turned on here is not for them, and what was removed elsewhere is over. */
export async function settle(person) {
  if (!owner()) return;
  if (owner() !== person) return forget(null);
  const told = Number(localStorage.getItem(toldKey));
  if (Date.now() - told < WEEK) return;
  const found = await subscription();
  if (!found || Notification.permission !== "granted") return own(null);
  if (told && !(await kept()).length) return forget(null);
  await keep(found, person);
}

/** On pages of nobody: who signs in has another session. */
export function signedOut() {
  if (owner()) localStorage.setItem(toldKey, "");
}
