// The list of chats, as it changes.

import { renewList } from "../livelist.js";
import { persistent } from "../persistent.js";
import { hear } from "./wire.js";

let timer;

const renew = persistent(() => renewList("#rooms[data-live]", "room"));

hear((kind) => {
  if (!["opened", "message", "messageHidden", "read", "roomChanged"].includes(kind)) return;
  clearTimeout(timer);
  timer = setTimeout(renew, 150);
});
