// A chosen picture of oneself is seen at once, and made smaller before it travels.

import { shrink } from "./shrink.js";

const file = document.querySelector("[data-portrait-file]");
const image = document.querySelector("[data-portrait]");

file?.addEventListener("change", async () => {
  const [picture] = file.files;
  if (!picture) return;
  image.src = URL.createObjectURL(picture);
  const small = await shrink(picture);
  if (small === picture || file.files[0] !== picture) return;
  const transfer = new DataTransfer();
  transfer.items.add(new File([small], "picture.jpg", { type: "image/jpeg" }));
  file.files = transfer.files;
});
