// The name of a spot follows the pin for as long as nobody has typed one: "near Fabianinkatu 33, Helsinki".

import { announce } from "./notice.js";
import { written } from "./place.js";
import { readWhole } from "./request.js";
import { text } from "./text.js";

/** How long the pin rests before it is asked where that is. */
const REST = 300;

const name = document.getElementById("name");
/** What was filled in last, so that it is known again when the form comes back. */
const proposed = document.querySelector("[data-proposed]");
let touched = name.value !== "" && name.value !== proposed.value;
let asking;

name.addEventListener("input", () => (touched = true));

/** The pin is at `place`. Without an answer the name stays as it is: it can be typed. */
export async function nameAfter(place) {
  asking?.abort();
  const mine = (asking = new AbortController());
  await new Promise((resolve) => setTimeout(resolve, REST));
  if (touched || mine.signal.aborted) return;
  const answer = await readWhole(`/places/name?at=${encodeURIComponent(written(place))}`, { as: "json", signal: mine.signal });
  if (answer?.status !== 200) return;
  const found = answer.content.name;
  // Something may have been typed, or the pin moved on, while that was on its way.
  if (found && !touched && !mine.signal.aborted) fill(found);
}

function fill(found) {
  if (found === name.value) return;
  name.value = proposed.value = found;
  name.removeAttribute("aria-invalid");
  // Who is just about to type a name replaces this one.
  if (document.activeElement === name) name.select();
  announce(text("pin.named", { name: found }));
}
