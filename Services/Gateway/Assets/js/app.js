// What every page does a little better with a script: dialogs, forms that are sent once, passwords that can be looked at.

import "./bell.js";
import "./chat/badge.js";
import "./chat/sender.js";
import "./presence.js";
import "./register.js";
import "./time.js";
import "./typed.js";
import { saidAtList } from "./listfailed.js";
import { failed, toast } from "./notice.js";
import { text } from "./text.js";

// A confirmation is a page of its own; here the same page's content opens over this one.
const dialog = document.getElementById("dialog");
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== dialog || dialog.open) return;
  dialog.showModal();
  dialog.querySelector(".button")?.focus();
});
dialog.addEventListener("click", (event) => {
  const outside = event.target === dialog;
  if (outside || event.target.closest("[data-dismiss]")) {
    event.preventDefault();
    dialog.close();
  }
});

// Where the answer cannot be had, the list says so, or the link or form still does what it does without scripts, or says why it cannot.
document.addEventListener("htmx:responseError", (event) => {
  const source = event.detail.elt;
  if (saidAtList(event)) return;
  if (source.matches("a[href]")) location.assign(source.href);
  // What only looks something up while one types is no loss where it can't.
  else if (!source.matches("input")) failed();
});
for (const kind of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(kind, (event) => {
    const { elt } = event.detail;
    if (!saidAtList(event) && elt.matches("a, button, form")) failed(() => (elt.matches("form") ? elt.requestSubmit() : elt.click()));
  });
}
addEventListener("offline", () => toast(text("failed.offline"), { stays: true }));
addEventListener("online", () => toast(text("failed.online")));

// A form is sent once; coming back to the page by the Back button frees it again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = form.querySelector("[data-once]");
  if (!button || event.defaultPrevented) return;
  if (button.getAttribute("aria-busy") === "true") return event.preventDefault();
  button.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  document.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
  if (dialog.open) dialog.close();
});

document.addEventListener("click", (event) => {
  const eye = event.target.closest("[data-reveal]");
  if (!eye) return;
  const input = document.getElementById(eye.dataset.reveal);
  const shown = input.type === "password";
  input.type = shown ? "text" : "password";
  eye.setAttribute("aria-pressed", String(shown));
  const use = eye.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, shown ? "#eye-off" : "#eye"));
});

// A field that was wrong stops being red once it is changed; the server has the last word when it is sent.
document.addEventListener("input", (event) => {
  if (event.target.getAttribute?.("aria-invalid")) event.target.removeAttribute("aria-invalid");
});
// Where this comes late, whoever is at another field already stays there.
if (document.activeElement === document.body) document.querySelector("[data-form] [aria-invalid='true']")?.focus();

// What was done is said once, and does not come back with a reload.
const address = new URL(location);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(history.state, "", address);
}
