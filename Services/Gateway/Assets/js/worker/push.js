// What one is told while no page is open: shown by the device, and opened where it leads.

import { ask, pass } from "../ask.js";
import { register } from "../push/subscription.js";

const assets = new URL("../../", import.meta.url).pathname;

/** A message that cannot be read still says that there is something: browsers insist that each is shown. */
function words(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Only pages of ours are opened. */
function target(link) {
  const url = new URL(link || "/notifications", location.origin);
  return url.origin === location.origin ? url : new URL("/notifications", location.origin);
}

addEventListener("push", (event) => {
  const { title, body, tag, link, id, unread } = words(event.data);
  const icon = `${assets}icon-192.png`;
  event.waitUntil(registration.showNotification(title || "Kampong", { body, tag, renotify: Boolean(tag), icon, badge: icon, data: { link, id } }));
  // How many are unread, on the app's own icon where there is one.
  if (Number.isInteger(unread)) navigator.setAppBadge?.(unread).catch(() => {});
});

/** Whether a tab shows what is asked for; what else its address says is how it looks at it. */
function shows(url, goal) {
  const { pathname, searchParams } = new URL(url);
  return pathname === goal.pathname && [...goal.searchParams].every(([name, value]) => searchParams.get(name) === value);
}

async function read(id) {
  const mine = await pass({ fresh: true });
  if (mine) await ask("PUT", "/v1/notifications/read", { ids: [id] }, mine.person);
}

/** In the tab that shows it already, as it is; otherwise in a new one: in any other, something may be half written. */
async function open({ link, id }) {
  const goal = target(link);
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = await tabs.find(({ url }) => shows(url, goal))?.focus().catch(() => null);
  if (there) return id && read(id).catch(() => {});
  // What it was told of is read on the way.
  const address = id ? new URL(`/notifications/${id}?to=${encodeURIComponent(goal.pathname + goal.search)}`, location.origin) : goal;
  return clients.openWindow(address.href);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? {}));
});

/** The browser's vendor has given up the old one: the new one is told to the server, for who is signed in. */
async function renew({ newSubscription, oldSubscription }) {
  const options = oldSubscription?.options;
  const fresh = newSubscription ?? (options && (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: options.applicationServerKey })));
  const mine = await pass({ fresh: true });
  if (!fresh || !mine) return;
  const answer = await register(fresh, mine.person);
  if (!answer?.ok) throw new Error(`push-subscriptions: ${answer?.status}`);
}

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
