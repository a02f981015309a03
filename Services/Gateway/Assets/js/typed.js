// What was typed into a form whose sending found the session ended: it is there again once the same person has signed in, in the same window. Kept for as
// long as the window is open, for an hour at most, and forgotten by whatever answers the form, by a sign-out and by anybody else who signs in. No passwords, no
// files, nothing that the page has put there itself but the version that it was made from.

import { toast } from "./notice.js";
import { me, signedIn } from "./session.js";
import { text } from "./text.js";

const NAME = "kampong.typed";
/** Characters, of all fields together. */
const LARGEST = 65_536;
/** Milliseconds. */
const LONGEST = 3_600_000;
const NEVER = new Set(["password", "file", "submit", "button", "image", "reset"]);

function here() {
  const address = new URL(location);
  address.searchParams.delete("done");
  return address.pathname + address.search;
}

// Where the device keeps nothing, nothing is kept.
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}

function write(kept) {
  try {
    if (kept) sessionStorage.setItem(NAME, kept);
    else sessionStorage.removeItem(NAME);
  } catch {}
}

const isTyped = (field) =>
  field.name && !NEVER.has(field.type) && field.autocomplete !== "one-time-code" && (field.type !== "hidden" || field.name === "version");
const isTicked = ({ type }) => type === "checkbox" || type === "radio";
const fieldsOf = (form) => [...form.elements].filter(isTyped);

function keep(form) {
  // Where a password is asked for, it is not gone on with by itself. What has steps is kept as a whole, by the sign-in page.
  if (form.querySelector("input[type=password]") || "steps" in form.dataset) return write(null);
  const fields = fieldsOf(form).map((field) => ({ name: field.name, value: field.value, ...(isTicked(field) ? { ticked: field.checked } : {}) }));
  const kept = JSON.stringify({ person: me, page: here(), action: form.getAttribute("action"), at: Date.now(), fields });
  write(fields.some(({ name }) => name !== "version") && kept.length <= LARGEST ? kept : null);
  // What is kept here need not go through the sign-in page, as it does without scripts.
  if (read()) form.elements.sender?.remove();
}

function put(field, kept) {
  const before = isTicked(field) ? field.checked : field.value;
  if (isTicked(field)) field.checked = kept.ticked === true;
  else field.value = kept.value;
  if (before !== (isTicked(field) ? field.checked : field.value)) field.dispatchEvent(new Event("change", { bubbles: true }));
}

function bringBack(kept) {
  const form = [...document.forms].find((form) => form.method === "post" && form.getAttribute("action") === kept.action);
  if (!form) return;
  const fields = fieldsOf(form);
  for (const one of kept.fields) {
    const field = fields.find((field) => field.name === one.name && (!isTicked(field) || field.value === one.value));
    if (field) put(field, one);
  }
  toast(text("typed.again"));
}

function arrive() {
  const kept = read();
  if (!kept) return;
  if (!signedIn) return write(JSON.stringify({ ...kept, ended: true }));
  // It was answered, or is somebody else's.
  if (!kept.ended || kept.person !== me || !(Date.now() - kept.at < LONGEST)) return write(null);
  if (kept.page !== here()) return;
  write(null);
  bringBack(kept);
}

if (!("bare" in document.documentElement.dataset)) {
  arrive();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented || !signedIn) return;
    if (form.getAttribute("action") === "/sign-out") write(null);
    else keep(form);
  });
}
