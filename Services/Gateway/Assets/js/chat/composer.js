// Writing: the field grows with the words, Enter sends where there are keys, a picture is seen before it goes, and nothing is lost without a network.

import { ask } from "../ask.js";
import { me } from "../session.js";
import { shrink } from "../shrink.js";
import { newID, put } from "./outbox.js";
import { room } from "./rows.js";
import { send } from "./sender.js";

/** Milliseconds for which it is not said again that I am writing. */
const REST = 3000;
const ENTER_SENDS = matchMedia("(pointer: fine)");
let picture;
let saidAt = -REST;

function grow(field) {
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

function choose(form, chosen) {
  const box = form.querySelector("#chosen");
  const image = box.querySelector("img");
  if (picture) URL.revokeObjectURL(image.src);
  picture = chosen;
  box.hidden = !chosen;
  if (chosen) image.src = URL.createObjectURL(chosen);
  else form.elements.file.value = "";
}

function sayTyping() {
  const now = performance.now();
  if (now - saidAt < REST) return;
  saidAt = now;
  ask("POST", `/v1/rooms/${room}/typing`, undefined, me).catch(() => {});
}

/** Keeps the message first and sends it then; where the device keeps nothing, the form does it. */
async function submit(form, sent) {
  const words = form.elements.text.value.trim();
  if (!words && !picture && !form.elements.photo.value) return form.elements.text.focus();
  const entry = { id: newID(), person: me, room, text: words, at: Date.now(), ...(picture ? { picture } : {}), ...(form.elements.photo.value ? { photo: form.elements.photo.value } : {}) };
  try {
    await put(entry);
  } catch {
    return form.submit();
  }
  form.elements.text.value = "";
  form.elements.photo.value = "";
  form.querySelector("#kept")?.remove();
  form.querySelector("#composer-error")?.remove();
  choose(form, null);
  grow(form.elements.text);
  form.elements.text.focus();
  saidAt = -REST;
  sent();
  send();
}

/** @param sent called when a message is on its way. */
export function compose(sent) {
  const form = document.getElementById("composer");
  if (!form) return;
  const field = form.elements.text;
  let busy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await submit(form, sent);
    busy = false;
  });
  field.addEventListener("input", () => {
    grow(field);
    if (field.value.trim()) sayTyping();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !ENTER_SENDS.matches) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.elements.file.addEventListener("change", async () => {
    const [file] = form.elements.file.files;
    if (file) choose(form, await shrink(file));
    field.focus();
  });
  form.querySelector("#chosen button").addEventListener("click", () => choose(form, null));
  grow(field);
}
