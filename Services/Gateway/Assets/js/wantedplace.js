// Around where free spots are looked for: where the person is, if they say so.

import { locate, written } from "./place.js";

const here = document.getElementById("wanted-here");

here.addEventListener("click", async () => {
  here.setAttribute("aria-busy", "true");
  const place = await locate();
  here.removeAttribute("aria-busy");
  if (!place) return;
  const address = new URL(here.dataset.href, location);
  address.searchParams.set("near", written(place));
  address.searchParams.set("radius", here.form.elements.radius.value);
  location.assign(address);
});
