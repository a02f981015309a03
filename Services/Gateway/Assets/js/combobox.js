// Address fields that suggest places while somebody types: the editable combobox with list autocomplete of the ARIA practices. The focus
// stays in the field; the option that the keyboard is at is pointed at by aria-activedescendant. The options are made by the server.

import { isComposing } from "./keys.js";
import { announce } from "./notice.js";
import { read, remembered, written } from "./place.js";
import { readWhole } from "./request.js";
import { text } from "./text.js";

const LEAST = 2;
/** Milliseconds without a key before places are looked up. */
const REST = 200;

class Combobox {
  #root;
  #input;
  #popup = document.createElement("div");
  #active = -1;
  #asking;
  #timer;

  constructor(root) {
    this.#root = root;
    this.#input = root.querySelector("input[type=text]");
    this.#popup.className = "offers-list";
    this.#popup.hidden = true;
    this.#input.parentElement.append(this.#popup);
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-haspopup", "listbox"]]) this.#input.setAttribute(name, value);
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => this.#close());
    // The focus stays in the field while an option is pressed, and a finger that scrolls the list chooses nothing.
    this.#popup.addEventListener("mousedown", (event) => event.preventDefault());
    this.#popup.addEventListener("click", (event) => this.#choose(event.target.closest("[role=option]")));
    root.addEventListener("place:forget", () => this.#forget());
    root.addEventListener("change", ({ target }) => target.type === "radio" && this.#moved(target.value));
  }

  get #options() {
    return [...this.#popup.querySelectorAll("[role=option]")];
  }

  #typed() {
    this.#keep("");
    clearTimeout(this.#timer);
    this.#asking?.abort();
    const typed = this.#input.value.trim();
    if (typed.length < LEAST) return this.#close();
    this.#timer = setTimeout(() => this.#ask(typed), REST);
  }

  async #ask(typed) {
    const mine = (this.#asking = new AbortController());
    const { near, to, kind } = this.#root.dataset;
    const here = remembered();
    const query = new URLSearchParams({ q: typed, for: this.#input.id });
    for (const [name, value] of Object.entries({ here: here && written(here), near, to, kind })) if (value) query.set(name, value);
    const answer = await readWhole(`/places/suggestions?${query}`, { headers: { "HX-Request": "true" }, signal: mine.signal });
    const found = answer?.ok ? answer.content : null;
    // An answer to what was typed before, or that comes when the field was left.
    if (mine.signal.aborted || document.activeElement !== this.#input) return;
    if (found === null) this.#say(text("places.away"));
    else this.#show(found);
  }

  #show(markup) {
    const holder = document.createElement("template");
    holder.innerHTML = markup;
    const offer = holder.content.firstElementChild;
    if (!offer?.querySelector("[role=option]")) return this.#say(text("places.none"));
    this.#popup.replaceChildren(offer);
    this.#open(true);
    announce(offer.dataset.said);
  }

  /** In place of suggestions: seen and heard, and in nobody's way. */
  #say(sentence) {
    const words = document.createElement("p");
    words.className = "small";
    words.textContent = sentence;
    this.#popup.replaceChildren(words);
    this.#open(false);
    announce(sentence);
  }

  #open(hasOptions) {
    this.#popup.hidden = false;
    this.#input.setAttribute("aria-expanded", String(hasOptions));
    if (hasOptions) this.#input.setAttribute("aria-controls", `${this.#input.id}-list`);
    this.#point(-1);
    // Clear of the bars at the window's edges: the list, and above all the field.
    for (const element of [this.#popup, this.#input]) element.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  #close() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#popup.hidden = true;
    this.#popup.replaceChildren();
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-controls");
    this.#point(-1);
  }

  #point(index) {
    this.#active = index;
    this.#options.forEach((option, number) => option.setAttribute("aria-selected", String(number === index)));
    const option = this.#options[index];
    if (!option) return this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (isComposing(event) || event.ctrlKey || event.metaKey) return;
    const count = this.#options.length;
    const last = count - 1;
    if (event.key === "Escape" && !this.#popup.hidden) this.#close();
    else if (event.key === "ArrowDown" && count) this.#point(this.#active < last ? this.#active + 1 : 0);
    else if (event.key === "ArrowUp" && count) this.#point(this.#active > 0 ? this.#active - 1 : last);
    else if (event.key === "ArrowDown" && this.#input.value.trim().length >= LEAST) this.#ask(this.#input.value.trim());
    else if (event.key === "Enter" && this.#options[this.#active]) this.#choose(this.#options[this.#active]);
    else return;
    event.preventDefault();
  }

  #choose(option) {
    if (!option) return;
    const { at, label, href } = option.dataset;
    this.#input.value = label;
    this.#input.removeAttribute("aria-invalid");
    this.#close();
    if (href) return location.assign(href);
    this.#keep(`${at} ${label}`);
    announce(text("places.chosen", { name: label }));
    this.#moved(at);
  }

  /** Tells the page where the chosen place is. */
  #moved(at) {
    const place = read(at.split(" ", 1)[0]);
    if (place) this.#root.dispatchEvent(new CustomEvent("place:chosen", { bubbles: true, detail: place }));
  }

  /** What goes along with the form; what the form itself offered to choose from was for another text. */
  #keep(choice) {
    if (this.#root.matches("form")) return;
    this.#root.querySelector("[data-offered]")?.remove();
    let field = this.#root.querySelector("[data-chosen]");
    if (!field) {
      field = Object.assign(document.createElement("input"), { type: "hidden", name: `${this.#input.name}.at` });
      field.dataset.chosen = "";
      this.#root.append(field);
    }
    field.value = choice;
  }

  #forget() {
    this.#close();
    this.#input.value = "";
    this.#keep("");
  }
}

document.querySelectorAll("[data-places]").forEach((root) => new Combobox(root));
