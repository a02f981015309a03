// Several pictures in a form: seen and sent as soon as they are chosen, moved by buttons or by dragging. The order in the hidden field is that
// of the list; what could not be sent yet goes along with the form.

import { announce } from "./notice.js";
import { shrink, upload } from "./shrink.js";
import { text } from "./text.js";

class Pictures {
  #root;
  #form;
  #list;
  #file;
  #said;
  /** What is on its way. */
  #sending = new Set();
  /** Pictures that the network would not take, which the form takes along. */
  #kept = new Map();
  #dragged;

  constructor(root) {
    this.#root = root;
    this.#form = root.closest("form");
    this.#list = root.querySelector("[data-list]");
    this.#file = root.querySelector("input[type=file]");
    this.#said = root.querySelector("[data-said]");
    this.#file.addEventListener("change", () => this.#choose([...this.#file.files]));
    this.#list.addEventListener("click", (event) => this.#pressed(event));
    this.#form.addEventListener("submit", (event) => this.#wait(event));
    this.#list.addEventListener("dragstart", (event) => (this.#dragged = event.target.closest(".picture")) && event.dataTransfer.setData("text/plain", ""));
    this.#list.addEventListener("dragover", (event) => this.#drag(event));
    this.#list.addEventListener("dragend", () => this.#drop());
    this.#list.addEventListener("drop", (event) => event.preventDefault());
    this.#sync();
  }

  get #rows() {
    return [...this.#list.children];
  }

  #choose(files) {
    const room = Number(this.#root.dataset.most) - this.#rows.length;
    this.#say(files.length > room ? text("pictures.tooMany", { n: this.#root.dataset.most }) : "");
    for (const file of files.slice(0, room)) this.#add(file);
    this.#keep();
    this.#sync();
  }

  #add(file) {
    const row = this.#root.querySelector("[data-row]").content.firstElementChild.cloneNode(true);
    row.querySelector("img").src = URL.createObjectURL(file);
    this.#list.append(row);
    const work = this.#send(row, file).finally(() => this.#sending.delete(work));
    this.#sending.add(work);
  }

  async #send(row, file) {
    const bar = row.querySelector("progress");
    bar.hidden = false;
    const small = await shrink(file);
    try {
      const id = await upload(this.#root.dataset.upload, small, this.#form.elements.csrf.value, (share) => (bar.value = share));
      // The same picture twice is one.
      if (this.#rows.some((other) => other.dataset.picture === id)) row.remove();
      else row.dataset.picture = id;
      announce(text("pictures.added"));
    } catch (error) {
      if (error.message) row.remove();
      else this.#kept.set(row, new File([small], "picture.jpg", { type: small.type || "image/jpeg" }));
      this.#say(error.message || text("pictures.along"));
    }
    bar.hidden = true;
    this.#keep();
    this.#sync();
  }

  /** The file field holds what is to go along, and nothing that was sent. */
  #keep() {
    const transfer = new DataTransfer();
    for (const [row, file] of this.#kept) if (row.isConnected) transfer.items.add(file);
    this.#file.files = transfer.files;
  }

  #pressed(event) {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    event.preventDefault();
    const row = button.closest(".picture");
    const { move } = button.dataset;
    if (move === "earlier") row.previousElementSibling?.before(row);
    if (move === "later") row.nextElementSibling?.after(row);
    if (move === "remove") {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      (next?.querySelector("[data-move=remove]") ?? this.#file).focus();
      this.#keep();
    }
    this.#sync();
    if (move !== "remove") (button.disabled ? row.querySelector("[data-move=remove]") : button).focus();
    announce(move === "remove" ? text("pictures.removed") : text("pictures.moved", { n: this.#rows.indexOf(row) + 1 }));
  }

  #drag(event) {
    const over = event.target.closest(".picture");
    if (!this.#dragged) return;
    event.preventDefault();
    if (!over || over === this.#dragged) return;
    const isLater = this.#rows.indexOf(over) > this.#rows.indexOf(this.#dragged);
    isLater ? over.after(this.#dragged) : over.before(this.#dragged);
  }

  #drop() {
    if (this.#dragged) announce(text("pictures.moved", { n: this.#rows.indexOf(this.#dragged) + 1 }));
    this.#dragged = null;
    this.#sync();
  }

  /** What the form sends, and what each row says of itself, after any change. */
  #sync() {
    const rows = this.#rows;
    this.#root.querySelector("[data-ids]").value = rows.map((row) => row.dataset.picture).filter(Boolean).join(" ");
    this.#root.querySelector("[data-adding]").hidden = rows.length >= Number(this.#root.dataset.most);
    rows.forEach((row, index) => {
      row.draggable = rows.length > 1;
      row.querySelector("[data-cover]").hidden = index > 0;
      row.querySelector("img").alt = text("pictures.photo", { n: index + 1 });
      for (const button of row.querySelectorAll("[data-move]")) {
        button.setAttribute("aria-label", text(`pictures.${button.dataset.move}`, { n: index + 1 }));
        button.disabled = (button.dataset.move === "earlier" && index === 0) || (button.dataset.move === "later" && index === rows.length - 1);
      }
    });
  }

  /** The form goes when the pictures have arrived. */
  async #wait(event) {
    if (!this.#sending.size) return;
    event.preventDefault();
    this.#say(text("pictures.wait"));
    const { submitter } = event;
    await Promise.all(this.#sending);
    this.#form.requestSubmit(submitter);
  }

  #say(sentence) {
    this.#said.textContent = sentence;
  }
}

document.querySelectorAll("[data-pictures]").forEach((root) => new Pictures(root));
