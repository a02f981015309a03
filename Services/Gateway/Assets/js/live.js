// What happens elsewhere, as it happens: the gateway's stream of events, limited to a box.

import { signedIn } from "./session.js";
import { text } from "./text.js";
import { toast } from "./notice.js";

const KINDS = ["spotAdded", "spotChanged", "spotClaimed", "spotRemoved"];

/** Hears of the spots in a box until `close()`. The browser connects again by itself and is told what it missed; where the
    server refuses for good, this tries again ever more rarely, and says so where the session has ended. */
export class Live {
  #source;
  #timer;
  #wait = 2000;
  #box;

  /** @param heard called with `(kind, data)`; @param returned called when a connection that was refused is there again, and when
      something was missed that is not told again: what is shown has to be loaded anew. */
  constructor(box, heard, returned = () => {}) {
    this.#box = box;
    this.heard = heard;
    this.returned = returned;
    this.#open();
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.#open());
  }

  /** Listens to another box from now on. */
  move(box) {
    if (box === this.#box || !box) return;
    this.#box = box;
    this.close();
    this.#open();
  }

  close() {
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #open(again = false) {
    this.#source = new EventSource(`/v1/stream?bbox=${encodeURIComponent(this.#box)}`);
    for (const kind of KINDS) this.#source.addEventListener(kind, ({ data }) => this.heard(kind, JSON.parse(data)));
    this.#source.addEventListener("resync", () => this.returned());
    this.#source.addEventListener("open", () => {
      this.#wait = 2000;
      if (again) this.returned();
      again = false;
    });
    this.#source.addEventListener("error", () => {
      if (this.#source.readyState === EventSource.CLOSED) this.#refused();
    });
  }

  async #refused() {
    const answer = await fetch("/me/alive", { redirect: "manual" }).catch(() => null);
    if (answer?.status === 401 && signedIn) {
      const next = encodeURIComponent(location.pathname + location.search);
      toast(text("live.ended"), { stays: true, action: { label: text("live.signIn"), href: `/sign-in?next=${next}` } });
      return;
    }
    this.#timer = setTimeout(() => this.#open(true), this.#wait);
    this.#wait = Math.min(this.#wait * 2, 60_000);
  }
}
