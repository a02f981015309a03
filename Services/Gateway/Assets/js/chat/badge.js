// How many chats have something new: on the tab and in the title, as it changes; and what has arrived on this device is said to have.

import { ask } from "../ask.js";
import { me } from "../session.js";
import { count, show, shown } from "../title.js";
import { hear, leading, tell } from "./wire.js";

const badge = document.querySelector("[data-unread]");
const key = "kampong.delivered";
let timer;

function showRooms(rooms) {
  show(badge, rooms);
  count("rooms", rooms);
}

const get = async (path) => {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? answer.json() : null;
};

/** What comes at once is counted once. */
function recount(then) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const unread = await get("/v1/rooms/unread");
    if (unread) tell("unread", unread.rooms);
    if (unread?.rooms) then?.();
  }, 100);
}

/** Up to which message each room is said to have arrived, by this tab. */
const known = JSON.parse(sessionStorage.getItem(key) || "{}");

function deliver(room, number) {
  if (known[room] >= number) return;
  known[room] = number;
  sessionStorage.setItem(key, JSON.stringify(known));
  ask("PUT", `/v1/rooms/${room}/delivered`, { number }, me).catch(() => delete known[room]);
}

/** What was written while no page of ours was open. */
async function deliverAll() {
  const rooms = await get("/v1/rooms?limit=50");
  for (const { id, last, unread } of rooms?.items ?? []) if (unread && last && last.by !== me) deliver(id, last.number);
}

if (badge) {
  count("rooms", shown(badge));
  hear((kind, data) => {
    if (kind === "unread") return showRooms(data);
    if (!leading()) return;
    if (kind === "opened") recount(deliverAll);
    else if (kind === "message" || kind === "roomChanged" || (kind === "read" && data.by === me)) recount();
    if (kind === "message" && data.message.by !== me) deliver(data.message.room, data.message.number);
  });
}
