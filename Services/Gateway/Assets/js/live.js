// What happens elsewhere, as it happens: the gateway's stream of events, those of places limited to a box.

import { signedIn } from "./session.js";
import { text } from "./text.js";
import { toast } from "./notice.js";

const KINDS = ["spotAdded", "spotChanged", "spotClaimed", "spotRemoved"];

/** Whoever was told so needs not be told that their session has ended. */
let suspended = false;

/** What moderators did to whoever looks, on whatever page. What they did to others is in the inbox, which says so itself. */
function tell({ suspension }) {
  suspended = true;
  toast(text("live.suspended", suspension), { stays: true });
}
/** Milliseconds between two makings anew of what is shown, should the servers not agree on what was missed. */
const REST = 5000;

/** Hears of the spots in a box, or of other kinds of events, until `close()`, from the moment at which the page was made. The browser connects again by itself
    and is told what it missed; where the server refuses for good, this tries again ever more rarely, and says so where the
    session has ended. */
export class Live {
  #box;
  #since;
  #source;
  #timer;
  #wait = 2000;
  /** Goes up whenever another connection is wanted, or none: what an older one leads to is no longer asked for. */
  #turn = 0;
  #missing;
  #anewAt = 0;

  /** @param since where the stream stood when the page was made, as the page says it.
      @param heard called with `(kind, data, id)`: where one goes on who has heard it.
      @param missed called when something was missed that cannot be told again: load what is shown.
      @param opened called whenever a connection stands. */
  constructor(box, since, heard, missed, { kinds = KINDS, opened } = {}) {
    this.kinds = kinds;
    this.opened = opened;
    this.heard = heard;
    this.missed = missed;
    this.listen(box, since);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.#open(true));
  }

  /** Listens to this box from now on: to what has happened there since the page, or this part of it, was made. */
  listen(box, since) {
    this.#box = box;
    this.#since = since;
    this.#open();
  }

  close() {
    this.#turn += 1;
    clearTimeout(this.#timer);
    clearTimeout(this.#missing);
    this.#missing = undefined;
    this.#source?.close();
  }

  #open(again = false) {
    this.close();
    const turn = this.#turn;
    // Without a place to go on from, nobody can say what was missed.
    let lost = again && !this.#since;
    const from = this.#since ? `&lastEventId=${encodeURIComponent(this.#since)}` : "";
    const source = (this.#source = new EventSource(`/v1/stream?bbox=${encodeURIComponent(this.#box)}${from}`));
    const on = (kind, act) => source.addEventListener(kind, (event) => {
      if (event.lastEventId) this.#since = event.lastEventId;
      act(event);
    });
    for (const kind of this.kinds) on(kind, ({ data }) => this.heard(kind, JSON.parse(data), this.#since));
    on("personSuspended", ({ data }) => tell(JSON.parse(data)));
    on("resync", () => this.#miss());
    source.addEventListener("open", () => {
      this.#wait = 2000;
      if (lost) this.#miss();
      lost = false;
      this.opened?.();
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) this.#refused(turn);
    });
  }

  /** Once for all publishers that something was missed of. */
  #miss() {
    this.#missing ??= setTimeout(() => {
      this.#missing = undefined;
      this.#anewAt = performance.now();
      this.missed();
    }, Math.max(0, this.#anewAt + REST - performance.now()));
  }

  async #refused(turn) {
    const answer = await fetch("/me/alive", { redirect: "manual" }).catch(() => null);
    if (turn !== this.#turn) return;
    if (suspended) return;
    if (answer?.status === 401 && signedIn) {
      const next = encodeURIComponent(location.pathname + location.search);
      toast(text("live.ended"), { stays: true, action: { label: text("live.signIn"), href: `/sign-in?next=${next}` } });
      return;
    }
    this.#timer = setTimeout(() => this.#open(true), this.#wait);
    this.#wait = Math.min(this.#wait * 2, 60_000);
  }
}
