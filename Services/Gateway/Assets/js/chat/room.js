// One chat, live: messages come and go out, ticks turn, and one sees that the other is writing.

import { announce } from "../notice.js";
import { persistent } from "../persistent.js";
import { request, settled } from "../request.js";
import { me } from "../session.js";
import { text } from "../text.js";
import { isAbout, renewAgreement } from "./agreement.js";
import { compose } from "./composer.js";
import { see, showTicks } from "./marks.js";
import { last, list, onAdded, pull, renewRows, room, talk, watch } from "./rows.js";
import { begin, settle } from "./waiting.js";
import { hear } from "./wire.js";

/** What is told of what runs between two. */
const AGREEMENTS = ["rentalAnswered", "rentalChanged", "seatRequested", "seatAnswered", "seatChanged", "matchUpdate"];
/** Milliseconds after which somebody who was writing is not any more. */
const PAUSE = 6000;
const typing = document.getElementById("typing");
const jump = () => document.getElementById("jump").parentElement;
let timer;
/** Whether one is at the end, and stays there. */
let follows = false;

const toEnd = () => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
const atEnd = () => innerHeight + scrollY > document.documentElement.scrollHeight - 150;

/** One is at the end: what is there is seen. */
function follow() {
  follows = true;
  jump().hidden = true;
  see();
}

function showTyping(shown) {
  clearTimeout(timer);
  typing.hidden = !shown;
  if (shown) timer = setTimeout(showTyping, PAUSE, false);
}

onAdded((rows) => {
  settle();
  showTicks();
  const theirs = rows.filter((row) => !row.classList.contains("mine"));
  if (theirs.length) showTyping(false);
  for (const row of theirs) {
    const said = row.querySelector(".words")?.textContent;
    announce(said ? text("chat.said", { name: talk.dataset.name, text: said }) : text("chat.photo", { name: talk.dataset.name }));
  }
  if (!follows && theirs.length) return void (jump().hidden = false);
  toEnd();
  follow();
});

/** The field below, or why there is none, as it is now. What is being written stays. */
async function renewFoot(writable) {
  const composer = document.getElementById("composer");
  if (writable === Boolean(composer)) return;
  const answer = settled(await request(`/messages/${room}/foot`, { headers: { "HX-Request": "true" } }));
  if (!answer.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  document.getElementById("foot").replaceWith(holder.content);
  start();
}

const renew = persistent(async () => {
  const answer = settled(await request(`/v1/rooms/${room}`));
  if (!answer.ok) return;
  const { theirs, writable } = await answer.json();
  showTicks(theirs);
  await renewFoot(writable);
});

function start() {
  compose(() => (follow(), requestAnimationFrame(toEnd)));
  document.getElementById("jump").addEventListener("click", () => (toEnd(), follow()));
}

const renewShown = (isChanged) => renewRows(isChanged).then(() => showTicks());

/** Anything may have been; the first time, that is since this page was made. */
let isFirst = true;
function missed(isLost) {
  pull();
  renew();
  if (isLost) renewShown(() => true);
  if (!isFirst) renewAgreement();
  isFirst = false;
}

hear((kind, data) => {
  if (kind === "opened") return missed(data?.isLost);
  if (AGREEMENTS.includes(kind) && isAbout(data)) return void renewAgreement();
  if ((data?.message?.room ?? data?.room) !== room) return;
  if (kind === "message") pull();
  else if (kind === "typing" && data.by !== me) showTyping(true);
  else if (kind === "roomChanged") (pull(), renew());
  else if (kind === "messageHidden") renewShown((number) => number === data.number);
});

function scrolled() {
  if (!atEnd()) follows = false;
  else if (!follows) follow();
}

document.addEventListener("click", (event) => {
  const options = document.querySelector(".options[open]");
  if (options && !options.contains(event.target)) options.open = false;
});
document.addEventListener("keydown", (event) => event.key === "Escape" && document.querySelector(".options[open]")?.removeAttribute("open"));

start();
begin().catch(() => {}).then(() => {
  if ("newest" in talk.dataset && last()) (list.querySelector(".news") ?? document.getElementById("newest")).scrollIntoView({ block: list.querySelector(".news") ? "start" : "end", behavior: "instant" });
  if (atEnd()) follow();
  // Not before: by the address alone a browser shows the end, though what is new begins above.
  addEventListener("scroll", scrolled, { passive: true });
  new ResizeObserver(() => follows && toEnd()).observe(talk);
  watch();
});
