// Renting: an agreement that changes is shown anew, a period also in the viewer's own time, what it costs is said.

import "./elsewhere.js";
import { announce } from "./notice.js";
import { renewOnChange } from "./renewal.js";

const KINDS = ["rentalAnswered", "rentalChanged"];
const page = document.querySelector("[data-rental]");

if (page) {
  renewOnChange(page, (kind, data) => KINDS.includes(kind) && data?.rental?.id === page.dataset.rental && data.rental);
}

document.addEventListener("htmx:afterSwap", () => {
  const quote = document.getElementById("quote");
  if (quote) announce(quote.innerText.replace(/\s+/g, " "));
});

document.querySelector("[data-print]")?.addEventListener("click", () => print());
