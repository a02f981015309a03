// What happens elsewhere, as it happens: the gateway's stream of events, those of places limited to a box.

import { request } from "./request.js";
import { signedIn } from "./session.js";
import { text } from "./text.js";
import { toast } from "./notice.js";

const KINDS = ["spotAdded", "spotChanged", "spotClaimed", "spotRemoved"];

/** The box of what happens anywhere. */
export const ANYWHERE = "-180,-90,180,90";

/** Whoever was told so needs not be told that their session has ended. */
let suspended = false;

/** What moderators did to whoever looks, on whatever page. What they did to others is in the inbox, which says so itself. */
function tell({ suspension }) {
  suspended = true;
  toast(text("live.suspended", suspension), { stays: true });
}
/** Milliseconds between two makings anew of what is shown, should the servers not agree on what was missed. */
const REST = 5000;
/** Milliseconds between two heartbeats of the server, at the most. */
const BEAT = 15_000;
/** Milliseconds after which a stream that says nothing is dead, though the browser does not know. */
const SILENCE = 3 * BEAT;

/** Hears of the spots in a box, or of other kinds of events, until `close()`, from the moment at which the page was made. The browser connects again by itself
    and is told what it missed; where nothing is heard any more, not even the server's heart, this connects anew; where the server refuses
    for good, it tries again ever more rarely, and says so where the session has ended. */
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
  #watchdog;
  #heardAt = 0;

  /** @param since where the stream stood when the page was made, as the page says it.
      @param heard called with `(kind, data, id)`: where one goes on who has heard it.
      @param missed called when something was missed that cannot be told again: load what is shown.
      @param opened called whenever a connection stands.
      @param beaten called with `(id)` at each heartbeat: one goes on there, though nothing happened. */
  constructor(box, since, heard, missed, { kinds = KINDS, opened, beaten } = {}) {
    this.kinds = kinds;
    this.opened = opened;
    this.beaten = beaten;
    this.heard = heard;
    this.missed = missed;
    this.listen(box, since);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.#open(true));
    // Another network is another line; and a machine that slept may have lost its own without anybody saying so.
    addEventListener("online", () => this.#renew(0));
    document.addEventListener("visibilitychange", () => document.hidden || this.#renew(BEAT + REST));
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
    clearTimeout(this.#watchdog);
    clearTimeout(this.#missing);
    this.#missing = undefined;
    this.#source?.close();
    this.#source = undefined;
  }

  /** Connects anew where nothing was heard for so many milliseconds. What was closed stays closed. */
  #renew(silence) {
    if (this.#source && Date.now() - this.#heardAt >= silence) this.#open(true);
  }

  #hear() {
    this.#heardAt = Date.now();
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#open(true), SILENCE);
  }

  #open(again = false) {
    // Without a place to go on from, nobody can say what was missed; nor does anybody say a second time that something was.
    let lost = again && (!this.#since || this.#missing !== undefined);
    this.close();
    const turn = this.#turn;
    const from = this.#since ? `&lastEventId=${encodeURIComponent(this.#since)}` : "";
    const source = (this.#source = new EventSource(`/v1/stream?bbox=${encodeURIComponent(this.#box)}${from}`));
    // To connect may take for ever as well.
    this.#hear();
    const on = (kind, act) => source.addEventListener(kind, (event) => {
      this.#hear();
      if (event.lastEventId) this.#since = event.lastEventId;
      act(event);
    });
    for (const kind of this.kinds) on(kind, ({ data }) => this.heard(kind, JSON.parse(data), this.#since));
    on("personSuspended", ({ data }) => tell(JSON.parse(data)));
    on("resync", () => this.#miss());
    on("beat", () => this.beaten?.(this.#since));
    source.addEventListener("open", () => {
      this.#hear();
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
    clearTimeout(this.#watchdog);
    const answer = await request("/me/alive", { redirect: "manual" }).catch(() => null);
    if (turn !== this.#turn) return;
    if (suspended) return this.close();
    if (answer?.status === 401 && signedIn) {
      this.close();
      const next = encodeURIComponent(location.pathname + location.search);
      toast(text("live.ended"), { stays: true, action: { label: text("live.signIn"), href: `/sign-in?next=${next}` } });
      return;
    }
    this.#timer = setTimeout(() => this.#open(true), this.#wait);
    this.#wait = Math.min(this.#wait * 2, 60_000);
  }
}
