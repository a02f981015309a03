// Who orders sees what runs, and who is there, as it changes.

import { hear } from "./chat/wire.js";
import { ANYWHERE, Live } from "./live.js";
import { renewList } from "./livelist.js";
import { persistent } from "./persistent.js";

const KINDS = ["opened", "newMatch", "matchUpdate", "orderLapsed", "availabilityChanged"];
/** Milliseconds after which it is looked again who is there: with a hand that is full, or free again, nobody comes or goes. */
const PAUSE = 30_000;
/** By the id of a list, how its rows are told apart. */
const LISTS = { restaurants: "restaurant", deliverers: "deliverer" };
const list = Object.keys(LISTS).map((id) => document.getElementById(id)).find((found) => found?.dataset.self);
let timer;

const renewMine = persistent(async () => {
  await renewList("#running[data-self]", "run");
  await renewList("#orders[data-self]", "row");
});

function soon() {
  clearTimeout(timer);
  timer = setTimeout(renewMine, 150);
}

hear((kind) => KINDS.includes(kind) && soon());

if (list) {
  const { id, dataset: { since, place } } = list;
  const renew = persistent(() => renewList(`#${id}[data-self]`, LISTS[id]));
  // Of one restaurant only what is told of it.
  new Live(ANYWHERE, since, (kind, { restaurant }) => (!place || restaurant.place === place) && renew(), renew, { kinds: ["restaurantsChanged"] });
  setInterval(() => document.hidden || renew(), PAUSE);
}
