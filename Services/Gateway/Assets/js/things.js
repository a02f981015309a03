// What is for rent, as a list: what was found is said, and the nearest are those around the person.

import { announce, toast } from "./notice.js";
import { text } from "./text.js";
import { locate, remembered, written } from "./place.js";

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id === "results") announce(document.getElementById("results").dataset.said);
});

/** The list around the person, nearest first. */
async function goHere(link) {
  link.setAttribute("aria-busy", "true");
  const here = remembered() ?? (await locate({ quiet: true }));
  link.removeAttribute("aria-busy");
  const address = new URL(link.href);
  if (here) address.searchParams.set("near", written(here));
  else toast(text("things.noPosition"));
  location.assign(address);
}

// Without scripts, or a position, the page asks for an address.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href*='sort=nearest']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || new URL(link.href).searchParams.has("near")) return;
  event.preventDefault();
  goHere(link);
});
