// The page of one thing says at once when its owner changes it or takes it off the list, and when an answer comes.

import { Live } from "./live.js";

const page = document.querySelector("[data-thing]");
const KINDS = ["thingChanged", "thingWithdrawn", "rentalRequested", "rentalAnswered", "rentalChanged"];
/** Of kinds that say what they are about within what they tell. */
const subject = ({ thing, rental, id }) => thing?.id ?? rental?.thing ?? id;

function say(name) {
  for (const other of ["changed", "withdrawn"]) document.getElementById(other).hidden = other !== name;
  if (name === "withdrawn") page.querySelectorAll(".main-action").forEach((element) => (element.hidden = true));
}

if (page) {
  new Live(page.dataset.box, page.dataset.since, (kind, data) => {
    if (subject(data) === page.dataset.thing) say(kind === "thingWithdrawn" ? "withdrawn" : "changed");
  }, () => say("changed"), { kinds: KINDS });
}
