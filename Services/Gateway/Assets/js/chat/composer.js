// Writing: the field grows with the words, Enter sends where there are keys, a picture is seen before it goes, and nothing is lost without a network.

import { ask } from "../ask.js";
import { isComposing } from "../keys.js";
import { me } from "../session.js";
import { shrink } from "../shrink.js";
import { newID, put } from "./outbox.js";
import { room } from "./rows.js";
import { send } from "./sender.js";

/** Milliseconds for which it is not said again that I am writing. */
const REST = 3000;
const ENTER_SENDS = matchMedia("(pointer: fine)");
/** What is written and chosen, also where the form goes and comes back meanwhile, as when one of the two is blocked and it is undone. */
let draft = "";
let picture;
/** Where the picture is shown from. */
let address;
let saidAt = -REST;

function grow(field) {
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

function choose(form, chosen) {
  const box = form.querySelector("#chosen");
  const image = box.querySelector("img");
  if (address) URL.revokeObjectURL(address);
  picture = chosen;
  address = chosen && URL.createObjectURL(chosen);
  box.hidden = !chosen;
  if (address) image.src = address;
}

function sayTyping() {
  const now = performance.now();
  if (now - saidAt < REST) return;
  saidAt = now;
  ask("POST", `/v1/rooms/${room}/typing`, undefined, me).catch(() => {});
}

/** Keeps the message first and sends it then; where the device keeps nothing, the form does it. */
async function submit(form, sent) {
  const { text: field, photo, file } = form.elements;
  const words = field.value.trim();
  if (!words && !picture && !photo.value) return field.focus();
  const entry = { id: newID(), person: me, room, text: words, at: Date.now(), ...(picture ? { picture } : {}), ...(photo.value ? { photo: photo.value } : {}) };
  // The field is free at once: what is written while this message is being kept is the next one.
  field.value = draft = "";
  photo.value = "";
  choose(form, null);
  grow(field);
  field.focus();
  saidAt = -REST;
  try {
    await put(entry);
  } catch {
    field.value = entry.text;
    photo.value = entry.photo ?? "";
    return form.submit();
  }
  // The form would have needed it.
  if (!picture) file.value = "";
  form.querySelector("#kept")?.remove();
  form.querySelector("#composer-error")?.remove();
  sent();
  send();
}

/** @param sent called when a message is on its way. */
export function compose(sent) {
  const form = document.getElementById("composer");
  if (!form) return;
  const field = form.elements.text;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form, sent);
  });
  field.value ||= draft;
  draft = field.value;
  if (picture) choose(form, picture);
  field.addEventListener("input", () => {
    draft = field.value;
    grow(field);
    if (field.value.trim()) sayTyping();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event) || !ENTER_SENDS.matches) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.elements.file.addEventListener("change", async () => {
    const [file] = form.elements.file.files;
    const small = file && (await shrink(file));
    // Another form may have taken its place meanwhile.
    if (small) choose(document.getElementById("composer") ?? form, small);
    field.focus();
  });
  form.querySelector("#chosen button").addEventListener("click", () => {
    choose(form, null);
    form.elements.file.value = "";
  });
  grow(field);
}
