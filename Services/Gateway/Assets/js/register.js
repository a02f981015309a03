// The service worker: it shows a page where no network is, and sends later what was written.

import { settle, signedOut } from "./push/device.js";
import { me, signedIn } from "./session.js";

const key = "kampong.language";
const language = document.documentElement.lang;

async function register() {
  const registration = await navigator.serviceWorker.register("/sw.js", { type: "module", updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  // What it shows is in the language that was spoken last.
  if (localStorage.getItem(key) === language) return;
  registration.active?.postMessage({ kind: "language", language });
  localStorage.setItem(key, language);
}

// Where the browser has none, or not of this kind, pages are as they were.
if (signedIn && "serviceWorker" in navigator) register().then(() => settle(me)).catch(() => {});
else if (!("bare" in document.documentElement.dataset)) {
  signedOut();
  navigator.clearAppBadge?.().catch(() => {});
}
