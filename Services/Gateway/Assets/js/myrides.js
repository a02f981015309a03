// My rides, as they change: what others ask for, answer and take back, and what becomes of the rides themselves.

import { hear } from "./chat/wire.js";
import { tellApart } from "./elsewhere.js";
import { renewList } from "./livelist.js";
import { ANYWHERE, Live } from "./live.js";
import { announce } from "./notice.js";
import { persistent } from "./persistent.js";
import { text } from "./text.js";

const KINDS = ["opened", "seatRequested", "seatAnswered", "seatChanged"];
/** Told to everybody. */
const PUBLIC = ["ridePosted", "rideChanged", "rideRemoved"];
const list = () => document.getElementById("mine");
/** Which rides stand there, and how each stands: ages and keys are others with each making. */
const standing = () => [...list().querySelectorAll("[data-mine]")].map((row) => `${row.dataset.mine} ${row.querySelector(".grow").textContent}`).join();
let timer;

const renew = persistent(async () => {
  const before = standing();
  await renewList("#mine[data-self]", "mine");
  tellApart(list());
  if (standing() !== before) announce(text("mine.changed"));
});

function soon() {
  clearTimeout(timer);
  timer = setTimeout(renew, 150);
}

hear((kind) => KINDS.includes(kind) && soon());

/** Whether it stands there. */
const isShown = (id) => [...list().querySelectorAll("[data-ride]")].some((row) => row.dataset.ride === id);

// They may begin anywhere.
if (list().dataset.self) {
  new Live(ANYWHERE, document.body.dataset.live, (kind, { ride, id = ride.id }) => isShown(id) && soon(), soon, { kinds: PUBLIC });
}
