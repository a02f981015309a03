// A list that could not be made anew says so where it stands, with a way to try again: what is shown is from before.

import { text } from "./text.js";
/* global htmx */

/** What htmx brings parts of a page into that one would take for the answer: results, more of them, what a choice leads to. */
const LISTS = "#results, #more, #choose, #shown";

/** Where it was pressed last. */
let pressed = "";

function notice(list, retry) {
  const box = document.createElement("div");
  box.className = "notice bad";
  box.setAttribute("role", "alert");
  box.dataset.failed = "";
  const words = document.createElement("span");
  words.className = "grow";
  words.textContent = text(navigator.onLine ? "failed.list" : "failed.listOffline");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "link-button", textContent: text("failed.again") });
  button.addEventListener("click", () => {
    button.setAttribute("aria-busy", "true");
    pressed = list.id;
    retry();
  });
  box.append(words, button);
  return box;
}

/** Says it at the list. An answer takes the notice away with the list that it stands in; another failure is said anew. */
export function listFailed(list, retry) {
  const before = list.querySelector("[data-failed]");
  const hadFocus = before?.contains(document.activeElement);
  before?.remove();
  const box = notice(list, retry);
  list.prepend(box);
  if (hadFocus) box.querySelector("button").focus();
}

// Who pressed the notice is led to what has come in its place.
document.addEventListener("htmx:afterSettle", ({ detail: { target } }) => {
  if (pressed !== target.id) return;
  pressed = "";
  if (document.activeElement === document.body) document.getElementById(target.id)?.querySelector("a, button")?.focus();
});

/** Whether what htmx could not get was for a list; it is said there then. What is typed and chosen goes along as it is now. */
export function saidAtList({ detail: { elt, target, requestConfig } }) {
  if (!target?.isConnected || !target.matches(LISTS)) return false;
  const source = elt === document.body ? undefined : elt;
  const { verb, path } = requestConfig;
  // Another failure is said by its own event.
  listFailed(target, () => htmx.ajax(verb, path, { source, target, swap: "outerHTML" }).catch(() => {}));
  return true;
}

/** Puts what the address answers in the place of the list; throws where nothing came. htmx's own promise says neither: it is kept by a refusal, and by
    what still waits its turn. */
export function loadList(address) {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const on = (kind, end) => document.addEventListener(kind, ({ detail: { target, requestConfig } }) => {
      if (target?.id !== "results" || requestConfig?.path !== address) return;
      ended.abort();
      end(new Error(kind));
    }, { signal: ended.signal });
    on("htmx:afterSwap", () => resolve());
    for (const kind of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) on(kind, reject);
    htmx.ajax("GET", address, { target: "#results", swap: "outerHTML" }).catch(() => {});
  });
}
