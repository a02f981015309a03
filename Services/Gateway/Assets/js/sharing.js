// Sharing a thing: brand and model as two lists, and what an address that was chosen says of the neighbourhood.

import { announce } from "./notice.js";
import { written } from "./place.js";
import { text } from "./text.js";

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
    if (!document.querySelector("[data-form] [aria-invalid='true']:not(select)")) brands.focus();
  }
  brands.addEventListener("change", () => {
    models.value = "";
    show();
    models.value = "";
  });
}

/** What is typed stays; what was filled in follows the address. */
function followPlace(root) {
  const place = root.querySelector("#place");
  const address = root.querySelector("#address");
  const proposed = root.querySelector("[data-proposed]");
  let asking;
  root.addEventListener("place:chosen", async ({ detail }) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    root.querySelector("[data-position]").value = written(detail);
    const chosen = root.querySelector("[data-places] input[type=text]").value;
    if (!address.value) {
      address.value = chosen;
      address.removeAttribute("aria-invalid");
    }
    if (place.value && place.value !== proposed.value) return;
    const answer = await fetch(`/sharing/neighbourhood?at=${encodeURIComponent(written(detail))}`, { signal: mine.signal }).catch(() => null);
    if (answer?.status !== 200) return;
    const found = (await answer.json().catch(() => ({}))).name;
    if (!found || mine.signal.aborted || (place.value && place.value !== proposed.value)) return;
    place.value = proposed.value = found;
    place.removeAttribute("aria-invalid");
    announce(text("sharing.named", { name: found }));
  });
}

document.querySelectorAll("[data-models]").forEach(splitModels);
document.querySelectorAll("[data-whereabouts]").forEach(followPlace);
