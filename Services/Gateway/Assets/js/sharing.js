// Sharing a thing: brand and model as two lists, and where it is, on a map and in what everybody may know.

import { announce } from "./notice.js";
import { Pin } from "./pin.js";
import { read } from "./place.js";
import { readWhole } from "./request.js";
import { text } from "./text.js";

/** How long the pin rests before it is asked where that is. */
const REST = 300;

/** The list of all models, grouped by brand, becomes one of brands and one of the models of the chosen one. */
function splitModels(root) {
  const { brand, brandLabel, modelLabel, choose } = root.dataset;
  const models = root.querySelector("select");
  const groups = [...models.querySelectorAll("optgroup")];
  const label = Object.assign(document.createElement("label"), { htmlFor: "brand", textContent: brandLabel });
  const brands = Object.assign(document.createElement("select"), { id: "brand" });
  brands.append(new Option(choose, ""), ...groups.map((group) => new Option(group.label, group.label, false, group.label === brand)));
  const holder = document.createElement("div");
  holder.className = "field";
  holder.append(label, brands);
  root.before(holder);
  root.querySelector("label").textContent = modelLabel;
  const [nothing] = models.options;
  const show = () => {
    const group = groups.find((one) => one.label === brands.value);
    models.replaceChildren(nothing, ...(group?.children ? [...group.children].map((option) => option.cloneNode(true)) : []));
    models.disabled = !group;
  };
  const isWrong = models.getAttribute("aria-invalid") === "true";
  show();
  // What is disabled cannot be looked at: the brand comes first.
  if (isWrong && models.disabled) {
    brands.setAttribute("aria-invalid", "true");
    brands.setAttribute("aria-describedby", models.getAttribute("aria-describedby"));
    const isFree = [document.body, models].includes(document.activeElement);
    if (isFree && !document.querySelector("[data-form] [aria-invalid='true']:not(select)")) brands.focus();
  }
  brands.addEventListener("change", () => {
    models.value = "";
    show();
    models.value = "";
  });
}

/** Where a thing is: an address that is chosen or a pin that is put on the map. What everybody may know of it follows, unless it was typed. */
function locateThing(root) {
  const place = root.querySelector("#place");
  const address = root.querySelector("#address");
  const position = root.querySelector("[data-position]");
  const proposed = root.querySelector("[data-proposed]");
  const isTyped = () => place.value && place.value !== proposed.value;
  let asking;

  async function moved(point, { written }) {
    // As it was sent, it is told as it was sent.
    if (!written) return;
    asking?.abort();
    const mine = (asking = new AbortController());
    await new Promise((resolve) => setTimeout(resolve, REST));
    if (mine.signal.aborted || isTyped()) return;
    const answer = await readWhole(`/sharing/neighbourhood?at=${encodeURIComponent(position.value)}`, { as: "json", signal: mine.signal });
    if (answer?.status !== 200) return;
    const found = answer.content.name;
    if (!found || found === place.value || mine.signal.aborted || isTyped()) return;
    place.value = proposed.value = found;
    place.removeAttribute("aria-invalid");
    announce(text("sharing.named", { name: found }));
  }

  const write = ({ latitude, longitude }) => (position.value = `${latitude.toFixed(6)},${longitude.toFixed(6)}`);
  new Pin({ read: () => read(position.value), write, moved }, "pin.thing").show();
  root.addEventListener("place:chosen", () => {
    if (address.value) return;
    address.value = root.querySelector("[data-places] input[type=text]").value;
    address.removeAttribute("aria-invalid");
  });
}

document.querySelectorAll("[data-models]").forEach(splitModels);
document.querySelectorAll("[data-whereabouts]").forEach(locateThing);
