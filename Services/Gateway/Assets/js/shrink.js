// Pictures made smaller before they travel.

import { pictureTimeout } from "./request.js";

const LONGEST = 2048;

/** A JPEG of at most 2048 pixels a side, upright; the original where the browser cannot read it (the server may). */
export async function shrink(picture) {
  try {
    const bitmap = await createImageBitmap(picture, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const context = canvas.getContext("2d");
    // A JPEG has no transparency, and what is transparent would be black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const smaller = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
    return smaller && (scale < 1 || smaller.size < picture.size) ? smaller : picture;
  } catch {
    return picture;
  }
}

/** Sends a picture; resolves with its id. `progressed` hears of a share from 0 to 1. */
export function upload(address, picture, csrf, progressed) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.responseType = "json";
    request.timeout = pictureTimeout(picture.size);
    request.upload.addEventListener("progress", ({ loaded, total }) => total && progressed(loaded / total));
    request.addEventListener("load", () => (request.status < 300 && request.response?.id ? resolve(request.response.id) : reject(new Error(request.response?.message ?? ""))));
    for (const kind of ["error", "timeout", "abort"]) request.addEventListener(kind, () => reject(new Error("")));
    const form = new FormData();
    form.append("file", picture, "picture.jpg");
    request.send(form);
  });
}
