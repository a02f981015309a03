// How many chats have something new: on the tab and in the title, as it changes; and what has arrived on this device is said to have.

import { ask } from "../ask.js";
import { persistent } from "../persistent.js";
import { request, settled } from "../request.js";
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

/** Null where there is nothing to be had, and asking again would not change it; throws where it would. */
const get = async (path) => {
  const answer = settled(await request(path));
  return answer.ok ? answer.json() : null;
};

/** Whether something may have been written while no page of ours was open. */
let missed = false;

const look = persistent(async () => {
  const unread = await get("/v1/rooms/unread");
  if (!unread) return;
  tell("unread", unread.rooms);
  if (!missed) return;
  missed = false;
  await deliverAll(unread.rooms).catch((error) => {
    missed = true;
    throw error;
  });
});

/** What comes at once is counted once. */
function recount() {
  clearTimeout(timer);
  timer = setTimeout(look, 100);
}

/** Up to which message each room is said to have arrived, by this tab. */
const known = JSON.parse(sessionStorage.getItem(key) || "{}");

/** The same, of what is still to be said. */
const due = new Map();

async function say(room, number) {
  settled(await ask("PUT", `/v1/rooms/${room}/delivered`, { number }, me));
  known[room] = number;
  sessionStorage.setItem(key, JSON.stringify(known));
  if (due.get(room) === number) due.delete(room);
}

const sayAll = persistent(async () => {
  const said = await Promise.allSettled([...due].map(([room, number]) => say(room, number)));
  const failed = said.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
});

function deliver(room, number) {
  if (known[room] >= number || due.get(room) >= number) return;
  due.set(room, number);
  sayAll();
}

/** What was written in so many rooms, some of which may be old ones. */
async function deliverAll(rooms) {
  let page = "/v1/rooms?limit=50";
  while (rooms > 0 && page) {
    const found = await get(page);
    for (const { id, last, unread } of found?.items ?? []) {
      if (!unread) continue;
      rooms -= 1;
      deliver(id, last.number);
    }
    page = found?.next && `/v1/rooms?limit=50&cursor=${encodeURIComponent(found.next)}`;
  }
}

if (badge) {
  count("rooms", shown(badge));
  hear((kind, data) => {
    if (kind === "unread") return showRooms(data);
    if (!leading()) return;
    if (kind === "opened") ((missed = true), recount());
    else if (kind === "message" || kind === "roomChanged" || (kind === "read" && data.by === me)) recount();
    if (kind === "message" && data.message.by !== me) deliver(data.message.room, data.message.number);
  });
}
