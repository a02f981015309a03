// Where a spot is: the pin, and the two fields that say the same in numbers. Each follows the other.

import { nameAfter } from "./naming.js";
import { Pin } from "./pin.js";

const fields = { latitude: document.getElementById("latitude"), longitude: document.getElementById("longitude") };

function read() {
  const latitude = parseFloat(fields.latitude.value), longitude = parseFloat(fields.longitude.value);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

function write({ latitude, longitude }) {
  fields.latitude.value = latitude.toFixed(6);
  fields.longitude.value = longitude.toFixed(6);
  for (const field of Object.values(fields)) field.removeAttribute("aria-invalid");
}

const pin = new Pin({ read, write, moved: nameAfter }, "pin");

for (const field of Object.values(fields)) field.addEventListener("input", () => {
  pin.edit();
  if (read()) pin.put(read(), { write: false });
});

/** Shows the map and, where nothing is typed yet, puts the pin where the person is; asks the device for that if `ask` is set. */
export function startPin({ ask = false } = {}) {
  pin.show({ assume: !fields.latitude.value && !fields.longitude.value, ask: ask && !fields.latitude.value && !fields.longitude.value });
}

if (document.querySelector("[data-pin]")) startPin();
