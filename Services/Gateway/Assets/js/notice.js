// What is said to the person beside the page: toasts that everybody sees, and announcements for screen readers.

import { text } from "./text.js";

const toasts = document.getElementById("toasts");
const announcer = document.getElementById("announcer");

/** Shows a sentence for a while; `action` is `{ label, href }` or `{ label, run }`. Stays until touched where `stays`. */
export function toast(sentence, { action, stays = false } = {}) {
  const box = document.createElement("div");
  box.className = "toast";
  const words = document.createElement("span");
  words.className = "grow";
  words.textContent = sentence;
  box.append(words);
  if (action) box.append(actionElement(action, box));
  toasts.replaceChildren(box);
  if (!stays) leaveLater(box);
  return box;
}

function actionElement({ label, href, run }, box) {
  const element = document.createElement(href ? "a" : "button");
  element.textContent = label;
  if (href) element.href = href;
  else element.addEventListener("click", () => (box.remove(), run()));
  return element;
}

function leaveLater(box) {
  let timer;
  const start = () => (timer = setTimeout(() => box.remove(), 6000));
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", start);
  box.addEventListener("focusin", () => clearTimeout(timer));
  start();
}

let queued = [];
/** Says something to screen readers; what comes at once is said together. */
export function announce(sentence) {
  queued.push(sentence);
  if (queued.length > 1) return;
  setTimeout(() => {
    announcer.textContent = queued.join(" ");
    queued = [];
  }, 300);
}

export const failed = (retry) =>
  toast(text(navigator.onLine ? "failed.server" : "failed.offline"), retry && { action: { label: text("failed.again"), run: retry }, stays: true });

document.querySelectorAll("[data-toast]").forEach(leaveLater);
