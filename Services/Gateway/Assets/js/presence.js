// Says that somebody looks: not that a tab is open somewhere behind others. Who looks is written no mail, and no device of theirs rings.

import { ask } from "./ask.js";
import { me } from "./session.js";

/** Milliseconds between two times that it is said, by whichever tab. */
const EACH = 60_000;
const key = "kampong.looked";

/** Whether nobody has said it for a minute. Where nothing can be kept, each tab counts for itself. */
let last = 0;
function due() {
  const now = Date.now();
  try {
    const [who, at] = (localStorage.getItem(key) || "").split(" ");
    if (who === me) last = Math.max(last, Number(at) || 0);
  } catch {
    // Then as this tab remembers it.
  }
  // A clock that was put back begins anew.
  if (last > now) last = 0;
  if (now - last < EACH) return false;
  last = now;
  try {
    localStorage.setItem(key, `${me} ${now}`);
  } catch {
    // As above.
  }
  return true;
}

function look() {
  if (!document.hidden && due()) ask("PUT", "/v1/presence", undefined, me).catch(() => {});
}

// Who is suspended has no live page, and is told nothing.
if (me && document.body.dataset.live) {
  look();
  document.addEventListener("visibilitychange", look);
  setInterval(look, EACH / 4);
}
