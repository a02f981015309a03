// How far it is to what a page is about, once it is known where one is.

import { locate, mayAsk, remembered, written } from "./place.js";
import { readWhole } from "./request.js";

const box = document.querySelector("[data-way]");

async function show(here) {
  const query = new URLSearchParams({ to: box.dataset.way, at: written(here) });
  const answer = await readWhole(`/places/way?${query}`, { headers: { "HX-Request": "true" } });
  if (answer?.ok) box.innerHTML = answer.content;
}

if (box) {
  if (remembered()) show(remembered());
  else mayAsk().then(async (allowed) => {
    const here = allowed && (await locate({ quiet: true }));
    if (here) show(here);
  });
}

// Where one is belongs in no address that is sent to a friend.
const address = new URL(location);
if (address.searchParams.has("at")) {
  address.searchParams.delete("at");
  history.replaceState(history.state, "", address);
}
