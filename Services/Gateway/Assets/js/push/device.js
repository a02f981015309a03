// This device's way to be told things while no page is open: whose it is, and that it ends when they sign out.

import { ask } from "../ask.js";

/** Who has turned it on here. */
const key = "kampong.push";

export const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Milliseconds after which somebody who signs out is not kept waiting any longer. */
const PATIENCE = 3000;

/** The browser's subscription; null where there is none. */
export async function subscription() {
  if (!isSupported) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

export const owner = () => localStorage.getItem(key);
export const own = (person) => (person ? localStorage.setItem(key, person) : localStorage.removeItem(key));

/** Nobody is told anything on this device any more. Where the server cannot be told, the vendor's server will tell it. */
export async function forget(person) {
  const found = await subscription();
  if (owner() === person && person) {
    const answer = await fetch("/v1/push-subscriptions").catch(() => null);
    const { items } = answer?.ok ? await answer.json() : { items: [] };
    for (const { id, kind, current } of items) if (current && kind === "webPush") await ask("DELETE", `/v1/push-subscriptions/${id}`, undefined, person).catch(() => null);
  }
  own(null);
  await found?.unsubscribe();
}

/** The same before one signs out, within a while. */
export const leave = (person) =>
  owner() ? Promise.race([forget(person), new Promise((resolve) => setTimeout(resolve, PATIENCE))]).catch(() => {}) : Promise.resolve();

/** What somebody else has turned on here is not for who is signed in now. */
export async function settle(person) {
  if (owner() && owner() !== person) await forget(null);
}
