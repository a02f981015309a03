// A deliverer shows where they are while they bring something: from the moment they say so until it is there, and only while they look at this page.

import { ask } from "./ask.js";
import { me } from "./session.js";
import { text } from "./text.js";

/** Milliseconds between two times that it is told, and after which it is told though nobody has moved. */
const EACH = 5000, STILL = 20_000;
/** Metres. */
const MOVED = 15;
const key = "kampong.shows";

/** Metres, near enough for a walk. */
function between(a, b) {
  const degree = 111_195, east = Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot((a.latitude - b.latitude) * degree, (a.longitude - b.longitude) * degree * east);
}

export class Sharing {
  #match;
  #box;
  #watch;
  #last;
  #at = 0;
  #awake;

  constructor(box, match) {
    this.#match = match;
    this.#box = box;
    box.querySelector("[data-begin]").addEventListener("click", () => this.#begin());
    box.querySelector("[data-end]").addEventListener("submit", () => this.#stop());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#rest() : this.#chosen() && this.#look()));
    const awake = box.querySelector("[data-awake]");
    awake.hidden = !navigator.wakeLock;
    awake.querySelector("input").addEventListener("change", ({ target }) => this.#stayAwake(target.checked));
    if (this.#chosen() && "on" in box.dataset) this.#look();
  }

  /** The choice holds for this delivery, in this window. */
  #chosen() {
    return sessionStorage.getItem(key) === this.#match;
  }

  #begin() {
    sessionStorage.setItem(key, this.#match);
    this.#look();
  }

  #look() {
    if (!navigator.geolocation) return this.#say("match.unknown");
    this.#say("match.shows");
    this.#box.querySelector("[data-begin]").hidden = true;
    this.#watch ??= navigator.geolocation.watchPosition(({ coords }) => this.#move(coords), (error) => this.#refused(error), { enableHighAccuracy: true, maximumAge: 5000 });
  }

  #rest() {
    navigator.geolocation?.clearWatch(this.#watch);
    this.#watch = undefined;
  }

  #stop(sentence) {
    sessionStorage.removeItem(key);
    this.#rest();
    this.#stayAwake(false);
    this.#box.querySelector("[data-begin]").hidden = false;
    if (sentence) this.#say(sentence);
  }

  #refused({ code }) {
    if (code === 1) this.#stop("match.refused");
    else this.#say("match.unknown");
  }

  async #move({ latitude, longitude, accuracy }) {
    const here = { latitude: +latitude.toFixed(6), longitude: +longitude.toFixed(6) };
    const since = Date.now() - this.#at;
    if (since < EACH || (since < STILL && this.#last && between(here, this.#last) < MOVED)) return;
    [this.#at, this.#last] = [Date.now(), here];
    const answer = await ask("PUT", `/v1/matches/${this.#match}/position`, { position: here, accuracy: Math.round(accuracy) }, me).catch(() => null);
    // It is over, or somebody else is signed in: nothing more is told.
    if (answer && [401, 403, 404, 409].includes(answer.status)) return this.#stop("match.over");
    this.#box.querySelector("[data-end]").hidden = false;
  }

  async #stayAwake(wanted) {
    try {
      if (wanted) this.#awake ??= await navigator.wakeLock.request("screen");
      else await this.#awake?.release();
    } catch {
      // The device does not let it.
    }
    if (!wanted) this.#awake = undefined;
  }

  #say(key) {
    this.#box.querySelector("[data-said]").textContent = text(key);
  }
}
