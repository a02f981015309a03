// Around where something is looked for: where the person is, if they say so.

import { locate, written } from "./place.js";

const here = document.getElementById("wanted-here");

here.addEventListener("click", async () => {
  here.setAttribute("aria-busy", "true");
  const place = await locate();
  here.removeAttribute("aria-busy");
  if (!place) return;
  const address = new URL(here.dataset.href, location);
  address.searchParams.set("near", written(place));
  // Where it is to be brought goes along as an address says it: what was typed and not chosen is no place.
  const { radius, until, "to.at": to } = here.form.elements;
  for (const [name, field] of Object.entries({ radius, until, to })) if (field?.value) address.searchParams.set(name, field.value);
  location.assign(address);
});
