// Sharing a spot in two steps: the picture, then what is to be said about it. Going back loses nothing that was typed.

import { Camera } from "./camera.js";
import { startPin } from "./spotpin.js";
import { mayAsk } from "./place.js";
import { shrink, upload } from "./shrink.js";
import { text } from "./text.js";

const form = document.getElementById("post");
const step = document.querySelector("[data-camera]");
const find = (name) => form.querySelector(`[data-${name}]`);
const file = document.getElementById("file");
const status = find("upload");
const bar = form.querySelector("progress");
let attempt = 0;

function show(which) {
  const picture = which === "picture";
  step.hidden = !picture;
  form.hidden = picture;
  document.querySelector("[data-steps]").hidden = false;
  document.querySelector("[data-steps] li:last-child").classList.toggle("done", !picture);
  if (picture) return;
  find("nophoto").hidden = !find("taken").hidden;
  // Whoever has not allowed it yet is asked when they press the button for it.
  mayAsk().then((allowed) => startPin({ ask: allowed }));
  document.getElementById("name").focus();
  scrollTo({ top: 0 });
}

async function use(picture) {
  const mine = ++attempt;
  find("taken").hidden = false;
  find("thumb").src = URL.createObjectURL(picture);
  status.textContent = text("camera.sending");
  bar.hidden = false;
  bar.value = 0;
  show("form");
  const small = await shrink(picture);
  keepForSubmit(small);
  try {
    const id = await upload(form.dataset.photoUpload, small, form.elements.csrf.value, (share) => mine === attempt && (bar.value = share));
    if (mine !== attempt) return;
    form.elements.photo.value = id;
    file.value = "";
    status.textContent = text("camera.ready");
  } catch (error) {
    if (mine === attempt) status.textContent = error.message || text("camera.later");
  }
  if (mine === attempt) bar.hidden = true;
}

/** Until it has arrived, the picture is also in the form itself: sending the form early sends it along. */
function keepForSubmit(picture) {
  form.elements.photo.value = "";
  const transfer = new DataTransfer();
  transfer.items.add(new File([picture], "picture.jpg", { type: picture.type || "image/jpeg" }));
  file.files = transfer.files;
}

const camera = new Camera(step, file, use);
find("file").hidden = true;
step.querySelector("[data-skip]").addEventListener("click", () => show("form"));
form.querySelectorAll("[data-back]").forEach((button) => button.addEventListener("click", () => (show("picture"), camera.reopen(), step.querySelector("[data-use], [data-open]").focus())));
show(form.hasAttribute("data-start-at-form") ? "form" : "picture");
