// The inbox, as it changes.

import { hear } from "./chat/wire.js";
import { renewList } from "./livelist.js";
import { isLookedAt, onceLookedAt } from "./looking.js";
import { persistent } from "./persistent.js";

let timer;

// Tried again, or a moment later, it may be that nobody looks any more.
const renew = persistent(async () => (isLookedAt() ? renewList("#inbox[data-self]", "notice") : renewSoon()));

/** What the list shows counts as seen, and is told on no device: so it waits for somebody who looks. What comes at once is fetched once. */
const renewSoon = onceLookedAt(() => {
  clearTimeout(timer);
  timer = setTimeout(renew, 150);
});

hear((kind) => ["opened", "notification", "notificationsRead"].includes(kind) && renewSoon());
