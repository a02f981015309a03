// A request for seats: one that changes is shown anew; while one asks, what it costs is said.

import { announce } from "./notice.js";
import { renewOnChange } from "./renewal.js";

const KINDS = ["seatRequested", "seatAnswered", "seatChanged"];
const page = document.querySelector("[data-seat]");

if (page) {
  renewOnChange(page, (kind, data) => KINDS.includes(kind) && data?.request?.id === page.dataset.seat && data.request);
}

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  const shown = document.getElementById("shown");
  if (shown && target?.id === "shown") announce(shown.innerText.replace(/\s+/g, " "));
});
