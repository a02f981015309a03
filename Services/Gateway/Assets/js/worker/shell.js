// The page that is shown where no network is, and the files that it is made of. Nothing else is kept.

import { request } from "../request.js";

const assets = new URL("../../", import.meta.url).pathname;
const name = `kampong${assets}`;
const page = "/offline";
/** All that the page asks for; a test holds this list to what its scripts import. */
const FILES = [
  "kampong.css", "components.css", "chat.css", "icon.svg", "icons.svg", "vendor/htmx.min.js",
  "js/app.js", "js/ask.js", "js/bell.js", "js/clock.js", "js/listfailed.js", "js/live.js", "js/notice.js", "js/persistent.js", "js/presence.js", "js/push/device.js", "js/push/shown.js", "js/push/subscription.js", "js/register.js", "js/request.js", "js/session.js", "js/text.js", "js/time.js", "js/title.js", "js/typed.js",
  "js/chat/badge.js", "js/chat/offline.js", "js/chat/outbox.js", "js/chat/sender.js", "js/chat/store.js", "js/chat/wire.js",
];
const kept = new Set(FILES.map((file) => assets + file));

/** Without cookies: it is of nobody. */
async function keepPage(language) {
  const answer = await request(page, { credentials: "omit", cache: "no-store", headers: language ? { "Accept-Language": language } : {} });
  if (answer.ok) await (await caches.open(name)).put(page, answer);
}

addEventListener("install", (event) => {
  skipWaiting();
  // A file that is not there (no htmx was fetched) is no reason to go without the others.
  event.waitUntil(caches.open(name).then((cache) => Promise.all([keepPage(), ...[...kept].map((file) => cache.add(file).catch(() => {}))])));
});

addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const other of await caches.keys()) if (other !== name) await caches.delete(other);
    await registration.navigationPreload?.enable();
    await clients.claim();
  };
  event.waitUntil(tidy());
});

addEventListener("message", ({ data }) => {
  if (data?.kind === "language") keepPage(data.language).catch(() => {});
});

async function visit(event) {
  try {
    const begun = await Promise.resolve(event.preloadResponse).catch(() => undefined);
    return begun ?? (await fetch(event.request));
  } catch (error) {
    const found = await caches.match(page, { cacheName: name, ignoreVary: true });
    if (!found) throw error;
    return found;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(event));
  else if (kept.has(pathname)) event.respondWith(caches.match(pathname, { cacheName: name, ignoreVary: true }).then((found) => found ?? fetch(request)));
});
